package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"planb/cli/frame"
	"planb/cli/ink"
	"planb/cli/layout"
	"planb/setup"
	"planb/tui/cells"
)

func (p configured) configKeysCommand() *cobra.Command {
	var asJSON bool
	command := &cobra.Command{
		Use:   "keys [SCREEN]",
		Short: "List the keys of each screen, by the names to set them",
		Long: "List the keys of each screen, with the names that the settings use. In the file:\n\n" +
			"    [keys]            # on every screen that has it\n    help = [\"f2\", \"?\"]\n    [keys.form]       # on one screen\n    submit = \"ctrl+x\"",
		Args: frame.AtMostOne("screen"),
		RunE: func(_ *cobra.Command, args []string) error {
			actions, err := p.keyActions(args)
			switch {
			case err != nil:
				return err
			case asJSON:
				return frame.PrintJSON(p.Stdout, actions)
			}
			return p.printKeys(actions)
		},
	}
	command.Flags().BoolVar(&asJSON, "json", false, "print them as JSON")
	return command
}

// keyActions returns all actions, or those of one screen.
func (p configured) keyActions(screen []string) ([]shownAction, error) {
	keys, _ := p.mappedKeys()
	var list []shownAction
	var screens []string
	for _, a := range keys.Actions() {
		if !slices.Contains(screens, a.Screen) {
			screens = append(screens, a.Screen)
		}
		if len(screen) == 0 || screen[0] == a.Screen {
			list = append(list, shownAction{a.Screen, a.Action, a.Does, a.Keys, a.Default, a.About})
		}
	}
	if len(list) == 0 {
		return nil, frame.UsageError(fmt.Errorf("there is no screen %q%s", screen[0], setup.DidYouMean(screen[0], screens, "; the screens are "+strings.Join(screens, ", "))))
	}
	return list, nil
}

type shownAction struct {
	Screen  string   `json:"screen"`
	Action  string   `json:"action"`
	Does    string   `json:"does"`
	Keys    []string `json:"keys"`
	Default []string `json:"default"`
	about   string   // about the screen
}

func (p configured) printKeys(actions []shownAction) error {
	width := p.readingWidth()
	k := ink.On(p.Stdout, p.Env.Pairs(), p.Theme)
	most := 27 // cells for the keys; more of them go on below
	if width < 90 {
		most = 17
	}
	var out strings.Builder
	names, keys := 0, 0
	for _, a := range actions {
		names = max(names, ansi.StringWidth(a.Action))
		keys = max(keys, min(ansi.StringWidth(shownKeys(a.Keys)), most))
	}
	out.WriteString("  " + k.Faint.Render(cells.Pad("action", names+2)+cells.Pad("keys", keys+2)+"what it does") + "\n")
	screen := ""
	for _, a := range actions {
		if a.Screen != screen {
			if screen != "" {
				out.WriteString("\n")
			}
			screen = a.Screen
			out.WriteString(layout.Row(k.Strong.Render(fmt.Sprintf("[keys.%s]", screen))+" ", k.Muted.Render(a.about), width))
		}
		out.WriteString(keyRow(k, a, names, keys, width))
	}
	if err := p.Print(out.String()); err != nil {
		return err
	}
	p.warnOfProblems()
	return nil
}

// keyRow is one action's row. Its keys and its text go on below, each in its own column.
func keyRow(k ink.Ink, a shownAction, names, keys, width int) string {
	does := a.Does
	if !slices.Equal(a.Keys, a.Default) {
		does += " (default " + shownKeys(a.Default) + ")"
	}
	said := strings.Split(layout.Text(does, max(width-names-keys-6, 1)), "\n")
	pressed := strings.Split(layout.Text(shownKeys(a.Keys), keys), "\n")
	var out strings.Builder
	action := a.Action
	for i := range max(len(said), len(pressed)) {
		key, text := "", ""
		if i < len(pressed) {
			key = pressed[i]
		}
		if i < len(said) {
			text = said[i]
		}
		line := "  " + cells.Pad(action, names+2) + k.Accent.Render(cells.Pad(key, keys)) + "  " + k.Muted.Render(text)
		out.WriteString(strings.TrimRight(line, " ") + "\n")
		action = ""
	}
	return out.String()
}

// shownKeys joins keys for a person.
func shownKeys(keys []string) string {
	if len(keys) == 0 {
		return "(none)"
	}
	return strings.Join(keys, " ")
}

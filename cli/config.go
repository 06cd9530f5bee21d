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
)

func (p configured) configCommand() *cobra.Command {
	var asJSON bool
	command := &cobra.Command{
		Use:   "config",
		Short: "Show and change the settings",
		Long: "Show every setting: what it does, its value, and where that comes from. A flag overrides an environment\n" +
			"variable, a variable overrides the file, and the file overrides the default.",
		Example: "  planb config\n  planb config set theme light\n  planb config set keys.form.submit ctrl+x\n  planb config edit",
		Args:    frame.NoArguments,
		RunE: func(*cobra.Command, []string) error {
			if asJSON {
				return p.printConfigJSON()
			}
			return p.printConfig()
		},
	}
	command.Flags().BoolVar(&asJSON, "json", false, "print them as JSON")
	command.AddCommand(p.configKeysCommand(), p.configSetCommand(), p.configUnsetCommand(), p.configEditCommand(),
		p.configCheckCommand(), p.configExampleCommand(), p.configPathCommand())
	return command
}

// readingWidth is the width of a page of text on stdout: the terminal's, but
// not too wide to read with ease. In a file, too, lines are broken.
func (p configured) readingWidth() int {
	const inFile, widest = 79, 99
	if width := p.Width(); width != layout.Endless {
		return min(width, widest)
	}
	return inFile
}

// margin indents the text about a setting.
const margin = "    "

// environmentOnly lists the variables that the settings file cannot set, and
// what they do.
func environmentOnly() [][2]string {
	return [][2]string{
		{"PLANB_DATA_DIR", "where everything is kept; not a setting, because a mistake in the file must not move the data"},
		{"ASK_NO_OPEN", "1 opens no pane: somebody else shows the form"},
		{"NO_COLOR", "whatever its value, no colours at all"},
		{"PAGER", "shows a plan, an answer or a difference; less, if it is not set"},
	}
}

func (p configured) printConfig() error {
	file, settings := p.settingsFile(), p.settings(nil)
	k := ink.On(p.Stdout, p.Env.Pairs(), p.Theme)
	k.Width = p.readingWidth()
	var out strings.Builder
	where := "The file " + file.Path
	if !file.Exists {
		where += " is not there; `planb config edit` makes it."
	}
	out.WriteString(k.Message("", where, k.Muted) + "\n")
	for _, e := range settings.List {
		out.WriteString("\n" + settingLine(k, e))
		for _, sentence := range e.Sentences() {
			out.WriteString(k.Message(margin, sentence, k.Muted) + "\n")
		}
	}
	keys, _ := p.mappedKeys()
	changed := 0
	for _, a := range keys.Actions() {
		if !slices.Equal(a.Keys, a.Default) {
			changed++
		}
	}
	mapped := "every action has its default keys"
	if changed > 0 {
		mapped = fmt.Sprintf("changed actions: %d", changed)
	}
	out.WriteString("\n" + k.Accent.Render("keys.SCREEN.ACTION") + "\n" + k.Message(margin, "The keys of actions; "+mapped+". `planb config keys` lists them.", k.Muted) + "\n")
	out.WriteString("\n" + k.Title.Render("In the environment alone") + "\n")
	for _, variable := range environmentOnly() {
		line := k.Accent.Render(variable[0])
		if set := p.Env[variable[0]]; set != "" {
			line += fmt.Sprintf(" = %q", set)
		}
		out.WriteString(layout.Row(margin, line+k.Muted.Render(":")+" "+k.Muted.Render(variable[1]), k.Width))
	}
	if err := p.Print(out.String()); err != nil {
		return err
	}
	if err := settings.Check(); err != nil {
		p.Warn(err.Error())
	}
	p.warnOfProblems()
	return nil
}

// settingLine writes a setting as in the file, with the source of its value at
// the right.
func settingLine(k ink.Ink, e setup.Effective) string {
	left, right := k.Accent.Render(e.Name)+" = "+e.Value, e.From()
	if gap := k.Width - ansi.StringWidth(left) - ansi.StringWidth(right); gap > 1 {
		return left + strings.Repeat(" ", gap) + k.Faint.Render(right) + "\n"
	}
	return layout.Row("", left, k.Width) + layout.Row(margin, k.Faint.Render("("+right+")"), k.Width)
}

// shownConfig is what planb config --json prints.
type shownConfig struct {
	Path     string         `json:"path"`
	Exists   bool           `json:"exists"`
	Settings []shownSetting `json:"settings"`
	Keys     []shownAction  `json:"keys"`
	Problems []shownProblem `json:"problems"`
}

type shownSetting struct {
	Name    string `json:"name"`
	Value   any    `json:"value"`
	Source  string `json:"source"`
	Line    int    `json:"line,omitempty"`
	Default string `json:"default"` // as TOML
	About   string `json:"about"`
	Allowed string `json:"allowed"`
	Env     string `json:"env,omitempty"`
	Flag    string `json:"flag,omitempty"`
}

type shownProblem struct {
	Line   int    `json:"line,omitempty"`
	Reason string `json:"reason"`
}

func (p configured) printConfigJSON() error {
	file, settings := p.settingsFile(), p.settings(nil)
	actions, err := p.keyActions(nil)
	if err != nil {
		return err
	}
	shown := shownConfig{Path: file.Path, Exists: file.Exists, Problems: []shownProblem{}, Keys: actions}
	for _, e := range settings.List {
		line := 0
		if e.Source == setup.FromFile {
			line = e.Line
		}
		shown.Settings = append(shown.Settings, shownSetting{e.Name, e.Plain, e.Source.String(), line, e.Default(), e.About, e.Allowed(), e.Env, e.Flag})
	}
	for _, problem := range p.settingsProblems() {
		shown.Problems = append(shown.Problems, shownProblem{problem.Line, problem.Reason})
	}
	if err := settings.Check(); err != nil {
		shown.Problems = append(shown.Problems, shownProblem{Reason: err.Error()})
	}
	return frame.PrintJSON(p.Stdout, shown)
}

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
	const inFile = 79
	if width := p.Width(); width != layout.Endless {
		return min(width, widest)
	}
	return inFile
}

// widest is the width of a page of text that leaves room for two columns.
const widest = 99

// environmentOnly lists the variables that the settings file cannot set, and
// what they do.
func environmentOnly() [][2]string {
	return [][2]string{
		{"PLANB_DATA_DIR", "Where everything is kept; not a setting, because a mistake in the file must not move the data."},
		{"ASK_NO_OPEN", "1 opens no pane: somebody else shows the form."},
		{"NO_COLOR", "Whatever its value, no colours at all."},
		{"PAGER", "Shows a plan, an answer or a difference; less, if it is not set."},
	}
}

func (p configured) printConfig() error {
	file, settings := p.settingsFile(), p.settings(nil)
	k := ink.On(p.Stdout, p.Env.Pairs(), p.Theme)
	k.Width = p.readingWidth()
	var out strings.Builder
	where := "Your settings are in " + file.Path + "; what it leaves out has its default. `planb config set SETTING VALUE` changes one, `planb config edit` opens the file."
	if !file.Exists {
		where = "You have no file of settings yet: what follows are the defaults, except where a variable of the environment says otherwise. " +
			"`planb config set SETTING VALUE` or `planb config edit` makes " + file.Path + "."
	}
	out.WriteString(k.Message("", where, k.Muted) + "\n")
	group, said := "", map[string]bool{}
	for _, e := range settings.List {
		if e.Group != group {
			group = e.Group
			out.WriteString("\n" + k.Title.Render(group) + "\n")
		}
		out.WriteString(settingRow(k, e, said[e.About]))
		said[e.About] = true
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
	out.WriteString("\n" + k.Title.Render("Keys") + "\n" + besideName(k, k.Accent.Render("keys.SCREEN.ACTION"), "The keys of actions; "+mapped+". `planb config keys` lists them."))
	out.WriteString("\n" + k.Title.Render("In the environment alone") + "\n")
	for _, variable := range environmentOnly() {
		line := k.Accent.Render(variable[0])
		if set := p.Env[variable[0]]; set != "" {
			line += fmt.Sprintf(" = %q", set)
		}
		out.WriteString(besideName(k, line, variable[1]))
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

// settingRow is a setting as in the file, where its value comes from, and lines about it. What
// an earlier setting said is not repeated.
func settingRow(k ink.Ink, e setup.Effective, said bool) string {
	name := k.Accent.Render(e.Name) + " = " + e.Value
	if e.Source != setup.FromDefault {
		name += " " + k.Muted.Render("(from") + " " + k.Muted.Render(e.From()+")")
	}
	var about []string
	if !said {
		about = append([]string{e.Sentence()}, e.Remarks()...)
	}
	return besideName(k, name, strings.Join(about, "\n"))
}

// besideName puts a text into the column beside a name and its value. It stands below them, a
// bit to the right, if they reach into the column, or if the column would be narrow.
func besideName(k ink.Ink, name, text string) string {
	const lead, column, below = "  ", 34, 4
	at := column
	if k.Width < widest {
		at = below
	}
	gap := at - len(lead) - ansi.StringWidth(name)
	switch {
	case text == "":
		return layout.Row(lead, name, k.Width)
	case gap < 2:
		return layout.Row(lead, name, k.Width) + k.Message(strings.Repeat(" ", at), text, k.Muted) + "\n"
	}
	return k.Message(lead+name+strings.Repeat(" ", gap), text, k.Muted) + "\n"
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

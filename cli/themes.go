package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"planb/cli/frame"
	"planb/setup"
	"planb/themes"
	"planb/tui"
)

func (p program) tuiThemesCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "themes",
		Short: "Choose the colours, seeing each theme on a form",
		Long: "Choose the colours: as you go through the list, each theme is shown on a form, and Enter saves it in your settings. " +
			"The name of a family stands for its dark or its light theme, whichever fits your terminal's background. With ACCESSIBLE=1, and on a dumb terminal, you choose by a number or a name.\n\nWithout a terminal, the names are printed.",
		Args: frame.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !frame.IsTerminal(p.Stdout) {
				return p.Print(themeTable())
			}
			terminal, closeTTY, err := p.terminal()
			if err != nil {
				return err
			}
			defer closeTTY()
			return tui.Themes(cmd.Context(), terminal)
		},
	}
}

// saveTheme saves a theme in the settings and returns the path of their file.
func (p program) saveTheme(name string) (where string, err error) {
	path, err := p.settingsPath()
	if err != nil {
		return "", err
	}
	return path, setup.SetSetting(path, "theme", name)
}

// themeOverride returns the variable that overrides the theme in the
// settings, or "".
func (p program) themeOverride() string {
	switch {
	case p.Env.NoColor():
		return "NO_COLOR"
	case strings.TrimSpace(p.Env["PLANB_THEME"]) != "":
		return "PLANB_THEME"
	}
	return ""
}

// themeTable lists every theme and the background that it is for.
func themeTable() string {
	choices := themes.Choices()
	cells := 0
	for _, c := range choices {
		cells = max(cells, len(c.Name))
	}
	var table strings.Builder
	for _, c := range choices {
		ground := "light"
		switch {
		case c.Theme.Palette.Colorless():
			ground = "no colours"
		case c.Follows:
			ground = fmt.Sprintf("%s or %s, whichever fits the terminal's background", c.On(true).Name, c.On(false).Name)
		case c.Theme.Dark:
			ground = "dark"
		}
		fmt.Fprintf(&table, "%-*s  %s\n", cells, c.Name, ground)
	}
	return table.String()
}

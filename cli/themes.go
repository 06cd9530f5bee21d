package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"planb/setup"
	"planb/themes"
	"planb/tui"
)

func (p program) tuiThemesCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "themes",
		Short: "Choose the colours, seeing each theme on a form",
		Long: "Choose the colours: every theme is shown on a form as you go through the list, and Enter saves the one you want in your settings. " +
			"The name of a family takes its dark or its light theme, as your terminal's background wants it. With ACCESSIBLE=1, and on a dumb terminal, a number or a name chooses.\n\nWhere there is no terminal, the names are printed.",
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !isTerminal(p.stdout) {
				return p.print(themeTable())
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

// saveTheme keeps a theme in the settings and says in which file.
func (p program) saveTheme(name string) (where string, err error) {
	path, err := p.env.settingsPath()
	if err != nil {
		return "", err
	}
	return path, setup.SetSetting(path, "theme", name)
}

// strongerThanSettings is the variable that overrules the theme of the settings.
func (p program) strongerThanSettings() string {
	switch {
	case p.env.noColor():
		return "NO_COLOR"
	case strings.TrimSpace(p.env["PLANB_THEME"]) != "":
		return "PLANB_THEME"
	}
	return ""
}

// themeTable is every name, and for which background it is.
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
			ground = fmt.Sprintf("%s or %s, as the terminal's background is", c.On(true).Name, c.On(false).Name)
		case c.Theme.Dark:
			ground = "dark"
		}
		fmt.Fprintf(&table, "%-*s  %s\n", cells, c.Name, ground)
	}
	return table.String()
}

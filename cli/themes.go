package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"planb/cli/frame"
	"planb/files"
	"planb/setup"
	"planb/themes"
	"planb/tui"
)

func (p program) tuiThemesCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "themes",
		Short: "Choose the colours, with each theme on a form",
		Long: "Choose the colours: as you go through the list, each theme is shown on a form, and Enter saves it in your settings. " +
			"The name of a family stands for its dark or its light theme, whichever fits your terminal's background. With ACCESSIBLE=1, and on a dumb terminal, you choose by a number or a name.\n\n" +
			"Themes of your own are files in the directory themes beside your settings; docs/settings.md shows one, and `planb config check` looks for mistakes in them.\n\nWithout a terminal, the names are printed.",
		Args: frame.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !frame.IsTerminal(p.Stdout) {
				return p.Print(themeTable(p.themes().Choices()))
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

// themeFiles are planb's themes together with those that the person wrote.
type themeFiles struct {
	themes.Collection
	problems []setup.Problem // why files of the person are left out
}

// maxThemeBytes is far more than a family needs: planb's largest has 6 KB.
const maxThemeBytes = 64 << 10

// readThemesOnce returns a function that reads the person's own themes once, at its
// first call.
func (p configured) readThemesOnce() func() themeFiles {
	return sync.OnceValue(func() themeFiles {
		settings, err := p.settingsPath()
		if err != nil {
			return themeFiles{} // without a home directory there are no files
		}
		return readThemes(filepath.Join(filepath.Dir(settings), "themes"))
	})
}

// readThemes adds the families in a directory to planb's own. A mistake in a file leaves
// out that file only.
func readThemes(dir string) themeFiles {
	var all themeFiles
	wrong := func(path string, line int, reason string) {
		all.problems = append(all.problems, setup.Problem{File: path, Line: line, Reason: reason})
	}
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		wrong(dir, 0, "the themes can't be read: "+err.Error())
	}
	for _, entry := range entries {
		path := filepath.Join(dir, entry.Name())
		if filepath.Ext(path) != ".toml" {
			continue
		}
		text, _, err := files.Read(path, maxThemeBytes)
		if err != nil {
			wrong(path, 0, "the themes in it can't be read: "+err.Error())
			continue
		}
		family, err := themes.Parse(text)
		if err == nil {
			all.Collection, err = all.With(family)
		}
		if parse, ok := errors.AsType[*themes.ParseError](err); ok {
			wrong(path, parse.Line, parse.Reason+"; its themes are left out")
		}
	}
	return all
}

// tellLowContrast prints which colours of the person's own themes are hard to read. They
// are no mistake: the person may want them.
func (p configured) tellLowContrast(own themes.Collection) error {
	for _, theme := range own.Added() {
		if err := p.tellHardToRead(theme.Name, theme.LowContrast()); err != nil {
			return err
		}
	}
	return nil
}

func (p configured) tellHardToRead(theme string, colours []themes.Shortfall) error {
	for _, low := range colours {
		if err := p.Tell(fmt.Sprintf("The theme %s is hard to read: %s.\n", theme, low)); err != nil {
			return err
		}
	}
	return nil
}

// saveTheme saves a theme in the settings and returns the path of their file.
func (p configured) saveTheme(name string) (where string, err error) {
	path, err := p.settingsPath()
	if err != nil {
		return "", err
	}
	return path, setup.SetSetting(path, "theme", name, p.themes().Collection)
}

// themeOverride returns the variable that overrides the theme in the
// settings, or "".
func (p configured) themeOverride() string {
	switch {
	case p.Env.NoColor():
		return "NO_COLOR"
	case strings.TrimSpace(p.Env["PLANB_THEME"]) != "":
		return "PLANB_THEME"
	}
	return ""
}

// themeTable lists every theme and the background that it is for.
func themeTable(choices []themes.Choice) string {
	cells := 0
	for _, c := range choices {
		cells = max(cells, len(c.Name))
	}
	var table strings.Builder
	for i, c := range choices {
		if i > 0 && c.Family != choices[i-1].Family {
			table.WriteByte('\n')
		}
		ground := "light"
		switch {
		case c.Theme.Palette.Colorless():
			ground = "no colours"
		case c.Follows:
			ground = fmt.Sprintf("%s or %s, by the terminal", c.On(true).Name, c.On(false).Name)
		case c.Theme.Dark:
			ground = "dark"
		}
		fmt.Fprintf(&table, "%-*s  %s\n", cells, c.Name, ground)
	}
	return table.String()
}

package themes

import (
	"embed"
	"fmt"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// family is a set of themes that belong together, as read from its file in
// palettes.
type family struct {
	Name string `toml:"name"`
	// Dark and Light name the two themes that the family's own name stands for.
	Dark   string  `toml:"dark"`
	Light  string  `toml:"light"`
	Themes []Theme `toml:"theme"`
}

//go:embed palettes
var palettes embed.FS

// families yields every family, in the order in which people see them. A new family
// needs a file in palettes and its name here. families reads a file only when its
// turn comes, because most searches end at planb's own family.
func families(yield func(family) bool) {
	for _, name := range []string{
		defaultFamily, "catppuccin", "dracula", "gruvbox", "nord", "rose-pine", "solarized", "tokyo-night", highContrastFamily, terminalFamily,
	} {
		if !yield(read(name)) {
			return
		}
	}
	yield(family{Name: NoColor, Dark: NoColor, Light: NoColor, Themes: []Theme{{Name: NoColor}}})
}

// read reads a family's file. It panics on a mistake, because the file is a part of
// planb and the tests read it.
func read(name string) family {
	file, err := palettes.Open("palettes/" + name + ".toml")
	if err != nil {
		panic("themes: " + err.Error())
	}
	defer file.Close()
	var f family
	if err := toml.NewDecoder(file).DisallowUnknownFields().Decode(&f); err != nil {
		panic("themes: " + name + ": " + err.Error())
	}
	return f
}

func (f family) theme(name string) Theme {
	i := slices.IndexFunc(f.Themes, func(t Theme) bool { return t.Name == name })
	if i < 0 {
		panic("themes: the family " + f.Name + " has no theme " + name)
	}
	return f.Themes[i]
}

// Choice is what a name stands for: a theme, and its counterpart for the other
// brightness.
type Choice struct {
	Name string
	// Theme is the theme to draw with. For a family, and for the empty name, it is
	// the dark theme.
	Theme Theme
	// Other is the counterpart, for the key that switches between light and dark. It
	// is Theme itself if there is no counterpart.
	Other Theme
	// Follows says that the terminal's background decides between the two.
	Follows bool
}

// On returns the theme for a dark or a light terminal background.
func (c Choice) On(dark bool) Theme {
	if c.Follows && c.Theme.Dark != dark {
		return c.Other
	}
	return c.Theme
}

// Find returns what a name stands for. The name of a family stands for its dark and
// its light theme, the name of a theme for that theme, and the empty name for
// planb's own family. Case, spaces, dots, hyphens and accents do not matter. The
// error for an unknown name is an *UnknownError.
func Find(name string) (Choice, error) {
	wanted := plain(name)
	if strings.TrimSpace(name) == "" {
		wanted = defaultFamily
	}
	for f := range families {
		if plain(f.Name) == wanted {
			return f.choice(), nil
		}
		for _, t := range f.Themes {
			if plain(t.Name) == wanted {
				return f.choiceOf(t), nil
			}
		}
	}
	return Choice{}, &UnknownError{name}
}

// ByName returns the theme that a name stands for; for a family that is the dark
// one. The error is Find's.
func ByName(name string) (Theme, error) {
	c, err := Find(name)
	return c.Theme, err
}

// Choices returns a Choice for every name, family by family: first the family
// itself, then its themes. A theme with the family's own name is not repeated.
func Choices() []Choice {
	var all []Choice
	for f := range families {
		all = append(all, f.choice())
		for _, t := range f.Themes {
			if t.Name != f.Name {
				all = append(all, f.choiceOf(t))
			}
		}
	}
	return all
}

func (f family) choice() Choice {
	dark, light := f.theme(f.Dark), f.theme(f.Light)
	return Choice{Name: f.Name, Theme: dark, Other: light, Follows: dark.Name != light.Name}
}

func (f family) choiceOf(t Theme) Choice {
	other := f.Dark
	if t.Dark {
		other = f.Light
	}
	return Choice{Name: t.Name, Theme: t, Other: f.theme(other)}
}

// Names returns the names of all choices, in their order.
func Names() []string {
	var names []string
	for _, c := range Choices() {
		names = append(names, c.Name)
	}
	return names
}

// UnknownError says that there is no theme with that name.
type UnknownError struct{ Name string }

// Error names the theme that the person probably meant, and all themes.
func (e *UnknownError) Error() string {
	list := strings.Join(Names(), ", ")
	if meant := nearest(e.Name); meant != "" {
		return fmt.Sprintf("unknown theme %q: did you mean %s? There are %s", e.Name, meant, list)
	}
	return fmt.Sprintf("unknown theme %q: choose one of %s", e.Name, list)
}

// family returns the name of the theme's family.
func (t Theme) family() string {
	for f := range families {
		if slices.ContainsFunc(f.Themes, func(of Theme) bool { return of.Name == t.Name }) {
			return f.Name
		}
	}
	return ""
}

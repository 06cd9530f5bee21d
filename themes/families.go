package themes

import (
	"embed"
	"fmt"
	"slices"
	"strings"
)

// Family is a set of themes that belong together, as read from its file.
type Family struct {
	Name string `toml:"name"`
	// Dark and Light name the two themes that the family's own name stands for. They
	// are the same if the family has only one theme.
	Dark   string  `toml:"dark"`
	Light  string  `toml:"light"`
	Themes []Theme `toml:"theme"`

	line int // of the name in its file, from 1
}

//go:embed palettes
var palettes embed.FS

// Collection is the set of themes that a name is looked up in. The zero value holds
// planb's own families.
type Collection struct{ added []Family }

// With returns the collection with a family that a person wrote. The error for a name
// that is taken is a *ParseError.
func (c Collection) With(f Family) (Collection, error) {
	names := []string{f.Name}
	for _, t := range f.Themes {
		names = append(names, t.Name)
	}
	for _, name := range names {
		if taken, err := c.Find(name); err == nil {
			return c, &ParseError{f.line, fmt.Sprintf("the name %q is taken by the theme %s; take another one", name, taken.Name)}
		}
	}
	return Collection{append(slices.Clip(c.added), f)}, nil
}

// Added returns the themes that a person wrote.
func (c Collection) Added() []Theme {
	var all []Theme
	for _, f := range c.added {
		all = append(all, f.Themes...)
	}
	return all
}

// families yields every family, in the order in which people see them. A new family
// needs a file in palettes and its name here. families reads a file only when its
// turn comes, because most searches end at planb's own family.
func (c Collection) families(yield func(Family) bool) {
	if !yield(read(defaultFamily)) {
		return
	}
	for _, f := range c.added {
		if !yield(f) {
			return
		}
	}
	for _, name := range []string{
		"catppuccin", "dracula", "gruvbox", "nord", "rose-pine", "solarized", "tokyo-night", highContrastFamily, terminalFamily,
	} {
		if !yield(read(name)) {
			return
		}
	}
	yield(colorless())
}

// colorless returns the only family that has no file.
func colorless() Family {
	return Family{Name: NoColor, Dark: NoColor, Light: NoColor, Themes: []Theme{{Name: NoColor}}}
}

// read reads a family's file. It panics on a mistake, because the file is a part of
// planb and the tests read it.
func read(name string) Family {
	text, err := palettes.ReadFile("palettes/" + name + ".toml")
	if err != nil {
		panic("themes: " + err.Error())
	}
	f, err := decode(text)
	if err != nil {
		panic("themes: " + name + ": " + err.Error())
	}
	return f
}

func (f Family) theme(name string) Theme {
	i := slices.IndexFunc(f.Themes, func(t Theme) bool { return t.Name == name })
	if i < 0 {
		panic("themes: the family " + f.Name + " has no theme " + name)
	}
	return f.Themes[i]
}

// Choice is the meaning of a name: a theme, and its counterpart for the other
// brightness.
type Choice struct {
	Name   string
	Family string // its family's name; Name itself if the name is the family's
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

// Backgrounds says in a word for which backgrounds the choice is: dark, light, both, or
// nothing if it has no colours.
func (c Choice) Backgrounds() string {
	switch {
	case c.Theme.Palette.Colorless():
		return ""
	case c.Follows:
		return "both"
	case c.Theme.Dark:
		return "dark"
	}
	return "light"
}

// Matches reports whether the name or the backgrounds have all the words of a text, in
// any case.
func (c Choice) Matches(text string) bool {
	has := c.Name + " " + strings.Replace(c.Backgrounds(), "both", "dark light", 1)
	for _, word := range strings.Fields(strings.ToLower(text)) {
		if !strings.Contains(has, word) {
			return false
		}
	}
	return true
}

// LowContrast returns the colours that are hard to read in the choice's themes; see
// Theme.LowContrast.
func (c Choice) LowContrast() []Shortfall {
	low := c.Theme.LowContrast()
	if c.Follows {
		low = append(low, c.Other.LowContrast()...)
	}
	return low
}

// Find returns what a name stands for. The name of a family stands for its dark and
// its light theme, the name of a theme for that theme, and the empty name for
// planb's own family. Case, spaces, dots, hyphens and accents do not matter. The
// error for an unknown name is an *UnknownError.
func (c Collection) Find(name string) (Choice, error) {
	wanted := plain(name)
	if strings.TrimSpace(name) == "" {
		wanted = defaultFamily
	}
	if wanted == plain(NoColor) { // it comes last: to search for it would read every file
		return colorless().choice(), nil
	}
	for f := range c.families {
		if plain(f.Name) == wanted {
			return f.choice(), nil
		}
		for _, t := range f.Themes {
			if plain(t.Name) == wanted {
				return f.choiceOf(t), nil
			}
		}
	}
	return Choice{}, &UnknownError{name, c.Names()}
}

// Choices returns a Choice for every name, family by family: first the family
// itself, then its themes. A theme with the family's own name is not repeated.
func (c Collection) Choices() []Choice {
	var all []Choice
	for f := range c.families {
		all = append(all, f.choice())
		for _, t := range f.Themes {
			if t.Name != f.Name {
				all = append(all, f.choiceOf(t))
			}
		}
	}
	return all
}

func (f Family) choice() Choice {
	dark, light := f.theme(f.Dark), f.theme(f.Light)
	return Choice{Name: f.Name, Family: f.Name, Theme: dark, Other: light, Follows: dark.Name != light.Name}
}

func (f Family) choiceOf(t Theme) Choice {
	other := f.Dark
	if t.Dark {
		other = f.Light
	}
	return Choice{Name: t.Name, Family: f.Name, Theme: t, Other: f.theme(other)}
}

// Names returns the names of all choices, in their order.
func (c Collection) Names() []string {
	var names []string
	for _, choice := range c.Choices() {
		names = append(names, choice.Name)
	}
	return names
}

// UnknownError says that there is no theme with that name.
type UnknownError struct {
	Name  string
	known []string
}

// Error names the theme that the person probably meant, and where all themes are listed.
func (e *UnknownError) Error() string {
	const list = "`planb tui themes` shows them all"
	if meant := nearest(e.Name, e.known); meant != "" {
		return fmt.Sprintf("there is no theme %q; did you mean %s? %s", e.Name, meant, list)
	}
	return fmt.Sprintf("there is no theme %q; %s", e.Name, list)
}

package themes

import (
	"fmt"
	"slices"
	"strings"
)

// family is a set of themes by the same hand.
type family struct {
	name string
	// dark and light name those that the family's own name stands for.
	dark, light string
	themes      []Theme
}

// families returns every theme there is. A family is a file of its own; this is
// where it joins in.
func families() []family {
	return []family{
		planb(), catppuccin(), dracula(), gruvbox(), nord(), rosePine(), solarized(), tokyoNight(), highContrast(), terminal(),
		{name: NoColor, dark: NoColor, light: NoColor, themes: []Theme{{Name: NoColor}}},
	}
}

func (f family) theme(name string) Theme {
	i := slices.IndexFunc(f.themes, func(t Theme) bool { return t.Name == name })
	if i < 0 {
		panic("themes: the family " + f.name + " has no theme " + name)
	}
	return f.themes[i]
}

// Choice is what a name stands for: a theme, and its counterpart of the other
// brightness.
type Choice struct {
	Name string
	// Theme is what to draw with. Of a family, and of no name at all, it is the
	// dark one.
	Theme Theme
	// Other is for the key that turns light into dark and back; Theme itself,
	// where there is nothing to turn.
	Other Theme
	// Follows says that the terminal's background decides which of the two it is.
	Follows bool
}

// On returns the theme for a dark or a light terminal background.
func (c Choice) On(dark bool) Theme {
	if c.Follows && c.Theme.Dark != dark {
		return c.Other
	}
	return c.Theme
}

// Find returns what a name stands for: that of a family for its dark and its
// light theme, that of a theme for this one, and none for planb's own two. Case,
// spaces, dots, hyphens and accents do not matter. The error of an unknown name
// is an *UnknownError.
func Find(name string) (Choice, error) {
	wanted := plain(name)
	if strings.TrimSpace(name) == "" {
		wanted = defaultFamily
	}
	for _, f := range families() {
		if plain(f.name) == wanted {
			return f.choice(), nil
		}
		for _, t := range f.themes {
			if plain(t.Name) == wanted {
				return f.choiceOf(t), nil
			}
		}
	}
	return Choice{}, &UnknownError{name}
}

// ByName returns the theme that a name stands for, of a family the dark one. The
// error is Find's.
func ByName(name string) (Theme, error) {
	c, err := Find(name)
	return c.Theme, err
}

// Choices returns everything that can be named, family by family: first the
// family itself, then its themes. A family of one theme is named once.
func Choices() []Choice {
	var all []Choice
	for _, f := range families() {
		all = append(all, f.choice())
		for _, t := range f.themes {
			if t.Name != f.name {
				all = append(all, f.choiceOf(t))
			}
		}
	}
	return all
}

func (f family) choice() Choice {
	dark, light := f.theme(f.dark), f.theme(f.light)
	return Choice{Name: f.name, Theme: dark, Other: light, Follows: dark.Name != light.Name}
}

func (f family) choiceOf(t Theme) Choice {
	other := f.dark
	if t.Dark {
		other = f.light
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

// UnknownError says that there is no theme of a name.
type UnknownError struct{ Name string }

// Error names the theme that was probably meant, and all there are.
func (e *UnknownError) Error() string {
	list := strings.Join(Names(), ", ")
	if meant := nearest(e.Name); meant != "" {
		return fmt.Sprintf("unknown theme %q: did you mean %s? There are %s", e.Name, meant, list)
	}
	return fmt.Sprintf("unknown theme %q: choose one of %s", e.Name, list)
}

// family is the name of the theme's family.
func (t Theme) family() string {
	for _, f := range families() {
		if slices.ContainsFunc(f.themes, func(of Theme) bool { return of.Name == t.Name }) {
			return f.name
		}
	}
	return ""
}

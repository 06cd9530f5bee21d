// Package themes holds planb's colours: palettes as data, found by name.
//
// A palette says what a colour is for, never where it is drawn. Screens,
// Markdown and code all take their colours from the same one, so adding a
// theme is adding one entry to the list in palettes.go; the tests then hold it
// to the same rules as the others.
//
// The package knows no component and no terminal: whether the background is
// dark, how many colours there are, and whether NO_COLOR is set is found out by
// the caller, who then asks for a theme. It imports nothing but the standard
// library.
//
// Every theme promises, on the backgrounds it is made for (Theme.Backgrounds)
// and both in true colour and rounded to the 256-colour palette: 4.5:1 contrast
// for whatever is read, and 3:1 for the border that marks the focus.
package themes

import (
	"fmt"
	"strings"
)

// Color is a colour as "#rrggbb". The empty Color is the terminal's own: it is
// drawn by setting nothing.
type Color string

// Palette is one set of colours, named by what they mean. Backgrounds are
// painted only where a field says so; all else stands on the terminal's own.
type Palette struct {
	Text  Color // what is read
	Muted Color // what explains: descriptions, hints, URLs
	Faint Color // what can be overlooked: counters, captions

	Accent     Color // the one colour of planb: the cursor, the chosen option, the current tab
	AccentText Color // text painted on Accent
	FocusBg    Color // background of the focused row; every text colour is readable on it

	Border      Color // rules and frames
	BorderFocus Color // the frame that has the focus

	Success  Color
	Warning  Color
	Danger   Color
	Info     Color
	Required Color // the mark of a question that must be answered
	Note     Color // what the person wrote beside an answer

	Heading Color // Markdown headings
	Link    Color // link texts
	CodeBg  Color // background of code inside a sentence; every code colour is readable on it

	AddedBg   Color // background of what was put into a text; Code.Added is readable on it
	RemovedBg Color // background of what was taken out; Code.Removed is readable on it

	Code Code // colours of highlighted source
}

// Code is the part of a palette that colours source text. Whatever has no
// colour of its own is drawn in Palette.Text.
type Code struct {
	Keyword  Color
	String   Color
	Number   Color
	Comment  Color
	Function Color
	Type     Color
	Added    Color // an added line of a diff
	Removed  Color // a removed line of a diff
}

// Colorless reports whether the palette sets no colour at all. Whoever draws
// with it marks the cursor, the focus and the chosen option by reverse video,
// bold, underline and glyphs instead.
func (p Palette) Colorless() bool { return p == Palette{} }

// Theme is a palette with its name.
type Theme struct {
	Name string // what PLANB_THEME and the theme switch call it
	Dark bool   // made for dark backgrounds

	// Backgrounds are the terminal backgrounds the palette is made for, from
	// one end of the range to the other.
	Backgrounds []Color

	Palette Palette
}

// Names of the themes that are always there.
const (
	DefaultDark  = "dark"
	DefaultLight = "light"
	NoColor      = "none" // no colours at all, as NO_COLOR asks for
)

// Default returns the theme for a dark or a light terminal background.
func Default(dark bool) Theme {
	name := DefaultLight
	if dark {
		name = DefaultDark
	}
	return mustHave(name)
}

// None returns the theme without colours.
func None() Theme { return mustHave(NoColor) }

// ByName returns the theme of that name; case does not matter. The error of an
// unknown name lists those that exist.
func ByName(name string) (Theme, error) {
	for _, t := range all() {
		if strings.EqualFold(t.Name, strings.TrimSpace(name)) {
			return t, nil
		}
	}
	return Theme{}, fmt.Errorf("unknown theme %q: choose one of %s", name, strings.Join(Names(), ", "))
}

// Names returns the names of all themes, in the order in which a theme switch
// goes through them.
func Names() []string {
	var names []string
	for _, t := range all() {
		names = append(names, t.Name)
	}
	return names
}

// mustHave returns a theme this package defines itself.
func mustHave(name string) Theme {
	t, err := ByName(name)
	if err != nil {
		panic("themes: a default theme is missing: " + err.Error())
	}
	return t
}

package themes

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// The least contrast of text, and of the frame that marks the focus.
const (
	readable     = 4.5
	noticeable   = 3.0
	highReadable = 7.0
	highNotice   = 4.5
)

// promised returns the least contrast of the theme's text, and of its marks.
func (t Theme) promised() (text, mark float64) {
	if strings.HasPrefix(t.Name, highContrastFamily+"-") {
		return highReadable, highNotice
	}
	return readable, noticeable
}

// contrast returns the contrast ratio of two luminances by WCAG 2, from 1 to 21.
func contrast(a, b float64) float64 { return (max(a, b) + 0.05) / (min(a, b) + 0.05) }

// luminance returns a colour's relative luminance by WCAG 2, from 0 to 1.
func (c rgb) luminance() float64 {
	return 0.2126*linear(c.r) + 0.7152*linear(c.g) + 0.0722*linear(c.b)
}

// Shortfall is a colour that has less contrast than planb promises.
type Shortfall struct {
	Name      string // of the colour in a theme's file: muted, code.comment
	Color, On Color
	Contrast  float64 // by WCAG 2, from 1 to 21
	Least     float64
}

// String names the colour and its contrast: "muted #777777 on #222222 has 3.6:1, less than 4.5:1".
func (s Shortfall) String() string {
	return fmt.Sprintf("%s %s on %s has %.1f:1, less than %.1f:1", s.Name, s.Color, s.On, s.Contrast, s.Least)
}

// LowContrast returns the colours that are hard to read or to notice in true colour,
// each on the background where its contrast is least. It returns none for themes of
// the terminal's own colours, because planb does not know how they look.
func (t Theme) LowContrast() []Shortfall {
	var low []Shortfall
	for _, p := range t.pairs() {
		fg, ok := parseColor(p.fg)
		bg, ok2 := parseColor(p.bg)
		got := contrast(fg.luminance(), bg.luminance())
		if !ok || !ok2 || got >= p.least {
			continue
		}
		found := Shortfall{p.name, p.fg, p.bg, got, p.least}
		switch at := slices.IndexFunc(low, func(s Shortfall) bool { return s.Name == p.name }); {
		case at < 0:
			low = append(low, found)
		case got < low[at].Contrast:
			low[at] = found
		}
	}
	return low
}

// pair is a colour that is drawn on a background, with the least contrast it needs there.
type pair struct {
	name   string
	fg, bg Color
	least  float64
}

// pairs returns which colour is drawn on which background.
func (t Theme) pairs() []pair {
	text, mark := t.promised()
	p := t.Palette
	var all []pair
	for _, c := range p.colours() {
		switch c.name {
		case "accent-text":
			all = append(all, pair{c.name, c.Color, p.Accent, text})
			continue
		case "background", "focus-bg", "surface", "code-bg", "added-bg", "removed-bg", "border":
			continue // painted under text, or decoration
		case "text":
			all = append(all, pair{c.name, c.Color, p.AddedBg, text}, pair{c.name, c.Color, p.RemovedBg, text})
		case "code.added":
			all = append(all, pair{c.name, c.Color, p.AddedBg, text})
		case "code.removed":
			all = append(all, pair{c.name, c.Color, p.RemovedBg, text})
		}
		least := text
		if c.name == "border-focus" {
			least = mark
		}
		for _, bg := range append([]Color{p.FocusBg, p.Surface}, t.Backgrounds...) {
			all = append(all, pair{c.name, c.Color, bg, least})
		}
		if strings.HasPrefix(c.name, "code.") || c.name == "text" {
			all = append(all, pair{c.name, c.Color, p.CodeBg, text})
		}
	}
	return all
}

// namedColor is a colour of a palette with its name in a theme's file.
type namedColor struct {
	name string
	Color
}

// colours returns every colour of the palette, in the order of its fields.
func (p Palette) colours() []namedColor { return coloursOf(reflect.ValueOf(p), "") }

func coloursOf(v reflect.Value, prefix string) []namedColor {
	var all []namedColor
	for i := range v.NumField() {
		name := prefix + v.Type().Field(i).Tag.Get("toml")
		switch field := v.Field(i); field.Kind() {
		case reflect.Struct:
			all = append(all, coloursOf(field, name+".")...)
		case reflect.String:
			all = append(all, namedColor{name, Color(field.String())})
		}
	}
	return all
}

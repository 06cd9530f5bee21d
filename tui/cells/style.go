package cells

import (
	"image/color"
	"slices"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
)

// Style is the colours and attributes that a text is drawn with. The zero value has none.
// lipgloss.Style can do the same; but it looks for borders, margins and sizes at each text,
// which took a third of the time of a form's frame, and it underlines character by character,
// which takes the clusters of emoji and of many scripts apart.
type Style struct {
	foreground, background color.Color // nil: the terminal's
	has                    attribute
	open, end              string // the sequences around a text
}

// attribute is a set of what a text can have beside its colours.
type attribute uint8

const (
	bold attribute = 1 << iota
	italic
	reverse
	faint
	underline
	struck
)

// Foreground returns the style with a colour for its text; lipgloss.NoColor for the terminal's.
func (s Style) Foreground(c color.Color) Style {
	s.foreground = colorOf(c)
	return s.sequences()
}

// Background returns the style with a colour behind its text; lipgloss.NoColor for the
// terminal's.
func (s Style) Background(c color.Color) Style {
	s.background = colorOf(c)
	return s.sequences()
}

// Bold returns the style with bold text, or without.
func (s Style) Bold(on bool) Style { return s.with(bold, on) }

// Italic returns the style with italic text, or without.
func (s Style) Italic(on bool) Style { return s.with(italic, on) }

// Reverse returns the style with text and background exchanged, or without.
func (s Style) Reverse(on bool) Style { return s.with(reverse, on) }

// Faint returns the style with less light, or without.
func (s Style) Faint(on bool) Style { return s.with(faint, on) }

// Underline returns the style with underlined text, or without.
func (s Style) Underline(on bool) Style { return s.with(underline, on) }

// Struck returns the style with a line through its text, or without.
func (s Style) Struck(on bool) Style { return s.with(struck, on) }

func (s Style) with(a attribute, on bool) Style {
	s.has &^= a
	if on {
		s.has |= a
	}
	return s.sequences()
}

// GetBackground returns the colour behind the text; nil for the terminal's.
func (s Style) GetBackground() color.Color { return s.background }

// GetReverse reports whether text and background are exchanged.
func (s Style) GetReverse() bool { return s.has&reverse != 0 }

// GetFaint reports whether the text has less light.
func (s Style) GetFaint() bool { return s.has&faint != 0 }

func colorOf(c color.Color) color.Color {
	if c == (lipgloss.NoColor{}) {
		return nil
	}
	return c
}

// sequences returns the style with its sequences anew.
func (s Style) sequences() Style {
	var sgr ansi.Style
	if s.has&bold != 0 {
		sgr = sgr.Bold()
	}
	if s.has&italic != 0 {
		sgr = sgr.Italic(true)
	}
	if s.has&reverse != 0 {
		sgr = sgr.Reverse(true)
	}
	if s.has&faint != 0 {
		sgr = sgr.Faint()
	}
	if s.foreground != nil {
		sgr = sgr.ForegroundColor(s.foreground)
	}
	if s.background != nil {
		sgr = sgr.BackgroundColor(s.background)
	}
	s.open, s.end = "", ""
	if len(sgr) > 0 {
		s.open, s.end = sgr.String(), ansi.ResetStyle
	}
	if s.has&underline != 0 {
		s.open, s.end = s.open+"\x1b[4m", "\x1b[24m"+s.end
	}
	if s.has&struck != 0 {
		s.open, s.end = s.open+"\x1b[9m", "\x1b[29m"+s.end
	}
	return s
}

// Render draws texts, with a blank between them. Each line of them is drawn by itself.
func (s Style) Render(texts ...string) string {
	text := strings.Join(texts, " ")
	if s.open == "" {
		return text
	}
	if !strings.Contains(text, "\n") {
		return s.open + text + s.end
	}
	lines := slices.Collect(strings.SplitSeq(text, "\n"))
	return strings.Join(Styled(lines, s), "\n")
}

package markdown

import (
	"charm.land/glamour/v2/ansi"
	"charm.land/lipgloss/v2"
	xansi "github.com/charmbracelet/x/ansi"

	"planb/themes"
	"planb/tui/cells"
)

// style holds the pens for the parts of a page, made from a palette.
type style struct {
	palette themes.Palette
	glamour ansi.StyleConfig // of prose
	table   ansi.StyleConfig // of the cells of tables

	marker  pen // bullets and numbers
	rule    pen // quote bars, table rules, the line under a heading
	caption pen // planb's own words about a block
	html    pen // raw HTML and other source, shown as written

	removed, added pen // removed and added text

	label   pen          // the language of code
	surface cells.Ground // of code and of the highest headings
}

// pen draws text with attributes and a colour, if the palette has one.
type pen struct{ style xansi.Style }

func newPen(c themes.Color, attrs ...func(xansi.Style) xansi.Style) pen {
	var s xansi.Style
	for _, attr := range attrs {
		s = attr(s)
	}
	if c != "" {
		s = s.ForegroundColor(lipgloss.Color(string(c)))
	}
	return pen{s}
}

func (p pen) draw(s string) string {
	if s == "" || len(p.style) == 0 {
		return s
	}
	return p.style.Styled(s)
}

func bold(s xansi.Style) xansi.Style   { return s.Bold() }
func italic(s xansi.Style) xansi.Style { return s.Italic(true) }
func struck(s xansi.Style) xansi.Style { return s.Strikethrough(true) }

// underlined returns the underline attribute if it is needed.
func underlined(needed bool) []func(xansi.Style) xansi.Style {
	if !needed {
		return nil
	}
	return []func(xansi.Style) xansi.Style{func(s xansi.Style) xansi.Style { return s.Underline(true) }}
}

func newStyle(p themes.Palette) *style {
	return &style{
		palette: p,
		glamour: glamourStyle(p),
		table:   tableStyle(p),
		marker:  newPen(p.Accent, bold),
		rule:    newPen(p.Border),
		caption: newPen(p.Faint, italic),
		html:    newPen(p.Muted),
		removed: newPen(p.Code.Removed),
		added:   newPen(p.Code.Added),
		label:   newPen(p.Faint),
		surface: cells.NewGround(newPen(p.Text).style.BackgroundColor(lipgloss.Color(string(p.Surface)))),
	}
}

// tableStyle returns the style of the cells of tables. Their code has a colour and no
// background, because a column of small backgrounds is hard to read.
func tableStyle(p themes.Palette) ansi.StyleConfig {
	st := glamourStyle(p)
	if p.CodeBg != "" {
		st.Code = ansi.StyleBlock{StylePrimitive: ansi.StylePrimitive{Color: colour(p.Code.String)}}
	}
	return st
}

// glamourStyle returns the palette as a Glamour style for the elements that Glamour
// draws here.
func glamourStyle(p themes.Palette) ansi.StyleConfig {
	yes := true
	heading := func(c themes.Color) ansi.StyleBlock {
		return ansi.StyleBlock{StylePrimitive: ansi.StylePrimitive{Color: colour(c), Bold: &yes}}
	}
	st := ansi.StyleConfig{
		Document:      ansi.StyleBlock{StylePrimitive: ansi.StylePrimitive{Color: colour(p.Text)}},
		H1:            heading(p.Heading),
		H2:            heading(p.Heading),
		H3:            heading(p.Heading),
		H4:            heading(p.Text),
		H5:            heading(p.Text),
		H6:            heading(p.Muted),
		Strong:        ansi.StylePrimitive{Bold: &yes},
		Emph:          ansi.StylePrimitive{Italic: &yes},
		Strikethrough: ansi.StylePrimitive{CrossedOut: &yes},
		LinkText:      ansi.StylePrimitive{Color: colour(p.Link), Underline: &yes},
		ImageText:     ansi.StylePrimitive{Color: colour(p.Muted)}, // addresses; see inlines.address
		Code:          ansi.StyleBlock{StylePrimitive: ansi.StylePrimitive{BackgroundColor: colour(p.CodeBg)}},
	}
	switch {
	case p.CodeBg != "":
	case p.Accent != "":
		st.Code.Color = colour(p.Accent)
	default: // the marks of the Markdown tell code from prose
		st.Code.Prefix, st.Code.Suffix = "`", "`"
	}
	return st
}

// colour returns c for Glamour; nil is the terminal's default.
func colour(c themes.Color) *string {
	if c == "" {
		return nil
	}
	s := string(c)
	return &s
}

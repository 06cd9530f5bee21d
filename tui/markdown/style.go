package markdown

import (
	"cmp"

	"charm.land/lipgloss/v2"
	xansi "github.com/charmbracelet/x/ansi"

	"planb/themes"
	"planb/tui/cells"
)

// style holds the pens for the parts of a page, made from a palette.
type style struct {
	palette themes.Palette
	prose   map[int]look // of running text, by the level of the heading that it is; 0: of none
	link    look         // of the text of a link, over that of the text around it
	aside   look         // the same of an address, and of what is cited
	code    look         // the same of code
	cell    look         // the same of code in the cells of tables

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

func bold(s xansi.Style) xansi.Style      { return s.Bold() }
func italic(s xansi.Style) xansi.Style    { return s.Italic(true) }
func struck(s xansi.Style) xansi.Style    { return s.Strikethrough(true) }
func underline(s xansi.Style) xansi.Style { return s.Underline(true) }

// underlined returns the underline attribute if it is needed.
func underlined(needed bool) []func(xansi.Style) xansi.Style {
	if !needed {
		return nil
	}
	return []func(xansi.Style) xansi.Style{underline}
}

func newStyle(p themes.Palette) *style {
	return &style{
		palette: p,
		prose: map[int]look{
			0: {colour: p.Text},
			1: heading(p, p.Heading), 2: heading(p, p.Heading), 3: heading(p, p.Heading),
			4: heading(p, p.Text), 5: heading(p, p.Text), 6: heading(p, p.Muted),
		},
		link:    look{colour: p.Link, underlined: true},
		aside:   look{colour: p.Muted},
		code:    codeLook(p),
		cell:    cellLook(p),
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

// codeLook returns how code among prose is drawn.
func codeLook(p themes.Palette) look {
	switch {
	case p.CodeBg != "":
		return look{ground: p.CodeBg}
	case p.Accent != "":
		return look{colour: p.Accent}
	}
	return look{mark: "`"} // the marks of the Markdown tell code from prose
}

// cellLook returns how code in the cells of tables is drawn. It has a colour and no
// background, because a column of small backgrounds is hard to read.
func cellLook(p themes.Palette) look {
	if p.CodeBg != "" {
		return look{colour: p.Code.String}
	}
	return codeLook(p)
}

func heading(p themes.Palette, c themes.Color) look {
	return look{colour: p.Text}.with(look{colour: c, bold: true})
}

// look is how a part of running text is drawn.
type look struct {
	colour, ground                   themes.Color // "" is the terminal's default
	underlined, bold, italic, struck bool
	mark                             string // stands before and behind the text
}

// with returns the look of what has another look over this one. It does not have this one's
// mark.
func (l look) with(over look) look {
	return look{
		colour:     cmp.Or(over.colour, l.colour),
		ground:     cmp.Or(over.ground, l.ground),
		underlined: over.underlined || l.underlined,
		bold:       over.bold || l.bold,
		italic:     over.italic || l.italic,
		struck:     over.struck || l.struck,
		mark:       over.mark,
	}
}

func (l look) draw(text string) string {
	var s xansi.Style
	if l.colour != "" {
		s = s.ForegroundColor(lipgloss.Color(string(l.colour)))
	}
	if l.ground != "" {
		s = s.BackgroundColor(lipgloss.Color(string(l.ground)))
	}
	for _, attr := range []struct {
		has bool
		set func(xansi.Style) xansi.Style
	}{{l.underlined, underline}, {l.bold, bold}, {l.italic, italic}, {l.struck, struck}} {
		if attr.has {
			s = attr.set(s)
		}
	}
	return pen{s}.draw(l.mark + text + l.mark)
}

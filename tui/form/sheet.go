package form

import (
	tea "charm.land/bubbletea/v2"

	"planb/questions/safe"
	"planb/tui/cells"
	"planb/tui/keymap"
	"planb/tui/markdown"
	"planb/tui/screen"
)

// sheet is a page that covers the whole screen, and the part of it in view.
type sheet struct {
	page
	reach
}

// wholeWidth is the measure of a page as wide as the screen, with its text at the left.
const wholeWidth = 1 << 16

// page is the content of a sheet.
type page interface {
	// measure returns the most cells that the page may be wide. 0 is for a page as wide as
	// the screen, with its text in the middle.
	measure() int
	// head returns the first row, drawn.
	head(width int) string
	// doc returns the text of the page. While done is false, it is only a stand-in.
	doc(width int) (doc markdown.Doc, done bool)
	// act does an action of the page's own; false for any other.
	act(keymap.Action) bool
	hints() []screen.Hint
}

// asides is a page that says something beside its keys.
type asides interface {
	// aside returns it drawn; empty for nothing.
	aside() string
}

// reach is the part of a text in view, and how far the text can be scrolled.
type reach struct {
	top  int // the first visible row
	rows int // visible rows
	last int // the greatest top
	pan  markdown.Pan
}

// sheetRows are the rows of a sheet that are not its text's.
const sheetRows = 4

// mostAbove is how many empty rows may stand between a title and the text that is zoomed, in a
// high window; one in a lower one.
// With more, the eye would lose the text.
const mostAbove = 4

// zoomMargin is the cells left and right of what is zoomed.
const zoomMargin = 2

// unfold shows a page on the whole screen; nil goes back to the form.
func (f *Form) unfold(p page) {
	f.sheet = nil
	if p != nil {
		f.sheet = &sheet{page: p}
	}
}

// pressInSheet does one key: the page's own keys first, then those that scroll or close.
func (f *Form) pressInSheet(msg tea.KeyPressMsg) tea.Cmd {
	s, act := f.sheet, f.keys.Read(msg, false).Act
	switch {
	case s.act(act), s.scroll(act):
	case act == keymap.Menu:
		f.sheet = nil
		return f.showMenu()
	case act == keymap.Escape, act == keymap.Zoom, act == keymap.Help, act == keymap.Enter:
		f.sheet = nil
	}
	return nil
}

// beyond is more cells than any text is wide.
const beyond = 1 << 30

// scroll does the actions that move the view; false for any other.
func (r *reach) scroll(act keymap.Action) bool {
	page := max(1, r.rows-1)
	switch act {
	case keymap.Up, keymap.ScrollUp:
		r.top--
	case keymap.Down, keymap.ScrollDown:
		r.top++
	case keymap.PageUp:
		r.top -= page
	case keymap.PageDown, keymap.Space:
		r.top += page
	case keymap.Left, keymap.PanLeft:
		r.pan.By(-markdown.PanCells)
	case keymap.Right, keymap.PanRight:
		r.pan.By(markdown.PanCells)
	case keymap.Home: // to the left edge, and from there to the top
		if r.pan.Left == 0 {
			r.top = 0
		}
		r.pan.Left = 0
	case keymap.End: // to the right edge, and from there to the bottom
		if r.pan.Left == r.pan.Last {
			r.top = r.last
		}
		r.pan.Left = beyond // what is drawn next pans back to its own right edge
	default:
		return false
	}
	return true
}

// drawSheet draws the sheet on the whole frame.
func (f *Form) drawSheet(c *Canvas) {
	s, whole := f.sheet, f.frame.width
	c.spread(whole, whole)
	if most := s.measure(); most > 0 {
		c.spread(most, whole)
	}
	rows := c.Height - sheetRows
	doc, done := s.doc(c.Width - zoomMargin)
	room := docRoom{width: c.Width - zoomMargin, rows: rows, centred: s.measure() == 0}
	if most := 1; room.centred {
		if c.spacious {
			most = mostAbove
		}
		room.above = min(max(rows-len(doc.Lines), 0)/3, most)
	}
	w := f.wraps.view(doc, room, s.reach.until(done), c.styles)
	s.rows, s.last = rows, w.last
	c.Add(" " + s.head(c.Width-2))
	c.Add(c.rule("", ""))
	for i := range rows {
		line := ""
		if i < len(w.lines) {
			line = " " + w.lines[i]
		}
		c.Add(line)
	}
	c.Add(c.rule("", c.styles.Faint.Render(w.position(c.Width-6))))
	keys := f.hintLine(append(s.hints(), s.moves()...), c.Width-2)
	if p, ok := s.page.(asides); ok {
		keys = cells.Sides(keys, p.aside(), c.Width-2)
	}
	c.Add(" " + keys)
}

// until returns the reach itself once its text is done, and a copy before. The stand-in
// for the text may be shorter, and must not move the reach.
func (r *reach) until(done bool) *reach {
	if done {
		return r
	}
	standIn := *r
	return &standIn
}

// moves returns the keys that can move the view now.
func (r *reach) moves() (hints []screen.Hint) {
	scroll, page := keymap.Down, keymap.PageDown
	if r.top >= r.last { // at the end: back
		scroll, page = keymap.Up, keymap.PageUp
	}
	if r.last > 0 {
		hints = append(hints, screen.Hint{Act: scroll, Does: "scroll"})
	}
	if r.pan.Last > 0 {
		hints = append(hints, screen.Hint{Act: keymap.Left, Does: "pan"}, screen.Hint{Act: keymap.Right, Does: "pan"})
	}
	if r.last > 0 {
		hints = append(hints, screen.Hint{Act: page, Does: "page"})
	}
	return hints
}

// textPage is a page of plain text.
type textPage struct {
	host    Host
	heading string
	text    safe.Text
}

func (*textPage) measure() int { return ReadWidth }
func (p *textPage) head(width int) string {
	return p.host.Styles().Title.Render(cells.Cut(p.heading, width))
}
func (p *textPage) doc(width int) (markdown.Doc, bool) {
	return markdown.Doc{Lines: p.host.Wrap(p.text, width)}, true
}
func (*textPage) act(keymap.Action) bool { return false }
func (*textPage) hints() []screen.Hint   { return closeHint() }

func closeHint() []screen.Hint { return []screen.Hint{{Act: keymap.Escape, Does: "close"}} }

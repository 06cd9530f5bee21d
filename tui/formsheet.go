package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"planb/questions/safe"
	"planb/tui/cells"
	"planb/tui/form/field"
	"planb/tui/keymap"
	"planb/tui/markdown"
	"planb/tui/screen"
)

// sheet is what takes the whole screen: the help, or something zoomed.
type sheet struct {
	kind  sheetKind
	title string
	ref   docRef
	text  safe.Text
	plain bool // text is no Markdown
	top   int  // first visible row
	rows  int  // rows of a page, and the last first row
	last  int
	pan   markdown.Pan
}

type sheetKind uint8

const (
	sheetZoom sheetKind = iota
	sheetHelp
)

// zoomMargin is the cells left and right of what is zoomed.
const zoomMargin = 2

// key scrolls, or closes on whatever closes.
func (s *sheet) key(f *form, msg tea.KeyPressMsg) {
	act := f.keys.Read(msg, false).Act
	if s.illustrates() && s.zoomKey(f, act) {
		return
	}
	page := max(1, s.rows-1)
	switch act {
	case keymap.Up, keymap.ScrollUp:
		s.top--
	case keymap.Down, keymap.ScrollDown:
		s.top++
	case keymap.PageUp:
		s.top -= page
	case keymap.PageDown, keymap.Space:
		s.top += page
	case keymap.Left, keymap.PanLeft:
		s.pan.By(-markdown.PanCells)
	case keymap.Right, keymap.PanRight:
		s.pan.By(markdown.PanCells)
	case keymap.Home:
		s.toStart()
	case keymap.End:
		s.toEnd()
	case keymap.Menu:
		f.sheet, f.dialog = nil, f.menu()
	case keymap.Escape, keymap.Zoom, keymap.Help, keymap.Enter:
		f.sheet = nil
	}
}

// ToStart goes to the left edge, and from there to the top.
func (s *sheet) toStart() {
	if s.pan.Left == 0 {
		s.top = 0
	}
	s.pan.Left = 0
}

// ToEnd goes to the right edge, and from there to the bottom.
func (s *sheet) toEnd() {
	if s.pan.Left == s.pan.Last {
		s.top = s.last
	}
	s.pan.Left = s.pan.Last
}

// drawSheet draws the sheet over the whole frame.
func (f *form) drawSheet(c *canvas) {
	st, s := &f.look.Styles, f.sheet
	c.left, c.width = 0, f.width
	if s.kind == sheetHelp || s.plain {
		c.width = min(f.width, readWidth)
		if s.kind == sheetHelp {
			c.width = min(f.width, readWidth+20)
		}
		c.left = (f.width - c.width) / 2
	}
	rows := c.height - 4
	doc, done := f.sheetDoc(c.width - zoomMargin)
	top, view := &s.top, &s.pan
	if !done {
		was, panned := *top, *view // what stands in for it may reach less far
		top, view = &was, &panned
	}
	w := f.window(doc, c.width-zoomMargin, rows, top, view)
	s.rows, s.last = rows, w.last
	c.add(" " + f.sheetTitle(st, c.width-2))
	c.add(f.rule(c.width, "", ""))
	for i := range rows {
		line := ""
		if i < len(w.lines) {
			line = " " + w.lines[i]
		}
		c.add(line)
	}
	c.add(f.rule(c.width, "", w.position(c.width-6)))
	c.add(" " + f.hintLine(s.hints(f), c.width-2))
}

// sheetTitle is the sheet's first row.
func (f *form) sheetTitle(st *screen.Styles, width int) string {
	s := f.sheet
	if !s.illustrates() {
		return st.Title.Render(cells.Cut(s.title, width))
	}
	chosen, of := f.zoomed()
	title := st.Title.Render(s.title)
	if chosen != "" {
		title = st.Accent.Render(chosen) + " " + title
	}
	return cells.Sides(title, st.Faint.Render(of), width)
}

// hints are the keys of the moment.
func (s *sheet) hints(f *form) []field.Hint {
	hints := []field.Hint{{Act: keymap.Escape, Does: "close"}}
	if s.illustrates() {
		hints = f.zoomHints()
	}
	if s.last > 0 {
		hints = append(hints, field.Hint{Act: keymap.Down, Does: "scroll"}, field.Hint{Act: keymap.PageDown, Does: "page"})
	}
	if s.pan.Last > 0 {
		hints = append(hints, field.Hint{Act: keymap.Left, Does: "pan"}, field.Hint{Act: keymap.Right, Does: "pan"})
	}
	return hints
}

// sheetDoc is what the sheet shows, or what stands in for it until it is done.
func (f *form) sheetDoc(width int) (doc markdown.Doc, done bool) {
	s := f.sheet
	switch {
	case s.kind == sheetHelp:
		s.title = "Keys"
		return markdown.Doc{Lines: f.helpLines(width)}, true
	case s.plain:
		return markdown.Doc{Lines: f.docs.wrap(s.text, width)}, true
	case s.illustrates():
		doc, done = f.docs.illustration(s.ref, s.text, width)
		f.zoomAhead(width)
	default:
		doc, done = f.docs.get(s.ref, s.text, width)
	}
	if done {
		return doc, true
	}
	if doc, ok := f.docs.standIn(s.ref, width); ok {
		return doc, false
	}
	return markdown.Doc{Lines: f.docs.wrap(s.text, width)}, false
}

// helpColumns is the width from which the help has two columns.
const helpColumns = 104

// helpLines is the help: every key with what it does, from the bindings.
func (f *form) helpLines(width int) []string {
	var lines []string
	if width >= helpColumns {
		half := width/2 - 1
		g := f.helpGroups()
		left := append(f.helpGroup(g[0], half), f.helpGroup(g[2], half)...)
		right := append(f.helpGroup(g[1], half), f.helpGroup(g[3], half)...)
		for i := range max(len(left), len(right)) {
			line := ""
			if i < len(left) {
				line = left[i]
			}
			if i < len(right) {
				line = cells.Fill(line, half+2) + right[i]
			}
			lines = append(lines, line)
		}
	} else {
		for _, group := range f.helpGroups() {
			lines = append(lines, f.helpGroup(group, width)...)
		}
	}
	for _, text := range []string{
		"What you type is saved while you type. Leaving loses nothing; it prints the command to come back.",
		"Answers are kept as plain text and read by the agent: no passwords, no keys, no other secrets.",
		"Other colours: planb tui themes. Other keys, and all settings: planb config.",
	} {
		for _, line := range f.docs.wrap(safe.New(text), width) {
			lines = append(lines, f.look.Styles.Muted.Render(line))
		}
	}
	return lines
}

// keymap.FormGroups are the four headings of the help.
func (f *form) helpGroups() []string {
	if f.review != nil {
		return f.review.helpGroups()
	}
	return keymap.FormGroups()
}

// helpGroup is a heading of the help, its keys, and an empty line.
func (f *form) helpGroup(group string, width int) []string {
	st := &f.look.Styles
	const keyCells = 11
	lines := []string{st.Title.Render(group)}
	for _, h := range keymap.Table(f.keys, f.helpGroups()) {
		if h.Group != group {
			continue
		}
		for i, text := range f.docs.wrap(safe.New(h.Does), max(10, width-keyCells)) {
			label := strings.Repeat(" ", keyCells)
			if i == 0 {
				label = st.Keycap.Render(cells.Pad(h.Key, keyCells))
			}
			lines = append(lines, label+st.Muted.Render(text))
		}
	}
	return append(lines, "")
}

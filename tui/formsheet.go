package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"planb/questions/safe"
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
}

type sheetKind uint8

const (
	sheetZoom sheetKind = iota
	sheetHelp
)

// zoom shows the illustration, the introduction, or what the cursor is on in
// full, on the whole screen.
func (f *form) zoom() {
	e := f.state.current()
	if e == nil {
		f.sheet = &sheet{title: f.state.spec.IntroTitle.Line(), ref: docRef{part: docIntro}, text: f.state.spec.Intro}
		return
	}
	c, ok := e.field.(*choiceField)
	onOption := ok && f.state.focused() == e && !e.onNote && c.cursor() >= 0
	if ref, title, text, ok := f.panelText(); ok && (!onOption || f.atCursor(ref)) {
		f.sheet = &sheet{title: title, ref: ref, text: text}
		return
	}
	parts := []safe.Text{e.q.Label, e.q.Description}
	if onOption {
		o := e.q.Options[c.cursor()]
		parts = append(parts, o.Shown(), o.Description)
	}
	var text []string
	for _, part := range parts {
		if !part.Blank() {
			text = append(text, part.Raw())
		}
	}
	f.sheet = &sheet{title: "Question", text: safe.New(strings.Join(text, "\n\n")), plain: true}
}

// key scrolls, or closes on whatever closes.
func (s *sheet) key(f *form, msg tea.KeyPressMsg) {
	page := max(1, s.rows-1)
	switch f.keys.read(msg, false).act {
	case actUp, actScrollUp:
		s.top--
	case actDown, actScrollDown:
		s.top++
	case actPageUp:
		s.top -= page
	case actPageDown, actSpace:
		s.top += page
	case actHome:
		s.top = 0
	case actEnd:
		s.top = s.last
	case actMenu:
		f.sheet, f.dialog = nil, f.menu()
	case actEscape, actZoom, actHelp, actEnter:
		f.sheet = nil
	}
}

// drawSheet draws the sheet over the whole frame.
func (f *form) drawSheet(c *canvas) {
	st, s := &f.look.styles, f.sheet
	c.left, c.width = 0, f.width
	if s.kind == sheetHelp || s.plain {
		c.width = min(f.width, readWidth)
		if s.kind == sheetHelp {
			c.width = min(f.width, readWidth+20)
		}
		c.left = (f.width - c.width) / 2
	}
	lines := f.sheetLines(c.width - 2)
	rows := c.height - 4
	s.rows, s.last = rows, max(0, len(lines)-rows)
	s.top = min(max(s.top, 0), s.last)
	c.add(" " + st.title.Render(cutTo(s.title, c.width-2)))
	c.add(f.rule(c.width, "", ""))
	for i := range rows {
		line := ""
		if s.top+i < len(lines) {
			line = " " + ansi.Truncate(lines[s.top+i], c.width-2, "…")
		}
		c.add(line)
	}
	c.add(f.rule(c.width, "", position(s.top, rows, len(lines))))
	c.add(" " + f.hintLine([]hint{{actEscape, "close"}, {actDown, "scroll"}, {actPageDown, "page"}}, c.width-2))
}

func (f *form) sheetLines(width int) []string {
	s := f.sheet
	switch {
	case s.kind == sheetHelp:
		s.title = "Keys"
		return f.helpLines(width)
	case s.plain:
		return f.docs.wrap(s.text, width)
	}
	doc, ok := f.docs.get(s.ref, s.text, width)
	if !ok {
		return f.docs.wrap(s.text, width)
	}
	if doc.Notice != "" {
		return append([]string{f.look.styles.warning.Render(cutTo(doc.Notice, width)), ""}, doc.Lines...)
	}
	return doc.Lines
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
				line = padLine(line, half+2) + right[i]
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
	} {
		for _, line := range f.docs.wrap(safe.New(text), width) {
			lines = append(lines, f.look.styles.muted.Render(line))
		}
	}
	return lines
}

// helpGroups are the four headings of the help.
func (f *form) helpGroups() []string {
	if f.review != nil {
		return reviewGroups()
	}
	return helpGroups()
}

// helpGroup is a heading of the help, its keys, and an empty line.
func (f *form) helpGroup(group string, width int) []string {
	st := &f.look.styles
	const keyCells = 11
	lines := []string{st.title.Render(group)}
	for _, h := range keyTable(f.keys, f.helpGroups()) {
		if h.Group != group {
			continue
		}
		for i, text := range f.docs.wrap(safe.New(h.Does), max(10, width-keyCells)) {
			label := strings.Repeat(" ", keyCells)
			if i == 0 {
				label = st.keycap.Render(padTo(h.Key, keyCells))
			}
			lines = append(lines, label+st.muted.Render(text))
		}
	}
	return append(lines, "")
}

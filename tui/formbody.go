package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"planb/questions/safe"
	"planb/tui/cells"
	"planb/tui/form/field"
	"planb/tui/keymap"
	"planb/tui/markdown"
	"planb/tui/screen"
)

// scroll is what part of long things is on the screen. Drawing puts it right.
type scroll struct {
	tab   int  // whose body rows these are
	body  int  // first visible row of the questions
	free  bool // moved by the person: the focus need not be visible until the next key
	above int  // rows of the question with the focus that are above the first
	intro int
	panel int
	shown docRef // what the panel shows
	// what is panned of the illustration, the introduction, and the description of
	// the question with the focus
	panelPan, introPan, textPan markdown.Pan
	panned                      int       // the question that textPan is about
	plan                        panelPlan // of the panel, if there is one
	// where the panel is, and how far it and the intro can go
	panelAt, panelTo     field.Place
	introRows, panelRows int // rows of a page
	introLast, panelLast int // the last first row
}

// overPanel reports whether a cell is in the panel.
func (s *scroll) overPanel(x, y int) bool {
	return s.panelRows > 0 && x >= s.panelAt.X && x < s.panelTo.X && y >= s.panelAt.Y && y < s.panelTo.Y
}

// narrow is the width below which words give way to glyphs.
const narrow = 56

// gutter is the cells left of a question: the bar of the focus and a space.
const gutter = 2

// drawBody draws what is between header and footer in so many rows, and
// returns where in it the view is.
func (f *form) drawBody(c *canvas, rows int) (more string) {
	if f.illustrated() && (c.width >= sideWidth || rows >= panelLeastBody) {
		defer f.lookAhead(f.panelCells(c)) // after what this tab shows
	}
	f.scroll.panelRows, f.scroll.plan = 0, panelPlan{}
	f.scroll.introPan.Last, f.scroll.panelPan.Last, f.scroll.textPan.Last = 0, 0, 0
	if f.scroll.tab != f.state.tab {
		f.scroll.tab, f.scroll.body, f.scroll.intro = f.state.tab, 0, 0
	}
	if len(f.state.tabs[f.state.tab].Questions) == 0 {
		return f.drawIntro(c, rows)
	}
	panel, ok := f.planPanel(c, rows)
	if !ok {
		return f.drawQuestions(c, min(c.width, readWidth), rows, false)
	}
	f.scroll.plan = panel
	if panel.below {
		more = f.drawQuestions(c, c.width, rows-panel.rows, true)
		f.drawPanelBelow(c, panel)
		return more
	}
	top := len(c.lines)
	more = f.drawQuestions(c, panel.x-1, rows, true)
	f.drawPanelBeside(c, panel, top)
	return more
}

// drawQuestions draws the tab's questions in a window of so many rows that
// shows the focus.
func (f *form) drawQuestions(c *canvas, width, rows int, illustrates bool) (more string) {
	b, around := f.layQuestions(c, width, rows, illustrates)
	top := f.bodyTop(b, around, rows)
	end := min(len(b.Lines), top+rows)
	at := len(c.lines)
	stuck := f.stickyLabel(b, around, top, rows, width)
	for i, line := range b.Lines[top:end] {
		if i == 0 && stuck != "" {
			line = stuck
		}
		c.add(line)
	}
	for range rows - (end - top) {
		c.add("")
	}
	if p := b.Caret; p != nil && p.Y >= top && p.Y < end {
		c.caret = &field.Place{X: p.X, Y: at + p.Y - top}
	}
	for _, h := range b.Hits {
		if h.Y < top || h.Y >= end || h.Y == top && stuck != "" {
			continue
		}
		question, place := h.At/hitSpan, h.At%hitSpan-hitZero
		from := h.From
		f.hit(c, h.X, at+h.Y-top, h.Width, 1, func(x, y int) tea.Cmd {
			return f.clickQuestion(question, place, x+from.X, y+from.Y)
		})
	}
	return cells.Join(cells.Position(top, rows, len(b.Lines)), f.scroll.textPan.Position())
}

// Clicks carry a question and a place in it in one number.
const (
	hitSpan = 1 << 12
	hitZero = 1 << 11
)

func (f *form) clickQuestion(question, at, x, y int) tea.Cmd {
	e := f.state.controls[question]
	if f.state.focused() != e {
		f.state.focusQuestion(question, field.Straight)
	}
	if at == clickEarlier {
		return readEarlier(f)
	}
	if e.click(at, x, y) == keymap.Changed {
		e.alert = ""
		f.state.touch()
	}
	return nil
}

// layQuestions lays all questions of the tab out, one below the other, and
// says which rows the one with the focus has.
func (f *form) layQuestions(c *canvas, width, rows int, illustrates bool) (b field.Block, around field.Span) {
	s := f.state
	if c.roomy {
		b.Add("")
	}
	p := field.Pen{
		Styles: &f.look.Styles, Width: max(16, width-gutter-1), Height: rows,
		Wrap: f.docs.wrap, Key: f.keys.Label, Illustrates: illustrates,
	}
	for _, i := range s.tabs[s.tab].Questions {
		e, before := s.controls[i], len(b.Lines)
		if p.Here = s.focused() == e; p.Here {
			b.Append(f.drawQuestion(i, p), f.look.Styles.Cursor.Render("▌")+" ", gutter)
			around = field.Span{Top: before, Bottom: len(b.Lines) - 1}
		} else {
			focus, caret := b.Focus, b.Caret
			b.Append(f.drawAside(i, p), "  ", gutter)
			b.Focus, b.Caret = focus, caret
		}
		switch {
		case !e.note.Empty() || e.noting: // its row is no space between questions any more
			b.Add("")
		case !e.onNote:
			b.Lines[len(b.Lines)-1] = ""
			if p.Here {
				around.Bottom-- // no use in scrolling for an empty row
			}
		}
	}
	return b, around
}

// drawnAside is a question as it was drawn without the focus. Moving about in
// one question does not draw the others again: of a form with thousands of
// options that would take 50 ms a key.
type drawnAside struct {
	as    asideKey
	block field.Block
}

// asideKey is everything such a drawing depends on.
type asideKey struct {
	version, news, width, height int
	illustrates                  bool
	alert                        string
	styles                       *screen.Styles
}

// drawAside draws a question that has not the focus, if it changed.
func (f *form) drawAside(i int, p field.Pen) field.Block {
	e := f.state.controls[i]
	as := asideKey{
		version: e.version, news: f.docs.news, width: p.Width, height: p.Height,
		illustrates: p.Illustrates, alert: e.alert, styles: p.Styles,
	}
	if f.aside[i].as != as {
		f.aside[i] = drawnAside{as: as, block: f.drawQuestion(i, p)}
	}
	return f.aside[i].block
}

// bodyTop is the first row to show: as it was, unless the focus would be off
// the screen. The question's label is shown with it if both fit. Asked again it
// says the same, so a form drawn twice looks the same.
func (f *form) bodyTop(b field.Block, around field.Span, rows int) int {
	last := max(0, len(b.Lines)-rows)
	top := min(max(f.scroll.body, 0), last)
	if !f.scroll.free && f.state.zone == inBody {
		focus := b.Focus
		if focus.Bottom-around.Top < rows {
			focus.Top = around.Top
		}
		if around.Bottom-focus.Top < rows {
			focus.Bottom = around.Bottom
		}
		if focus.Bottom >= top+rows {
			top = focus.Bottom - rows + 1
		}
		if focus.Top < top {
			top = focus.Top
		}
		if top == 1 && focus.Bottom < rows { // no use in hiding an empty row
			top = 0
		}
		if top > around.Top && b.Focus.Top == top && b.Focus.Bottom < top+rows-1 && rows >= leastSticky {
			top-- // room for the question's label
		}
	}
	f.scroll.body = top
	f.scroll.above = 0
	if f.state.zone == inBody {
		f.scroll.above = top - around.Top
	}
	return top
}

// leastSticky is the rows of questions from which one of them is the label's.
const leastSticky = 6

// stickyLabel is the label of the question with the focus, for the first visible
// row, if that is further down in the question: in a list longer than the screen
// one goes on seeing what is asked.
func (f *form) stickyLabel(b field.Block, around field.Span, top, rows, width int) string {
	e := f.state.focused()
	if e == nil || f.scroll.free || rows < leastSticky || top <= around.Top || b.Focus.Top <= top || b.Focus.Bottom >= top+rows {
		return ""
	}
	st := &f.look.Styles
	return st.Cursor.Render("▌") + " " + st.Strong.Render(cells.Cut(e.q.Label.Line(), width-gutter-1))
}

// scrollToHead brings into view what a question says above its first option,
// where that is too long to be seen with it: ↑ there goes on to the question above
// only from the top. It reports whether there was anything to bring.
func (f *form) scrollToHead() bool {
	e := f.state.focused()
	if e == nil || e.onNote || e.text() != nil || f.scroll.above <= 0 {
		return false
	}
	if c, ok := e.field.(field.Illustrated); ok && c.Row() > 0 {
		return false
	}
	f.scroll.body -= min(f.scroll.above, screen.WheelLines)
	f.scroll.free = true
	return true
}

// drawQuestion draws one question: label, what is wrong, description, field,
// and the row of its note.
func (f *form) drawQuestion(i int, p field.Pen) field.Block {
	e, st, here := f.state.controls[i], &f.look.Styles, p.Here
	var b field.Block
	for _, line := range f.labelLines(e, p) {
		b.Add(line)
		b.HitLast(clickLabel, p.Width)
	}
	if e.alert != "" {
		b.Add(st.Danger.Render("▲ " + e.alert))
	}
	b.Lines = append(b.Lines, f.description(i, p)...)
	f.drawEarlier(e, p, &b)
	p.Here = here && !e.onNote
	b.Append(e.field.Draw(p), "", 0)
	f.drawNote(e, here, p, &b)
	for n := range b.Hits {
		b.Hits[n].At += i*hitSpan + hitZero
	}
	return b
}

func (f *form) labelLines(e *control, p field.Pen) []string {
	st := &f.look.Styles
	mark, room := "", p.Width
	if e.q.Required && !e.fixed {
		mark = "required"
		if p.Width < narrow {
			mark, room = "●", p.Width-3 // as on the tabs, and always behind the label
		}
	}
	var lines []string
	for _, text := range p.Wrap(e.q.Label, room) {
		lines = append(lines, st.Strong.Render(text))
	}
	if mark != "" {
		lines = cells.AddMark(lines, st.Required.Render(mark), "", p.Width)
	}
	return lines
}

// description is the question's description, plain until it is rendered.
func (f *form) description(i int, p field.Pen) []string {
	text := f.state.controls[i].q.Description
	if text.IsZero() {
		return nil
	}
	ref := docRef{part: docDescription, question: i}
	if doc, ok := f.docs.get(ref, text, p.Width); ok {
		still := markdown.Pan{}
		view := &still
		if p.Here {
			view = &f.scroll.textPan
			if f.scroll.panned != i {
				f.scroll.panned, view.Left = i, 0
			}
		}
		view.Fit(doc, p.Width)
		return view.Lines(doc, 0, len(doc.Lines))
	}
	var lines []string
	for _, line := range f.docs.source(ref, text, p.Width) {
		lines = append(lines, f.look.Styles.Muted.Render(line))
	}
	return lines
}

// drawNote draws the note's row. Without a note it is empty, the space between
// two questions, until the cursor comes to it: so questions are always apart by
// one row, and none moves when the focus does.
func (f *form) drawNote(e *control, here bool, p field.Pen, b *field.Block) {
	st := &f.look.Styles
	const lead = "  ✎ "
	room := p.Width - ansi.StringWidth(lead)
	cursor := here && e.onNote
	if cursor {
		b.Focus = field.Span{Top: len(b.Lines), Bottom: len(b.Lines)}
	}
	mark := lead
	if cursor {
		mark = "▸ ✎ "
	}
	switch {
	case e.noting:
		rows, x, y := e.note.Layout(room, 3)
		top := len(b.Lines)
		for i, row := range rows {
			if i > 0 {
				mark = strings.Repeat(" ", ansi.StringWidth(lead))
			}
			b.Add(st.Cursor.Render(mark) + st.InputHere.Render(cells.Pad(row.Text, room)))
			b.Hits = append(b.Hits, field.Hit{X: p.Width - room, Y: len(b.Lines) - 1, Width: room, At: clickNote, From: field.Place{Y: i}})
		}
		b.Focus = field.Span{Top: top, Bottom: len(b.Lines) - 1}
		b.Caret = &field.Place{X: p.Width - room + x, Y: top + y}
	case !e.note.Empty():
		style := st.Note
		if cursor {
			style = st.Cursor
		}
		for i, line := range p.Wrap(safe.New(e.note.Text()), room) {
			if i > 0 {
				mark = strings.Repeat(" ", ansi.StringWidth(lead))
			}
			b.Add(style.Render(mark + line))
			b.HitLast(clickNote, p.Width)
		}
		if cursor {
			b.Focus.Bottom = len(b.Lines) - 1
		}
	case cursor:
		b.Add(st.Cursor.Render(mark + "note"))
		b.HitLast(clickNote, ansi.StringWidth(lead)+4)
	default:
		b.Add("")
	}
}

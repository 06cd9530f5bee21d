package form

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"planb/questions/safe"
	"planb/tui/cells"
	"planb/tui/form/field"
	"planb/tui/form/rendering"
	"planb/tui/keymap"
	"planb/tui/markdown"
	"planb/tui/marks"
	"planb/tui/screen"
)

// gutter is the cells at the left of a question: the bar of the one with the focus, and a
// space.
const gutter = 2

// drawBody draws everything between header and footer in the given rows, and returns the
// position of the view.
func (q *questionnaire) drawBody(c *Canvas, rows int) (more string) {
	if q.illustrated() && (c.Width >= sideWidth || rows >= panelLeastBody) {
		defer q.lookAhead(q.panelCells(c)) // last, because what this tab shows is needed first
	}
	q.panel.rows, q.panel.plan = 0, panelPlan{}
	q.scroll.intro.pan.Last, q.panel.pan.Last, q.scroll.description.Last = 0, 0, 0
	if q.scroll.tab != q.state.tab {
		q.scroll.tab, q.scroll.body, q.scroll.intro.top = q.state.tab, 0, 0
	}
	if len(q.state.tabs[q.state.tab].Questions) == 0 {
		return q.drawIntro(c, rows)
	}
	panel, ok := q.planPanel(c, rows)
	if !ok {
		return q.drawQuestions(c, min(c.Width, ReadWidth), c.Width, rows)
	}
	q.panel.plan = panel
	switch {
	case panel.below:
		b, around := q.layQuestions(c, c.Width, c.Width, rows-panel.rows)
		panel = q.settled(panel, rows-panel.rows-len(b.Lines))
		q.panel.plan = panel
		if panel.rows == 0 {
			return q.drawLaid(c, b, around, c.Width, rows)
		}
		return q.drawPanelBelow(c, panel, q.drawLaid(c, b, around, c.Width, rows-panel.rows))
	case !q.illustratesCurrent(): // the panel keeps only its place: each step of the focus would else lay the tab out again
		return q.drawQuestions(c, panel.x-1, panel.x-1, rows)
	}
	top := len(c.Lines)
	more = q.drawQuestions(c, panel.x-1, panel.x-1, rows)
	q.drawPanelBeside(c, panel, top)
	return more
}

// drawQuestions draws the given rows of the tab's questions, around the focus. The row with the
// cursor stands out in lit cells.
func (q *questionnaire) drawQuestions(c *Canvas, width, lit, rows int) (more string) {
	b, around := q.layQuestions(c, width, lit, rows)
	return q.drawLaid(c, b, around, width, rows)
}

// drawLaid draws the given rows of questions that are laid out.
func (q *questionnaire) drawLaid(c *Canvas, b screen.Block, around screen.Span, width, rows int) (more string) {
	top := q.bodyTop(b, around, rows)
	end := min(len(b.Lines), top+rows)
	at := len(c.Lines)
	stuck := q.stickyLabel(b, around, top, rows, width)
	for i, line := range b.Lines[top:end] {
		if i == 0 && stuck != "" {
			line = stuck
		}
		c.Add(line)
	}
	for range rows - (end - top) {
		c.Add("")
	}
	if p := b.Caret; p != nil && p.Y >= top && p.Y < end {
		c.Caret = &screen.Place{X: p.X, Y: at + p.Y - top}
	}
	for _, h := range b.Hits {
		if h.Y < top || h.Y >= end || h.Y == top && stuck != "" {
			continue
		}
		question, place := h.At/hitSpan, h.At%hitSpan-hitZero
		from := h.From
		q.hit(c, h.X, at+h.Y-top, h.Width, 1, func(x, y int) tea.Cmd {
			return q.clickQuestion(question, place, x+from.X, y+from.Y)
		})
	}
	shown := screen.Span{Top: top, Bottom: end - 1}
	if stuck != "" {
		shown.Top++
	}
	return cells.Join(q.position(b, shown, c.roomy), q.scroll.description.Position())
}

// position says which of the options of a long list or else which lines of the questions are in
// view, and of how many: with the unit if there is room for it. It is empty if no line is hidden.
// An empty row above the questions is no line.
func (q *questionnaire) position(b screen.Block, shown screen.Span, roomy bool) string {
	lead := emptyAbove(b)
	top := max(shown.Top-lead, 0)
	position, unit := cells.Position(top, shown.Bottom+1-lead-top, len(b.Lines)-lead), "lines "
	if options := q.optionsShown(b, shown); position != "" && options != "" {
		position, unit = options, "options "
	}
	if !roomy || position == "" {
		return position
	}
	return unit + position
}

// optionsShown says which options of a long list with the focus are in view, and of how many:
// the list says itself how many options it has, so a count of lines would be a second number.
// It is empty if none is in view.
func (q *questionnaire) optionsShown(b screen.Block, shown screen.Span) string {
	e := q.state.focused()
	if e == nil {
		return ""
	}
	list, ok := e.field.(field.Illustrated)
	if !ok || !list.Long() {
		return ""
	}
	options := slices.DeleteFunc(slices.Clone(list.Options()), func(option int) bool { return option == field.OtherRow })
	first, last := 0, 0
	for _, h := range b.Hits {
		at := h.At%hitSpan - hitZero
		if h.At/hitSpan != q.state.index(e.q.ID) || at < 0 || at >= len(options) || h.Y < shown.Top || h.Y > shown.Bottom {
			continue
		}
		if first == 0 {
			first = at + 1
		}
		last = at + 1
	}
	if first == 0 {
		return ""
	}
	return fmt.Sprintf("%d–%d of %d", first, last, len(options))
}

// The number of a clickable place holds the question and the place in it:
// question*hitSpan + hitZero + place.
const (
	hitSpan = 1 << 12
	hitZero = 1 << 11
)

func (q *questionnaire) clickQuestion(question, at, x, y int) tea.Cmd {
	e := q.state.controls[question]
	if q.state.focused() != e {
		q.state.focusQuestion(question, field.Straight)
	}
	if at == clickEarlier {
		return q.readEarlier()
	}
	if e.click(at, x, y) == keymap.Changed {
		e.alert = ""
		q.state.touch()
	}
	return nil
}

// layQuestions lays out all questions of the tab, one below the other. around has the
// rows of the question with the focus.
func (q *questionnaire) layQuestions(c *Canvas, width, lit, rows int) (b screen.Block, around screen.Span) {
	s := q.state
	if c.roomy {
		b.Add("")
	}
	p := q.pen(width, rows)
	folds := q.folds(p)
	for _, i := range s.tabs[s.tab].Questions {
		e, before := s.controls[i], len(b.Lines)
		if p.Here = s.focused() == e; p.Here {
			if !q.illustratesCurrent() { // no panel stands at its right
				p.Spare = max(0, min(c.Width, ReadWidth)-width)
			}
			drawn := q.drawQuestion(i, p)
			p.Spare = 0
			b.Append(drawn, p.Styles.Faint.Render(marks.Bar+" "), gutter) // in the style of most rows, which costs fewer bytes
			around = screen.Span{Top: before, Bottom: len(b.Lines) - 1}
			focused := p.Styles.Focused
			switch {
			case drawn.Caret != nil:
				focused = p.Styles.FocusedInput
			case drawn.Coloured:
				focused = p.Styles.FocusedEdge
			}
			for row := drawn.Focus.Top; p.Styles.HasFocus() && row < drawn.Focus.Top+drawn.Lit; row++ {
				b.Lines[before+row] = focused(strings.Repeat(" ", gutter)+drawn.Lines[row], lit)
			}
		} else {
			had := b
			b.Append(q.drawAside(i, p, folds), "  ", gutter)
			b.Focus, b.Near, b.Lit, b.Caret = had.Focus, had.Near, had.Lit, had.Caret
		}
		switch {
		case !e.note.Empty() || e.noting: // the note fills the row that separates questions
			b.Add("")
		case !e.onNote:
			b.Lines[len(b.Lines)-1] = ""
			if p.Here {
				around.Bottom-- // do not scroll for an empty row
			}
		}
	}
	if last := len(b.Lines) - 1; last > 0 && b.Lines[last] == "" { // it separates nothing: who counts it misses a line
		b.Lines = b.Lines[:last]
	}
	return b, around
}

// pen returns the pen for questions in width cells and so many rows.
func (q *questionnaire) pen(width, rows int) field.Pen {
	return field.Pen{
		Styles: q.host.Styles(), Width: max(16, width-gutter-1), Height: rows,
		Wrap: q.host.Wrap, Key: q.host.Keys().Label,
	}
}

// drawnAside caches the drawing of a question without the focus. Without it, each key
// would draw all questions again; in a form with thousands of options that takes 50 ms.
type drawnAside struct {
	as    asideKey
	block screen.Block
}

// asideKey is everything that the drawing of a question without the focus depends on.
type asideKey struct {
	version, news, width, height int
	alert                        string
	styles                       *screen.Styles
}

// aside names the drawing of a question without the focus.
type aside struct {
	question int
	folded   bool
}

// drawAside returns the drawing of a question without the focus, from the cache if
// nothing changed.
func (q *questionnaire) drawAside(i int, p field.Pen, folded bool) screen.Block {
	e := q.state.controls[i]
	as := asideKey{
		version: e.version, news: q.docs.News(), width: p.Width, height: p.Height,
		alert: e.alert, styles: p.Styles,
	}
	at, draw := aside{i, folded}, q.drawQuestion
	if folded {
		draw = q.drawFolded
	}
	if q.aside[at].as != as {
		q.aside[at] = drawnAside{as: as, block: draw(i, p)}
	}
	return q.aside[at].block
}

// drawQuestion draws one question: its head, its field, and the row of its note.
func (q *questionnaire) drawQuestion(i int, p field.Pen) screen.Block {
	e, here := q.state.controls[i], p.Here
	b := q.drawHead(i, p)
	p.Here = here && !e.onNote
	b.Append(e.field.Draw(p), "", 0)
	q.drawNote(e, here, p, &b)
	for n := range b.Hits {
		b.Hits[n].At += i*hitSpan + hitZero
	}
	return b
}

// drawHead draws what stands above a question's field: its label, an alert, its description
// and the earlier answer.
func (q *questionnaire) drawHead(i int, p field.Pen) screen.Block {
	e := q.state.controls[i]
	var b screen.Block
	head := q.labelLines(e, p)
	if e.alert != "" {
		head = append(head, p.Styles.Danger.Render("▲ "+e.alert))
	}
	for _, line := range append(head, q.description(i, p)...) {
		b.Add(line)
		b.HitLast(clickLabel, p.Width)
	}
	q.drawEarlier(e, p, &b)
	return b
}

// labelLines draws the label, with a mark behind it if the question is required and open, or is
// answered. Every question has room for its mark, so that no label moves when an answer comes.
func (q *questionnaire) labelLines(e *control, p field.Pen) []string {
	st, known, room := p.Styles, q.state.answers(), p.Width
	if !e.fixed {
		room -= 3
	}
	lines := cells.Styled(p.Wrap(e.q.Label, room), st.Strong)
	switch {
	case e.fixed:
	case slices.Contains(known.missing, e.q.ID):
		lines = cells.AddMark(lines, st.Required.Render(marks.Required), "", p.Width)
	case !slices.Contains(known.unanswered, e.q.ID):
		lines = cells.AddMark(lines, st.Success.Render(marks.Answered), "", p.Width)
	}
	return lines
}

// description returns the lines of the question's description: its source until it is
// rendered.
func (q *questionnaire) description(i int, p field.Pen) []string {
	text := q.state.controls[i].q.Description
	if text.IsZero() {
		return nil
	}
	ref := rendering.Ref{Part: rendering.Description, Question: i}
	if doc, ok := q.docs.Get(ref, text, p.Width); ok {
		still := markdown.Pan{}
		view := &still
		if p.Here {
			view = &q.scroll.description
			if q.scroll.described != i {
				q.scroll.described, view.Left = i, 0
			}
		}
		view.Fit(doc, p.Width)
		return view.Lines(doc, 0, len(doc.Lines))
	}
	var lines []string
	for _, line := range q.docs.Source(ref, text, p.Width) {
		lines = append(lines, q.host.Styles().Muted.Render(line))
	}
	return lines
}

// drawNote draws the note's row. Without a note the row is empty and separates two
// questions; it gets its text only under the cursor. So no question moves when the focus
// moves.
func (q *questionnaire) drawNote(e *control, here bool, p field.Pen, b *screen.Block) {
	st := q.host.Styles()
	const lead = "  ✎ "
	room := p.Width - ansi.StringWidth(lead)
	cursor, top := here && e.onNote, len(b.Lines)
	mark := lead
	switch {
	case e.noting:
		rows, x, y := e.note.Layout(room, 3)
		for i, row := range rows {
			if i > 0 {
				mark = strings.Repeat(" ", ansi.StringWidth(lead))
			}
			b.Add(st.Accent.Render(mark) + st.InputHere.Render(cells.Pad(row.Text, room)))
			b.Hits = append(b.Hits, screen.Hit{X: p.Width - room, Y: len(b.Lines) - 1, Width: room, At: clickNote, From: screen.Place{Y: i}})
		}
		b.Caret = &screen.Place{X: p.Width - room + x, Y: top + y}
	case !e.note.Empty():
		for i, line := range p.Wrap(safe.New(e.note.Text()), room) {
			if i > 0 {
				mark = strings.Repeat(" ", ansi.StringWidth(lead))
			}
			b.Add(st.Note.Render(mark + line))
			b.HitLast(clickNote, p.Width)
		}
	case cursor:
		b.Add(st.Text.Render(mark + "note"))
		b.HitLast(clickNote, ansi.StringWidth(lead)+4)
	default:
		b.Add("")
	}
	if cursor {
		b.FocusOn(top, !e.noting)
	}
}

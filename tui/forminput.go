package tui

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"planb/questions"
	"planb/questions/safe"
	"planb/tui/cells"
	"planb/tui/editor"
)

// inputLook is how a text being written is drawn.
type inputLook struct {
	q           questions.Question
	shows       string // in an empty field, if the question says nothing; clean
	mark        string // before the first row
	edged       bool   // and before every other
	rows, least int    // at most and at least so many
}

// drawInput draws an editor as a field.
func drawInput(p pen, e *editor.Editor, look inputLook) block {
	var b block
	room := max(2, p.width-ansi.StringWidth(look.mark))
	style, mark := p.styles.Input, p.styles.Faint
	if p.here {
		style, mark = p.styles.InputHere, p.styles.Cursor
	}
	rows, x, y := e.Layout(room, look.rows)
	if e.Empty() {
		rows = proposalRows(p, look, room)
		style = p.styles.Placeholder
		if p.here {
			style = style.Background(p.styles.InputHere.GetBackground())
		}
	}
	for len(rows) < look.least {
		rows = append(rows, editor.Row{})
	}
	for i, row := range rows {
		if i > 0 && !look.edged {
			look.mark = strings.Repeat(" ", p.width-room)
		}
		s := style
		if row.Attached {
			s = p.styles.Note
		}
		b.add(mark.Render(look.mark) + s.Render(cells.Pad(row.Text, room)))
		b.hits = append(b.hits, hit{x: p.width - room, y: len(b.lines) - 1, width: room, from: place{y: len(b.lines) - 1}})
	}
	b.focus = span{0, len(b.lines) - 1}
	if p.here {
		b.caret = &place{p.width - room + x, y}
	}
	return b
}

// proposalRows is what an empty field shows: the agent's proposal, said to be
// one, else the placeholder.
func proposalRows(p pen, look inputLook, room int) []editor.Row {
	text := look.q.Placeholder
	if text.IsZero() {
		text = safe.New(look.shows)
	}
	if proposed, ok := proposedText(look.q); ok {
		text = safe.New("default: " + proposed)
	}
	lines := p.wrap(text, room)
	if len(lines) > look.rows {
		lines = lines[:look.rows]
	}
	rows := make([]editor.Row, 0, len(lines))
	for _, line := range lines {
		rows = append(rows, editor.Row{Text: line})
	}
	if len(rows) == 0 {
		rows = append(rows, editor.Row{})
	}
	return rows
}

// drawAnswerText draws a text answer that can't be changed any more.
func drawAnswerText(p pen, text string) block {
	var b block
	if safe.New(text).Blank() {
		b.add(p.styles.Faint.Render("(no answer)"))
		return b
	}
	for _, line := range p.wrap(safe.New(text), max(2, p.width-2)) {
		b.add(p.styles.Rule.Render("│ ") + p.styles.Accent.Render(line))
	}
	b.focus = span{0, len(b.lines) - 1}
	return b
}

package field

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"planb/questions"
	"planb/questions/safe"
	"planb/tui/cells"
	"planb/tui/editor"
	"planb/tui/screen"
)

// InputLook says how a field of text is drawn.
type InputLook struct {
	q           questions.Question
	Shows       string // stands in an empty field if the question has no placeholder; clean text
	Mark        string // stands before the first row
	edged       bool   // Mark stands before all other rows, too
	Rows, Least int    // the most and the fewest rows
	Filled      bool   // it has its ground without the focus, too
}

// DrawInput draws an editor as a field.
func DrawInput(p Pen, e *editor.Editor, look InputLook) screen.Block {
	var b screen.Block
	room := max(2, p.Width-ansi.StringWidth(look.Mark))
	style, mark := p.Styles.Input, p.Styles.Faint
	filled := p.Here || look.Filled
	if filled {
		style = p.Styles.InputHere
	}
	if p.Here {
		mark = p.Styles.Cursor
	}
	rows, x, y := e.Layout(room, look.Rows)
	if e.Empty() {
		rows = proposalRows(p, look, room)
		style = p.Styles.Placeholder
		if filled {
			style = style.Background(p.Styles.InputHere.GetBackground())
		}
	}
	for len(rows) < look.Least {
		rows = append(rows, editor.Row{})
	}
	for i, row := range rows {
		if i > 0 && !look.edged {
			look.Mark = strings.Repeat(" ", p.Width-room)
		}
		s := style
		if row.Attached {
			s = p.Styles.Note
		}
		b.Add(mark.Render(look.Mark) + s.Render(cells.Pad(row.Text, room)))
		b.Hits = append(b.Hits, screen.Hit{X: p.Width - room, Y: len(b.Lines) - 1, Width: room, From: screen.Place{Y: len(b.Lines) - 1}})
	}
	b.Focus = screen.Span{Top: 0, Bottom: len(b.Lines) - 1}
	if p.Here {
		b.Caret = &screen.Place{X: p.Width - room + x, Y: y}
	}
	return b
}

// proposalRows returns the rows of an empty field: the agent's proposal, named as one, else
// the placeholder.
func proposalRows(p Pen, look InputLook, room int) []editor.Row {
	text := look.q.Placeholder
	if text.IsZero() {
		text = safe.New(look.Shows)
	}
	if proposed, ok := proposedText(look.q); ok {
		text = safe.New("proposed: " + proposed)
	}
	lines := p.Wrap(text, room)
	if len(lines) > look.Rows {
		lines = lines[:look.Rows]
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

// drawAnswerText draws an answer that can only be read.
func drawAnswerText(p Pen, text string) screen.Block {
	var b screen.Block
	if safe.New(text).Blank() {
		b.Add(p.Styles.Faint.Render("(no answer)"))
		return b
	}
	for _, line := range p.Wrap(safe.New(text), max(2, p.Width-2)) {
		b.Add(p.Styles.Rule.Render("│ ") + p.Styles.Accent.Render(line))
	}
	b.Focus = screen.Span{Top: 0, Bottom: len(b.Lines) - 1}
	return b
}

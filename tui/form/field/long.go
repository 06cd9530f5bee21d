package field

import (
	"planb/questions"
	"planb/tui/editor"
	"planb/tui/keymap"
	"planb/tui/screen"
)

// long is a question answered with text of many lines.
type long struct{ written }

func newLong(q questions.Question, readOnly bool) *long {
	return &long{written{q: q, readOnly: readOnly, edit: editor.New(false)}}
}

func (f *long) Enter(w Way) {
	f.edit.ForgetGoal()
	switch w {
	case FromAbove:
		f.edit.ToStart()
	case FromBelow:
		f.edit.ToEnd()
	}
}

func (f *long) Act(p keymap.Press) keymap.Effect {
	if f.readOnly {
		return keymap.Ignored
	}
	if p.Act == keymap.Right && f.edit.Empty() && f.TakeDefault() {
		return keymap.Changed
	}
	return f.edit.Act(p)
}

func (f *long) Hints() []screen.Hint {
	switch {
	case f.readOnly:
		return nil
	case f.edit.Empty() && f.q.Default != nil:
		return []screen.Hint{{Act: keymap.Right, Does: TakesProposed}, {Act: keymap.Next, Does: GoesOn}}
	}
	return []screen.Hint{{Act: keymap.Enter, Does: "new line"}, {Act: keymap.Next, Does: GoesOn}}
}

// Rows of a long text: enough to read along while writing, and never the whole screen.
const (
	longRows     = 4
	longRowsMost = 14
)

func (f *long) Draw(p Pen) screen.Block {
	if f.readOnly {
		return drawAnswerText(p, f.edit.Text())
	}
	p.Width += p.Spare
	most := max(2, min(longRowsMost, p.Height-4))
	rows := min(most, max(longRows, f.edit.RowCount(p.Width-2)))
	return DrawInput(p, f.edit, InputLook{q: f.q, Rows: most, Least: min(rows, most), Mark: "│ ", edged: true})
}

package tui

import (
	"planb/questions"
	"planb/tui/editor"
	"planb/tui/keymap"
)

// longField is a question answered with text of many lines.
type longField struct{ writtenField }

func newLongField(q questions.Question, readOnly bool) *longField {
	return &longField{writtenField{q: q, readOnly: readOnly, edit: editor.New(false)}}
}

func (f *longField) enter(w way) {
	f.edit.ForgetGoal()
	switch w {
	case fromAbove:
		f.edit.ToStart()
	case fromBelow:
		f.edit.ToEnd()
	}
}

func (f *longField) act(p keymap.Press) keymap.Effect {
	if f.readOnly {
		return keymap.Ignored
	}
	if p.Act == keymap.Right && f.edit.Empty() && f.takeDefault() {
		return keymap.Changed
	}
	return f.edit.Act(p)
}

func (f *longField) hints() []hint {
	switch {
	case f.readOnly:
		return nil
	case f.edit.Empty() && f.q.Default != nil:
		return []hint{{keymap.Right, "take the default"}, {keymap.Next, goesOn}}
	}
	return []hint{{keymap.Enter, "new line"}, {keymap.Next, goesOn}}
}

// Rows of a long text: enough to read what one writes, never the whole screen.
const (
	longRows     = 4
	longRowsMost = 14
)

func (f *longField) draw(p pen) block {
	if f.readOnly {
		return drawAnswerText(p, f.edit.Text())
	}
	most := max(2, min(longRowsMost, p.height-4))
	rows := min(most, max(longRows, f.edit.RowCount(p.width-2)))
	return drawInput(p, f.edit, inputLook{q: f.q, rows: most, least: min(rows, most), mark: "│ ", edged: true})
}

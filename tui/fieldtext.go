package tui

import (
	"planb/questions"
	"planb/tui/editor"
	"planb/tui/keymap"
)

// textField is a question answered with one line of text.
type textField struct{ writtenField }

func newTextField(q questions.Question, readOnly bool) *textField {
	return &textField{writtenField{q: q, readOnly: readOnly, edit: editor.New(true)}}
}

func (f *textField) enter(way) {}

func (f *textField) act(p keymap.Press) keymap.Effect {
	if f.readOnly {
		return keymap.Ignored
	}
	switch p.Act {
	case keymap.Enter, keymap.NewLine:
		if f.edit.Empty() && f.takeDefault() {
			return keymap.Changed
		}
		return keymap.Advance
	case keymap.Right:
		if f.edit.Empty() && f.takeDefault() {
			return keymap.Changed
		}
	}
	return f.edit.Act(p)
}

func (f *textField) hints() []hint {
	switch {
	case f.readOnly:
		return nil
	case f.edit.Empty() && f.q.Default != nil:
		return []hint{{keymap.Enter, "take the default"}}
	}
	return []hint{{keymap.Enter, goesOn}}
}

func (f *textField) draw(p pen) block {
	if f.readOnly {
		return drawAnswerText(p, f.edit.Text())
	}
	return drawInput(p, f.edit, inputLook{q: f.q, rows: 3, mark: "› "})
}

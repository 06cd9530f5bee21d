package tui

import "planb/questions"

// textField is a question answered with one line of text.
type textField struct{ writtenField }

func newTextField(q questions.Question, readOnly bool) *textField {
	return &textField{writtenField{q: q, readOnly: readOnly, edit: newEditor(true)}}
}

func (f *textField) enter(way) {}

func (f *textField) act(p press) effect {
	if f.readOnly {
		return ignored
	}
	switch p.act {
	case actEnter, actNewLine:
		if f.edit.empty() && f.takeDefault() {
			return changed
		}
		return advance
	case actRight:
		if f.edit.empty() && f.takeDefault() {
			return changed
		}
	}
	return f.edit.act(p)
}

func (f *textField) hints() []hint {
	switch {
	case f.readOnly:
		return nil
	case f.edit.empty() && f.q.Default != nil:
		return []hint{{actEnter, "take the default"}}
	}
	return []hint{{actEnter, goesOn}}
}

func (f *textField) draw(p pen) block {
	if f.readOnly {
		return drawAnswerText(p, f.edit.text())
	}
	return drawInput(p, f.edit, inputLook{q: f.q, rows: 3, mark: "› "})
}

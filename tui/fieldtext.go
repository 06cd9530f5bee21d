package tui

import (
	"planb/questions"
	"planb/questions/safe"
)

// textField is a question answered with one line of text.
type textField struct {
	q        questions.Question
	readOnly bool
	edit     *editor
}

func newTextField(q questions.Question, readOnly bool) *textField {
	return &textField{q: q, readOnly: readOnly, edit: newEditor(true)}
}

func (f *textField) load(d questions.Field) { f.edit.setText(d.Text.Raw()) }
func (f *textField) save() questions.Field  { return questions.Field{Text: safe.New(f.edit.text())} }

func (f *textField) takeDefault() bool {
	proposed, ok := proposedText(f.q)
	if ok {
		f.edit.setText(proposed)
	}
	return ok
}

// proposedText is the default of a text question.
func proposedText(q questions.Question) (string, bool) {
	if q.Default == nil {
		return "", false
	}
	return q.Default.Text()
}

func (f *textField) enter(way)      {}
func (f *textField) sideways() bool { return !f.readOnly }

func (f *textField) close() bool       { return false }
func (f *textField) illustration() int { return noOption }
func (f *textField) copyText() string  { return f.edit.text() }

func (f *textField) text() *editor {
	if f.readOnly {
		return nil
	}
	return f.edit
}

func (f *textField) act(p press) effect {
	if f.readOnly {
		return ignored
	}
	switch p.act {
	case actEnter:
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

func (f *textField) click(_, x, y int) effect {
	f.edit.click(x, y)
	return moved
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

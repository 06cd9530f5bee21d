package tui

import (
	"planb/questions"
	"planb/questions/safe"
	"planb/tui/editor"
	"planb/tui/keymap"
)

// writtenField is what a question answered with text has, of one line or many.
type writtenField struct {
	q        questions.Question
	readOnly bool
	edit     *editor.Editor
}

func (f *writtenField) load(d questions.Field) { f.edit.Load(d.Text.Raw()) }
func (f *writtenField) save() questions.Field  { return questions.Field{Text: safe.New(f.edit.Text())} }

func (f *writtenField) takeDefault() bool {
	proposed, ok := proposedText(f.q)
	if ok {
		f.edit.ReplaceAll(proposed)
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

func (f *writtenField) sideways() bool    { return !f.readOnly }
func (f *writtenField) close() bool       { return false }
func (f *writtenField) illustration() int { return noOption }
func (f *writtenField) copyText() string  { return f.edit.Text() }

func (f *writtenField) text() *editor.Editor {
	if f.readOnly {
		return nil
	}
	return f.edit
}

func (f *writtenField) click(_, x, y int) keymap.Effect {
	f.edit.Click(x, y)
	return keymap.Moved
}

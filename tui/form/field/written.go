package field

import (
	"planb/questions"
	"planb/questions/safe"
	"planb/tui/editor"
	"planb/tui/keymap"
)

// written is what questions of text have in common, of one line or of many.
type written struct {
	q        questions.Question
	readOnly bool
	edit     *editor.Editor
}

func (f *written) Load(d questions.Field) { f.edit.Load(d.Text.Raw()) }
func (f *written) Save() questions.Field  { return questions.Field{Text: safe.New(f.edit.Text())} }

func (f *written) TakeDefault() bool {
	proposed, ok := proposedText(f.q)
	if ok {
		f.edit.ReplaceAll(proposed)
	}
	return ok
}

// proposedText returns the default of a question of text.
func proposedText(q questions.Question) (string, bool) {
	if q.Default == nil {
		return "", false
	}
	return q.Default.Text()
}

func (f *written) Sideways() bool    { return !f.readOnly }
func (f *written) Close() bool       { return false }
func (f *written) Illustration() int { return NoOption }
func (f *written) CopyText() string  { return f.edit.Text() }

func (f *written) Text() *editor.Editor {
	if f.readOnly {
		return nil
	}
	return f.edit
}

func (f *written) Click(_, x, y int) keymap.Effect {
	f.edit.Click(x, y)
	return keymap.Moved
}

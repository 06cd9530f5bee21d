package field

import (
	"planb/questions"
	"planb/tui/editor"
	"planb/tui/keymap"
	"planb/tui/screen"
)

// text is a question answered with one line of text.
type text struct{ written }

func newText(q questions.Question, readOnly bool) *text {
	return &text{written{q: q, readOnly: readOnly, edit: editor.New(true)}}
}

func (f *text) Enter(Way) {}

func (f *text) Act(p keymap.Press) keymap.Effect {
	if f.readOnly {
		return keymap.Ignored
	}
	switch p.Act {
	case keymap.Enter, keymap.NewLine:
		if f.edit.Empty() && f.TakeDefault() {
			return keymap.Changed
		}
		return keymap.Advance
	case keymap.Right:
		if f.edit.Empty() && f.TakeDefault() {
			return keymap.Changed
		}
	}
	return f.edit.Act(p)
}

func (f *text) Hints() []screen.Hint {
	switch {
	case f.readOnly:
		return nil
	case f.edit.Empty() && f.q.Default != nil:
		return []screen.Hint{{Act: keymap.Enter, Does: TakesProposed}}
	}
	return []screen.Hint{{Act: keymap.Enter, Does: GoesOn}}
}

func (f *text) Draw(p Pen) screen.Block {
	if f.readOnly {
		return drawAnswerText(p, f.edit.Text())
	}
	return DrawInput(p, f.edit, InputLook{q: f.q, Rows: 3, Mark: "› "})
}

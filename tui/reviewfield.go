package tui

import (
	"planb/questions"
	"planb/tui/editor"
	"planb/tui/form/field"
	"planb/tui/keymap"
)

// reviewField makes a review the answer to the question of its form.
type reviewField struct{ body *reviewBody }

func (f reviewField) Load(d questions.Field)       { f.body.load(d) }
func (f reviewField) Save() questions.Field        { return f.body.state.save() }
func (reviewField) TakeDefault() bool              { return false }
func (reviewField) Enter(field.Way)                {}
func (reviewField) Act(keymap.Press) keymap.Effect { return keymap.Ignored }
func (reviewField) Click(int, int, int) keymap.Effect {
	return keymap.Ignored
}
func (f reviewField) Text() *editor.Editor { return f.body.writing() }
func (reviewField) Sideways() bool         { return true }
func (reviewField) Close() bool            { return false }
func (reviewField) Illustration() int      { return field.NoOption }
func (f reviewField) CopyText() string {
	return f.body.copyText()
}
func (f reviewField) Hints() []field.Hint      { return f.body.hints() }
func (reviewField) Draw(field.Pen) field.Block { return field.Block{} }

package tui

import (
	"planb/questions"
	"planb/tui/editor"
	"planb/tui/keymap"
)

// reviewField makes a review the answer to the question of its form.
type reviewField struct{ body *reviewBody }

func (f reviewField) load(d questions.Field)       { f.body.load(d) }
func (f reviewField) save() questions.Field        { return f.body.state.save() }
func (reviewField) takeDefault() bool              { return false }
func (reviewField) enter(way)                      {}
func (reviewField) act(keymap.Press) keymap.Effect { return keymap.Ignored }
func (reviewField) click(int, int, int) keymap.Effect {
	return keymap.Ignored
}
func (f reviewField) text() *editor.Editor { return f.body.writing() }
func (reviewField) sideways() bool         { return true }
func (reviewField) close() bool            { return false }
func (reviewField) illustration() int      { return noOption }
func (f reviewField) copyText() string {
	return f.body.copyText()
}
func (f reviewField) hints() []hint { return f.body.hints() }
func (reviewField) draw(pen) block  { return block{} }

package field

import (
	"planb/questions"
	"planb/tui/editor"
	"planb/tui/keymap"
	"planb/tui/screen"
	"planb/tui/wording"
)

// unknown is a question of a kind that only a newer planb knows. The person can read it and
// leave it open, but not answer it.
type unknown struct{ q questions.Question }

func (f unknown) Load(questions.Field)            {}
func (f unknown) Save() questions.Field           { return questions.Field{} }
func (f unknown) TakeDefault() bool               { return false }
func (f unknown) Enter(Way)                       {}
func (f unknown) Act(keymap.Press) keymap.Effect  { return keymap.Ignored }
func (f unknown) Click(_, _, _ int) keymap.Effect { return keymap.Moved }
func (f unknown) Text() *editor.Editor            { return nil }
func (f unknown) Close() bool                     { return false }
func (f unknown) Sideways() bool                  { return false }
func (f unknown) Illustration() int               { return NoOption }
func (f unknown) CopyText() string                { return "" }
func (f unknown) Hints() []screen.Hint            { return nil }

func (f unknown) Draw(p Pen) screen.Block {
	var b screen.Block
	for _, line := range p.Wrap(wording.UnknownKind(f.q), p.Width) {
		b.Add(p.Styles.Warning.Render(line))
	}
	return b
}

package tui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"planb/questions"
	"planb/questions/safe"
	"planb/tui/editor"
	"planb/tui/form/field"
	"planb/tui/keymap"
)

// reviewField makes a review the answer to the question of its form.
type reviewField struct{ body *reviewBody }

func (f reviewField) Load(d questions.Field)       { f.body.load(d) }
func (f reviewField) Save() questions.Field        { return questions.Field{Text: f.body.state.Save()} }
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

func (b *reviewBody) answer() field.Field { return reviewField{b} }
func (b *reviewBody) edited() safe.Text   { return b.state.Edited }
func (b *reviewBody) version() string     { return fmt.Sprintf("v%d", b.in.Version) }
func (*reviewBody) helpGroups() []string  { return keymap.ReviewGroups() }

// covers reports whether what changed is shown, in place of the plan.
func (b *reviewBody) covers() bool { return b.diff != nil }

// resize lays out what changed; the plan is laid out as it is drawn.
func (b *reviewBody) resize() {
	if b.diff != nil {
		b.sizeChanges()
	}
}

func (b *reviewBody) click(mouse tea.Mouse) {
	if b.diff != nil {
		b.diff.Click(mouse)
	}
}

func (b *reviewBody) wheel(msg tea.MouseWheelMsg, lines int) {
	if b.diff != nil {
		b.diff.Update(msg)
		return
	}
	b.scroll(lines)
}

// lastLine is what is searched for.
func (b *reviewBody) lastLine(width int) string {
	if b.search == nil {
		return ""
	}
	return b.searchLine(width)
}

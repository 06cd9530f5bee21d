package tui

import (
	"planb/questions"
	"planb/tui/editor"
	"planb/tui/keymap"
	"planb/tui/wording"
)

// unknownField stands for a question of a kind that a newer planb asked. It can
// be seen, and left open, but not answered.
type unknownField struct{ q questions.Question }

func (f unknownField) load(questions.Field)            {}
func (f unknownField) save() questions.Field           { return questions.Field{} }
func (f unknownField) takeDefault() bool               { return false }
func (f unknownField) enter(way)                       {}
func (f unknownField) act(keymap.Press) keymap.Effect  { return keymap.Ignored }
func (f unknownField) click(_, _, _ int) keymap.Effect { return keymap.Moved }
func (f unknownField) text() *editor.Editor            { return nil }
func (f unknownField) close() bool                     { return false }
func (f unknownField) sideways() bool                  { return false }
func (f unknownField) illustration() int               { return noOption }
func (f unknownField) copyText() string                { return "" }
func (f unknownField) hints() []hint                   { return nil }

func (f unknownField) draw(p pen) block {
	var b block
	for _, line := range p.wrap(wording.UnknownKind(f.q), p.width) {
		b.add(p.styles.Warning.Render(line))
	}
	return b
}

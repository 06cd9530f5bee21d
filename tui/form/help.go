package form

import (
	"planb/questions/safe"
	"planb/tui/cells"
	"planb/tui/keymap"
	"planb/tui/markdown"
	"planb/tui/screen"
)

// helpPage is the help: every key of the bindings with what it does.
type helpPage struct{ host Host }

func (*helpPage) measure() int { return wholeWidth }
func (p *helpPage) head(width int) string {
	st := p.host.Styles()
	name := "Form"
	if p.host.Input().Ask.Spec.Plan != nil {
		name = "Review"
	}
	title, about := screen.HelpHead(name, width)
	return cells.Sides(st.Title.Render(title), st.Muted.Render(about), width)
}
func (*helpPage) act(keymap.Action) bool { return false }
func (*helpPage) hints() []screen.Hint   { return closeHint() }

func (p *helpPage) doc(width int) (markdown.Doc, bool) {
	about := "Text is saved as plain text: no passwords or keys. Leaving loses nothing."
	if p.host.Input().Own {
		about = "What you say is kept only once you send it. Leaving asks first."
	}
	note := cells.Styled(p.host.Wrap(safe.New(about), width), p.host.Styles().Muted)
	_, height := p.host.Size()
	height -= sheetRows + len(note)
	lines := p.host.Styles().KeyPage(keymap.HelpPage(p.host.Keys(), p.host.form.body.HelpGroups()), min(width, screen.KeyPageCells), height)
	if len(lines) < height {
		lines = append(lines, "")
	}
	lines = append(lines, note...)
	return markdown.Doc{Lines: lines}, true
}

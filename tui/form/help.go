package form

import (
	"planb/questions/safe"
	"planb/tui/cells"
	"planb/tui/keymap"
	"planb/tui/markdown"
	"planb/tui/screen"
)

// helpPage is the help: every key of the bindings with what it does.
type helpPage struct {
	host   Host
	beside string // the note, if it stands beside the key that closes the page
}

func (*helpPage) measure() int { return wholeWidth }
func (p *helpPage) head(width int) string {
	st := p.host.Styles()
	name, _ := p.host.form.body.Help()
	title, about := screen.HelpHead(name, width)
	return cells.Sides(st.Title.Render(title), st.Muted.Render(about), width)
}
func (*helpPage) act(keymap.Action) bool { return false }
func (*helpPage) hints() []screen.Hint   { return closeHint() }

// closeCells is the room of the key that closes the page, and of the space beside it.
const closeCells = 12

// note says what is saved, in at most room cells if it can be that short.
func (p *helpPage) note(room int) safe.Text {
	if p.host.Input().Own {
		return safe.New("What you say is kept only once you send it. Leaving asks first.")
	}
	return safe.New(cells.Longest(room, plainText+". Leaving loses nothing.", plainText+"."))
}

// plainText warns of secrets. On a page of keys it tells the secret ones from those to press.
const plainText = "Saved as plain text: type no passwords or secret keys"

// aside is the note on what is saved. It leaves the page to the keys where it has room below.
func (p *helpPage) aside() string { return p.host.Styles().Muted.Render(p.beside) }

func (p *helpPage) doc(width int) (markdown.Doc, bool) {
	_, height := p.host.Size()
	height -= sheetRows
	_, keys := p.host.form.body.Help()
	lines := p.host.Styles().KeyPage(keys, min(width, screen.KeyPageCells), height)
	note := p.note(width - closeCells)
	if p.beside = note.Line(); len(lines) > height || cells.Width(p.beside) > width-closeCells {
		p.beside = ""
		lines = append(append(lines, ""), cells.Styled(p.host.Wrap(note, width), p.host.Styles().Muted)...)
	}
	return markdown.Doc{Lines: lines}, true
}

package tasks

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"planb/questions/safe"
	"planb/tui/cells"
	"planb/tui/markdown"
	"planb/tui/screen"
)

// commentLines is the height of the field in which a comment is written.
const commentLines = 4

// lines draws the question below a rule: what is asked, what follows, and the field for a
// comment. caret is the place of the caret in the lines; nil if nothing is written.
func (d *decider) lines(page screen.Page) (lines []string, caret *tea.Position) {
	st, p, room := &page.Look.Styles, d.prompt, page.Width-2
	lines = []string{page.Rule()}
	for _, line := range markdown.Plain(safe.New(p.question), room).Lines {
		lines = append(lines, " "+st.Title.Render(line))
	}
	for _, line := range markdown.Plain(safe.New(p.tells), room).Lines {
		lines = append(lines, " "+st.Muted.Render(line))
	}
	if d.status != "" {
		lines = append(lines, " "+st.Warning.Render(cells.Cut(d.status, room)))
	}
	if p.text == nil {
		return lines, nil
	}
	rows, x, y := p.text.Layout(room, commentLines)
	caret = &tea.Position{X: x + 1, Y: len(lines) + y}
	for i := range commentLines {
		text := ""
		if i < len(rows) {
			text = rows[i].Text
		}
		text += strings.Repeat(" ", max(room-ansi.StringWidth(text), 0))
		lines = append(lines, " "+st.InputHere.Render(text))
	}
	return lines, caret
}

// footer shows the answers.
func (d *decider) footer(page screen.Page) []string {
	st := &page.Look.Styles
	var hints []screen.Hint
	for _, bound := range d.prompt.keys {
		if help := bound.Key.Help(); bound.Group != "" && len(hints) < 3 {
			hints = append(hints, screen.Hint{Label: help.Key, Does: help.Desc})
		}
	}
	return []string{page.Rule(), " " + st.KeyLine(hints, page.Width-2)}
}

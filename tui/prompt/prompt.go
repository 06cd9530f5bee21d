package prompt

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"planb/questions/safe"
	"planb/tui/cells"
	"planb/tui/editor"
	"planb/tui/keymap"
	"planb/tui/markdown"
	"planb/tui/screen"
)

// Prompt is a question that waits for its answer.
type Prompt struct {
	Question, Tells string // what is asked, and what follows
	Keys            []keymap.Binding
	Text            *editor.Editor // what is written; nil for nothing
}

// Write goes on with a text: the person writes it under another question.
func (p *Prompt) Write(question, tells string, keys []keymap.Binding) {
	p.Question, p.Tells, p.Keys, p.Text = question, tells, keys, editor.New(false)
}

// Written is what was written, without the blanks around it.
func (p *Prompt) Written() safe.Text { return safe.New(strings.TrimSpace(p.Text.Text())) }

// Press handles a key: it goes into the text, or its action is returned for the screen to
// obey: Escape, Submit, or one of the answers. A key that is no answer gives keymap.None.
func (p *Prompt) Press(msg tea.KeyPressMsg) keymap.Action {
	act := keymap.ActionOf(p.Keys, msg)
	switch {
	case p.Text == nil, act == keymap.Escape, act == keymap.Submit:
		return act
	case act == keymap.None:
		p.Paste(msg.Text)
	default:
		p.Text.Act(keymap.Press{Act: act})
	}
	return keymap.None
}

// Paste puts a text where the caret is, if anything is written.
func (p *Prompt) Paste(text string) {
	if p.Text != nil && text != "" {
		p.Text.Act(keymap.Press{Act: keymap.Insert, Text: text})
	}
}

// textLines is the height of the field in which a text is written.
const textLines = 4

// Lines draws the question below a rule: what is asked, what follows, and the field for a
// text. fault says what is wrong with what was written; it may be empty. caret is the place of
// the caret in the lines; nil if nothing is written.
func (p *Prompt) Lines(page screen.Page, fault string) (lines []string, caret *tea.Position) {
	st, room := &page.Look.Styles, page.Width-2
	lines = []string{page.Rule()}
	for _, line := range markdown.Plain(safe.New(p.Question), room).Lines {
		lines = append(lines, " "+st.Title.Render(line))
	}
	for _, line := range markdown.Plain(safe.New(p.Tells), room).Lines {
		lines = append(lines, " "+st.Muted.Render(line))
	}
	if fault != "" {
		lines = append(lines, " "+st.Warning.Render(cells.Cut(fault, room)))
	}
	if p.Text == nil {
		return lines, nil
	}
	rows, x, y := p.Text.Layout(room, textLines)
	caret = &tea.Position{X: x + 1, Y: len(lines) + y}
	for i := range textLines {
		text := ""
		if i < len(rows) {
			text = rows[i].Text
		}
		text += strings.Repeat(" ", max(room-ansi.StringWidth(text), 0))
		lines = append(lines, " "+st.InputHere.Render(text))
	}
	return lines, caret
}

// Footer shows the answers.
func (p *Prompt) Footer(page screen.Page) []string {
	const most = 3
	var hints []screen.Hint
	for _, bound := range p.Keys {
		if p.Text != nil && bound.Act != keymap.Submit && bound.Act != keymap.Escape {
			continue
		}
		if help := bound.Key.Help(); bound.Group != "" && len(hints) < most {
			hints = append(hints, screen.Hint{Label: help.Key, Does: help.Desc})
		}
	}
	return []string{page.Rule(), " " + page.Look.Styles.KeyLine(hints, page.Width-2)}
}

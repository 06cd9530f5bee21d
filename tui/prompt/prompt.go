package prompt

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"planb/questions/safe"
	"planb/tui/cells"
	"planb/tui/editor"
	"planb/tui/keymap"
	"planb/tui/screen"
	"planb/tui/wording"
)

// Prompt is a question that waits for its answer. Until the person moves the focus, it is in the
// text, or else on the last answer, which changes nothing: people press Enter without looking. If
// any answer does no harm, it is on the first one.
type Prompt struct {
	Question, Tells string // what is asked, and what follows
	Keys            []keymap.Binding
	Danger          bool           // the first answer cannot be taken back
	Harmless        bool           // every answer can be taken back
	Text            *editor.Editor // what is written; nil for nothing

	moved bool
	at    int    // the answer with the focus, or InInput, once the focus was moved
	key   string // the key of the last answer
}

// Write goes on with a text: the person writes it under another question.
func (p *Prompt) Write(question, tells string, keys []keymap.Binding) {
	*p = Prompt{Question: question, Tells: tells, Keys: keys, Text: editor.New(false)}
}

// Written is what was written, without the blanks around it.
func (p *Prompt) Written() safe.Text { return safe.New(strings.TrimSpace(p.Text.Text())) }

// Key is the key of the answer that Press or Click has returned.
func (p *Prompt) Key() string { return p.key }

// answers are the keys that answer. Other keys write, or have no help of their own.
func (p *Prompt) answers() []keymap.Binding {
	return slices.DeleteFunc(slices.Clone(p.Keys), func(k keymap.Binding) bool {
		return k.Group == "" || p.Text != nil && k.Act != keymap.Submit && k.Act != keymap.Escape
	})
}

// focus is the answer with the focus, or InInput.
func (p *Prompt) focus() int {
	switch {
	case p.moved:
		return p.at
	case p.Text != nil:
		return InInput
	case p.Harmless:
		return 0
	}
	return len(p.answers()) - 1
}

// Press handles a key: it moves the focus, goes into the text, or its action is returned for
// the screen to obey: Escape, Submit, or one of the answers. A key that is no answer gives
// keymap.None.
func (p *Prompt) Press(msg tea.KeyPressMsg) keymap.Action {
	writing := p.focus() == InInput
	act := keymap.ActionOf(p.Keys, msg)
	switch {
	case act == keymap.Escape, act == keymap.Submit, p.Text == nil && act != keymap.None:
		p.key = msg.Text
		return act
	case writing && act != keymap.None:
		if p.Text.Act(keymap.Press{Act: act}) == keymap.Moved || act != keymap.Down {
			return keymap.None
		}
	}
	switch move := keymap.ActionOf(keymap.Choosing(), msg); {
	case move == keymap.Prev:
		p.step(-1)
	case move == keymap.Next, writing && act == keymap.Down:
		p.step(1)
	case writing:
		p.Paste(msg.Text)
	case move == keymap.Left, move == keymap.Up:
		p.step(-1)
	case move == keymap.Right, move == keymap.Down:
		p.step(1)
	case move == keymap.Enter:
		return p.answer(p.focus())
	}
	return keymap.None
}

func (p *Prompt) step(by int) {
	d := p.dialog()
	d.Step(by)
	p.moved, p.at = true, d.At
}

// answer returns the action of an answer.
func (p *Prompt) answer(i int) keymap.Action {
	chosen := p.answers()[i]
	p.key = chosen.Key.Keys()[0]
	return chosen.Act
}

// Paste puts a text where the caret is, if anything is written.
func (p *Prompt) Paste(text string) {
	if p.Text != nil && p.focus() == InInput && text != "" {
		p.Text.Act(keymap.Press{Act: keymap.Insert, Text: text})
	}
}

// Click returns the action of the answer on which the mouse was pressed; keymap.None if there is
// none. A click into the text puts the caret there. The page and the fault are those of Over.
func (p *Prompt) Click(page screen.Page, mouse tea.Mouse, fault string) keymap.Action {
	if mouse.Button != tea.MouseLeft {
		return keymap.None
	}
	for _, h := range p.over(page, "", fault).Hits {
		switch {
		case mouse.Y != h.Y || mouse.X < h.X || mouse.X >= h.X+h.Width:
		case h.At == InInput:
			p.moved, p.at = true, InInput
			p.Text.Click(mouse.X-h.X+h.From.X, h.From.Y)
		default:
			return p.answer(h.At)
		}
	}
	return keymap.None
}

const (
	textLines    = 4 // the height of the field in which a text is written
	textLinesLow = 2 // the same in a window lower than this:
	lowHeight    = 16
	mostButtons  = 3 // answers that stand side by side
)

// dialog is the box of the question. Few answers are buttons, and their keys stand below the
// page; more are a list, with their keys beside them.
func (p *Prompt) dialog() *Dialog {
	answers := p.answers()
	d := &Dialog{Title: p.Question, Input: p.Text, At: p.focus()}
	if p.Tells != "" {
		d.Says = []string{safe.New(p.Tells).Line()}
	}
	for i, bound := range answers {
		help := bound.Key.Help()
		item := Item{Label: wording.Capital(help.Desc)}
		if len(answers) > mostButtons {
			item.Letter, item.Apart = help.Key, bound.Act == keymap.Escape
		}
		if i == 0 && p.Danger {
			item.Tone = screen.ToneBad
		}
		d.Items = append(d.Items, item)
	}
	return d
}

// Over lays the question over a drawn page. Everything else on the page is dimmed, and the last
// line names the keys that answer. fault says what is wrong with what was written; it may be
// empty.
func (p *Prompt) Over(page screen.Page, frame screen.Frame, fault string) screen.Frame {
	b := p.over(page, frame.Content, fault)
	b.Lines[len(b.Lines)-1] = " " + page.Look.Styles.KeyLine(p.hints(), page.Width-2)
	frame.Content, frame.Cursor = strings.Join(b.Lines, "\n"), nil
	if b.Caret != nil {
		frame.Cursor = tea.NewCursor(b.Caret.X, b.Caret.Y)
	}
	return frame
}

func (p *Prompt) over(page screen.Page, content, fault string) screen.Block {
	st := &page.Look.Styles
	lines := textLines
	if page.Height < lowHeight {
		lines = textLinesLow
	}
	return p.dialog().Over(Pen{Styles: st, Width: page.Width, Height: page.Height, Status: fault, Tone: screen.ToneWarn,
		Input: func(width int) screen.Block { return p.field(st, width, lines) }}, strings.Split(content, "\n"))
}

// field draws the field in which the text is written.
func (p *Prompt) field(st *screen.Styles, width, lines int) screen.Block {
	const mark = "› "
	var b screen.Block
	lead, room := ansi.StringWidth(mark), max(width-ansi.StringWidth(mark), 2)
	rows, x, y := p.Text.Layout(room, lines)
	here := p.focus() == InInput
	for i := range lines {
		text, before := "", st.Faint.Render(mark)
		switch {
		case i > 0:
			before = strings.Repeat(" ", lead)
		case here:
			before = st.Cursor.Render(mark)
		}
		if i < len(rows) {
			text = rows[i].Text
		}
		b.Add(before + st.InputHere.Render(cells.Pad(text, room)))
		b.Hits = append(b.Hits, screen.Hit{X: lead, Y: i, Width: room, From: screen.Place{Y: i}})
	}
	if here {
		b.Caret = &screen.Place{X: lead + x, Y: y}
	}
	return b
}

// hints are the keys that answer. Those of a list stand beside its items.
func (p *Prompt) hints() []screen.Hint {
	var hints []screen.Hint
	answers := p.answers()
	if len(answers) > mostButtons {
		answers = answers[len(answers)-1:]
		hints = []screen.Hint{{Label: "↑ ↓", Does: "move"}, {Label: "enter", Does: "choose"}}
	}
	for _, bound := range answers {
		help := bound.Key.Help()
		hints = append(hints, screen.Hint{Label: help.Key, Does: help.Desc})
	}
	if len(answers) == len(p.answers()) {
		hints = append(hints, screen.Hint{Label: "tab", Does: p.tabs()}, screen.Hint{Label: "enter", Does: p.enters()})
	}
	return hints
}

// tabs says where Tab goes.
func (p *Prompt) tabs() string {
	if p.focus() == InInput {
		return "to the buttons"
	}
	return "next button"
}

// enters says what Enter does where the focus is.
func (p *Prompt) enters() string {
	if p.focus() == InInput {
		return "new line"
	}
	return "choose"
}

// Footer shows the answers below a page on which the question is asked.
func (p *Prompt) Footer(page screen.Page) []string {
	const most = 3
	var hints []screen.Hint
	for _, bound := range p.answers() {
		if help := bound.Key.Help(); len(hints) < most {
			hints = append(hints, screen.Hint{Label: help.Key, Does: help.Desc})
		}
	}
	return []string{page.Rule(), " " + page.Look.Styles.KeyLine(hints, page.Width-2)}
}

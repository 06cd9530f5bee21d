package form

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"planb/questions/safe"
	"planb/tui/editor"
	"planb/tui/keymap"
	"planb/tui/screen"
)

// Dialog is a box over a form: a few sentences, perhaps a text to write, and items to
// choose from. The menu, the messages to the agent, errors and the end of a form are all
// dialogs.
type Dialog struct {
	title string
	tone  Tone
	Says  []string // clean paragraphs
	// next returns a last paragraph, which may change while the dialog is up; nil for none.
	next  func() string
	input *editor.Editor // nil for a dialog without a text to write
	shows string         // the placeholder of the input
	keep  func(string)   // stores the input, with each change
	items []Item
	At    int // the item with the focus; inInput for the input
	// Escape is what Esc does; nil goes back to the form.
	Escape func() tea.Cmd
}

// inInput is the value of Dialog.At while the input has the focus.
const inInput = -1

// Item is a button of a dialog.
type Item struct {
	Letter string
	Mark   string // a glyph before the label; empty for none
	Tone   Tone   // the colour of the mark, or of the label if there is no mark
	Label  string
	About  string // what follows from it, below the label if there is room
	Does   func() tea.Cmd
	Apart  bool // the first of another group
}

// Tone says how a message is meant. A style shows it, and a glyph for screens without
// colour.
type Tone uint8

const (
	ToneCalm Tone = iota
	ToneGood
	ToneWarn
	ToneBad
)

func NewDialog(title string, items ...Item) *Dialog { return &Dialog{title: title, items: items} }

// Ask gives the dialog a text to write. The dialog calls keep with each change, because
// the pane may be gone before the person closes the dialog.
func (d *Dialog) Ask(shows string, text safe.Text, keep func(string)) *Dialog {
	d.input, d.shows, d.At, d.keep = editor.New(false), shows, inInput, keep
	d.input.SetText(text.Raw())
	return d
}

// write does one action in the input.
func (d *Dialog) write(p keymap.Press) {
	if d.input.Act(p) == keymap.Changed {
		d.keep(d.input.Text())
	}
}

func (d *Dialog) writing() bool { return d.input != nil && d.At == inInput }

// pressInDialog handles one key in the dialog.
func (f *Form) pressInDialog(d *Dialog, msg tea.KeyPressMsg) tea.Cmd {
	if !d.writing() && msg.Text != "" && d.has(msg.Text) {
		return d.choose(msg.Text) // an item's letter comes before the key's usual action
	}
	p := f.keys.Read(msg, d.writing())
	switch p.Act {
	case keymap.Escape:
		return f.leaveDialog(d)
	case keymap.Menu:
		return f.later()
	case keymap.Submit:
		if d.input != nil {
			return d.items[0].Does()
		}
	case keymap.Editor:
		if d.input != nil {
			return f.openEditor()
		}
	case keymap.Up, keymap.Prev:
		if !d.inside(p.Act) {
			d.step(-1)
		}
		return nil
	case keymap.Down, keymap.Next:
		if !d.inside(p.Act) {
			d.step(1)
		}
		return nil
	case keymap.Left, keymap.Right:
		if !d.writing() && !d.lettered() { // a row of buttons
			d.step(map[keymap.Action]int{keymap.Left: -1, keymap.Right: 1}[p.Act])
			return nil
		}
	case keymap.Enter, keymap.Space:
		if !d.writing() {
			return d.items[d.At].Does()
		}
	}
	if d.writing() {
		d.write(p)
		return nil
	}
	return d.choose(msg.Text)
}

// leaveDialog does what Esc does in a dialog.
func (f *Form) leaveDialog(d *Dialog) tea.Cmd {
	if d.Escape != nil {
		return d.Escape()
	}
	return f.closeDialog()
}

func (f *Form) closeDialog() tea.Cmd {
	f.dialog = nil
	return nil
}

// inside moves the caret within the input. It returns false at the ends of the text,
// where the focus moves on.
func (d *Dialog) inside(act keymap.Action) bool {
	return d.writing() && d.input.Act(keymap.Press{Act: act}) == keymap.Moved
}

// choose presses the item of a letter.
func (d *Dialog) choose(letter string) tea.Cmd {
	for i, it := range d.items {
		if it.Letter == letter && letter != "" {
			d.At = i
			return it.Does()
		}
	}
	return nil
}

// step moves the focus, and wraps around at both ends.
func (d *Dialog) step(by int) {
	first := 0
	if d.input != nil {
		first = inInput
	}
	d.At += by
	if d.At < first {
		d.At = len(d.items) - 1
	}
	if d.At >= len(d.items) {
		d.At = first
	}
}

// click presses the clicked item, or puts the caret into the input.
func (d *Dialog) click(at, x, y int) tea.Cmd {
	if at == inInput {
		d.At = inInput
		d.input.Click(x, y)
		return nil
	}
	d.At = at
	return d.items[at].Does()
}

func (d *Dialog) has(letter string) bool {
	for _, it := range d.items {
		if it.Letter == letter {
			return true
		}
	}
	return false
}

func (d *Dialog) hints() []screen.Hint {
	if d.writing() {
		hints := []screen.Hint{{Act: keymap.Submit, Does: strings.ToLower(d.items[0].Label)}, {Act: keymap.Enter, Does: "new line"}, {Act: keymap.Escape, Does: "back"}}
		return append(append(hints, historyHints(d.input)...), screen.Hint{Act: keymap.Editor, Does: "editor"})
	}
	return []screen.Hint{{Act: keymap.Enter, Does: "do it"}, {Act: keymap.Down, Does: "next"}, {Act: keymap.Escape, Does: "close"}}
}

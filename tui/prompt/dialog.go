package prompt

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"planb/questions/safe"
	"planb/tui/editor"
	"planb/tui/keymap"
	"planb/tui/screen"
)

// Dialog is a box over a screen: a few sentences, perhaps a text to write, and items to
// choose from.
type Dialog struct {
	Title string
	Tone  screen.Tone
	Says  []string // clean paragraphs
	// Next returns a last paragraph, which may change while the dialog is up; nil for none.
	Next  func() string
	Input *editor.Editor // nil for a dialog without a text to write
	Shows string         // the placeholder of the input
	keep  func(string)   // stores the input, with each change
	Items []Item
	At    int // the item with the focus; InInput for the input
	// Escape is what Esc does; nil closes the dialog.
	Escape func() tea.Cmd
}

// InInput is the value of Dialog.At while the input has the focus.
const InInput = -1

// Item is a button of a dialog.
type Item struct {
	Letter string
	Also   string      // another key for it, which is not shown; empty for none
	Mark   string      // a glyph before the label; empty for none
	Tone   screen.Tone // the colour of the mark, or of the label if there is no mark
	Label  string
	About  string // what follows from it, below the label if there is room
	Does   func() tea.Cmd
	Apart  bool // the first of another group
}

// NewDialog returns a dialog with the focus on its first item.
func NewDialog(title string, items ...Item) *Dialog { return &Dialog{Title: title, Items: items} }

// Ask gives the dialog a text to write. The dialog calls keep with each change, because
// the pane may be gone before the person closes the dialog.
func (d *Dialog) Ask(shows string, text safe.Text, keep func(string)) *Dialog {
	d.Input, d.Shows, d.At, d.keep = editor.New(false), shows, InInput, keep
	d.Input.SetText(text.Raw())
	return d
}

// Write does one action in the input.
func (d *Dialog) Write(p keymap.Press) {
	if d.Input.Act(p) == keymap.Changed {
		d.Rewritten()
	}
}

// Rewritten stores the input after its text was changed from outside.
func (d *Dialog) Rewritten() { d.keep(d.Input.Text()) }

// Writing reports whether the input has the focus.
func (d *Dialog) Writing() bool { return d.Input != nil && d.At == InInput }

// Inside moves the caret within the input. It returns false at the ends of the text,
// where the focus moves on.
func (d *Dialog) Inside(act keymap.Action) bool {
	return d.Writing() && d.Input.Act(keymap.Press{Act: act}) == keymap.Moved
}

// Choose presses the item of a letter.
func (d *Dialog) Choose(letter string) tea.Cmd {
	for i, it := range d.Items {
		if it.has(letter) {
			d.At = i
			return it.Does()
		}
	}
	return nil
}

// Step moves the focus, and wraps around at both ends.
func (d *Dialog) Step(by int) {
	first := 0
	if d.Input != nil {
		first = InInput
	}
	d.At += by
	if d.At < first {
		d.At = len(d.Items) - 1
	}
	if d.At >= len(d.Items) {
		d.At = first
	}
}

// Click presses the clicked item, or puts the caret into the input.
func (d *Dialog) Click(at, x, y int) tea.Cmd {
	if at == InInput {
		d.At = InInput
		d.Input.Click(x, y)
		return nil
	}
	d.At = at
	return d.Items[at].Does()
}

// Has reports whether an item has the letter.
func (d *Dialog) Has(letter string) bool {
	return slices.ContainsFunc(d.Items, func(it Item) bool { return it.has(letter) })
}

func (it Item) has(letter string) bool {
	return letter != "" && (it.Letter == letter || it.Also == letter)
}

// Lettered reports whether the items have letters. Without them they are a row of buttons.
func (d *Dialog) Lettered() bool { return len(d.Items) > 0 && d.Items[0].Letter != "" }

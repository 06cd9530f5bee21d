package form

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"planb/tui/form/field"
	"planb/tui/keymap"
	"planb/tui/prompt"
	"planb/tui/screen"
)

// drawDialog draws the dialog over the canvas. Nothing below it can be clicked.
func (f *Form) drawDialog(c *Canvas) {
	d := f.dialog
	over := d.Over(prompt.Pen{Styles: &f.look.Styles, Width: c.Width, Height: c.Height,
		Status: f.status.text, Tone: f.status.tone, Input: f.drawDialogInput, Waits: f.gate.waits(), Vivid: c.vivid}, c.Lines)
	c.Lines, c.Caret, c.hits = over.Lines, over.Caret, nil
	for _, h := range over.Hits {
		c.Hit(h.X, h.Y, h.Width, 1, func(x, y int) tea.Cmd { return d.Click(h.At, x, y+h.From.Y) })
	}
}

func (f *Form) drawDialogInput(width int) screen.Block {
	d := f.dialog
	p := field.Pen{Styles: &f.look.Styles, Width: width, Here: d.Writing(), Wrap: f.wraps.wrap}
	return field.DrawInput(p, d.Input, field.InputLook{Shows: d.Shows, Rows: 4, Least: 2, Mark: "› ", Filled: true})
}

// pressInDialog handles one key in the dialog.
func (f *Form) pressInDialog(d *prompt.Dialog, msg tea.KeyPressMsg) tea.Cmd {
	if !d.Writing() && msg.Text != "" && d.Has(msg.Text) {
		return d.Choose(msg.Text) // an item's letter comes before the key's usual action
	}
	p := f.keys.Read(msg, d.Writing())
	switch p.Act {
	case keymap.Escape:
		return f.leaveDialog(d)
	case keymap.Menu:
		return f.later()
	case keymap.Submit:
		if d.Input != nil {
			return d.Items[0].Does()
		}
	case keymap.Editor:
		if d.Input != nil {
			return f.openEditor()
		}
	case keymap.Up, keymap.Prev:
		if !d.Inside(p.Act) {
			d.Step(-1)
		}
		return nil
	case keymap.Down, keymap.Next:
		if !d.Inside(p.Act) {
			d.Step(1)
		}
		return nil
	case keymap.Left, keymap.Right:
		if !d.Writing() && !d.Lettered() { // a row of buttons
			d.Step(map[keymap.Action]int{keymap.Left: -1, keymap.Right: 1}[p.Act])
			return nil
		}
	case keymap.Enter, keymap.Space:
		if !d.Writing() {
			return d.Items[d.At].Does()
		}
	}
	if d.Writing() {
		d.Write(p)
		return nil
	}
	return d.Choose(msg.Text)
}

// leaveDialog does what Esc does in a dialog.
func (f *Form) leaveDialog(d *prompt.Dialog) tea.Cmd {
	if d.Escape != nil {
		return d.Escape()
	}
	return f.closeDialog()
}

func (f *Form) closeDialog() tea.Cmd {
	f.dialog = nil
	return nil
}

// nextButton is what a key does in a row of buttons.
const nextButton = "next button"

// dialogHints are the keys of a dialog, in the words of a prompt.
func dialogHints(d *prompt.Dialog, keys keymap.Map) []screen.Hint {
	if d.Writing() {
		hints := []screen.Hint{{Act: keymap.Submit, Does: strings.ToLower(d.Items[0].Label), Tone: d.Items[0].Tone}, {Act: keymap.Enter, Does: "new line"}, {Act: keymap.Escape, Does: "back"}}
		return append(append(hints, historyHints(d.Input)...), screen.Hint{Act: keymap.Editor, Does: "editor"})
	}
	hints := []screen.Hint{{Act: keymap.Enter, Does: "choose"}}
	switch {
	case d.Lettered():
		hints = append(hints, screen.Hint{Label: keys.Label(keymap.Up) + " " + keys.Label(keymap.Down), Does: "move"})
	case len(d.Items) > 1 || d.Input != nil:
		hints = append(hints, screen.Hint{Act: keymap.Next, Does: nextButton})
	}
	return append(hints, screen.Hint{Act: keymap.Escape, Does: "close"})
}

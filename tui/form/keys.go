package form

import (
	tea "charm.land/bubbletea/v2"

	"planb/tui/keymap"
	"planb/tui/markdown"
	"planb/tui/screen"
)

// handleKey handles one key. A terminal sends Esc and a quick next key as that key with
// Alt. If the key with Alt has no meaning of its own, handleKey does both keys; in a
// dialog with that letter, it does the letter alone.
func (f *Form) handleKey(msg tea.KeyPressMsg) tea.Cmd {
	rest, both := f.keys.AfterEscape(msg, f.writing())
	switch {
	case !both || f.stage == sending:
		return f.handlePress(msg)
	case f.dialog != nil && f.dialog.Input != nil && rest.Code == tea.KeyEnter:
		return nil // the person wanted a new line in the text, not to press a button
	case f.dialog != nil && rest.Text != "" && f.dialog.Has(rest.Text):
		return f.handlePress(rest)
	}
	if cmd := f.handlePress(tea.KeyPressMsg{Code: tea.KeyEscape}); cmd != nil {
		return cmd // Esc left the form
	}
	return f.handlePress(rest)
}

// writing reports whether letters go into a text.
func (f *Form) writing() bool {
	switch {
	case f.dialog != nil:
		return f.dialog.Writing()
	case f.sheet != nil:
		return false
	}
	return f.body.Text() != nil
}

// handlePress gives one key to the dialog, the sheet or the body, whichever is on top.
func (f *Form) handlePress(msg tea.KeyPressMsg) tea.Cmd {
	if f.stage == sending {
		return nil
	}
	f.status.text = ""
	switch {
	case f.dialog != nil:
		return f.pressInDialog(f.dialog, msg)
	case f.sheet != nil:
		return f.pressInSheet(msg)
	}
	return f.body.Press(msg)
}

// handlePaste inserts pasted text at the caret. Without a caret it does nothing: pasted
// letters are never commands.
func (f *Form) handlePaste(text string) {
	f.status.text = ""
	switch {
	case f.stage == sending || f.sheet != nil:
	case f.dialog != nil:
		if f.dialog.Writing() {
			f.dialog.Write(keymap.Press{Act: keymap.Insert, Text: text})
		}
	case f.body.Text() != nil:
		f.body.Paste(text)
	default:
		f.Say(screen.ToneCalm, "Pasted text needs a text field; nothing was changed.")
	}
}

func (f *Form) handleClick(msg tea.MouseClickMsg) tea.Cmd {
	if f.stage == sending || msg.Button != tea.MouseLeft {
		return nil
	}
	f.status.text = ""
	return f.frame.clicked(msg.X, msg.Y)
}

func (f *Form) handleWheel(msg tea.MouseWheelMsg) {
	rows, sideways := 0, 0
	switch msg.Button {
	case tea.MouseWheelUp:
		rows = -screen.WheelLines
	case tea.MouseWheelDown:
		rows = screen.WheelLines
	case tea.MouseWheelLeft:
		sideways = -markdown.PanCells
	case tea.MouseWheelRight:
		sideways = markdown.PanCells
	default:
		return
	}
	switch {
	case f.dialog != nil || f.stage == sending:
	case f.sheet != nil:
		f.sheet.top += rows
		f.sheet.pan.By(sideways)
	default:
		f.body.Wheel(msg, rows)
	}
}

package form

import (
	tea "charm.land/bubbletea/v2"

	"planb/tui/keymap"
	"planb/tui/markdown"
	"planb/tui/screen"
)

// takeKey does one key. One that arrives with Alt and means nothing with it is
// Esc and that key; but in an open menu it is the letter alone.
func (f *Form) takeKey(msg tea.KeyPressMsg) tea.Cmd {
	rest, both := f.keys.AfterEscape(msg, f.writing())
	switch {
	case !both || f.stage == sending:
		return f.takePress(msg)
	case f.dialog != nil && f.dialog.input != nil && rest.Code == tea.KeyEnter:
		return nil // a new line that was meant for the text, not for the buttons below it
	case f.dialog != nil && rest.Text != "" && f.dialog.has(rest.Text):
		return f.takePress(rest)
	}
	if cmd := f.takePress(tea.KeyPressMsg{Code: tea.KeyEscape}); cmd != nil {
		return cmd // that Esc left the form
	}
	return f.takePress(rest)
}

// writing reports whether letters go into a text.
func (f *Form) writing() bool {
	switch {
	case f.dialog != nil:
		return f.dialog.writing()
	case f.sheet != nil:
		return false
	}
	return f.body.Text() != nil
}

// takePress does one key for whatever lies on top.
func (f *Form) takePress(msg tea.KeyPressMsg) tea.Cmd {
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

// takePaste puts pasted text where the caret is; elsewhere it is no command.
func (f *Form) takePaste(text string) {
	f.status.text = ""
	switch {
	case f.stage == sending || f.sheet != nil:
	case f.dialog != nil:
		if f.dialog.writing() {
			f.dialog.write(keymap.Press{Act: keymap.Insert, Text: text})
		}
	case f.body.Text() != nil:
		f.body.Paste(text)
	default:
		f.Say(ToneCalm, "Pasted text needs a text field; nothing was changed.")
	}
}

func (f *Form) takeClick(msg tea.MouseClickMsg) tea.Cmd {
	if f.stage == sending || msg.Button != tea.MouseLeft {
		return nil
	}
	f.status.text = ""
	return f.frame.clicked(msg.X, msg.Y)
}

func (f *Form) takeWheel(msg tea.MouseWheelMsg) {
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

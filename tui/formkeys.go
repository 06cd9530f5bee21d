package tui

import (
	tea "charm.land/bubbletea/v2"

	"planb/tui/keymap"
	"planb/tui/markdown"
	"planb/tui/screen"
)

// takeKey does one key. One that arrives with Alt and means nothing with it is
// Esc and that key; but in an open menu it is the letter alone.
func (f *form) takeKey(msg tea.KeyPressMsg) tea.Cmd {
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
func (f *form) writing() bool {
	switch {
	case f.dialog != nil:
		return f.dialog.writing()
	case f.sheet != nil || f.summary != nil:
		return false
	}
	return f.state.text() != nil
}

// takePress does one key for whatever lies on top.
func (f *form) takePress(msg tea.KeyPressMsg) tea.Cmd {
	if f.stage == sending {
		return nil
	}
	f.status = ""
	f.scroll.free = false
	switch {
	case f.dialog != nil:
		return f.dialog.key(f, msg)
	case f.sheet != nil:
		f.sheet.key(f, msg)
		return nil
	case f.review != nil:
		return f.review.press(msg)
	case f.summary != nil:
		return f.doSummary(f.keys.Read(msg, false))
	}
	return f.do(f.keys.Read(msg, f.writing()))
}

// do does one action on the ground: what is the form's, else what is the
// state's.
func (f *form) do(p keymap.Press) tea.Cmd {
	if f.state.absorbs(p) {
		f.say(toneCalm, "The number went on by itself; %s again acts here.", f.keys.Label(keymap.Enter))
		return nil
	}
	switch p.Act {
	case keymap.Submit:
		if f.state.readOnly {
			return nil
		}
		if !f.state.noting() {
			return f.submit()
		}
	case keymap.Escape:
		return f.escape()
	case keymap.Close:
		if f.state.readOnly {
			return f.later()
		}
		return nil
	case keymap.Menu:
		f.dialog = f.menu()
		return nil
	case keymap.Editor:
		return f.openEditor()
	case keymap.Summary:
		return f.summarise()
	case keymap.NoteAll:
		return showNote(f)
	case keymap.Help:
		return showHelp(f)
	case keymap.Zoom:
		f.zoom()
		return nil
	case keymap.Larger, keymap.Smaller:
		return f.resize(p.Act)
	case keymap.PanLeft:
		f.pans(-markdown.PanCells)
		return nil
	case keymap.PanRight:
		f.pans(markdown.PanCells)
		return nil
	case keymap.Copy:
		return f.copyFocused()
	case keymap.Prior:
		return f.takeEarlier()
	case keymap.PageUp, keymap.PageDown, keymap.ScrollUp, keymap.ScrollDown:
		if f.scrolls(p.Act) {
			return nil
		}
	case keymap.Up, keymap.Down:
		if f.state.zone == inBody && f.state.current() == nil && f.scrollIntro(p.Act) || p.Act == keymap.Up && f.scrollToHead() {
			return nil
		}
	case keymap.Enter, keymap.Space:
		if f.state.zone == inFooter {
			return f.pressButton(f.state.button)
		}
	}
	if !f.clearsTaken(p) {
		f.state.act(p)
	}
	return nil
}

// escape closes the innermost layer; from the ground it opens the menu, and
// where nothing can be answered it closes the form.
func (f *form) escape() tea.Cmd {
	if e := f.state.focused(); e != nil && e.close() {
		f.state.refresh()
		return nil
	}
	if f.state.readOnly {
		return f.later()
	}
	f.dialog = f.menu()
	return nil
}

func (f *form) pressButton(b button) tea.Cmd {
	switch b {
	case buttonSubmit:
		return f.submit()
	case buttonSummary:
		return f.summarise()
	case buttonMenu:
		f.dialog = f.menu()
	default:
		f.state.pressButton(b)
	}
	return nil
}

// takePaste puts pasted text where the caret is; elsewhere it is no command.
func (f *form) takePaste(text string) tea.Cmd {
	f.status = ""
	p := keymap.Press{Act: keymap.Insert, Text: text}
	switch {
	case f.stage == sending || f.sheet != nil:
	case f.dialog != nil:
		if f.dialog.writing() {
			f.dialog.write(f, p)
		}
	case f.summary != nil:
		f.say(toneCalm, "Pasted text needs a text field; nothing was changed.")
	case f.state.text() != nil && f.review != nil:
		f.review.paste(text)
	case f.state.text() != nil:
		f.state.act(p)
	default:
		f.say(toneCalm, "Pasted text needs a text field; nothing was changed.")
	}
	return nil
}

// formHit is cells that do something when clicked.
type formHit struct {
	x, y, width, height int
	click               func(x, y int) tea.Cmd
}

func (f *form) takeClick(msg tea.MouseClickMsg) tea.Cmd {
	if f.stage == sending || msg.Button != tea.MouseLeft {
		return nil
	}
	f.status = ""
	f.scroll.free = false
	f.state.jumped = false
	for i := len(f.hits) - 1; i >= 0; i-- {
		h := f.hits[i]
		if msg.X >= h.x && msg.X < h.x+h.width && msg.Y >= h.y && msg.Y < h.y+h.height {
			return h.click(msg.X-h.x, msg.Y-h.y)
		}
	}
	if f.review != nil && f.dialog == nil && f.sheet == nil {
		f.review.click(msg.Mouse())
	}
	return nil
}

func (f *form) takeWheel(msg tea.MouseWheelMsg) {
	by := screen.WheelLines
	switch msg.Button {
	case tea.MouseWheelUp:
		by = -screen.WheelLines
	case tea.MouseWheelDown:
	case tea.MouseWheelLeft, tea.MouseWheelRight:
		f.wheelSideways(msg.Button == tea.MouseWheelRight)
		return
	default:
		return
	}
	switch {
	case f.dialog != nil || f.stage == sending:
	case f.sheet != nil:
		f.sheet.top += by
	case f.summary != nil:
		f.summary.top += by
		f.summary.free = true
	case f.review != nil:
		f.review.wheel(msg, by)
	case f.scroll.overPanel(msg.X, msg.Y):
		f.scroll.panel += by
	case f.state.current() == nil:
		f.scroll.intro += by
	default:
		f.scroll.body += by
		f.scroll.free = true
	}
}

// wheelSideways pans what is too wide.
func (f *form) wheelSideways(right bool) {
	by := -markdown.PanCells
	if right {
		by = markdown.PanCells
	}
	switch {
	case f.dialog != nil || f.stage == sending || f.review != nil:
	case f.sheet != nil:
		f.sheet.pan.By(by)
	default:
		f.pans(by)
	}
}

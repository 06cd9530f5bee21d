package form

import (
	tea "charm.land/bubbletea/v2"

	"planb/tui/keymap"
	"planb/tui/markdown"
	"planb/tui/screen"
)

// do does one action while neither a dialog nor another page covers the questions. The
// form's own actions come first; the state gets the others.
func (q *questionnaire) do(p keymap.Press) tea.Cmd {
	if q.state.absorbs(p) {
		q.host.Say(screen.ToneCalm, "The number went on already, so %s did nothing. Press it again to go on.", q.host.Keys().Label(p.Act))
		return nil
	}
	switch p.Act {
	case keymap.Submit:
		if q.state.readOnly {
			return nil
		}
		if !q.state.noting() {
			return q.host.submit()
		}
	case keymap.Escape:
		return q.escape()
	case keymap.Close:
		if q.state.readOnly {
			return q.host.Later()
		}
		return nil
	case keymap.Menu:
		return q.host.ShowMenu()
	case keymap.Editor:
		return q.host.Edit()
	case keymap.Summary:
		return q.summarise()
	case keymap.NoteAll:
		return q.host.showNote()
	case keymap.Help:
		return q.host.ShowHelp()
	case keymap.Zoom:
		q.zoom()
		return nil
	case keymap.Larger, keymap.Smaller:
		q.moveBorder(p.Act)
		return nil
	case keymap.PanLeft:
		q.pans(-markdown.PanCells)
		return nil
	case keymap.PanRight:
		q.pans(markdown.PanCells)
		return nil
	case keymap.Copy:
		return q.copyFocused()
	case keymap.Prior:
		return q.reuseEarlier()
	case keymap.PageUp, keymap.PageDown, keymap.ScrollUp, keymap.ScrollDown:
		if q.scrolls(p.Act) {
			return nil
		}
	case keymap.Up, keymap.Down:
		if q.state.zone == inBody && q.state.current() == nil && q.scrollIntro(p.Act) || p.Act == keymap.Up && q.scrollToHead() {
			return nil
		}
	case keymap.Enter, keymap.Space:
		if q.state.zone == inFooter {
			return q.pressButton(q.state.button)
		}
	}
	if !q.clearsReused(p) {
		q.state.act(p)
	}
	return nil
}

// escape closes the innermost open thing. If nothing is open, it opens the menu; in a form
// that can only be read, it closes the form.
func (q *questionnaire) escape() tea.Cmd {
	if e := q.state.focused(); e != nil && e.close() {
		q.state.refresh()
		return nil
	}
	if q.state.readOnly {
		return q.host.Later()
	}
	return q.host.ShowMenu()
}

func (q *questionnaire) pressButton(b button) tea.Cmd {
	switch b {
	case buttonSubmit:
		return q.host.submit()
	case buttonSummary:
		return q.summarise()
	case buttonMenu:
		return q.host.ShowMenu()
	default:
		q.state.pressButton(b)
	}
	return nil
}

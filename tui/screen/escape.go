package screen

import (
	"unicode"

	tea "charm.land/bubbletea/v2"

	"planb/tui/keymap"
)

// EscapeFirst presses a key. Esc followed by another key within 50 ms, or within
// tmux's escape-time, arrives as one key with Alt. The screens for looking
// around have no key with Alt, so there it is Esc, and then the other, which by
// then may be another screen's. While the person types, the keys that work in
// what is typed are given as typing: those of them with Alt are what they are.
func EscapeFirst(msg tea.KeyPressMsg, press func(tea.KeyPressMsg) tea.Cmd, typing ...keymap.Binding) tea.Cmd {
	then, ok := withoutAlt(msg)
	if !ok || keymap.ActionOf(typing, msg) != keymap.None {
		return press(msg)
	}
	escaped := press(tea.KeyPressMsg{Code: tea.KeyEscape})
	if escaped == nil { // the screen stays, and nothing may come between
		return press(then)
	}
	return tea.Sequence(escaped, Send(then))
}

// withoutAlt returns the key that a person pressed after Esc. It returns false for keys that
// terminals send as sequences of their own, because a person pressed those with Alt.
func withoutAlt(msg tea.KeyPressMsg) (tea.KeyPressMsg, bool) {
	shift := msg.Mod & tea.ModShift
	if msg.Mod != tea.ModAlt|shift {
		return msg, false
	}
	then := tea.KeyPressMsg{Code: msg.Code, Mod: shift}
	switch {
	case msg.Code == tea.KeyEnter, msg.Code == tea.KeyEscape, msg.Code == tea.KeyBackspace:
		return then, true
	case !unicode.IsPrint(msg.Code):
		return msg, false
	case shift != 0:
		then.Text = string(unicode.ToUpper(msg.Code))
	default:
		then.Text = string(msg.Code)
	}
	return then, true
}

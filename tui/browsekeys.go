package tui

import (
	"unicode"

	tea "charm.land/bubbletea/v2"
)

// The actions that only the screens for looking around know.
const (
	actQuit action = iota + 128
	actTheme
	actThemes
	actOlder
	actNewer
	actPanLeft
	actPanRight
	actSnooze
	actWithdraw
	actYes
	actSoon
	actHour
	actMorning
	actWake
	actFind
	actArchive
	actUndo
	actPager
	actEdit
	actOutline
	actLed
)

// Groups of these screens' help.
const (
	groupLook  = "Looking around"
	groupWaits = "What waits for you"
	groupTidy  = "Keeping order"
)

// listKeys are the keys of a list of things to open.
func listKeys() []boundKey {
	return []boundKey{
		bind(actUp, groupMove, "up k", "↑", "the row above (also k)"),
		bind(actDown, groupMove, "down j", "↓", "the row below (also j)"),
		bind(actPageUp, groupMove, "pgup ctrl+u", "pgup", "a screen up"),
		bind(actPageDown, groupMove, "pgdown ctrl+d", "pgdn", "a screen down"),
		bind(actHome, groupMove, "home g", "home", "the first row"),
		bind(actEnd, groupMove, "end G", "end", "the last row"),
		bind(actEnter, groupLook, "enter space right", "enter", "open"),
	}
}

// commonKeys are the keys of every screen for looking around.
func commonKeys() []boundKey {
	return []boundKey{
		bind(actTheme, groupLook, "t", "t", "light or dark"),
		bind(actThemes, groupLook, "T", "T", "choose a theme, seeing each on this screen"),
		bind(actHelp, groupLook, "? f1", "?", "help"),
		bind(actEscape, groupLook, "esc", "esc", "back"),
		bind(actQuit, groupLook, "q ctrl+c", "q", "leave"),
	}
}

// sessionsKeys are the keys of the list of sessions, and of what waits if it can
// be answered there.
func sessionsKeys(answers bool) []boundKey {
	keys := append(listKeys(),
		bind(actFilter, groupLook, "/", "/", "filter by words, an id, or project: client: before: after: status:"),
		bind(actFind, groupLook, "f", "f", "find words in everything that was asked and planned"),
		bind(actArchive, groupTidy, "a", "a", "archive a session, or take it back"),
		bind(actDelete, groupTidy, "D delete", "D", "delete a session, when you leave the list"),
		bind(actUndo, groupTidy, "u", "u", "undo what was archived or deleted last"))
	keys = append(keys, commonKeys()...)
	if answers {
		keys = append(keys,
			bind(actSnooze, groupWaits, "s", "s", "snooze: neither count nor ring for it until later"),
			bind(actWithdraw, groupWaits, "w", "w", "withdraw: tell the agent that nobody will answer it"))
	}
	return keys
}

// withdrawKeys answer the question whether to withdraw a form. Enter is not among
// them, for it is pressed without looking.
func withdrawKeys() []boundKey {
	return []boundKey{
		bind(actYes, groupWaits, "y", "y", "withdraw it"),
		bind(actEscape, groupWaits, "esc n q ctrl+c", "esc", "keep it"),
	}
}

// deleteKeys answer the question whether to delete a session, without Enter for the
// same reason.
func deleteKeys() []boundKey {
	return []boundKey{
		bind(actYes, groupTidy, "y", "y", "delete it"),
		bind(actEscape, groupTidy, "esc n q ctrl+c", "esc", "keep it"),
	}
}

// snoozeKeys answer the question until when to snooze a form, which is asleep
// already or not; morning says when that would be.
func snoozeKeys(asleep bool, morning string) []boundKey {
	keys := []boundKey{
		bind(actSoon, groupWaits, "1", "1", "10 minutes"),
		bind(actHour, groupWaits, "2", "2", "1 hour"),
		bind(actMorning, groupWaits, "3", "3", "until "+morning),
	}
	if asleep {
		keys = append(keys, bind(actWake, groupWaits, "0 w", "0", "wake it now"))
	}
	return append(keys, bind(actEscape, groupWaits, "esc q ctrl+c", "esc", "back"))
}

// sessionKeys are the keys of one session.
func sessionKeys() []boundKey {
	keys := append(listKeys(),
		bind(actOlder, groupMove, "p", "p", "the version of the plan before this"),
		bind(actNewer, groupMove, "n", "n", "the version of the plan after this"),
		bind(actLed, groupLook, "w", "w", "what led where: from a plan to answers, and back"),
		bind(actDiff, groupLook, "d", "d", "what changed in a version of the plan"))
	keys = append(keys, shareKeys("the plan or the answers under the cursor; at the start the session's id")...)
	return append(keys, commonKeys()...)
}

// planKeys are the keys of a plan.
func planKeys() []boundKey {
	keys := []boundKey{
		bind(actScrollUp, groupMove, "up k", "↑", "a line up (also k)"),
		bind(actScrollDown, groupMove, "down j", "↓", "a line down (also j)"),
		bind(actPageUp, groupMove, "pgup ctrl+u b", "pgup", "a screen up"),
		bind(actPageDown, groupMove, "pgdown ctrl+d space f", "pgdn", "a screen down (also space)"),
		bind(actHome, groupMove, "home g", "home", "the start"),
		bind(actEnd, groupMove, "end G", "end", "the end"),
		bind(actPanLeft, groupMove, "left h", "←", "wide code to the left"),
		bind(actPanRight, groupMove, "right l", "→", "wide code to the right"),
		bind(actOlder, groupLook, "p", "p", "the version before this one"),
		bind(actNewer, groupLook, "n", "n", "the version after this one"),
		bind(actOutline, groupLook, "o", "o", "the outline: headings to go to"),
		bind(actLed, groupLook, "w", "w", "what led here: the answers it follows from and cites"),
		bind(actDiff, groupLook, "d", "d", "what changed since the version before"),
	}
	keys = append(keys, shareKeys("the plan's Markdown")...)
	return append(keys, commonKeys()...)
}

// filterKeys are the keys while a filter is being typed; anything else is its text.
func filterKeys() []boundKey {
	return []boundKey{
		bind(actUp, "", "up", "↑", "the row above"),
		bind(actDown, "", "down", "↓", "the row below"),
		bind(actPageUp, "", "pgup", "pgup", "a screen up"),
		bind(actPageDown, "", "pgdown", "pgdn", "a screen down"),
		bind(actEnter, groupLook, "enter", "enter", "open"),
		bind(actBackspace, groupLook, "backspace ctrl+h", "backspace", "shorten the filter"),
		bind(actDeleteToStart, groupLook, "ctrl+u", "ctrl+u", "empty the filter"),
		bind(actEscape, groupLook, "esc", "esc", "show all"),
		bind(actQuit, groupLook, "ctrl+c", "ctrl+c", "leave"),
	}
}

// actionOf is what a key means on a screen.
func actionOf(keys []boundKey, msg tea.KeyPressMsg) action {
	act, _ := lookUp(keys, msg)
	return act
}

// escapeFirst presses a key. Esc followed by another key within 50 ms, or within
// tmux's escape-time, arrives as one key with Alt. The screens for looking
// around have no key with Alt, so there it is Esc, and then the other, which by
// then may be another screen's.
func escapeFirst(msg tea.KeyPressMsg, press func(tea.KeyPressMsg) tea.Cmd) tea.Cmd {
	then, ok := withoutAlt(msg)
	if !ok {
		return press(msg)
	}
	escaped := press(tea.KeyPressMsg{Code: tea.KeyEscape})
	if escaped == nil { // the screen stays, and nothing may come between
		return press(then)
	}
	return tea.Sequence(escaped, send(then))
}

// withoutAlt is the key that was pressed after Esc. Keys that terminals send as
// sequences of their own are left out: with Alt they are what was pressed.
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

package tui

import tea "charm.land/bubbletea/v2"

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

// shareKeys are the keys of a screen whose texts can be taken out; what says which.
func shareKeys(what string) []boundKey {
	return []boundKey{
		bind(actCopy, groupLook, "y", "y", "copy "+what),
		bind(actPager, groupLook, "v", "v", "view it in your pager ($PAGER)"),
		bind(actEdit, groupLook, "e", "e", "open a copy in your editor ($VISUAL or $EDITOR)"),
	}
}

// searchKeys are the keys while something is looked for; anything else is its text.
func searchKeys() []boundKey {
	return []boundKey{
		bind(actUp, groupMove, "up", "↑", "the hit above"),
		bind(actDown, groupMove, "down", "↓", "the hit below"),
		bind(actPageUp, groupMove, "pgup", "pgup", "a screen up"),
		bind(actPageDown, groupMove, "pgdown", "pgdn", "a screen down"),
		bind(actHome, groupMove, "home", "home", "the first hit"),
		bind(actEnd, groupMove, "end", "end", "the last hit"),
		bind(actEnter, groupLook, "enter", "enter", "open what was found"),
		bind(actBackspace, groupLook, "backspace shift+backspace ctrl+h", "backspace", "shorten what is looked for"),
		bind(actDeleteWord, groupLook, "ctrl+w alt+backspace ctrl+backspace", "ctrl+w", "without its last word"),
		bind(actDeleteToStart, groupLook, "ctrl+u", "ctrl+u", "empty it"),
		bind(actHelp, groupLook, "f1", "f1", "help"),
		bind(actEscape, groupLook, "esc", "esc", "back"),
		bind(actQuit, groupLook, "ctrl+c", "ctrl+c", "leave"),
	}
}

// themesKeys are the keys of the list of themes.
func themesKeys() []boundKey {
	return []boundKey{
		bind(actUp, groupMove, "up k", "↑", "the theme above (also k)"),
		bind(actDown, groupMove, "down j", "↓", "the theme below (also j)"),
		bind(actPageUp, groupMove, "pgup ctrl+u", "pgup", "a screen up"),
		bind(actPageDown, groupMove, "pgdown ctrl+d", "pgdn", "a screen down"),
		bind(actHome, groupMove, "home g", "home", "the first theme"),
		bind(actEnd, groupMove, "end G", "end", "the last theme"),
		bind(actEnter, groupLook, "enter", "enter", "save this theme in the settings, and leave"),
		bind(actNext, groupLook, "tab", "tab", "try the form beside the list; esc comes back from it"),
		bind(actFilter, groupLook, "/", "/", "filter by a part of the name, dark or light"),
		bind(actHelp, groupLook, "? f1", "?", "help"),
		bind(actEscape, groupLook, "esc", "esc", "leave, with everything as it was"),
		bind(actQuit, groupLook, "q ctrl+c", "q", "leave, too"),
	}
}

// themesOverKeys are those of the list of themes, where there is no form to try.
func themesOverKeys() []boundKey {
	var keys []boundKey
	for _, k := range themesKeys() {
		switch k.act {
		case actNext:
			continue
		case actEnter:
			k = bind(actEnter, groupLook, "enter", "enter", "keep this theme in the settings, and go back")
		case actEscape:
			k = bind(actEscape, groupLook, "esc", "esc", "back, with everything as it was")
		case actQuit:
			k = bind(actQuit, groupLook, "q ctrl+c", "q", "back, too")
		}
		keys = append(keys, k)
	}
	return keys
}

package keymap

import tea "charm.land/bubbletea/v2"

// Groups of these screens' help.
const (
	GroupLook  = "Looking around"
	GroupWaits = "What waits for you"
	GroupTidy  = "Keeping order"
)

// List returns the keys of a list of things to open.
func List() []Binding {
	return []Binding{
		bind(Up, GroupMove, "up k", "↑", "the row above (also k)").With(Down, "row"),
		bind(Down, GroupMove, "down j", "↓", "the row below (also j)"),
		bind(PageUp, GroupMove, "pgup ctrl+u", "pgup", "a screen up").With(PageDown, "screen"),
		bind(PageDown, GroupMove, "pgdown ctrl+d", "pgdn", "a screen down"),
		bind(Home, GroupMove, "home g", "home", "the first row").With(End, "first, last"),
		bind(End, GroupMove, "end G", "end", "the last row"),
		bind(Enter, GroupLook, "enter space right", "enter", "open"),
	}
}

// Common returns the keys that all screens for looking around have.
func Common() []Binding {
	return []Binding{
		bind(Theme, GroupLook, "t", "t", "light or dark").With(Themes, "light or dark; themes"),
		bind(Themes, GroupLook, "T", "T", "choose a theme, seeing each on this screen"),
		bind(Help, GroupLook, "? f1", "?", "help"),
		bind(Escape, GroupLook, "esc", "esc", "back"),
		bind(Quit, GroupLook, "q ctrl+c", "q", "leave"),
	}
}

// Inbox returns the keys of the list of sessions. If answers is true, asks that wait can be
// answered there, and their keys are among them.
func Inbox(answers bool) []Binding {
	keys := append(List(),
		bind(Filter, GroupLook, "/", "/", "filter by words, an id, or client: before: after: status: project:shop").short("filter by words or project:shop"),
		bind(Find, GroupLook, "f", "f", "find words in everything that was asked and planned").short("find words in everything"),
		bind(Archive, GroupTidy, "a", "a", "archive a session, or take it back").short("archive, or take it back"),
		bind(Delete, GroupTidy, "D delete", "D", "delete a session, when you leave the list").short("delete when you leave"),
		bind(Undo, GroupTidy, "u", "u", "undo what was archived or deleted last").short("undo the last of these"))
	keys = append(keys, Common()...)
	if answers {
		keys = append(keys,
			bind(Snooze, GroupWaits, "s", "s", "snooze: planb does not count it or ring for it until later").short("snooze until later"),
			bind(Withdraw, GroupWaits, "w", "w", "withdraw: tell the agent that nobody will answer it").short("withdraw; the agent is told"))
	}
	return keys
}

// Withdrawing returns the keys that answer whether to withdraw a form.
func Withdrawing() []Binding { return yesOrNo(GroupWaits, "withdraw it", "keep it") }

// Deleting returns the keys that answer whether to delete a session.
func Deleting() []Binding { return yesOrNo(GroupTidy, "delete it", "keep it") }

// Snoozing returns the keys that answer until when to snooze a form. asleep says that it is
// snoozed already; morning is the time of the next morning in words.
func Snoozing(asleep bool, morning string) []Binding {
	keys := []Binding{
		bind(Soon, GroupWaits, "1", "1", "10 minutes"),
		bind(Hour, GroupWaits, "2", "2", "1 hour"),
		bind(Morning, GroupWaits, "3", "3", "until "+morning),
	}
	if asleep {
		keys = append(keys, bind(Wake, GroupWaits, "0 w", "0", "wake it now"))
	}
	return append(keys, bind(Escape, GroupWaits, "esc q ctrl+c", "esc", "back"))
}

// Session returns the keys of one session.
func Session() []Binding {
	keys := append(List(),
		bind(Older, GroupMove, "p", "p", "the version of the plan before this").With(Newer, "version before, after"),
		bind(Newer, GroupMove, "n", "n", "the version of the plan after this"),
		bind(Unfold, GroupLook, "u", "u", "when each form was shown and fetched, or folded again").short("shown, fetched"),
		bind(Led, GroupLook, "w", "w", "what led where: from a plan to answers, and back").short("what led where"),
		bind(Changes, GroupLook, "d", "d", "what changed in a version of the plan").short("what changed"))
	keys = append(keys, share("the plan or the answers under the cursor; at the start the session's id")...)
	return append(keys, Common()...)
}

// Plan returns the keys of a plan.
func Plan() []Binding {
	keys := []Binding{
		bind(ScrollUp, GroupMove, "up k", "↑", "a line up (also k)").With(ScrollDown, "line"),
		bind(ScrollDown, GroupMove, "down j", "↓", "a line down (also j)"),
		bind(PageUp, GroupMove, "pgup ctrl+u b", "pgup", "a screen up").With(PageDown, "screen"),
		bind(PageDown, GroupMove, "pgdown ctrl+d space f", "pgdn", "a screen down (also space)"),
		bind(Home, GroupMove, "home g", "home", "the start").With(End, "start, end"),
		bind(End, GroupMove, "end G", "end", "the end"),
		bind(PanLeft, GroupMove, "left h", "←", "scroll wide code to the left").With(PanRight, "scroll wide code"),
		bind(PanRight, GroupMove, "right l", "→", "scroll wide code to the right"),
		bind(Older, GroupLook, "p", "p", "the version before this one").With(Newer, "version before, after"),
		bind(Newer, GroupLook, "n", "n", "the version after this one"),
		bind(Outline, GroupLook, "o", "o", "the outline: headings to go to").short("outline"),
		bind(Led, GroupLook, "w", "w", "what led here: the answers it follows from and cites").short("what led here"),
		bind(Changes, GroupLook, "d", "d", "what changed since the version before").short("what changed"),
	}
	keys = append(keys, share("the plan's Markdown")...)
	return append(keys, Common()...)
}

// Filtering returns the keys while a person types a filter. All other keys write its text.
func Filtering() []Binding {
	return []Binding{
		bind(Up, "", "up", "↑", "the row above"),
		bind(Down, "", "down", "↓", "the row below"),
		bind(PageUp, "", "pgup", "pgup", "a screen up"),
		bind(PageDown, "", "pgdown", "pgdn", "a screen down"),
		bind(Enter, GroupLook, "enter", "enter", "open"),
		bind(Backspace, GroupLook, "backspace ctrl+h", "backspace", "shorten the filter"),
		bind(DeleteWord, GroupLook, "ctrl+w alt+backspace ctrl+backspace", "ctrl+w", "without its last word"),
		bind(DeleteToStart, GroupLook, "ctrl+u", "ctrl+u", "empty the filter"),
		bind(Escape, GroupLook, "esc", "esc", "show all"),
		bind(Quit, GroupLook, "ctrl+c", "ctrl+c", "leave"),
	}
}

// ActionOf returns the meaning of a key on a screen.
func ActionOf(keys []Binding, msg tea.KeyPressMsg) Action {
	act, _ := lookUp(keys, msg)
	return act
}

// share returns the keys that copy a text of a screen or open it elsewhere. what names the
// text.
func share(what string) []Binding {
	return []Binding{
		bind(Copy, GroupLook, "y", "y", "copy "+what),
		bind(Pager, GroupLook, "v", "v", "view it in your pager ($PAGER)").short("view in $PAGER"),
		bind(Edit, GroupLook, "e", "e", "open a copy in your editor ($VISUAL or $EDITOR)").short("open a copy in $EDITOR"),
	}
}

// Search returns the keys of the search. All other keys write the words to find.
func Search() []Binding {
	return []Binding{
		bind(Up, GroupMove, "up", "↑", "the hit above").With(Down, "hit"),
		bind(Down, GroupMove, "down", "↓", "the hit below"),
		bind(PageUp, GroupMove, "pgup", "pgup", "a screen up").With(PageDown, "screen"),
		bind(PageDown, GroupMove, "pgdown", "pgdn", "a screen down"),
		bind(Home, GroupMove, "home", "home", "the first hit").With(End, "first, last"),
		bind(End, GroupMove, "end", "end", "the last hit"),
		bind(Enter, GroupLook, "enter", "enter", "open what was found"),
		bind(Backspace, GroupLook, "backspace shift+backspace ctrl+h", "backspace", "shorten what is looked for"),
		bind(DeleteWord, GroupLook, "ctrl+w alt+backspace ctrl+backspace", "ctrl+w", "without its last word"),
		bind(DeleteToStart, GroupLook, "ctrl+u", "ctrl+u", "empty it"),
		bind(Help, GroupLook, "f1", "f1", "help"),
		bind(Escape, GroupLook, "esc", "esc", "back"),
		bind(Quit, GroupLook, "ctrl+c", "ctrl+c", "leave"),
	}
}

// ThemeList returns the keys of the list of themes.
func ThemeList() []Binding {
	return []Binding{
		bind(Up, GroupMove, "up k", "↑", "the theme above (also k)").With(Down, "theme"),
		bind(Down, GroupMove, "down j", "↓", "the theme below (also j)"),
		bind(PageUp, GroupMove, "pgup ctrl+u", "pgup", "a screen up").With(PageDown, "screen"),
		bind(PageDown, GroupMove, "pgdown ctrl+d", "pgdn", "a screen down"),
		bind(Home, GroupMove, "home g", "home", "the first theme").With(End, "first, last"),
		bind(End, GroupMove, "end G", "end", "the last theme"),
		bind(Enter, GroupLook, "enter", "enter", "keep this theme in the settings, and go back").short("keep this theme"),
		bind(Filter, GroupLook, "/", "/", "filter by a part of the name, dark or light").short("filter"),
		bind(Help, GroupLook, "? f1", "?", "help"),
		bind(Escape, GroupLook, "esc", "esc", "back, with everything as it was"),
		bind(Quit, GroupLook, "q ctrl+c", "q", "back, too"),
	}
}

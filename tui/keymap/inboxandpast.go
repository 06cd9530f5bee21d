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
		Bind(Up, GroupMove, "up k", "↑", "the row above (also k)").With(Down, "row"),
		Bind(Down, GroupMove, "down j", "↓", "the row below (also j)"),
		Bind(PageUp, GroupMove, "pgup ctrl+u", "pgup", "a screen up").With(PageDown, "screen"),
		Bind(PageDown, GroupMove, "pgdown ctrl+d", "pgdn", "a screen down"),
		Bind(Home, GroupMove, "home g", "home", "the first row").With(End, "first, last"),
		Bind(End, GroupMove, "end G", "end", "the last row"),
		Bind(Enter, GroupLook, "enter space right", "enter", "open"),
	}
}

// Common returns the keys that all screens for looking around have.
func Common() []Binding {
	return []Binding{
		Bind(Theme, GroupLook, "t", "t", "light or dark").With(Themes, "light or dark; themes"),
		Bind(Themes, GroupLook, "T", "T", "choose a theme, seeing each on this screen"),
		Bind(Help, GroupLook, "? f1", "?", "help"),
		Bind(Escape, GroupLook, "esc", "esc", "back"),
		Bind(Quit, GroupLook, "q ctrl+c", "q", "leave"),
	}
}

// Inbox returns the keys of the list of sessions. If answers is true, asks that wait can be
// answered there, and their keys are among them.
func Inbox(answers bool) []Binding {
	keys := append(List(),
		Bind(Filter, GroupLook, "/", "/", "filter by words, an id, or client: before: after: status: project:shop").Short("filter by words or project:shop"),
		Bind(Find, GroupLook, "f", "f", "find words in everything that was asked and planned").Short("find words in everything"),
		Bind(Archive, GroupTidy, "a", "a", "archive a session, or take it back").Short("archive, or take it back"),
		Bind(Delete, GroupTidy, "D delete", "D", "delete a session, when you leave the list").Short("delete when you leave"),
		Bind(Undo, GroupTidy, "u", "u", "undo what was archived or deleted last").Short("undo the last of these"))
	keys = append(keys, Common()...)
	if answers {
		keys = append(keys,
			Bind(Snooze, GroupWaits, "s", "s", "snooze: neither count nor ring for it until later").Short("snooze until later"),
			Bind(Withdraw, GroupWaits, "w", "w", "withdraw: tell the agent that nobody will answer it").Short("withdraw; the agent is told"))
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
		Bind(Soon, GroupWaits, "1", "1", "10 minutes"),
		Bind(Hour, GroupWaits, "2", "2", "1 hour"),
		Bind(Morning, GroupWaits, "3", "3", "until "+morning),
	}
	if asleep {
		keys = append(keys, Bind(Wake, GroupWaits, "0 w", "0", "wake it now"))
	}
	return append(keys, Bind(Escape, GroupWaits, "esc q ctrl+c", "esc", "back"))
}

// Session returns the keys of one session.
func Session() []Binding {
	keys := append(List(),
		Bind(Older, GroupMove, "p", "p", "the version of the plan before this").With(Newer, "version before, after"),
		Bind(Newer, GroupMove, "n", "n", "the version of the plan after this"),
		Bind(Unfold, GroupLook, "u", "u", "when each form was shown and fetched, or folded again").Short("shown, fetched"),
		Bind(Led, GroupLook, "w", "w", "what led where: from a plan to answers, and back").Short("what led where"),
		Bind(Changes, GroupLook, "d", "d", "what changed in a version of the plan").Short("what changed"))
	keys = append(keys, Share("the plan or the answers under the cursor; at the start the session's id")...)
	return append(keys, Common()...)
}

// Plan returns the keys of a plan.
func Plan() []Binding {
	keys := []Binding{
		Bind(ScrollUp, GroupMove, "up k", "↑", "a line up (also k)").With(ScrollDown, "line"),
		Bind(ScrollDown, GroupMove, "down j", "↓", "a line down (also j)"),
		Bind(PageUp, GroupMove, "pgup ctrl+u b", "pgup", "a screen up").With(PageDown, "screen"),
		Bind(PageDown, GroupMove, "pgdown ctrl+d space f", "pgdn", "a screen down (also space)"),
		Bind(Home, GroupMove, "home g", "home", "the start").With(End, "start, end"),
		Bind(End, GroupMove, "end G", "end", "the end"),
		Bind(PanLeft, GroupMove, "left h", "←", "scroll wide code to the left").With(PanRight, "scroll wide code"),
		Bind(PanRight, GroupMove, "right l", "→", "scroll wide code to the right"),
		Bind(Older, GroupLook, "p", "p", "the version before this one").With(Newer, "version before, after"),
		Bind(Newer, GroupLook, "n", "n", "the version after this one"),
		Bind(Outline, GroupLook, "o", "o", "the outline: headings to go to").Short("outline"),
		Bind(Led, GroupLook, "w", "w", "what led here: the answers it follows from and cites").Short("what led here"),
		Bind(Changes, GroupLook, "d", "d", "what changed since the version before").Short("what changed"),
	}
	keys = append(keys, Share("the plan's Markdown")...)
	return append(keys, Common()...)
}

// Filtering returns the keys while a person types a filter. All other keys write its text.
func Filtering() []Binding {
	return []Binding{
		Bind(Up, "", "up", "↑", "the row above"),
		Bind(Down, "", "down", "↓", "the row below"),
		Bind(PageUp, "", "pgup", "pgup", "a screen up"),
		Bind(PageDown, "", "pgdown", "pgdn", "a screen down"),
		Bind(Enter, GroupLook, "enter", "enter", "open"),
		Bind(Backspace, GroupLook, "backspace ctrl+h", "backspace", "shorten the filter"),
		Bind(DeleteWord, GroupLook, "ctrl+w alt+backspace ctrl+backspace", "ctrl+w", "without its last word"),
		Bind(DeleteToStart, GroupLook, "ctrl+u", "ctrl+u", "empty the filter"),
		Bind(Escape, GroupLook, "esc", "esc", "show all"),
		Bind(Quit, GroupLook, "ctrl+c", "ctrl+c", "leave"),
	}
}

// ActionOf returns the meaning of a key on a screen.
func ActionOf(keys []Binding, msg tea.KeyPressMsg) Action {
	act, _ := lookUp(keys, msg)
	return act
}

// Share returns the keys that copy a text of a screen or open it elsewhere. what names the
// text.
func Share(what string) []Binding {
	return []Binding{
		Bind(Copy, GroupLook, "y", "y", "copy "+what),
		Bind(Pager, GroupLook, "v", "v", "view it in your pager ($PAGER)").Short("view in $PAGER"),
		Bind(Edit, GroupLook, "e", "e", "open a copy in your editor ($VISUAL or $EDITOR)").Short("open a copy in $EDITOR"),
	}
}

// Search returns the keys of the search. All other keys write the words to find.
func Search() []Binding {
	return []Binding{
		Bind(Up, GroupMove, "up", "↑", "the hit above").With(Down, "hit"),
		Bind(Down, GroupMove, "down", "↓", "the hit below"),
		Bind(PageUp, GroupMove, "pgup", "pgup", "a screen up").With(PageDown, "screen"),
		Bind(PageDown, GroupMove, "pgdown", "pgdn", "a screen down"),
		Bind(Home, GroupMove, "home", "home", "the first hit").With(End, "first, last"),
		Bind(End, GroupMove, "end", "end", "the last hit"),
		Bind(Enter, GroupLook, "enter", "enter", "open what was found"),
		Bind(Backspace, GroupLook, "backspace shift+backspace ctrl+h", "backspace", "shorten what is looked for"),
		Bind(DeleteWord, GroupLook, "ctrl+w alt+backspace ctrl+backspace", "ctrl+w", "without its last word"),
		Bind(DeleteToStart, GroupLook, "ctrl+u", "ctrl+u", "empty it"),
		Bind(Help, GroupLook, "f1", "f1", "help"),
		Bind(Escape, GroupLook, "esc", "esc", "back"),
		Bind(Quit, GroupLook, "ctrl+c", "ctrl+c", "leave"),
	}
}

// ThemeList returns the keys of the list of themes.
func ThemeList() []Binding {
	return []Binding{
		Bind(Up, GroupMove, "up k", "↑", "the theme above (also k)").With(Down, "theme"),
		Bind(Down, GroupMove, "down j", "↓", "the theme below (also j)"),
		Bind(PageUp, GroupMove, "pgup ctrl+u", "pgup", "a screen up").With(PageDown, "screen"),
		Bind(PageDown, GroupMove, "pgdown ctrl+d", "pgdn", "a screen down"),
		Bind(Home, GroupMove, "home g", "home", "the first theme").With(End, "first, last"),
		Bind(End, GroupMove, "end G", "end", "the last theme"),
		Bind(Enter, GroupLook, "enter", "enter", "keep this theme in the settings, and go back").Short("keep this theme"),
		Bind(Filter, GroupLook, "/", "/", "filter by a part of the name, dark or light").Short("filter"),
		Bind(Help, GroupLook, "? f1", "?", "help"),
		Bind(Escape, GroupLook, "esc", "esc", "back, with everything as it was"),
		Bind(Quit, GroupLook, "q ctrl+c", "q", "back, too"),
	}
}

package tui

// diffKeys are the keys of what changed between two versions.
func diffKeys() []boundKey {
	keys := []boundKey{
		bind(actScrollUp, groupMove, "up k", "↑", "a line up (also k)"),
		bind(actScrollDown, groupMove, "down j", "↓", "a line down (also j)"),
		bind(actPageUp, groupMove, "pgup ctrl+u b", "pgup", "a screen up"),
		bind(actPageDown, groupMove, "pgdown ctrl+d space f", "pgdn", "a screen down (also space)"),
		bind(actHome, groupMove, "home g", "home", "the start"),
		bind(actEnd, groupMove, "end G", "end", "the end"),
		bind(actNextChange, groupMove, "n", "n", "the next change"),
		bind(actPrevChange, groupMove, "p N", "p", "the change before"),
		bind(actPanLeft, groupMove, "left h", "←", "wide code to the left"),
		bind(actPanRight, groupMove, "right l", "→", "wide code to the right"),
		bind(actEnter, groupLook, "enter", "enter", "open what is folded: the first on the screen"),
		bind(actUnfold, groupLook, "u", "u", "open all that is folded, or fold it again"),
		bind(actAsRead, groupLook, "m", "m", "the plan as it is read, or its Markdown"),
		bind(actMarkdown, "", "m", "m", ""),
		bind(actCompare, groupLook, "c", "c", "compare with another version"),
	}
	keys = append(keys, shareKeys("the difference as a patch")...)
	return append(keys, commonKeys()...)
}

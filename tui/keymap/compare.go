package keymap

// Diff returns the keys of a comparison of two versions.
func Diff() []Binding {
	keys := []Binding{
		Bind(ScrollUp, GroupMove, "up k", "↑", "a line up (also k)").With(ScrollDown, "line"),
		Bind(ScrollDown, GroupMove, "down j", "↓", "a line down (also j)"),
		Bind(PageUp, GroupMove, "pgup ctrl+u b", "pgup", "a screen up").With(PageDown, "screen"),
		Bind(PageDown, GroupMove, "pgdown ctrl+d space f", "pgdn", "a screen down (also space)"),
		Bind(Home, GroupMove, "home g", "home", "the start").With(End, "start, end"),
		Bind(End, GroupMove, "end G", "end", "the end"),
		Bind(NextChange, GroupMove, "n", "n", "the next change").With(PrevChange, "next, previous change"),
		Bind(PrevChange, GroupMove, "p N", "p", "the change before"),
		Bind(PanLeft, GroupMove, "left h", "←", "scroll wide code to the left").With(PanRight, "scroll wide code"),
		Bind(PanRight, GroupMove, "right l", "→", "scroll wide code to the right"),
		Bind(Enter, GroupLook, "enter", "enter", "open what is folded: the first on the screen").Short("unfold the first on screen"),
		Bind(Unfold, GroupLook, "u", "u", "open all that is folded, or fold it again").Short("unfold all, or fold"),
		Bind(AsRead, GroupLook, "m", "m", "the plan as it is read, or its Markdown").Short("as it is read, or Markdown"),
		Bind(Markdown, "", "m", "m", ""),
		Bind(Compare, GroupLook, "c", "c", "compare with another version"),
	}
	keys = append(keys, Share("the difference as a patch")...)
	return append(keys, Common()...)
}

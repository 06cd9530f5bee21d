package keymap

// Diff returns the keys of a comparison of two versions.
func Diff() []Binding {
	keys := []Binding{
		bind(ScrollUp, GroupMove, "up k", "↑", "a line up (also k)").With(ScrollDown, "line"),
		bind(ScrollDown, GroupMove, "down j", "↓", "a line down (also j)"),
		bind(PageUp, GroupMove, "pgup ctrl+u b", "pgup", "a screen up").With(PageDown, "screen"),
		bind(PageDown, GroupMove, "pgdown ctrl+d space f", "pgdn", "a screen down (also space)"),
		bind(Home, GroupMove, "home g", "home", "the start").With(End, "start, end"),
		bind(End, GroupMove, "end G", "end", "the end"),
		bind(NextChange, GroupMove, "n", "n", "the next change").With(PrevChange, "next, previous change"),
		bind(PrevChange, GroupMove, "p N", "p", "the change before"),
		bind(PanLeft, GroupMove, "left h", "←", "scroll wide code to the left").With(PanRight, "scroll wide code"),
		bind(PanRight, GroupMove, "right l", "→", "scroll wide code to the right"),
		bind(Enter, GroupLook, "enter", "enter", "open what is folded: at the marked change, else the next on the screen").short("unfold at the change"),
		bind(Unfold, GroupLook, "u", "u", "open all that is folded, or fold it again").short("unfold all, or fold"),
		bind(AsRead, GroupLook, "m", "m", "the plan as it is read, or its Markdown").short("as it is read, or Markdown"),
		bind(Markdown, "", "m", "m", ""),
		bind(Compare, GroupLook, "c", "c", "compare with another version"),
	}
	keys = append(keys, share("the difference as a patch")...)
	return append(keys, Common()...)
}

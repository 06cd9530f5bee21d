package keymap

// GroupDrafts is the heading of what a person decides about drafts.
const GroupDrafts = "Deciding"

// DraftList returns the keys of the list of all drafts.
func DraftList() []Binding {
	answer := Bind(AnswerGate, GroupDrafts, "c", "c", "choose: answer the form that waits for you").Short("choose: answer your form")
	return append(append([]Binding{answer}, List()...), Common()...)
}

// Drafts returns the keys of a draft: of its steps, its graph, its schedule, and of a section.
func Drafts() []Binding {
	keys := []Binding{
		Bind(Up, GroupMove, "up k", "↑", "the row above, or a line up (also k)").With(Down, "row, or line"),
		Bind(Down, GroupMove, "down j", "↓", "the row below, or a line down (also j)"),
		Bind(PageUp, GroupMove, "pgup ctrl+u", "pgup", "a screen up").With(PageDown, "screen"),
		Bind(PageDown, GroupMove, "pgdown ctrl+d", "pgdn", "a screen down"),
		Bind(Home, GroupMove, "home", "home", "the first row, or the start").With(End, "first, last"),
		Bind(End, GroupMove, "end G", "end", "the last row, or the end"),
		Bind(ScrollUp, GroupMove, "shift+up K", "shift+↑", "up in the section beside the steps (also K)").With(ScrollDown, "in the section beside"),
		Bind(ScrollDown, GroupMove, "shift+down J", "shift+↓", "down in the section beside the steps (also J)"),
		Bind(PanLeft, GroupMove, "left h", "←", "scroll a wide table to the left (also h)").With(PanRight, "scroll wide table"),
		Bind(PanRight, GroupMove, "right l", "→", "scroll a wide table to the right (also l)"),
		Bind(PrevSection, GroupMove, "p", "p", "in a section: the section before").With(NextSection, "section before, after"),
		Bind(NextSection, GroupMove, "n", "n", "in a section: the section after"),

		Bind(AnswerGate, GroupDrafts, "c", "c", "choose: answer the form that waits for you, or one of yours again").Short("choose: answer your form"),
		Bind(Regenerate, GroupDrafts, "g", "g", "have the section written again, with your guidance").Short("write again, guided"),
		Bind(ReviewSection, GroupDrafts, "r", "r", "review the section line by line; your comments go with it when it is written again").Short("review line by line"),
		Bind(Edit, GroupDrafts, "e", "e", "edit the section in $VISUAL or $EDITOR; nobody writes over it then").Short("edit in $EDITOR"),
		Bind(Stop, GroupDrafts, "x", "x", "stop the writing").Short("stop the writing"),
		Bind(Resume, GroupDrafts, "w", "w", "go on writing: after a stop or a failure, or from a brief draft to a full one").Short("go on after a stop"),
		Bind(Flags, GroupDrafts, "f", "f", "how the schedule is made: how much runs at once, whether phases and tasks wait for each other").Short("try the schedule"),

		Bind(Enter, GroupLook, "enter", "enter", "open the section, or the form that waits for you").Short("open the section"),
		Bind(Next, GroupLook, "tab", "tab", "steps, graph or schedule").Short("steps, graph, schedule"),
		Bind(Origin, GroupLook, "i", "i", "where the section comes from: who wrote it, when, and from what").Short("where it comes from"),
		Bind(OpenReport, GroupLook, "o", "o", "open the report in the browser").Short("report in the browser"),
		Bind(SaveReport, GroupLook, "s", "s", "save the report as the next version of the plan of its session").Short("save as plan version"),
	}
	return append(keys, Common()...)
}

// Stopping returns the keys that answer whether the writing of a draft stops.
func Stopping() []Binding { return yesOrNo(GroupDrafts, "stop it", "let it write") }

// Resuming returns the keys that answer how a draft that was stopped, or that failed, goes on.
func Resuming() []Binding {
	return []Binding{
		Bind(Yes, GroupDrafts, "y", "y", "go on"),
		Bind(All, GroupDrafts, "a", "a", "write all anew"),
		Bind(Escape, GroupDrafts, "esc n q ctrl+c", "esc", "leave it"),
	}
}

// Growing returns the keys that answer whether a brief draft grows to a full one.
func Growing() []Binding { return yesOrNo(GroupDrafts, "write the rest", "leave it brief") }

// Guiding returns the keys while a person writes what is to be different in a section. All
// other keys write.
func Guiding() []Binding {
	return writing(
		Bind(Submit, GroupDrafts, "ctrl+s", "ctrl+s", "have it written again"),
		Bind(Escape, GroupDrafts, "esc ctrl+c", "esc", "leave it"))
}

// Placing returns the keys while a person tries how the schedule is to be made.
func Placing() []Binding {
	return []Binding{
		Bind(Yes, GroupDrafts, "y", "y", "use this"),
		Bind(Escape, GroupDrafts, "esc n q ctrl+c", "esc", "keep the old"),
		Bind(Left, GroupDrafts, "left - h", "← →", "fewer, more at once"),
		Bind(Right, "", "right + = l", "→", "more at once"),
		Bind(PhaseOrder, "", "p", "p", "phases"),
		Bind(TaskEdges, "", "t", "t", "tasks"),
		Bind(Up, "", "up k", "↑", "the row above"),
		Bind(Down, "", "down j", "↓", "the row below"),
	}
}

// AnsweringAgain returns the keys that answer whether a form that was answered is put again.
func AnsweringAgain() []Binding { return yesOrNo(GroupDrafts, "answer it again", "leave it") }

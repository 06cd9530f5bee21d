package keymap

// GroupDrafts is the heading of what a person decides about drafts.
const GroupDrafts = "Deciding"

// DraftList returns the keys of the list of all drafts.
func DraftList() []Binding {
	answer := bind(AnswerGate, GroupDrafts, "c", "c", "choose: answer the form that waits for you").short("choose: answer your form")
	return append(append([]Binding{answer}, List()...), Common()...)
}

// Drafts returns the keys of a draft: of its steps, its graph, its schedule, and of a section.
func Drafts() []Binding {
	keys := []Binding{
		bind(Up, GroupMove, "up k", "↑", "the row above, or a line up (also k)").With(Down, "row, or line"),
		bind(Down, GroupMove, "down j", "↓", "the row below, or a line down (also j)"),
		bind(PageUp, GroupMove, "pgup ctrl+u", "pgup", "a screen up").With(PageDown, "screen"),
		bind(PageDown, GroupMove, "pgdown ctrl+d", "pgdn", "a screen down"),
		bind(Home, GroupMove, "home", "home", "the first row, or the start").With(End, "first, last"),
		bind(End, GroupMove, "end G", "end", "the last row, or the end"),
		bind(ScrollUp, GroupMove, "shift+up K", "shift+↑", "up in the section beside the steps (also K)").With(ScrollDown, "in the section beside"),
		bind(ScrollDown, GroupMove, "shift+down J", "shift+↓", "down in the section beside the steps (also J)"),
		bind(PanLeft, GroupMove, "left h", "←", "scroll a wide table to the left (also h)").With(PanRight, "scroll wide table"),
		bind(PanRight, GroupMove, "right l", "→", "scroll a wide table to the right (also l)"),
		bind(PrevSection, GroupMove, "p", "p", "in a section: the section before").With(NextSection, "section before, after"),
		bind(NextSection, GroupMove, "n", "n", "in a section: the section after"),

		bind(AnswerGate, GroupDrafts, "c", "c", "choose: answer the form that waits for you, or again one that you answered").short("choose: answer your form"),
		bind(Regenerate, GroupDrafts, "g", "g", "have the section written again, with your guidance").short("write again, guided"),
		bind(ReviewSection, GroupDrafts, "r", "r", "review the section line by line; your comments go with it when it is written again").short("review line by line"),
		bind(Edit, GroupDrafts, "e", "e", "edit the section in $VISUAL or $EDITOR; nobody writes over it then").short("edit in $EDITOR"),
		bind(Stop, GroupDrafts, "x", "x", "stop the writing").short("stop the writing"),
		bind(Resume, GroupDrafts, "w", "w", "go on writing: after a stop or a failure, or from a brief draft to a full one").short("go on after a stop"),
		bind(Flags, GroupDrafts, "f", "f", "how the schedule is made: how much runs at once, whether phases and tasks wait for each other").short("try the schedule"),

		bind(Enter, GroupLook, "enter", "enter", "open the section, or the form that waits for you").short("open the section"),
		bind(Next, GroupLook, "tab", "tab", "steps, graph or schedule").short("steps, graph, schedule"),
		bind(Origin, GroupLook, "i", "i", "where the section comes from: who wrote it, when, and from what").short("where it comes from"),
		bind(OpenReport, GroupLook, "o", "o", "open the report in the browser").short("report in the browser"),
		bind(SaveReport, GroupLook, "s", "s", "save the report as the next version of the plan of its session").short("save as plan version"),
	}
	return append(keys, Common()...)
}

// Stopping returns the keys that answer whether the writing of a draft stops.
func Stopping() []Binding { return yesOrNo(GroupDrafts, "stop it", "let it write") }

// Resuming returns the keys that answer how a draft that was stopped, or that failed, goes on.
func Resuming() []Binding {
	return []Binding{
		bind(Yes, GroupDrafts, "y", "y", "go on"),
		bind(All, GroupDrafts, "a", "a", "write all anew"),
		bind(Escape, GroupDrafts, "esc n q ctrl+c", "esc", "leave it"),
	}
}

// Growing returns the keys that answer whether a brief draft grows to a full one.
func Growing() []Binding { return yesOrNo(GroupDrafts, "write the rest", "leave it brief") }

// Guiding returns the keys while a person writes what is to be different in a section. All
// other keys write.
func Guiding() []Binding {
	return writing(
		bind(Submit, GroupDrafts, "ctrl+s", "ctrl+s", "have it written again"),
		bind(Escape, GroupDrafts, "esc ctrl+c", "esc", "leave it"))
}

// Placing returns the keys while a person tries how the schedule is to be made.
func Placing() []Binding {
	return []Binding{
		bind(Yes, GroupDrafts, "y", "y", "use this"),
		bind(Escape, GroupDrafts, "esc n q ctrl+c", "esc", "keep the old"),
		bind(Left, GroupDrafts, "left - h", "← →", "fewer, more at once"),
		bind(Right, "", "right + = l", "→", "more at once"),
		bind(PhaseOrder, "", "p", "p", "phases"),
		bind(TaskEdges, "", "t", "t", "tasks"),
		bind(Up, "", "up k", "↑", "the row above"),
		bind(Down, "", "down j", "↓", "the row below"),
	}
}

// AnsweringAgain returns the keys that answer whether a form that was answered is put again.
func AnsweringAgain() []Binding { return yesOrNo(GroupDrafts, "answer it again", "leave it") }

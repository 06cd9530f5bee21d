package keymap

import (
	"slices"
	"strconv"

	"charm.land/bubbles/v2/key"
)

// GroupTasks is the heading of what a person decides about tasks.
const GroupTasks = "Deciding"

// TaskPlans returns the keys of the list of all plans of tasks.
func TaskPlans() []Binding {
	approve := bind(Approve, GroupTasks, "a", "a", "approve: review the plan").short("approve, in a review")
	return append(append([]Binding{approve}, List()...), Common()...)
}

// Tasks returns the keys of a plan of tasks: of its board, its graph, and the page of a task.
func Tasks() []Binding {
	keys := []Binding{
		bind(Up, GroupMove, "up k", "↑", "the task above, or a line up (also k)").With(Down, "task, or line"),
		bind(Down, GroupMove, "down j", "↓", "the task below, or a line down (also j)"),
		bind(Left, GroupMove, "left h", "←", "the column at the left (also h)").With(Right, "column"),
		bind(Right, GroupMove, "right l", "→", "the column at the right (also l)"),
		bind(PageUp, GroupMove, "pgup ctrl+u", "pgup", "a screen up").With(PageDown, "screen"),
		bind(PageDown, GroupMove, "pgdown ctrl+d", "pgdn", "a screen down"),
		bind(Home, GroupMove, "home", "home", "the first task, or the start").With(End, "first, last"),
		bind(End, GroupMove, "end G", "end", "the last task, or the end"),

		bind(Approve, GroupTasks, "a", "a", "approve: review the plan, or what agents added to it").short("approve, in a review"),
		bind(Space, GroupTasks, "space", "space", "accept what was reported or send it back; answer an agent that is stuck; say that a task of yours is done").short("accept, or send back"),
		bind(Release, GroupTasks, "r", "r", "release: take a task from its agent").short("release from its agent"),
		bind(Priority, GroupTasks, "p", "p", "how urgent a task is").short("how urgent it is"),
		bind(Edit, GroupTasks, "e", "e", "edit the task in $VISUAL or $EDITOR; what you save is approved").short("edit in $EDITOR"),
		bind(CancelTask, GroupTasks, "x", "x", "cancel a task; first planb says what becomes ready").short("cancel"),
		bind(Undo, GroupTasks, "u", "u", "undo a priority or an edit").short("undo priority or edit"),
		bind(Select, GroupTasks, "v", "v", "select several tasks for the keys above").short("select several"),

		bind(Enter, GroupLook, "enter", "enter", "open the task: contracts, attempts, evidence, where it came from").short("open the task"),
		bind(Next, GroupLook, "tab", "tab", "board or graph").short("board or graph"),
		bind(Why, GroupLook, "w", "w", "why the task is not ready").short("why it is not ready"),
		bind(Visit, GroupLook, "g", "g", "go to the tmux pane of the agent that works on it").short("go to its agent's pane"),
		bind(Filter, GroupLook, "/", "/", "filter by words of the title, the state, the agent or the id").short("filter"),
	}
	return append(keys, Common()...)
}

// Accepting returns the keys that answer whether a report is accepted. it is the pronoun for the
// tasks, here and below.
func Accepting(it string) []Binding {
	return []Binding{
		bind(Yes, GroupTasks, "y", "y", "accept "+it),
		bind(SendBack, GroupTasks, "s", "s", "send "+it+" back"),
		bind(Escape, GroupTasks, "esc n q ctrl+c", "esc", "decide later"),
	}
}

// Answering returns the keys that answer an agent that cannot go on and has reported nothing.
func Answering() []Binding {
	return []Binding{
		bind(SendBack, GroupTasks, "s", "s", "answer it"),
		bind(Unreported, GroupTasks, "d", "d", "it is done"),
		bind(Escape, GroupTasks, "esc n q ctrl+c", "esc", "decide later"),
	}
}

// AcceptingUnreported returns the keys that answer whether a task is done that nobody reported.
func AcceptingUnreported() []Binding {
	return yesOrNo(GroupTasks, "done without a report", "not yet")
}

// Finishing returns the keys that answer whether the person has done a task.
func Finishing() []Binding { return yesOrNo(GroupTasks, "done", "not yet") }

// Releasing returns the keys that answer whether a task is taken from its agent.
func Releasing(it string) []Binding {
	return yesOrNo(GroupTasks, "release "+it, "let "+it+" work")
}

// Cancelling returns the keys that answer whether a task is cancelled.
func Cancelling(it string) []Binding { return yesOrNo(GroupTasks, "cancel "+it, "keep "+it) }

// Prioritizing returns the keys that answer how urgent a task is. They say which priority it has
// now, unless that is none of theirs.
func Prioritizing(now int) []Binding {
	var keys []Binding
	for priority, words := range []string{"before everything else", "soon", "as usual", "later", "when nothing else is ready"} {
		if priority == now {
			words += " (now)"
		}
		digit := strconv.Itoa(priority)
		keys = append(keys, bind(Digit, GroupTasks, digit, digit, "P"+digit+": "+words))
	}
	return append(keys, bind(Escape, GroupTasks, "esc n q ctrl+c", "esc", "as it is"))
}

// Commenting returns the keys while a person writes to the agent why a report goes back. All
// other keys write.
func Commenting(it string) []Binding { return sendingBack("send " + it + " back") }

// Replying returns the keys while a person answers what an agent asks. All other keys write.
func Replying() []Binding { return sendingBack("answer, send it back") }

func sendingBack(does string) []Binding {
	return writing(
		bind(Submit, GroupTasks, "ctrl+s", "ctrl+s", does),
		bind(Escape, GroupTasks, "esc ctrl+c", "esc", "decide later"))
}

// Choosing returns the keys that move the focus between the answers of a question, and Enter,
// which gives the one with the focus. They are the same for everybody.
func Choosing() []Binding {
	return []Binding{
		bind(Prev, "", "shift+tab", "shift+tab", "the answer before"),
		bind(Next, "", "tab", "tab", "the next answer"),
		bind(Up, "", "up", "↑", "the answer before"),
		bind(Down, "", "down", "↓", "the next answer"),
		bind(Left, "", "left", "←", "the answer before"),
		bind(Right, "", "right", "→", "the next answer"),
		bind(Enter, "", "enter", "enter", "this answer"),
	}
}

// writing returns the keys while a person writes to an agent, with those that end it.
func writing(ends ...Binding) []Binding {
	keys := append(ends,
		bind(Enter, "", "enter", "enter", "a new line"),
		bind(Up, "", "up", "↑", "a line up"),
		bind(Down, "", "down", "↓", "a line down"),
		bind(Left, "", "left", "←", "the character before"),
		bind(Right, "", "right", "→", "the next character"),
		bind(Home, "", "home", "home", "the start of the line"),
		bind(End, "", "end", "end", "the end of the line"))
	return append(keys, Form().InText...)
}

// Leaving lets the keys that leave a screen leave the screen's question, too, and names
// them in the question's help.
func Leaving(screen, question []Binding) []Binding {
	at := slices.IndexFunc(screen, func(k Binding) bool { return k.Act == Escape })
	for i, k := range question {
		if k.Act == Escape && at >= 0 {
			back := screen[at].Key
			question[i].Key = key.NewBinding(
				key.WithKeys(append(k.Key.Keys(), back.Keys()...)...),
				key.WithHelp(back.Help().Key, k.Key.Help().Desc))
		}
	}
	return question
}

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
	approve := Bind(Approve, GroupTasks, "a", "a", "approve: review the plan").Short("approve, in a review")
	return append(append([]Binding{approve}, List()...), Common()...)
}

// Tasks returns the keys of a plan of tasks: of its board, its graph, and the page of a task.
func Tasks() []Binding {
	keys := []Binding{
		Bind(Up, GroupMove, "up k", "↑", "the task above, or a line up (also k)").With(Down, "task, or line"),
		Bind(Down, GroupMove, "down j", "↓", "the task below, or a line down (also j)"),
		Bind(Left, GroupMove, "left h", "←", "the column at the left (also h)").With(Right, "column"),
		Bind(Right, GroupMove, "right l", "→", "the column at the right (also l)"),
		Bind(PageUp, GroupMove, "pgup ctrl+u", "pgup", "a screen up").With(PageDown, "screen"),
		Bind(PageDown, GroupMove, "pgdown ctrl+d", "pgdn", "a screen down"),
		Bind(Home, GroupMove, "home", "home", "the first task, or the start").With(End, "first, last"),
		Bind(End, GroupMove, "end G", "end", "the last task, or the end"),

		Bind(Approve, GroupTasks, "a", "a", "approve: review the plan, or what agents added to it").Short("approve, in a review"),
		Bind(Space, GroupTasks, "space", "space", "accept what was reported or send it back; a task of your own: it is done").Short("accept, or send back"),
		Bind(Release, GroupTasks, "r", "r", "release: take a task from its agent").Short("release from its agent"),
		Bind(Priority, GroupTasks, "p", "p", "how urgent a task is").Short("how urgent it is"),
		Bind(Edit, GroupTasks, "e", "e", "edit the task in $VISUAL or $EDITOR; what you save is approved").Short("edit in $EDITOR"),
		Bind(CancelTask, GroupTasks, "x", "x", "cancel a task; first it says what becomes ready").Short("cancel"),
		Bind(Undo, GroupTasks, "u", "u", "undo a priority or an edit").Short("undo priority or edit"),
		Bind(Select, GroupTasks, "v", "v", "select several tasks for the keys above").Short("select several"),

		Bind(Enter, GroupLook, "enter", "enter", "open the task: contracts, attempts, evidence, where it came from").Short("open the task"),
		Bind(Next, GroupLook, "tab", "tab", "board or graph").Short("board or graph"),
		Bind(Why, GroupLook, "w", "w", "why the task is not ready").Short("why it is not ready"),
		Bind(Visit, GroupLook, "g", "g", "go to the tmux pane of the agent that works on it").Short("go to its agent's pane"),
		Bind(Filter, GroupLook, "/", "/", "filter by words of the title, the state, the agent or the id").Short("filter"),
	}
	return append(keys, Common()...)
}

// Accepting returns the keys that answer whether a report is accepted.
func Accepting() []Binding {
	return []Binding{
		Bind(Yes, GroupTasks, "y", "y", "accept it"),
		Bind(SendBack, GroupTasks, "s", "s", "send it back"),
		Bind(Escape, GroupTasks, "esc n q ctrl+c", "esc", "decide later"),
	}
}

// Finishing returns the keys that answer whether the person has done a task.
func Finishing() []Binding { return yesOrNo(GroupTasks, "it is done", "not yet") }

// Releasing returns the keys that answer whether a task is taken from its agent.
func Releasing() []Binding { return yesOrNo(GroupTasks, "release it", "let it work") }

// Cancelling returns the keys that answer whether a task is cancelled.
func Cancelling() []Binding { return yesOrNo(GroupTasks, "cancel it", "keep it") }

// Prioritizing returns the keys that answer how urgent a task is. They say which priority it has
// now, unless that is none of theirs.
func Prioritizing(now int) []Binding {
	var keys []Binding
	for priority, words := range []string{"before everything else", "soon", "as usual", "later", "when nothing else is ready"} {
		if priority == now {
			words += " (now)"
		}
		digit := strconv.Itoa(priority)
		keys = append(keys, Bind(Digit, GroupTasks, digit, digit, "P"+digit+": "+words))
	}
	return append(keys, Bind(Escape, GroupTasks, "esc n q ctrl+c", "esc", "as it is"))
}

// Commenting returns the keys while a person writes to the agent why a report goes back. All
// other keys write.
func Commenting() []Binding {
	return writing(
		Bind(Submit, GroupTasks, "ctrl+s", "ctrl+s", "send it back"),
		Bind(Escape, GroupTasks, "esc ctrl+c", "esc", "decide later"))
}

// Choosing returns the keys that move the focus between the answers of a question, and Enter,
// which gives the one with the focus. They are the same for everybody.
func Choosing() []Binding {
	return []Binding{
		Bind(Prev, "", "shift+tab", "shift+tab", "the answer before"),
		Bind(Next, "", "tab", "tab", "the next answer"),
		Bind(Up, "", "up", "↑", "the answer before"),
		Bind(Down, "", "down", "↓", "the next answer"),
		Bind(Left, "", "left", "←", "the answer before"),
		Bind(Right, "", "right", "→", "the next answer"),
		Bind(Enter, "", "enter", "enter", "this answer"),
	}
}

// writing returns the keys while a person writes to an agent, with those that end it.
func writing(ends ...Binding) []Binding {
	keys := append(ends,
		Bind(Enter, "", "enter", "enter", "a new line"),
		Bind(Up, "", "up", "↑", "a line up"),
		Bind(Down, "", "down", "↓", "a line down"),
		Bind(Left, "", "left", "←", "the character before"),
		Bind(Right, "", "right", "→", "the character behind"),
		Bind(Home, "", "home", "home", "the start of the line"),
		Bind(End, "", "end", "end", "the end of the line"))
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

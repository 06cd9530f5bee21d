package keymap

// GroupTasks is the heading of what a person decides about tasks.
const GroupTasks = "Deciding"

// TasksGroups are the headings of the help of tasks, in its order.
func TasksGroups() []string { return []string{GroupMove, GroupTasks, GroupLook} }

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

		Bind(Enter, GroupLook, "enter", "enter", "open the task: contracts, attempts, evidence, where it came from").Short("open the task"),
		Bind(Next, GroupLook, "tab", "tab", "board or graph").Short("board or graph"),
		Bind(Why, GroupLook, "w", "w", "why the task is not ready").Short("why it is not ready"),
		Bind(Visit, GroupLook, "g", "g", "go to the tmux pane of the agent that works on it").Short("go to its agent's pane"),
		Bind(Filter, GroupLook, "/", "/", "filter by words of the title, the state, the agent or the id").Short("filter"),
	}
	return append(keys, Common()...)
}

// TasksTable returns the keys of tasks with their full sentences. docs/keys.md is made from it.
func TasksTable() []Row { return Table(Map{OutsideText: Tasks()}, TasksGroups()) }

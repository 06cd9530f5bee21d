package tasks

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	rules "planb/plans/tasks"
	"planb/themes"
	"planb/tui/keymap"
	"planb/tui/screen"
)

// column is a column of the board.
type column int

// The columns, from left to right.
const (
	ready column = iota
	working
	needsYou
	blocked
	finished
	toApprove // of a proposed plan, which has no other one
	columns
)

// name is what the column is called.
func (c column) name() string {
	return [columns]string{"Ready", "In work", "Needs you", "Blocked", "Done", "To approve"}[c]
}

// state is the state whose mark and colour the column has.
func (c column) state() rules.State {
	return [columns]rules.State{rules.Ready, rules.InProgress, rules.NeedsReview, rules.Blocked, rules.Done, rules.NeedsReview}[c]
}

// mark is the mark of the column in its colour.
func (c column) mark(st *screen.Styles) string {
	return st.Role(themes.RoleOfTask(c.state())).Render(c.state().Standing().Mark)
}

// column returns where a task stands on the board. A task that only the person can do or
// permit stands under needsYou, whatever its state is.
func (p *plan) column(n int) column {
	state := p.view.State(n)
	switch {
	case p.Status == rules.PlanProposed:
		return toApprove
	case state.Final():
		return finished
	case state.Held():
		return working
	case p.view.Wants(n) != rules.WantsNothing:
		return needsYou
	case state == rules.Ready:
		return ready
	}
	return blocked
}

// sorted returns the tasks by column: those to be done soonest first, in work those that
// were claimed first, and of a proposed plan each one behind those that it waits for.
func (p *plan) sorted() (sorted [columns][]int) {
	for _, n := range p.tasks() {
		c := p.column(n)
		sorted[c] = append(sorted[c], n)
	}
	candidate := func(n int) rules.Candidate {
		return rules.Candidate{Number: n, Priority: p.view.Priority(n), Minutes: p.view.PathMinutes(n)}
	}
	soonest := func(a, b int) int { return candidate(a).Compare(candidate(b)) }
	slices.SortFunc(sorted[ready], soonest)
	slices.SortFunc(sorted[needsYou], soonest)
	slices.SortFunc(sorted[blocked], soonest)
	slices.SortStableFunc(sorted[working], func(a, b int) int { return p.view.Claims[a].At.Compare(p.view.Claims[b].At) })
	if p.Status == rules.PlanProposed {
		step := make([]int, p.Graph.Len())
		for i, layer := range p.Graph.Layers() {
			for _, n := range layer {
				step[n-1] = i
			}
		}
		ended := func(n int) int {
			if p.view.State(n).Final() {
				return 1
			}
			return 0
		}
		slices.SortFunc(sorted[toApprove], func(a, b int) int { return cmp.Or(step[a-1]-step[b-1], ended(a)-ended(b), soonest(a, b)) })
	}
	return sorted
}

// board is the plan in columns: what is listed, and the cursor. It knows no terminal.
type board struct {
	plan   *plan
	filter string
	all    [columns][]int // every task
	cards  [columns][]int // those that pass the filter
	lists  [columns]screen.List
	at     column // with the cursor
	picked map[int]bool
	tall   [columns]int // lines that all cards of a column take
	// heights returns a function that tells how many lines a card of a column takes.
	heights func(c column) func(n int) int
}

// show shows the plan as it was read anew. The cursor stays on its task, wherever that
// stands now. At first it goes to what needs the person, else to what is ready.
func (b *board) show(p *plan) {
	first, task := b.plan == nil, b.task()
	b.plan, b.all = p, p.columns
	b.layOut()
	left, right := b.span()
	if first || b.at < left || b.at > right {
		b.at = left
		b.toFirst()
	}
	if !first {
		b.moveTo(task)
	}
}

// span returns the first and the last column that the plan has.
func (b *board) span() (first, last column) {
	if b.plan != nil && b.plan.Status == rules.PlanProposed {
		return toApprove, toApprove
	}
	return ready, finished
}

// toFirst puts the cursor into the first column that has a card, in the order of what matters to
// the person.
func (b *board) toFirst() {
	for _, c := range []column{needsYou, ready, working, blocked, finished} {
		if len(b.cards[c]) > 0 || c == needsYou && b.filter == "" && b.plan != nil && len(b.plan.changes) > 0 {
			b.at = c
			return
		}
	}
}

// layOut makes the cards anew, for another filter or other heights.
func (b *board) layOut() {
	if b.plan == nil {
		return
	}
	for c := range columns {
		task := b.taskIn(c)
		b.cards[c] = b.all[c]
		if b.filter != "" {
			b.cards[c] = slices.DeleteFunc(slices.Clone(b.all[c]), func(n int) bool { return !b.plan.has(n, b.filter) })
		}
		b.tall[c] = 0
		heights, height := make([]int, len(b.cards[c])), b.heights(c)
		for i, n := range b.cards[c] {
			heights[i] = height(n)
			b.tall[c] += heights[i]
		}
		at := slices.Index(b.cards[c], task)
		if at < 0 {
			at = b.lists[c].Cursor
		}
		b.lists[c].SetRows(heights, at)
	}
}

// has reports whether a task has all words of a filter: in its title, its key, its state or
// the name of who works on it.
func (p *plan) has(n int, filter string) bool {
	text := strings.ToLower(strings.Join([]string{
		p.title(n), p.Graph.Key(n), rules.Short(p.ID) + "." + digits(n), p.column(n).name(), p.view.Claims[n].Worker,
	}, "\n"))
	for _, word := range filterWords(filter) {
		if !strings.Contains(text, word) {
			return false
		}
	}
	return true
}

// filterWords are the words of a filter in lower case.
func filterWords(filter string) []string { return strings.Fields(strings.ToLower(filter)) }

// setFilter narrows the board. The cursor goes to the first column that has a hit; without a
// filter it stays on its task.
func (b *board) setFilter(filter string) {
	task := b.task()
	b.filter = filter
	b.layOut()
	if filter == "" {
		b.moveTo(task)
		return
	}
	b.toFirst()
}

// hits is how many tasks pass the filter.
func (b *board) hits() (count, cancelled int) {
	return b.plan.counted(slices.Concat(b.cards[:]...))
}

// task is the task under the cursor; 0 if there is none.
func (b *board) task() int { return b.taskIn(b.at) }

func (b *board) taskIn(c column) int {
	if at := b.lists[c].Cursor; at < len(b.cards[c]) {
		return b.cards[c][at]
	}
	return 0
}

// moveTo puts the cursor on a task, if it is listed.
func (b *board) moveTo(task int) {
	for c := range columns {
		if at := slices.Index(b.cards[c], task); at >= 0 {
			b.at = c
			b.lists[c].MoveTo(at)
			return
		}
	}
}

// act does an action that moves the cursor, and reports whether it is one. Left and right
// stop at empty columns, too; their names say that they are empty.
func (b *board) act(act keymap.Action) bool {
	first, last := b.span()
	switch act {
	case keymap.Left:
		b.at = max(b.at-1, first)
	case keymap.Right:
		b.at = min(b.at+1, last)
	default:
		return b.lists[b.at].Act(act)
	}
	return true
}

// pick adds a task to the picked ones, or takes it out.
func (b *board) pick(task int) {
	if task == 0 {
		return
	}
	if b.picked == nil {
		b.picked = map[int]bool{}
	}
	if b.picked[task] {
		delete(b.picked, task)
		return
	}
	b.picked[task] = true
}

// chosen returns the tasks that a key acts on: the picked ones, else the one under the
// cursor.
func (b *board) chosen(task int) []int {
	if len(b.picked) == 0 && task != 0 {
		return []int{task}
	}
	return slices.Sorted(maps.Keys(b.picked))
}

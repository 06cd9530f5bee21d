package tasks

import (
	"time"

	"planb/questions/safe"
)

// Situation is what a store reads of one plan at a moment.
type Situation struct {
	Graph    *Graph
	Marks    Marks
	Unlocked []bool // as Graph.Unlocked returns it
	HeldBack []int  // tasks that the person has held back
	Status   Status
	Paused   bool
	Claims   map[int]Claim // by task
	Now      time.Time
	Grace    time.Duration // how long a holder that is gone keeps its task
	// Elsewhere are the tasks in work of other plans of the project that touch files.
	Elsewhere []Elsewhere
}

// Elsewhere is a task in work of another plan.
type Elsewhere struct {
	Plan, Title safe.Text // of the plan, and of the task
	Files       []string
	Claim       Claim
}

// View answers what is ready in a Situation, what comes first, and why the rest is
// not ready. It is made for one reading and kept nowhere.
type View struct {
	Situation
	tasks []derived // task n at n-1
	back  []bool    // task n at n-1: the person holds it back; nil if they hold back none
	files *claimedFiles
}

// derived is what the edges of a task make of its state.
type derived struct {
	open     bool   // not in a final state
	counts   bool   // the tasks that it waits for take over its priority, and their paths include it
	priority uint8  // the least of its own and those of the counting tasks that wait for it
	waits    uint16 // open tasks that it waits for
	path     uint32 // minutes of the longest chain that begins with it
}

// Look makes the view. Marks must be Valid for the graph. It takes time
// proportional to the tasks and edges.
func Look(s Situation) *View {
	v := &View{Situation: s, tasks: make([]derived, s.Graph.Len())}
	if len(s.HeldBack) > 0 {
		v.back = make([]bool, len(v.tasks))
	}
	for _, n := range s.HeldBack {
		if n > 0 && n <= len(v.back) {
			v.back[n-1] = true
		}
	}
	for i := range v.tasks {
		letter := s.Marks[2*i]
		v.tasks[i].open = letter != 'd' && letter != 'x' && s.Graph.nodes[i].flags&dropped == 0
		// In an active plan a task that no person approved makes nothing more urgent.
		// Otherwise an agent could prioritize a task by adding one that waits for it.
		v.tasks[i].counts = v.tasks[i].open && (s.Status != PlanActive || s.Unlocked[i])
	}
	for at := len(v.tasks) - 1; at >= 0; at-- { // those that wait come before what they wait for
		v.derive(int(s.Graph.order[at]))
	}
	return v
}

// derive computes task n from the tasks that wait for it, and counts n at the tasks that n
// waits for.
func (v *View) derive(n int) {
	t := &v.tasks[n-1]
	if !t.open {
		return
	}
	t.priority = v.Marks[2*n-1] - '0'
	for _, e := range v.Graph.waiting.of(n) {
		d := &v.tasks[e.On-1]
		if d.open {
			d.waits++
		}
		if d.counts {
			t.priority = min(t.priority, d.priority)
			t.path = max(t.path, d.path)
		}
	}
	t.path += uint32(v.Graph.nodes[n-1].minutes)
}

// State returns the state of task n: Blocked or Ready where Open is stored, or
// where a claim has lapsed.
func (v *View) State(n int) State {
	stored := v.stored(n)
	switch {
	case !v.free(n, stored):
		return stored
	case v.ready(n):
		return Ready
	}
	return Blocked
}

// stored returns the state of task n as it is kept. A dropped task counts as
// cancelled.
func (v *View) stored(n int) State {
	if v.Graph.Dropped(n) {
		return Cancelled
	}
	return v.Marks.State(n)
}

// free reports whether nobody holds task n and nothing was decided about it.
func (v *View) free(n int, stored State) bool {
	if stored.Held() {
		claim, ok := v.Claims[n]
		return ok && claim.Lapsed(v.Now, v.Grace)
	}
	return stored == Open
}

// ready reports whether nothing blocks task n, which is free; see blocked.
func (v *View) ready(n int) bool {
	return v.Status == PlanActive && !v.Paused && v.Unlocked[n-1] && v.tasks[n-1].waits == 0
}

// Offered reports whether task n may be given to an agent that asks for any task.
func (v *View) Offered(n int) bool {
	for range v.obstacles(n) {
		return false
	}
	return true
}

// Priority returns the effective priority of an open task: the least of its own and
// those of the open tasks that wait for it. In an active plan a locked one does not count.
func (v *View) Priority(n int) int { return int(v.tasks[n-1].priority) }

// Unblocks returns how many open tasks wait for task n itself.
func (v *View) Unblocks(n int) (count int) {
	for _, e := range v.Graph.Dependents(n) {
		if v.tasks[e.On-1].open {
			count++
		}
	}
	return count
}

// Counts returns how many tasks are in each state, as Shown returns it, without dropped ones.
func (v *View) Counts() map[State]int {
	counts := map[State]int{}
	var done, blocked, ready int // nearly all of them
	for i := range v.tasks {
		n := i + 1
		switch letter := v.Marks[2*i]; {
		case v.Graph.Dropped(n):
		case letter == 'd':
			done++
		case letter != 'o', v.locked(n):
			counts[v.Shown(n)]++
		case !v.ready(n):
			blocked++
		case v.Graph.Human(n):
			counts[NeedsReview]++
		default:
			ready++
		}
	}
	for state, count := range map[State]int{Done: done, Blocked: blocked, Ready: ready} {
		if count += counts[state]; count > 0 {
			counts[state] = count
		}
	}
	return counts
}

// Settle puts task n into a final state and returns the tasks that became ready by
// it, the best first. It takes time proportional to the tasks that wait for n.
// Priorities and paths stay as they were, which is right for those tasks: they
// depend only on tasks that come later.
func (v *View) Settle(n int, s State) []int {
	v.Marks.Set(n, s)
	if !v.tasks[n-1].open {
		return nil
	}
	v.tasks[n-1].open = false
	var readied []int
	for _, e := range v.Graph.Dependents(n) {
		d := &v.tasks[e.On-1]
		if !d.open {
			continue
		}
		if d.waits--; d.waits == 0 && v.State(e.On) == Ready {
			readied = append(readied, e.On)
		}
	}
	return v.sorted(readied)
}

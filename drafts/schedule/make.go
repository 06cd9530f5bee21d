package schedule

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Make places the plan. Its error is Problems: unknown ids, ids that wait for
// themselves, cycles, days and flags outside their limits.
func Make(p Plan) (Schedule, error) {
	r := &reader{plan: p, tasks: map[string]*work{}, leaves: map[string]int{}, net: &network{}}
	r.read()
	if len(r.problems) > 0 {
		return Schedule{}, r.problems
	}
	r.link()
	if len(r.problems) > 0 {
		return Schedule{}, r.problems
	}
	if cycle := r.net.sort(); cycle != nil {
		r.reportCycle(cycle)
		return Schedule{}, r.problems
	}
	return r.schedule(), nil
}

// reader turns a plan into a network.
type reader struct {
	plan     Plan
	net      *network
	all      []leaf         // in the order of their ids; the leaves of net
	leaves   map[string]int // index in all by id
	tasks    map[string]*work
	notices  []string
	problems Problems
}

// leaf is a leaf before it is placed.
type leaf struct {
	Leaf
	days  Days
	after []string // of the subtask
	task  *work
}

// work is a task with its leaves.
type work struct {
	Task
	phase  int
	leaves []int
	gate   int // index of the node that stands for the end of the task; 0 for none yet
}

func (r *reader) read() {
	if p := r.plan.Flags.Parallel; p < 1 || p > MaxParallel {
		r.problems.add("the plan", "parallel", fmt.Sprint(p), fmt.Sprintf("1 to %d", MaxParallel))
	}
	seen := map[string]bool{}
	for i, phase := range r.plan.Phases {
		r.id(phase.ID, "", seen)
		for _, t := range phase.Tasks {
			r.id(t.ID, phase.ID, seen)
			w := &work{Task: t, phase: i}
			r.tasks[t.ID] = w
			for _, s := range t.Subtasks {
				r.id(s.ID, t.ID, seen)
			}
			r.all = append(r.all, leavesOf(w)...)
		}
	}
	slices.SortStableFunc(r.all, func(a, b leaf) int { return compareIDs(a.ID, b.ID) })
	for i, l := range r.all {
		r.leaves[l.ID] = i
		l.task.leaves = append(l.task.leaves, i)
		if d := l.days; d.Min < 1 || d.Min > d.Likely || d.Likely > d.Max || d.Max > maxDays {
			r.problems.add(l.ID, "days", fmt.Sprintf("min %d, likely %d, max %d", d.Min, d.Likely, d.Max),
				fmt.Sprintf("whole days with 1 ≤ min ≤ likely ≤ max ≤ %d", maxDays))
		}
	}
}

func leavesOf(w *work) (list []leaf) {
	if len(w.Subtasks) == 0 {
		l := Leaf{ID: w.ID, Name: w.Name, Phase: w.phase, Days: w.Days.Likely, Wait: w.Wait, Milestone: w.Makes}
		return []leaf{{Leaf: l, days: w.Days, task: w}}
	}
	for _, s := range w.Subtasks {
		l := Leaf{ID: s.ID, Name: s.Name, Phase: w.phase, Days: s.Days.Likely, Wait: s.Wait, Milestone: w.Makes}
		list = append(list, leaf{Leaf: l, days: s.Days, after: s.After, task: w})
	}
	return list
}

func (r *reader) id(id, parent string, seen map[string]bool) {
	allowed := "a number, as 1"
	if parent != "" {
		allowed = parent + "., and a number, as " + parent + ".1"
	}
	switch {
	case !childOf(id, parent):
		r.problems.add(fmt.Sprintf("%q", id), "id", fmt.Sprintf("%q", id), allowed)
	case seen[id]:
		r.problems.add(id, "id", id+" twice", "an id of its own")
	}
	seen[id] = true
}

// link makes the nodes and the edges.
func (r *reader) link() {
	r.net.leaves = len(r.all)
	for _, l := range r.all {
		x := node{wait: l.Wait, until: never}
		if d := l.task.NotBefore; !d.IsZero() {
			x.from = r.plan.Start.DaysUntil(d)
		}
		if d := l.task.Due; !d.IsZero() {
			x.until = r.plan.Start.DaysUntil(d) + 1
		}
		r.net.add(x)
	}
	if r.plan.Flags.PhaseOrder {
		r.linkPhases()
	}
	milestones := map[string]bool{}
	for _, m := range r.plan.Milestones {
		milestones[m.ID] = true
	}
	for _, phase := range r.plan.Phases {
		for _, t := range phase.Tasks {
			if t.Makes != "" && !milestones[t.Makes] {
				r.problems.add(t.ID, "makes", t.Makes, r.milestones())
			}
			r.linkTask(r.tasks[t.ID])
			r.linkSubtasks(r.tasks[t.ID])
		}
	}
}

// linkPhases lets each phase wait for the phase with leaves before it.
func (r *reader) linkPhases() {
	var before []int
	for _, phase := range r.plan.Phases {
		var own []int
		for _, t := range phase.Tasks {
			own = append(own, r.tasks[t.ID].leaves...)
		}
		if len(own) == 0 {
			continue
		}
		if len(before) > 0 {
			gate := r.gate(before)
			for _, i := range own {
				r.net.connect(gate, i, FinishStart, 0)
			}
		}
		before = own
	}
}

// gate adds a node that is reached when all given leaves have ended.
func (r *reader) gate(leaves []int) int {
	gate := r.net.add(node{wait: true, until: never})
	for _, i := range leaves {
		r.net.connect(i, gate, FinishStart, 0)
	}
	return gate
}

// linkTask adds the edges of a task's After. They are checked even if the flags
// leave them out.
func (r *reader) linkTask(w *work) {
	for _, text := range w.After {
		link, ok := ParseLink(text)
		before := r.tasks[link.ID]
		switch {
		case !ok || link.Relation != FinishStart:
			r.problems.add(w.ID, "after", fmt.Sprintf("%q", text), "the id of a task, with a lag in days or without, as 2.1 or 2.1+3")
		case before == nil:
			r.problems.add(w.ID, "after", text+", and there is no task "+link.ID, r.otherTasks(w))
		case before == w:
			r.problems.add(w.ID, "after", "itself", r.otherTasks(w))
		case r.plan.Flags.PhaseOrder && before.phase > w.phase:
			r.notices = append(r.notices, fmt.Sprintf("%s after %s was dropped: phase %s comes after phase %s.",
				w.ID, before.ID, r.plan.Phases[before.phase].ID, r.plan.Phases[w.phase].ID))
		case r.plan.Flags.Edges:
			if before.gate == 0 {
				before.gate = r.gate(before.leaves)
			}
			for _, i := range w.leaves {
				r.net.connect(before.gate, i, FinishStart, link.Lag)
				r.all[i].After = append(r.all[i].After, link.String())
			}
		}
	}
}

func (r *reader) linkSubtasks(w *work) {
	inTurn := len(w.Subtasks) > 0
	for _, s := range w.Subtasks {
		inTurn = inTurn && len(s.After) == 0
	}
	if inTurn {
		for k := 1; k < len(w.Subtasks); k++ {
			r.linkLeaf(r.leaves[w.Subtasks[k].ID], w.Subtasks[k-1].ID)
		}
		return
	}
	for _, s := range w.Subtasks {
		for _, text := range s.After {
			r.linkLeaf(r.leaves[s.ID], text)
		}
	}
}

func (r *reader) linkLeaf(i int, text string) {
	l := &r.all[i]
	link, ok := ParseLink(text)
	before, found := r.leaves[link.ID]
	switch {
	case !ok:
		r.problems.add(l.ID, "after", fmt.Sprintf("%q", text), "the id of a subtask, with FS, SS, FF or SF and a lag or without, as 2.2.1 or 2.2.1SS+1")
	case !found:
		r.problems.add(l.ID, "after", text+", and there is no subtask "+link.ID, r.otherLeaves(l))
	case before == i:
		r.problems.add(l.ID, "after", "itself", r.otherLeaves(l))
	case r.all[before].Phase != l.Phase:
		r.problems.add(l.ID, "after", text+", which is in another phase", r.otherLeaves(l))
	default:
		r.net.connect(before, i, link.Relation, link.Lag)
		l.After = append(l.After, link.String())
	}
}

func (r *reader) otherTasks(w *work) string {
	var ids []string
	for i, phase := range r.plan.Phases {
		for _, t := range phase.Tasks {
			if (i <= w.phase || !r.plan.Flags.PhaseOrder) && t.ID != w.ID {
				ids = append(ids, t.ID)
			}
		}
	}
	return oneOf(ids)
}

func (r *reader) otherLeaves(l *leaf) string {
	var ids []string
	for _, other := range r.all {
		if other.Phase == l.Phase && other.ID != l.ID {
			ids = append(ids, other.ID)
		}
	}
	return oneOf(ids)
}

func (r *reader) milestones() string {
	var ids []string
	for _, m := range r.plan.Milestones {
		ids = append(ids, m.ID)
	}
	return oneOf(ids)
}

// oneOf names what may be chosen, or the beginning of a long list.
func oneOf(ids []string) string {
	const most = 12
	switch {
	case len(ids) == 0:
		return "nothing"
	case len(ids) > most:
		return fmt.Sprintf("one of %s … (%d in all)", strings.Join(ids[:most], ", "), len(ids))
	}
	return "one of " + strings.Join(ids, ", ")
}

func (r *reader) reportCycle(cycle []int) {
	ids := make([]string, 0, len(cycle)+1)
	for _, i := range cycle {
		ids = append(ids, r.all[i].ID)
	}
	// The cycle begins with its least id, so that the same plan has the same problem.
	least := slices.IndexFunc(cycle, func(i int) bool { return i == slices.Min(cycle) })
	ids = slices.Concat(ids[least:], ids[:least])
	got := ids[0]
	for _, id := range ids[1:] {
		got += ", then " + id
	}
	r.problems.add(ids[0], "after", "a cycle: "+got+", then "+ids[0]+" again", "an order in which each comes before what waits for it")
}

func (r *reader) schedule() Schedule {
	out := Schedule{Start: r.plan.Start, Notices: r.notices}
	likely := r.run(func(d Days) int { return d.Likely })
	least := r.run(func(d Days) int { return d.Min })
	most := r.run(func(d Days) int { return d.Max })
	out.End = Days{least.end, likely.end, most.end}
	for i, l := range r.all {
		l.ES, l.LS, l.Placed = likely.earliest[i], likely.latest[i], likely.placed[i]
		out.Leaves = append(out.Leaves, l.Leaf)
	}
	r.deadlines(&out, likely, most)
	return out
}

// run is the plan with one of its three estimates.
type run struct {
	days, earliest, latest, placed []int
	end                            int
}

func (r *reader) run(of func(Days) int) run {
	days := make([]int, len(r.net.nodes)) // gates have none
	for i, l := range r.all {
		days[i] = of(l.days)
	}
	earliest := r.net.earliest(days)
	latest := r.net.latest(days, earliest)
	placed := r.net.place(days, latest, r.plan.Flags.Parallel)
	return run{days, earliest, latest, placed, r.net.end(days, placed)}
}

// last returns the last day of the leaves.
func (x run) last(leaves []int) int {
	end := 0
	for _, i := range leaves {
		end = max(end, x.placed[i]+x.days[i])
	}
	return end - 1
}

func (r *reader) deadlines(out *Schedule, likely, most run) {
	add := func(id, name string, due Date, leaves []int) {
		day := r.plan.Start.DaysUntil(due)
		last := likely.last(leaves)
		out.Deadlines = append(out.Deadlines, Deadline{
			ID: id, Name: name, Due: due, Last: r.plan.Start.AddDays(last),
			Slack: day - last, LateMax: max(0, most.last(leaves)-day),
		})
	}
	makers := map[string][]int{}
	for _, phase := range r.plan.Phases {
		for _, t := range phase.Tasks {
			w := r.tasks[t.ID]
			makers[t.Makes] = append(makers[t.Makes], w.leaves...)
			if !t.Due.IsZero() {
				add(t.ID, t.Name, t.Due, w.leaves)
			}
		}
	}
	for _, m := range r.plan.Milestones {
		switch leaves := makers[m.ID]; {
		case len(leaves) == 0:
			out.Notices = append(out.Notices, m.ID+" is made by no task, so that its day cannot be checked.")
		case !m.Due.IsZero():
			add(m.ID, m.Name, m.Due, leaves)
		}
	}
}

func (s Schedule) byStart() []Leaf {
	return slices.SortedStableFunc(slices.Values(s.Leaves), func(a, b Leaf) int { return cmp.Compare(a.ES, b.ES) })
}

package tasks

import (
	"context"
	"slices"

	"planb/plans/tasks"
	"planb/store/kv"
	"planb/store/ledger"
)

// revision is a plan with all its tasks, read to change them.
type revision struct {
	s     *Store
	plan  planRecord
	graph *tasks.Graph
	marks tasks.Marks // as they are kept: a claimed task is open in them
	whole Whole
	tasks tasks.Plan // with the priorities that the tasks have now

	planR, marksR kv.Record
}

// revise reads an active plan. verb is what the caller wants to do with it.
func (s *Store) revise(ctx context.Context, by Caller, id string) (*revision, error) {
	plan, err := s.planID(ctx, by, id)
	if err != nil {
		return nil, err
	}
	m, err := s.moment(ctx, plan)
	if err != nil {
		return nil, err
	}
	r := &revision{s: s, planR: m.plan, marksR: m.marks}
	if r.plan, err = s.readPlan(ctx, by, id, m.plan); err != nil {
		return nil, err
	}
	if r.plan.Status != tasks.PlanActive {
		return nil, tasks.RequiresApproval(r.plan.Title, r.plan.Status)
	}
	if r.whole, err = s.whole(ctx, r.plan, m); err != nil {
		return nil, err
	}
	r.graph = r.whole.Graph
	if r.marks, err = s.marks(m.marks, r.graph); err != nil {
		return nil, err
	}
	list, err := s.Tasks(ctx, r.whole)
	if err != nil {
		return nil, err
	}
	r.tasks = tasks.Plan{Title: r.graph.Title(), Description: r.graph.Description(), Tasks: list}
	return r, nil
}

// grown returns the states of the tasks of a later version of the plan.
func (r *revision) grown(plan tasks.Plan) tasks.Marks {
	marks := append(slices.Clone(r.marks), tasks.NewMarks(plan.Tasks)[len(r.marks):]...)
	for _, t := range plan.Tasks {
		if t.Dropped {
			marks.Set(t.Number, tasks.Cancelled)
		}
	}
	return marks
}

// put writes a later version of the plan, and other fields of its record.
func (r *revision) put(ctx context.Context, c *ledger.Change, v *version, marks tasks.Marks, fields ...any) error {
	count := v.plan.KeptCount()
	if err := r.s.countProject(ctx, c, r.plan.Project, count-r.plan.Tasks); err != nil {
		return err
	}
	fields = append(fields, "title", v.plan.Title, "tasks", count, "content", v.content, "updated", r.s.ledger.Clock())
	if err := r.s.ledger.Rewrite(c, r.planR, fields...); err != nil {
		return err
	}
	if err := r.s.ledger.Rewrite(c, r.marksR, "marks", string(marks)); err != nil {
		return err
	}
	return r.s.keep(ctx, c, v, r.plan.Content)
}

// locked returns the tasks of a later version that no person approved, by the
// approval so far.
func (r *revision) locked(g *tasks.Graph) []int {
	var list []int
	for i, unlocked := range g.Unlocked(r.whole.Approved, r.plan.Held) {
		if n := i + 1; !unlocked && !g.Dropped(n) {
			list = append(list, n)
		}
	}
	return list
}

// Addition is a task that is added to an active plan.
type Addition struct {
	Plan string
	tasks.Seed
	// DiscoveredFrom is the id or the nodeKey of the task during which it was found.
	DiscoveredFrom string
}

// Added is a task that was added.
type Added struct {
	ID     string      `json:"taskId"`
	Key    string      `json:"nodeKey"`
	State  tasks.State `json:"state"`
	Locked bool        `json:"locked"` // no person approved it yet
}

// Add adds a task to an active plan. It is locked until a person approves it. The error
// is a *tasks.Error for a plan that is not active, a nodeKey that another task has, a
// cycle, and for more tasks than the month's quota leaves.
func (s *Store) Add(ctx context.Context, by Caller, a Addition) (Added, error) {
	var done Added
	plan, err := s.planID(ctx, by, a.Plan)
	if err != nil {
		return done, err
	}
	err = s.commit(ctx, by, plan, func(c *ledger.Change) (Event, error) {
		begins(c, by)
		r, err := s.revise(ctx, by, a.Plan)
		if err != nil {
			return Event{}, err
		}
		seed, err := a.seed(r)
		if err != nil {
			return Event{}, err
		}
		next := r.tasks
		n := len(next.Tasks) + 1
		next.Tasks = append(next.Tasks, tasks.Task{Number: n, Seed: seed})
		v, err := newVersion(next)
		if err != nil {
			return Event{}, err
		}
		if err := r.keepsAmendment(ctx, next, v.graph); err != nil {
			return Event{}, err
		}
		if err := s.countMonth(ctx, c, 1); err != nil {
			return Event{}, err
		}
		done = Added{r.whole.TaskID(n), seed.Key, tasks.Blocked, true}
		event := Event{Action: TaskAdded, Tasks: []int{n}, To: string(tasks.Blocked), Hash: v.content.Hash.String()}
		return event, r.put(ctx, c, v, r.grown(next))
	})
	return done, err
}

// seed returns the new task with a soft edge to the task during which it was
// discovered.
func (a Addition) seed(r *revision) (tasks.Seed, error) {
	seed := a.Seed
	if a.DiscoveredFrom == "" {
		return seed, nil
	}
	n, found := r.graph.Find(a.DiscoveredFrom)
	if plan, number, ok := tasks.SplitID(a.DiscoveredFrom); ok && plan == r.plan.ID && number >= 1 && number <= r.graph.Len() {
		n, found = number, true
	}
	if !found {
		return seed, tasks.InvalidBecause("discoveredFrom", "no task of this plan has that id or nodeKey")
	}
	key := r.graph.Key(n)
	if !slices.Contains(slices.Concat(seed.DependsOn, seed.AlsoAfter, seed.Soft), key) && !r.graph.Dropped(n) {
		seed.Soft = append(slices.Clone(seed.Soft), key)
	}
	return seed, nil
}

// Dependency is an edge between two tasks of a plan.
type Dependency struct {
	Task      string
	DependsOn string
	Soft      bool // the task does not wait
	Remove    bool
}

// SetDependency makes a task wait for another one, or removes an edge that an agent added. It
// needs no approval: an edge makes a task wait, and unlocks none. The error is a *tasks.Error
// for a cycle, for a task of another plan, for a plan that is not active, and for an edge that
// a person approved.
func (s *Store) SetDependency(ctx context.Context, by Caller, e Dependency) (Updated, error) {
	plan, n, err := s.splitTask(e.Task)
	if err != nil {
		return Updated{}, err
	}
	other, on, err := s.splitTask(e.DependsOn)
	if err != nil {
		return Updated{}, err
	}
	if other != plan {
		return Updated{}, tasks.CrossPlan(e.DependsOn)
	}
	err = s.commit(ctx, by, plan, func(c *ledger.Change) (Event, error) {
		begins(c, by)
		t, err := s.task(ctx, by, e.Task)
		if err != nil {
			return Event{}, err
		}
		if t.plan.Status != tasks.PlanActive {
			return Event{}, tasks.RequiresApproval(t.plan.Title, t.plan.Status)
		}
		if on > t.graph.Len() || t.graph.Dropped(on) {
			return Event{}, tasks.Missing("task", e.DependsOn, nil)
		}
		g, err := t.graph.AgentEdge(n, on, !e.Soft)
		if e.Remove {
			g, err = t.graph.AgentRemoves(n, on)
		}
		if err != nil || g == t.graph {
			return Event{}, err
		}
		if err := t.keepsAmendment(ctx, by, g); err != nil {
			return Event{}, err
		}
		v := &version{graph: g, content: t.plan.Content}
		if v.content.Graph, err = v.blob("graph of tasks", g.Pack()); err != nil {
			return Event{}, err
		}
		if err := s.ledger.Rewrite(c, t.planR, "content", v.content, "updated", s.ledger.Clock()); err != nil {
			return Event{}, err
		}
		return Event{Action: TaskEdges, Tasks: []int{n, on}}, s.keep(ctx, c, v, t.plan.Content)
	})
	if err != nil {
		return Updated{}, err
	}
	w, err := s.Plan(ctx, by, e.Task)
	if err != nil {
		return Updated{}, err
	}
	return Updated{w.TaskID(n), tasks.Look(w.Situation(s.ledger.Clock())).State(n)}, nil
}

// keepsAmendment refuses edges with which the plan's amendment would not apply any more.
func (t *task) keepsAmendment(ctx context.Context, by Caller, g *tasks.Graph) error {
	if t.plan.Amendment == nil {
		return nil
	}
	r, err := t.s.revise(ctx, by, t.plan.ID)
	if err != nil {
		return err
	}
	if r.planR.Rev != t.planR.Rev {
		return kv.ErrConflict
	}
	later := r.tasks
	later.Tasks = slices.Clone(later.Tasks)
	for i := range later.Tasks {
		later.Tasks[i].Edges = tasks.Edges{}
	}
	g.Complete(later.Tasks)
	return r.keepsAmendment(ctx, later, g)
}

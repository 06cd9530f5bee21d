package tasks

import (
	"context"
	"errors"
	"slices"
	"time"

	"planb/plans/tasks"
	"planb/store/kv"
	"planb/store/ledger"
)

// Claim says who has a task.
type Claim struct {
	tasks.Claim
	State tasks.State `json:"state"`           // claimed or in progress
	Agent string      `json:"agent"`           // the connection
	Place string      `json:"place,omitempty"` // where a person finds the holder; see Caller.Place
}

// QuietAfter is how long a holder may make no call about its task before a person is
// shown that.
const QuietAfter = 30 * time.Minute

// Quiet reports whether the holder made no call about the task for QuietAfter.
func (c Claim) Quiet(now time.Time) bool { return now.Sub(c.LastHeard()) >= QuietAfter }

type claimRecord struct {
	ledger.Header
	Claim
}

// task is one task with its plan, as they were read in one snapshot to change the task.
type task struct {
	s     *Store
	plan  planRecord
	graph *tasks.Graph
	n     int
	marks tasks.Marks // as they are kept: a claimed task is open in them
	claim *Claim      // nil if nobody has the task
	past  pastRecord

	planR, marksR, claimR, pastR kv.Record
}

// task reads the task with that id. The error is a *tasks.Error, task.not_found, if the
// caller finds no such task.
func (s *Store) task(ctx context.Context, by Caller, id string) (*task, error) {
	plan, n, err := s.splitTask(id)
	if err != nil {
		return nil, err
	}
	records, err := s.ledger.GetEach(ctx, planKey(plan), marksKey(plan), attemptsKey(plan, n), claimKey(plan, n))
	if err != nil {
		return nil, err
	}
	for _, f := range records[:3] {
		if f.Err != nil {
			return nil, f.Err
		}
	}
	t := &task{s: s, n: n, planR: records[0].Record, marksR: records[1].Record, pastR: records[2].Record, claimR: records[3].Record}
	if t.plan, err = s.readPlan(ctx, by, id, t.planR); err != nil {
		return nil, noTask(err, id)
	}
	if t.graph, err = s.graph(ctx, t.plan.Content); err != nil {
		return nil, err
	}
	if n > t.graph.Len() || t.graph.Dropped(n) {
		return nil, tasks.Missing("task", id, nil)
	}
	if t.marks, err = s.marks(t.marksR, t.graph); err != nil {
		return nil, err
	}
	if t.past, err = s.readPast(t.pastR); err != nil {
		return nil, err
	}
	return t, t.readClaim(records[3])
}

// noTask is the error for a task whose plan is not found: the task does not exist.
func noTask(err error, id string) error {
	if tasks.CodeOf(err) == tasks.CodePlanNotFound {
		return tasks.Missing("task", id, nil)
	}
	return err
}

// Named returns the ids of the tasks with a nodeKey in the plans that the caller finds. If a plan
// that goes on has one, those of plans that have ended are left out.
func (s *Store) Named(ctx context.Context, by Caller, key string) (ids []string, err error) {
	list, err := s.Plans(ctx, by)
	for _, ended := range []bool{false, true} {
		for _, plan := range list {
			if plan.Err != nil || plan.Status.Final() != ended || len(ids) == tasks.MaxListItems {
				continue
			}
			w, err := s.Plan(ctx, by, plan.ID)
			if ledger.AboutOne(err) {
				continue
			}
			if err != nil {
				return nil, err
			}
			if n, ok := w.Graph.Find(key); ok {
				ids = append(ids, w.TaskID(n))
			}
		}
		if len(ids) > 0 {
			break
		}
	}
	return ids, err
}

// splitTask returns the plan and the number of a task's id.
func (s *Store) splitTask(id string) (plan string, n int, err error) {
	if err := s.owned(); err != nil {
		return "", 0, err
	}
	plan, n, ok := tasks.SplitID(id)
	if !ok || n == 0 {
		return "", 0, tasks.Missing("task", id, nil)
	}
	return plan, n, nil
}

// readClaim notes who has the task. A claim that cannot be read is nobody's, and keeps
// everybody from the task.
func (t *task) readClaim(f ledger.Found) error {
	if f.Err == nil && (!f.Exists() || t.marks.State(t.n) != tasks.Open) {
		return nil
	}
	t.claim = &Claim{State: tasks.Claimed}
	record, err := ledger.DecodeFound[claimRecord](t.s.ledger, f)
	if err == nil {
		t.claim = &record.Claim
	}
	if ledger.AboutOne(err) {
		return nil
	}
	return err
}

// state returns the state of the task as it is kept.
func (t *task) state() tasks.State {
	if t.claim != nil {
		return t.claim.State
	}
	return t.marks.State(t.n)
}

func (t *task) id() string { return taskID(t.plan.ID, t.n) }

// check makes the change depend on the plan and on the task: two changes of one task
// cannot both happen.
func (t *task) check(c *ledger.Change) { c.Check(t.planR, t.claimR, t.pastR) }

// put checks the task, and writes its past.
func (t *task) put(c *ledger.Change) error {
	t.check(c)
	return t.s.putPast(c, t.pastR, t.past)
}

// putClaim writes who has the task.
func (t *task) putClaim(c *ledger.Change, claim Claim) error {
	if t.claimR.Exists() && t.claim.ID == claim.ID {
		return t.s.ledger.Rewrite(c, t.claimR, "state", claim.State, "agent", claim.Agent, "place", claim.Place, "heard", claim.Heard, "gone", claim.Gone, "lease", claim.Lease)
	}
	c.Check(t.claimR)
	return c.Put(t.claimR.Key, claimRecord{ledger.NewHeader(), claim})
}

// free writes that nobody has the task any more.
func (t *task) free(c *ledger.Change) {
	if t.claimR.Exists() {
		c.Delete(t.claimR.Key)
	}
}

// set writes the state of the task that nobody has, and ends the plan if it was its
// last one.
func (t *task) set(ctx context.Context, c *ledger.Change, state tasks.State) error {
	marks := append(tasks.Marks(nil), t.marks...)
	marks.Set(t.n, state)
	t.free(c)
	if err := t.s.ledger.Rewrite(c, t.marksR, "marks", string(marks)); err != nil {
		return err
	}
	if !finished(marks) || t.plan.Status != tasks.PlanActive {
		return nil
	}
	if adds, err := t.amendmentAdds(ctx, marks); adds || err != nil {
		return err
	}
	t.plan.Amendment = nil
	t.plan.Status = tasks.PlanDone
	if t.plan.Session != "" {
		c.Delete(openKey(t.plan.Session, t.plan.ID))
	}
	return t.s.ledger.Rewrite(c, t.planR, "status", tasks.PlanDone, "amendment", nil, "updated", t.s.ledger.Clock())
}

// amendmentAdds reports whether the plan's amendment still adds tasks once all others have ended.
// Else nothing of it applies any more, and no person could decide about it. An amendment that
// cannot be read counts as one that does.
func (t *task) amendmentAdds(ctx context.Context, marks tasks.Marks) (bool, error) {
	if t.plan.Amendment == nil || t.plan.Amendment.Added == 0 {
		return false, nil
	}
	r, err := t.s.revise(ctx, Caller{}, t.plan.ID)
	if err != nil {
		return ledger.AboutOne(err), ledgerFault(err)
	}
	if r.planR.Rev != t.planR.Rev {
		return false, kv.ErrConflict
	}
	r.whole.Marks = marks
	_, g, _, err := r.amended(ctx)
	if err != nil {
		return ledger.AboutOne(err), ledgerFault(err)
	}
	return len(tasks.Compare(r.graph, g).Added) > 0, nil
}

// seed reads the whole task.
func (t *task) seed(ctx context.Context) (tasks.Task, error) {
	list, err := t.s.tasks(ctx, t.plan.Content, t.graph, []int{t.n})
	if err == nil && len(list) != 1 {
		err = errors.New("the text of the task is missing; repair the store with  planb doctor --repair")
	}
	if err != nil {
		return tasks.Task{}, err
	}
	return list[0], nil
}

// attempt returns the attempt that the task's claim belongs to. If its record was lost,
// attempt begins it anew.
func (t *task) attempt() *attemptRecord {
	if last := t.past.last(); t.claim.ID == "" && last != nil && last.End == "" {
		return last // the claim cannot be read
	}
	if found := t.past.find(t.claim.ID); found != nil {
		return found
	}
	t.past.begin(Attempt{ClaimID: t.claim.ID, Worker: t.claim.Worker, At: t.claim.At})
	return t.past.last()
}

// event is the row of what was done to the task.
func (t *task) event(action Action, to tasks.State) Event {
	return Event{Action: action, Tasks: []int{t.n}, From: string(t.state()), To: string(to)}
}

// claims reads who has the tasks of a plan.
func (s *Store) claims(ctx context.Context, plan string) ([]ledger.Found, error) {
	return s.ledger.List(ctx, claimsOf(plan))
}

// viewed reads a task and looks at its whole plan as it was when the task was read. The
// claims on its other tasks may be older: a change of the task does not depend on them, and
// many agents claim and complete at once.
func (s *Store) viewed(ctx context.Context, by Caller, plan, id string) (*task, *tasks.View, Whole, error) {
	claims, err := s.claims(ctx, plan)
	if err != nil {
		return nil, nil, Whole{}, err
	}
	t, err := s.task(ctx, by, id)
	if err != nil {
		return nil, nil, Whole{}, err
	}
	w, err := t.whole(ctx, claims)
	if err == nil {
		w.elsewhere, err = s.elsewhere(ctx, w)
	}
	if err != nil {
		return nil, nil, Whole{}, err
	}
	return t, tasks.Look(w.Situation(s.ledger.Clock())), w, nil
}

// whole is the whole plan as it was when the task was read, without the tasks in work of
// other plans.
func (t *task) whole(ctx context.Context, claims []ledger.Found) (Whole, error) {
	others := slices.DeleteFunc(claims, func(f ledger.Found) bool { return f.Key == t.claimR.Key })
	w, err := t.s.whole(ctx, t.plan, moment{t.planR, t.marksR, others})
	if err != nil {
		return Whole{}, err
	}
	if t.claim != nil {
		w.Marks.Set(t.n, t.claim.State)
		if t.claim.ID != "" {
			w.Claims[t.n] = *t.claim
		}
	}
	return w, nil
}

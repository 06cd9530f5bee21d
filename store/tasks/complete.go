package tasks

import (
	"context"
	"time"

	"planb/plans/tasks"
	"planb/store/ledger"
)

// maxReadied is how many ids of tasks that became ready a result names.
const maxReadied = 50

// Completion is a report that a task is complete.
type Completion struct {
	Task    string
	ClaimID string
	Report  tasks.Report
	// Repository is what the caller read of the git repository that it works in.
	Repository Repository
}

// Completed is what became of a report.
type Completed struct {
	ID      string      `json:"taskId"`
	State   tasks.State `json:"state"`
	Readied []string    `json:"readied"` // ids of the tasks that agents can claim by it, the best first, at most 50
	Plan    Done        `json:"plan"`
	// Keys are the nodeKeys of Readied.
	Keys []string `json:"-"`
	// ForUser are the nodeKeys of tasks that the person can do by it, at most 50.
	ForUser []string `json:"-"`
}

// ready notes the tasks that became ready.
func (c *Completed) ready(t *task, view *tasks.View, readied []int) {
	claimable, human := view.Divided(readied)
	for _, n := range claimable[:min(len(claimable), maxReadied)] {
		c.Readied = append(c.Readied, taskID(t.plan.ID, n))
		c.Keys = append(c.Keys, t.graph.Key(n))
	}
	for _, n := range human[:min(len(human), maxReadied)] {
		c.ForUser = append(c.ForUser, t.graph.Key(n))
	}
}

// Done says how much of a plan is done.
type Done struct {
	ID     string       `json:"-"`
	Status tasks.Status `json:"-"`
	Done   int          `json:"done"`
	Of     int          `json:"of"` // without cancelled tasks
}

// Complete tests a report against the task's contract. If the report meets the contract, the
// task is done, or waits for the person to accept it. If not, the error is a *tasks.Error,
// verification.unmet, and the caller still has the task.
//
// A report of a claim that has lapsed counts if nobody else has claimed the task since. If
// somebody has, Complete keeps the report's text, and the error is task.lease_expired. If the
// same completion comes twice, both calls return the same.
func (c *Connection) Complete(ctx context.Context, by Caller, r Completion) (Completed, error) {
	plan, _, err := c.s.splitTask(r.Task)
	if err != nil {
		return Completed{}, err
	}
	if err := c.begin(ctx); err != nil {
		return Completed{}, err
	}
	defer c.end()
	k := &completing{c: c, s: c.s, request: r}
	err = c.s.commitInTurn(ctx, by, plan, func(ch *ledger.Change) (Event, error) {
		t, err := c.s.task(ctx, by, r.Task)
		if err != nil {
			return Event{}, err
		}
		return k.write(ctx, ch, t)
	})
	if err == nil && k.state != "" {
		c.keeps(k.task, r.ClaimID, k.state)
	}
	if err == nil {
		err = k.refused
	}
	if err != nil {
		return Completed{}, err
	}
	return k.completed(), nil
}

// completing is one call of Complete.
type completing struct {
	c       *Connection
	s       *Store
	request Completion
	task    *task
	before  Whole       // the plan before the task changed
	state   tasks.State // of the task now; empty if the report is late
	again   bool        // the report was accepted before
	refused error       // why it is not complete, although something was written
}

func (k *completing) write(ctx context.Context, c *ledger.Change, t *task) (Event, error) {
	k.task, k.state, k.again, k.refused = t, "", false, nil
	if t.claim == nil || t.claim.ID != k.request.ClaimID {
		return k.late(ctx, c, t)
	}
	seed, err := t.seed(ctx)
	if err != nil {
		return Event{}, err
	}
	to, err := seed.Verification.Check(k.request.Report)
	if err != nil {
		return k.unmet(c, t, err)
	}
	now := k.s.ledger.Clock()
	attempt := t.attempt()
	keep, err := k.s.keepReport(ctx, c, k.request.Report)
	if err != nil {
		return Event{}, err
	}
	attempt.Report, attempt.Long, attempt.Completed = keep.report, keep.long, k.request.Repository
	action, how := TaskDone, EndedDone
	if to == tasks.NeedsReview {
		action, how = TaskReported, EndedReported
	}
	attempt.end(how, now)
	event := t.event(action, to)
	if err := k.read(ctx, t); err != nil {
		return Event{}, err
	}
	k.state = to
	if err := t.put(c); err != nil {
		return Event{}, err
	}
	return event, t.set(ctx, c, to)
}

// read reads the plan around the task, without other plans' tasks in work, whose files decide
// nothing here.
func (k *completing) read(ctx context.Context, t *task) error {
	claims, err := k.s.claims(ctx, t.plan.ID)
	if err == nil {
		k.before, err = t.whole(ctx, claims)
	}
	return err
}

// completed says what the task's new state changes. It comes after the commit, so that other
// agents need not wait for it.
func (k *completing) completed() Completed {
	done := Completed{ID: k.task.id(), State: k.state, Readied: []string{}}
	view := tasks.Look(k.before.Situation(k.s.ledger.Clock()))
	if k.state.Final() && !k.again {
		done.ready(k.task, view, view.Settle(k.task.n, k.state))
	}
	done.Plan = howDone(k.task.plan.Plan, view)
	return done
}

// howDone counts the tasks of a plan that are done.
func howDone(plan Plan, view *tasks.View) Done {
	counts := view.Counts()
	of := 0
	for state, count := range counts {
		if state != tasks.Cancelled {
			of += count
		}
	}
	return Done{plan.ID, plan.Status, counts[tasks.Done], of}
}

// unmet writes that the holder tried, which shows that it is neither silent nor gone.
func (k *completing) unmet(c *ledger.Change, t *task, why error) (Event, error) {
	k.refused, k.state = why, t.claim.State
	claim := *t.claim
	claim.Agent, claim.Heard, claim.Gone = k.c.id, k.s.ledger.Clock(), time.Time{}
	event := t.event(TaskUnmet, t.claim.State)
	t.check(c)
	return event, t.putClaim(c, claim)
}

// late keeps a report of a claim that has ended. For a report that was accepted before, it
// says so again.
func (k *completing) late(ctx context.Context, c *ledger.Change, t *task) (Event, error) {
	attempt := t.past.find(k.request.ClaimID)
	if attempt != nil && (attempt.End == EndedDone || attempt.End == EndedReported) {
		k.state, k.again = t.state(), true
		return Event{}, k.read(ctx, t)
	}
	k.refused = t.ended(k.request.ClaimID, "complete")
	if attempt == nil {
		return Event{}, k.refused
	}
	keep, err := k.s.keepReport(ctx, c, k.request.Report)
	if err != nil {
		return Event{}, err
	}
	t.past.Late = append(t.past.Late, lateRecord{
		Late{At: k.s.ledger.Clock(), ClaimID: attempt.ClaimID, Worker: attempt.Worker, Report: keep.report}, keep.long,
	})
	t.past.Late = t.past.Late[max(0, len(t.past.Late)-KeptLate):]
	event := t.event(TaskLate, t.state())
	c.Check(t.pastR)
	return event, k.s.putPast(c, t.pastR, t.past)
}

package tasks

import (
	"context"
	"fmt"
	"time"

	"planb/plans/tasks"
	"planb/questions/lenient"
	"planb/questions/safe"
	"planb/store/ledger"
)

// Progress is what a holder says about its task.
type Progress struct {
	Task    string
	ClaimID string
	Status  tasks.State // InProgress, Ready (it gives the task back) or NeedsReview
	Note    safe.Text
}

// Updated is the state of a task after its holder said something.
type Updated struct {
	ID    string      `json:"taskId"`
	State tasks.State `json:"state"`
}

// Update writes what a holder says about its task: that it works on it, gives it back,
// or cannot go on without the person. A task that is given back for the third time
// waits for the person. The error is a *tasks.Error for a claim that the task has no
// longer.
func (c *Connection) Update(ctx context.Context, by Caller, p Progress) (Updated, error) {
	action, ok := map[tasks.State]tasks.Action{
		tasks.InProgress: tasks.ActBegin, tasks.Ready: tasks.ActGiveBack, tasks.NeedsReview: tasks.ActStuck,
	}[p.Status]
	var problems lenient.Problems
	if !ok {
		problems.Add("status", lenient.Quote(string(p.Status)), "in_progress, ready or needs_review", "")
	}
	if size := len(p.Note.Raw()); size > tasks.MaxNoteBytes {
		problems.Add("note", fmt.Sprintf("a text of %d bytes", size), fmt.Sprintf("at most %d bytes", tasks.MaxNoteBytes), "")
	}
	if len(problems) > 0 {
		return Updated{}, tasks.Invalid(problems)
	}
	plan, _, err := c.s.splitTask(p.Task)
	if err != nil {
		return Updated{}, err
	}
	if err := c.begin(ctx); err != nil {
		return Updated{}, err
	}
	defer c.end()
	var done Updated
	var t *task
	err = c.s.commit(ctx, by, plan, func(ch *ledger.Change) (Event, error) {
		if t, err = c.s.task(ctx, by, p.Task); err != nil {
			return Event{}, err
		}
		if t.claim == nil || t.claim.ID != p.ClaimID {
			return Event{}, t.ended(p.ClaimID, "update")
		}
		done.ID = t.id()
		var event Event
		event, done.State, err = c.update(ctx, ch, t, action, p.Note)
		return event, err
	})
	if err != nil {
		return Updated{}, err
	}
	c.keeps(t, p.ClaimID, done.State)
	if done.State != tasks.Open {
		return done, nil
	}
	w, err := c.s.Plan(ctx, by, p.Task)
	if err != nil {
		return Updated{}, err
	}
	_, n, _ := tasks.SplitID(p.Task)
	done.State = tasks.Look(w.Situation(c.s.ledger.Clock())).State(n)
	return done, nil
}

// update writes a change that keeps or ends the claim without a report.
func (c *Connection) update(ctx context.Context, ch *ledger.Change, t *task, action tasks.Action, note safe.Text) (Event, tasks.State, error) {
	now := c.s.ledger.Clock()
	to, _ := t.claim.State.After(action, tasks.Agent)
	attempt := t.attempt()
	attempt.note(note, now)
	name := TaskBegun
	switch action {
	case tasks.ActGiveBack:
		name = TaskGivenBack
		t.past.GivenBack++
		attempt.end(EndedByAgent, now)
		if to = tasks.GivenBack(t.past.GivenBack); to == tasks.NeedsReview {
			name = TaskReported
		}
	case tasks.ActStuck:
		name = TaskReported
		attempt.end(EndedStuck, now)
	}
	event := t.event(name, to)
	if err := t.put(ch); err != nil {
		return Event{}, "", err
	}
	switch to {
	case tasks.InProgress:
		claim := *t.claim
		claim.State, claim.Agent, claim.Heard, claim.Gone = to, c.id, now, time.Time{}
		return event, to, t.putClaim(ch, claim)
	case tasks.NeedsReview:
		return event, to, t.set(ctx, ch, to)
	}
	t.free(ch)
	return event, to, nil
}

// keeps notes whether the connection still holds the task after a call about it, or
// waits for what a person says of it.
func (c *Connection) keeps(t *task, claimID string, state tasks.State) {
	c.mu.Lock()
	defer c.mu.Unlock()
	h := c.held[t.id()]
	if h == nil {
		h = &holding{claimID: claimID, hash: t.graph.TaskHash(t.n), paused: t.plan.Paused}
	}
	switch {
	case state.Held():
		c.held[t.id()] = h
	case state == tasks.NeedsReview:
		h.reported = true
		c.held[t.id()] = h
	default:
		delete(c.held, t.id())
	}
}

// ended refuses a call whose claim on the task has ended. verb says what the caller
// wanted to do.
func (t *task) ended(claimID, verb string) error {
	attempt := t.past.find(claimID)
	last := t.past.last()
	switch {
	case attempt == nil:
		if number, ok := tasks.AttemptOf(claimID); ok && last != nil && number < t.past.Count {
			return lastClaim(*last).LeaseExpired() // its attempt is no longer kept
		}
		return tasks.UnknownClaim(claimID)
	case attempt.ClaimID != last.ClaimID:
		return lastClaim(*last).LeaseExpired()
	}
	how := string(attempt.End)
	if how == "" { // the plan was cancelled
		how = string(t.state())
	}
	return tasks.ClaimEnded(verb, how, t.state())
}

// lastClaim is the claim of an attempt.
func lastClaim(a attemptRecord) tasks.Claim {
	return tasks.Claim{ID: a.ClaimID, Worker: a.Worker, At: a.At}
}

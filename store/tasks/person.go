package tasks

import (
	"context"
	"slices"
	"strconv"
	"time"

	"planb/plans/tasks"
	"planb/questions/safe"
	"planb/store/kv"
	"planb/store/ledger"
)

// Accept accepts the report that waits for the person, so that its task is done. The
// error of every decision in this file is a *tasks.Error: conflict if the task's state
// does not allow the decision.
func (s *Store) Accept(ctx context.Context, by Caller, task string, comment safe.Text) (Completed, error) {
	return s.decide(ctx, by, task, decision{action: tasks.ActAccept, row: TaskAccepted, end: EndedAccepted, comment: comment})
}

// SendBack gives a task that waits for the person back to agents, with what is missing.
func (s *Store) SendBack(ctx context.Context, by Caller, task string, comment safe.Text) (Completed, error) {
	return s.decide(ctx, by, task, decision{action: tasks.ActSendBack, row: TaskSentBack, end: EndedSentBack, comment: comment})
}

// Finish makes a ready task of kind human done.
func (s *Store) Finish(ctx context.Context, by Caller, task string, summary safe.Text) (Completed, error) {
	return s.decide(ctx, by, task, decision{action: tasks.ActFinish, row: TaskFinished, end: EndedByFinish, comment: summary})
}

// Cancel takes a task out of the work, whoever has it. Tasks that wait for it wait no
// longer: see WouldReady.
func (s *Store) Cancel(ctx context.Context, by Caller, task string) (Completed, error) {
	return s.decide(ctx, by, task, decision{action: tasks.ActCancel, row: TaskCancelled, end: EndedByCancel})
}

// Release takes a task from its holder, so that others may claim it. Attempts that were
// given back before still count.
func (s *Store) Release(ctx context.Context, by Caller, task string) (Completed, error) {
	return s.decide(ctx, by, task, decision{action: tasks.ActRelease, row: TaskReleased, end: EndedByRelease})
}

// decision is what a person decides about a task.
type decision struct {
	action  tasks.Action
	row     Action
	end     Ending // of the last attempt
	comment safe.Text
}

func (s *Store) decide(ctx context.Context, by Caller, id string, d decision) (Completed, error) {
	if size := len(d.comment.Raw()); size > tasks.MaxNoteBytes {
		return Completed{}, tasks.InvalidBecause("comment", "it has "+strconv.Itoa(size)+" bytes; at most "+strconv.Itoa(tasks.MaxNoteBytes)+" are kept")
	}
	plan, _, err := s.splitTask(id)
	if err != nil {
		return Completed{}, err
	}
	var done Completed
	err = s.commit(ctx, by, plan, func(c *ledger.Change) (Event, error) {
		t, view, _, err := s.viewed(ctx, by, plan, id)
		if err != nil {
			return Event{}, err
		}
		to, err := t.after(d, view, by.Actor)
		if err != nil {
			return Event{}, err
		}
		event := t.event(d.row, to)
		t.decided(d, by, s.ledger.Clock())
		if err := t.put(c); err != nil {
			return Event{}, err
		}
		done, err = t.settle(ctx, c, view, to)
		return event, err
	})
	return done, err
}

// after returns the state that a decision leads to.
func (t *task) after(d decision, view *tasks.View, by tasks.Actor) (tasks.State, error) {
	verb := string(d.action)
	if t.plan.Status != tasks.PlanActive {
		return "", tasks.Conflict(verb, string(t.plan.Status), "its plan is not active. Nothing was changed.")
	}
	now := view.State(t.n)
	if t.claim != nil {
		now = t.claim.State
	}
	to, ok := now.After(d.action, by)
	if !ok {
		return "", tasks.Conflict(verb, string(now), "the task is "+now.Standing().Word+", and that state does not allow this. Nothing was changed.")
	}
	if d.action == tasks.ActFinish && !t.graph.Human(t.n) {
		return "", tasks.Conflict(verb, string(now), "the task is for agents, and only they complete it. Nothing was changed.")
	}
	return to, nil
}

// decided notes in the past of the task what a person decided.
func (t *task) decided(d decision, by Caller, now time.Time) {
	last := t.past.last()
	if t.claim == nil && (last == nil || last.End == "" || d.end == EndedByFinish || d.end == EndedByCancel) {
		t.past.begin(Attempt{ClaimID: tasks.ClaimID(t.past.Count+1, 0), Worker: by.Name, At: now})
		last = t.past.last()
	}
	if t.claim != nil {
		last = t.attempt()
	}
	if last.Ended.IsZero() {
		last.Ended = now
	}
	last.End, last.By, last.Comment = d.end, by.Name, d.comment
	if d.action != tasks.ActRelease { // a release says nothing about the work, and needs no terminal
		t.past.GivenBack = 0
	}
}

// settle writes the state that a decision leads to, and says what it changes.
func (t *task) settle(ctx context.Context, c *ledger.Change, view *tasks.View, to tasks.State) (Completed, error) {
	done := Completed{ID: t.id(), State: to, Readied: []string{}}
	if t.marks.State(t.n) != to {
		if err := t.set(ctx, c, to); err != nil {
			return Completed{}, err
		}
	} else {
		t.free(c)
	}
	if to.Final() {
		done.ready(t, view, view.Settle(t.n, to))
	} else {
		view.Marks.Set(t.n, to)
		delete(view.Claims, t.n)
		done.State = view.State(t.n)
	}
	done.Plan = howDone(t.plan.Plan, view)
	return done, nil
}

// WouldReady returns the ids of the tasks that become ready once a task is done or
// cancelled, the best first.
func (s *Store) WouldReady(ctx context.Context, by Caller, task string) ([]string, error) {
	w, err := s.Plan(ctx, by, task)
	if err != nil {
		return nil, noTask(err, task)
	}
	_, n, _ := tasks.SplitID(task)
	if n < 1 || n > w.Graph.Len() || w.Graph.Dropped(n) {
		return nil, tasks.Missing("task", task, nil)
	}
	var ids []string
	for _, other := range tasks.Look(w.Situation(s.ledger.Clock())).Settle(n, tasks.Cancelled) {
		ids = append(ids, w.TaskID(other))
	}
	return ids, nil
}

// SetPriority changes how urgent a task is, and returns how urgent it was before. It changes
// only the order in which tasks are given out: a locked task stays locked.
func (s *Store) SetPriority(ctx context.Context, by Caller, id string, priority int) (before int, err error) {
	if priority < 0 || priority > tasks.MaxPriority {
		return 0, tasks.InvalidBecause("priority", "it is "+strconv.Itoa(priority)+"; allowed are 0 (most urgent) to "+strconv.Itoa(tasks.MaxPriority))
	}
	plan, _, err := s.splitTask(id)
	if err != nil {
		return 0, err
	}
	err = s.commit(ctx, by, plan, func(c *ledger.Change) (Event, error) {
		t, err := s.task(ctx, by, id)
		if err != nil {
			return Event{}, err
		}
		if by.Actor != tasks.User {
			return Event{}, tasks.Conflict("prioritize", string(t.state()), "only your user can do that.")
		}
		if t.plan.Status != tasks.PlanActive || t.marks.State(t.n).Final() {
			return Event{}, tasks.Conflict("prioritize", string(t.state()), "only an open task of an active plan has a priority. Nothing was changed.")
		}
		if before = t.marks.Priority(t.n); before == priority {
			return Event{}, nil
		}
		t.marks.SetPriority(t.n, priority)
		c.Check(t.planR)
		event := Event{Action: TaskPriority, Tasks: []int{t.n}, From: strconv.Itoa(before), To: strconv.Itoa(priority)}
		return event, s.ledger.Rewrite(c, t.marksR, "marks", string(t.marks))
	})
	return before, err
}

// Pause stops an active plan from giving out tasks, or lets it go on. Holders keep
// their tasks.
func (s *Store) Pause(ctx context.Context, by Caller, id string, paused bool) error {
	return s.changePlan(ctx, by, id, "pause", func(c *ledger.Change, record planRecord, r kv.Record) (Event, error) {
		if record.Status != tasks.PlanActive {
			return Event{}, tasks.Conflict("pause", string(record.Status), "only an active plan can be paused. Nothing was changed.")
		}
		if record.Paused == paused {
			return Event{}, nil
		}
		action := PlanPaused
		if !paused {
			action = PlanResumed
		}
		return Event{Action: action, From: string(record.Status), To: string(record.Status)},
			s.ledger.Rewrite(c, r, "paused", paused, "updated", s.ledger.Clock())
	})
}

// changePlan commits a change of a plan's record.
func (s *Store) changePlan(ctx context.Context, by Caller, id, verb string, change func(*ledger.Change, planRecord, kv.Record) (Event, error)) error {
	plan, err := s.planID(ctx, by, id)
	if err != nil {
		return err
	}
	return s.commit(ctx, by, plan, func(c *ledger.Change) (Event, error) {
		records, err := s.ledger.Get(ctx, planKey(plan))
		if err != nil {
			return Event{}, err
		}
		record, err := s.readPlan(ctx, by, id, records[0])
		if err != nil {
			return Event{}, err
		}
		if by.Actor != tasks.User {
			return Event{}, tasks.Conflict(verb, string(record.Status), "only your user can do that.")
		}
		return change(c, record, records[0])
	})
}

// Edit rewords a task as a person wrote it on a screen. The same commit approves the new words,
// because the person wrote them. The nodeKey stays, and the holder keeps the task. Edit returns
// the task as it was before.
func (s *Store) Edit(ctx context.Context, by Caller, id string, seed tasks.Seed) (before tasks.Seed, err error) {
	plan, n, err := s.splitTask(id)
	if err != nil {
		return tasks.Seed{}, err
	}
	err = s.commit(ctx, by, plan, func(c *ledger.Change) (Event, error) {
		r, err := s.revise(ctx, by, id)
		if err != nil {
			return Event{}, noTask(err, id)
		}
		switch {
		case n > r.graph.Len() || r.graph.Dropped(n):
			return Event{}, tasks.Missing("task", id, nil)
		case by.Actor != tasks.User:
			return Event{}, tasks.Conflict("edit", string(r.plan.Status), "only your user can do that; propose_plan with planId amends the plan.")
		case r.marks.State(n).Final():
			return Event{}, tasks.Conflict("edit", string(r.marks.State(n)), "the task has ended. Nothing was changed.")
		}
		before = r.tasks.Tasks[n-1].Seed
		seed.Key = before.Key
		next := r.tasks
		next.Tasks[n-1].Seed = seed
		v, err := newVersion(next)
		if err != nil {
			return Event{}, err
		}
		wasLocked := !r.graph.Unlocked(r.whole.Approved, r.plan.Held)[n-1]
		if v.content.same(r.plan.Content) && !wasLocked && before.Priority == seed.Priority {
			return Event{}, nil
		}
		var held, unread []int // the edit approves only its own task
		for _, other := range r.locked(r.graph) {
			if other == n {
				continue
			}
			if held = append(held, other); !slices.Contains(r.plan.HeldBack(), other) {
				unread = append(unread, other)
			}
		}
		marks := r.grown(next)
		marks.SetPriority(n, seed.Priority)
		event := Event{Action: TaskEdited, Tasks: []int{n}, Hash: v.content.Hash.String()}
		return event, r.put(ctx, c, v, marks, "approved", v.content, "held", held, "unread", unread)
	})
	return before, err
}

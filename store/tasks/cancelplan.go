package tasks

import (
	"context"

	"planb/plans/tasks"
	"planb/questions"
	"planb/store/kv"
	"planb/store/ledger"
)

// CancelKind is the kind of an ask that asks the person whether to cancel a plan, and
// whose subject is the id of that plan; see store.Subject.
const CancelKind = "cancel-tasks"

// The question of such an ask, and the answer that cancels the plan.
const (
	CancelQuestion = "cancel"
	CancelAnswer   = "cancel"
)

// How many claims the commit that cancels a plan deletes; more are deleted after it. An
// ask's outcome leaves less room in its commit; see store.Settler.
const (
	maxFreed       = 80
	maxFreedByForm = 14
)

// CancelPlan ends a plan that is proposed or active, with all its open tasks.
func (s *Store) CancelPlan(ctx context.Context, by Caller, id string) error {
	var plan string
	err := s.changePlan(ctx, by, id, "cancel", func(c *ledger.Change, record planRecord, r kv.Record) (Event, error) {
		plan = record.ID
		return s.cancel(ctx, c, record, r, maxFreed)
	})
	if err == nil {
		s.dropClaims(ctx, plan)
	}
	return err
}

// dropClaims deletes the claims of a cancelled plan that its commit had no room for. It drops an
// error: a person who is told of it would think that the plan is not cancelled. No call reads
// claims that are left. The deep check names them, and Reindex deletes them.
func (s *Store) dropClaims(ctx context.Context, plan string) {
	_ = s.ledger.DropUnder(ctx, claimsOf(plan))
}

// SettleCancel is the store.Settler of asks of CancelKind. If the person chose to cancel the
// plan, SettleCancel cancels it in the commit that settles the ask. If all tasks of the plan
// were done meanwhile, it refuses the answer. If the plan was cancelled meanwhile, it does
// nothing.
func (s *Store) SettleCancel(ctx context.Context, c *ledger.Change, ask, plan string, outcome questions.Outcome) error {
	if said, _ := outcome.Reply.Answers[CancelQuestion].Text(); outcome.State != questions.Answered || said != CancelAnswer {
		return nil
	}
	records, err := s.ledger.Get(ctx, planKey(plan))
	if err != nil {
		return err
	}
	record, err := s.readPlan(ctx, Caller{}, plan, records[0])
	if err != nil || record.Status == tasks.PlanCancelled {
		return err
	}
	event, err := s.cancel(ctx, c, record, records[0], maxFreedByForm)
	if err != nil {
		return err
	}
	event.Ask, event.Given = ask, s.given()
	return putRow(c, Caller{Actor: tasks.User, Name: outcome.By}, plan, s.ledger.Clock(), event)
}

// SweepCancelled deletes the claims that the commit of SettleCancel had no room for. Of a plan
// that was kept it deletes none.
func (s *Store) SweepCancelled(ctx context.Context, plan string) {
	records, err := s.ledger.Get(ctx, planKey(plan))
	if err != nil {
		return
	}
	if record, err := s.readPlan(ctx, Caller{}, plan, records[0]); err == nil && record.Status == tasks.PlanCancelled {
		s.dropClaims(ctx, plan)
	}
}

// cancel adds to the commit that the plan is cancelled with all its open tasks, and that
// up to so many of its claims are deleted.
func (s *Store) cancel(ctx context.Context, c *ledger.Change, record planRecord, r kv.Record, freed int) (Event, error) {
	if !record.Status.Leads(tasks.PlanCancelled) {
		return Event{}, tasks.Conflict("cancel", string(record.Status), "the plan has ended. Nothing was changed.")
	}
	m, err := s.moment(ctx, record.ID)
	if err != nil {
		return Event{}, err
	}
	g, err := s.graph(ctx, record.Content)
	if err != nil {
		return Event{}, err
	}
	marks, err := s.marks(m.marks, g)
	if err != nil {
		return Event{}, err
	}
	for n := 1; n <= marks.Len(); n++ {
		if !marks.State(n).Final() {
			marks.Set(n, tasks.Cancelled)
		}
	}
	for _, f := range m.claims[:min(freed, len(m.claims))] {
		c.Delete(f.Key)
	}
	if record.Session != "" {
		c.Delete(openKey(record.Session, record.ID))
	}
	if err := s.ledger.Rewrite(c, m.marks, "marks", string(marks)); err != nil {
		return Event{}, err
	}
	return Event{Action: PlanCancelled, From: string(record.Status), To: string(tasks.PlanCancelled)},
		s.ledger.Rewrite(c, r, "status", tasks.PlanCancelled, "amendment", nil, "updated", s.ledger.Clock())
}

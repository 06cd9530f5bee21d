package tasks

import (
	"context"

	"planb/plans/tasks"
	"planb/store/ledger"
)

// Move makes a plan that has not ended one of the session to, and returns the session that
// it is one of then: another one if the plan was no longer one of from, as another caller
// was quicker.
func (s *Store) Move(ctx context.Context, by Caller, id, from, to string) (session string, err error) {
	err = s.ledger.Commit(ctx, func(c *ledger.Change) error {
		records, err := s.ledger.Get(ctx, planKey(id))
		if err != nil {
			return err
		}
		plan, err := s.readPlan(ctx, by, id, records[0])
		switch {
		case err != nil:
			return err
		case plan.Status.Final():
			return tasks.CannotApprove(plan.Title, plan.Status)
		case plan.Session != from:
			session = plan.Session
			return nil
		}
		session = to
		c.Check(records[0])
		if from != "" {
			c.Delete(openKey(from, id))
		}
		if err := s.putOpen(ctx, c, to, id); err != nil {
			return err
		}
		return s.ledger.Rewrite(c, records[0], "sessionId", to, "updated", s.ledger.Clock())
	})
	return session, err
}

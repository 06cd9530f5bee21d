package runs

import (
	"context"

	"planb/store/kv"
	"planb/store/ledger"
)

// DropSession removes the plans of a session that is gone. It may be called again after
// it ended early.
func (s *Store) DropSession(ctx context.Context, session string) error {
	list, err := s.ledger.List(ctx, OfSession(session))
	if err != nil {
		return err
	}
	for _, f := range list {
		if err := s.drop(ctx, session, ledger.LastPart(f.Key)); err != nil {
			return err
		}
	}
	return s.ledger.DropUnder(ctx, OpenOf(session))
}

// drop removes a plan. From its first commit on there is no such plan; the entry of the
// session goes last.
func (s *Store) drop(ctx context.Context, session, id string) error {
	err := s.ledger.Commit(ctx, func(c *ledger.Change) error {
		found, err := s.ledger.GetEach(ctx, planKey(id), runKey(id))
		if err != nil {
			return err
		}
		for _, f := range found {
			if f.Err == nil {
				c.Check(f.Record) // so that no writer goes on with the plan
			}
		}
		c.Delete(planKey(id), runKey(id), openKey(session, id))
		return ledger.Beside(found[0], func(r kv.Record) error {
			if !r.Exists() {
				return nil
			}
			p, err := ledger.Decode[planRecord](s.ledger, r)
			if err != nil {
				return err
			}
			c.Delete(listKey(p.Created, id))
			return s.dropPointers(ctx, c, p)
		})
	})
	if err != nil {
		return err
	}
	for _, prefix := range []kv.Key{stepsOf(id), eventsOf(id)} {
		if err := s.ledger.DropUnder(ctx, prefix); err != nil {
			return err
		}
	}
	return s.ledger.Drop(ctx, []kv.Key{ofKey(session, id)})
}

// dropPointers deletes the entries that lead to the plan by its prompt and its request.
func (s *Store) dropPointers(ctx context.Context, c *ledger.Change, p planRecord) error {
	keys := []kv.Key{sameKey(p.Same)}
	if p.Request != "" {
		keys = append(keys, requestKey(p.Request))
	}
	found, err := s.ledger.GetEach(ctx, keys...)
	if err != nil {
		return err
	}
	for _, f := range found {
		err := ledger.Beside(f, func(r kv.Record) error {
			if !r.Exists() {
				return nil
			}
			to, err := ledger.Decode[pointer](s.ledger, r)
			if err == nil && to.Plan == p.ID {
				c.Check(r)
				c.Delete(r.Key)
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

package tasks

import (
	"context"

	"planb/store/ledger"
)

// Rejoin leads from a session to its open plans again. It is for a deleted session that an
// import is about to bring back: the entries that led to the plans were deleted with the
// session.
func (s *Store) Rejoin(ctx context.Context, session string) error {
	var open []string
	err := s.ledger.Each(ctx, planKeys, func(f ledger.Found) error {
		if partOf(f.Key) != planItself {
			return nil
		}
		plan, err := ledger.DecodeFound[planRecord](s.ledger, f)
		if ledger.AboutOne(err) {
			return nil // Reindex is for those
		}
		if err == nil && plan.Session == session && !plan.Status.Final() {
			open = append(open, plan.ID)
		}
		return err
	})
	if err != nil {
		return err
	}
	for _, id := range open {
		if err := s.rejoin(ctx, session, id); err != nil {
			return err
		}
	}
	return nil
}

func (s *Store) rejoin(ctx context.Context, session, id string) error {
	return s.ledger.Commit(ctx, func(c *ledger.Change) error {
		records, err := s.ledger.Get(ctx, planKey(id), openKey(session, id))
		if err != nil {
			return err
		}
		plan, err := ledger.Decode[planRecord](s.ledger, records[0])
		if err != nil || plan.Status.Final() || records[1].Exists() {
			return err
		}
		c.Check(records[0])
		return c.Put(openKey(session, id), mark{})
	})
}

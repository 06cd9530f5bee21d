package store

import (
	"context"
	"slices"

	"planb/store/kv"
	"planb/store/ledger"
)

// deliverStep is how many asks one commit marks: four checks and writes each.
const deliverStep = 20

// Deliver marks outcomes as written into an agent's result. Such an outcome is not
// announced again, and an agent can ask the same form anew. Deliver may be repeated. It
// changes no ask without a final outcome, not even an expired one. More than 20 asks
// are marked in several commits.
func (s *Store) Deliver(ctx context.Context, ids ...string) error {
	known := make([]string, 0, len(ids))
	for _, id := range ids {
		canonical, ok := ledger.CanonicalID(id)
		if !ok {
			return &UnknownError{What: "ask", ID: id}
		}
		known = append(known, canonical)
	}
	slices.Sort(known)
	for some := range slices.Chunk(slices.Compact(known), deliverStep) {
		err := s.ledger.Commit(ctx, func(c *ledger.Change) error { return s.deliver(ctx, c, some) })
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *Store) deliver(ctx context.Context, c *ledger.Change, ids []string) error {
	keys := make([]kv.Key, 0, len(ids))
	for _, id := range ids {
		keys = append(keys, askKey(id))
	}
	records, err := s.ledger.Get(ctx, keys...)
	if err != nil {
		return err
	}
	for i, r := range records {
		if !r.Exists() {
			return &UnknownError{What: "ask", ID: ids[i]}
		}
		a, err := ledger.Decode[askRecord](s.ledger, r)
		if err != nil {
			return err
		}
		if !a.Outcome.State.Final() || !a.Delivered.IsZero() {
			continue
		}
		was := a.ask(nil)
		told := was
		told.Delivered = s.ledger.Clock()
		if err := s.reindex(ctx, c, was, told, belonging{}); err != nil {
			return err
		}
		if err := s.ledger.Rewrite(c, r, "delivered", told.Delivered); err != nil {
			return err
		}
	}
	return nil
}

// MarkShown notes that a person's screen shows the ask. Only the first time counts.
func (s *Store) MarkShown(ctx context.Context, id string) error {
	return s.changeAsk(ctx, id, func(c *ledger.Change, r kv.Record, a askRecord) error {
		if !a.Shown.IsZero() {
			return nil
		}
		return s.ledger.Rewrite(c, r, "shown", s.ledger.Clock())
	})
}

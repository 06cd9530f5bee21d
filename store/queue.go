package store

import (
	"context"
	"slices"

	"planb/questions"
	"planb/store/kv"
	"planb/store/ledger"
)

// queueRecord lists the open asks of a place. It exists only while there are some.
// OpenAsk and LeavePlace both check its revision. So a pane cannot leave while an ask
// comes into its queue.
type queueRecord struct {
	ledger.Header
	Place string   `json:"place"`
	Asks  []string `json:"asks"`
}

// Queue returns the open asks of the place in the order in which they are shown: the
// pending ones, oldest first, then the expired ones. It does not read their questions.
// An ask that cannot be read is left out: Waiting has it, with Err.
func (s *Store) Queue(ctx context.Context, place string) ([]Ask, error) {
	records, err := s.ledger.Get(ctx, queueKey(place))
	if err != nil || !records[0].Exists() {
		return nil, err
	}
	return s.queued(ctx, records[0], place)
}

// queued is Queue for the record of the place's queue.
func (s *Store) queued(ctx context.Context, r kv.Record, place string) ([]Ask, error) {
	queue, err := ledger.Decode[queueRecord](s.ledger, r)
	if err != nil {
		return nil, err
	}
	keys := make([]kv.Key, 0, len(queue.Asks))
	for _, id := range queue.Asks {
		keys = append(keys, askKey(id))
	}
	asks, err := s.chosen(ctx, keys, false, func(a Ask) bool { return a.Open() && a.Place == place })
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(asks, func(a, b Ask) int { return rank(a) - rank(b) })
	return asks, nil
}

func rank(a Ask) int {
	if a.Outcome.State == questions.Pending {
		return 0
	}
	return 1
}

// enqueue puts the ask into the place's queue, and removes those that it replaces. An
// ask without a place has no queue.
func (s *Store) enqueue(c *ledger.Change, r kv.Record, place, ask string, gone ...string) error {
	if place == "" {
		return nil
	}
	c.Check(r)
	if !r.Exists() {
		return c.Put(r.Key, queueRecord{ledger.NewHeader(), place, []string{ask}})
	}
	queue, err := ledger.Decode[queueRecord](s.ledger, r)
	if err != nil {
		return err
	}
	return s.putQueue(c, r, append(without(queue.Asks, gone), ask))
}

// MoveAsk moves an open ask to another place; it is no longer put off there. An ask that
// has ended stays where it was. An unknown ask is *UnknownError.
func (s *Store) MoveAsk(ctx context.Context, id, place string) error {
	return s.changeAsk(ctx, id, func(c *ledger.Change, r kv.Record, a askRecord) error {
		if a.Outcome.State.Final() || a.Place == place {
			return nil
		}
		queue, err := s.ledger.Get(ctx, queueKey(place))
		if err != nil {
			return err
		}
		if err := s.requeue(ctx, c, a, queue[0], place); err != nil {
			return err
		}
		return s.ledger.Rewrite(c, r, "place", place, "putOff", nil)
	})
}

// requeue moves the ask from its queue into that of another place.
func (s *Store) requeue(ctx context.Context, c *ledger.Change, a askRecord, queue kv.Record, place string) error {
	records, err := s.ledger.Get(ctx, queueKey(a.Place))
	if err != nil {
		return err
	}
	if err := s.dequeue(c, records[0], a.ID); err != nil {
		return err
	}
	return s.enqueue(c, queue, place, a.ID)
}

func without(asks, gone []string) []string {
	return slices.DeleteFunc(asks, func(id string) bool { return slices.Contains(gone, id) })
}

// dequeue removes the asks from the queue, if they are in it.
func (s *Store) dequeue(c *ledger.Change, r kv.Record, gone ...string) error {
	if !r.Exists() {
		return nil
	}
	queue, err := ledger.Decode[queueRecord](s.ledger, r)
	if err != nil {
		return err
	}
	c.Check(r)
	return s.putQueue(c, r, without(queue.Asks, gone))
}

func (s *Store) putQueue(c *ledger.Change, r kv.Record, asks []string) error {
	if len(asks) == 0 {
		c.Delete(r.Key)
		return nil
	}
	o, err := s.ledger.Object(r)
	if err != nil {
		return err
	}
	if err := o.Set("asks", asks); err != nil {
		return err
	}
	return c.Put(r.Key, o)
}

// LeavePlace gives up the claim on the place in one commit, if Queue has no ask for it.
// So either this pane sees an ask, or the ask was put into the queue after the claim had
// gone. It reports whether the claim is gone.
func (s *Store) LeavePlace(ctx context.Context, h *Held, place string) (left bool, err error) {
	err = s.ledger.Commit(ctx, func(c *ledger.Change) error {
		records, err := s.ledger.Get(ctx, h.Key(), queueKey(place))
		if err != nil {
			return err
		}
		claim, queue := records[0], records[1]
		left = !h.Owns(claim)
		if left {
			return nil
		}
		if queue.Exists() {
			// An ask that cannot be read keeps no pane: only Queue's asks count.
			if asks, err := s.queued(ctx, queue, place); err != nil || len(asks) > 0 {
				return err
			}
		}
		left = true
		c.Check(claim, queue)
		c.Delete(h.Key())
		return nil
	})
	if err != nil {
		return false, err
	}
	if left {
		h.Stop()
	}
	return left, nil
}

package store

import (
	"context"
	"time"

	"planb/store/ledger"
)

// Archive puts the session out of a person's way, or takes it back; it may be
// there already. It is no change of the session: the list keeps its order. It
// returns the session as it is then, or *UnknownError.
func (s *Store) Archive(ctx context.Context, id string, archived bool) (Session, error) {
	var is Session
	err := s.ledger.Commit(ctx, func(c *ledger.Change) error {
		canonical, ok := ledger.CanonicalID(id)
		if !ok {
			return &UnknownError{What: "session", ID: id}
		}
		records, err := s.ledger.Get(ctx, sessionKey(canonical))
		if err != nil {
			return err
		}
		record, err := s.readSession(records[0], id)
		if err != nil {
			return err
		}
		is = record.Session
		if is.InArchive() == archived {
			return nil
		}
		o, err := s.ledger.Object(records[0])
		if err != nil {
			return err
		}
		is.Archived = time.Time{}
		delete(o, "archived")
		if archived {
			is.Archived = is.Updated
			if err := o.Set("archived", is.Archived); err != nil {
				return err
			}
		}
		c.Check(records[0])
		return c.Put(records[0].Key, o)
	})
	if err != nil {
		return Session{}, err
	}
	return is, nil
}

package store

import (
	"context"
	"errors"
	"fmt"

	"planb/store/kv"
	"planb/store/ledger"
	"planb/store/runs"
)

// ErrChanged says that a session is not as a person saw it when they decided.
var ErrChanged = errors.New("something changed in it since you looked, so it was not deleted")

// Deletable is a session that a person wants to delete, with the state of its asks.
type Deletable struct {
	Session
	Open        int // asks that can still be answered; with one of these it cannot be deleted
	Undelivered int // answers that no agent was told, and that will be lost
	Drafts      int // drafts that go with it, whether completed or not
}

// Deletable looks at a session that a person wants to delete. It writes nothing.
// It returns *UnknownError, or why the session cannot be read: then it cannot be
// deleted either.
func (s *Store) Deletable(ctx context.Context, id string) (Deletable, error) {
	session, err := s.Session(ctx, id)
	if err != nil {
		return Deletable{}, err
	}
	d := Deletable{Session: session}
	for _, family := range []struct {
		prefix kv.Key
		count  *int
	}{{openOf(session.ID), &d.Open}, {undeliveredOf(session.ID), &d.Undelivered}, {runs.OfSession(session.ID), &d.Drafts}} {
		entries, err := s.ledger.List(ctx, family.prefix)
		if err != nil {
			return Deletable{}, err
		}
		*family.count = len(entries)
	}
	return d, nil
}

// Delete removes the session as it was seen, with its asks, answers, entries and plans. The
// first commit makes the session unknown. Then Delete sweeps away its asks and plans. Last
// it calls gone, unless that is nil, to remove what lies outside the store. If it ends
// early, or gone fails, the next Prune goes on with it.
//
// The error is ErrChanged if the session changed since it was seen, and *UnknownError if
// another process removed it. If one of its asks is open, the session stays, because an
// agent may be waiting; the error says what to do.
//
// Texts that no record refers to any more take room until the next Prune.
func (s *Store) Delete(ctx context.Context, seen Session, gone func(Gone) error) error {
	id, ok := ledger.CanonicalID(seen.ID)
	if !ok {
		return &UnknownError{What: "session", ID: seen.ID}
	}
	buried, err := s.bury(ctx, id, func(session Session, err error) (bool, error) {
		if err != nil {
			return false, err
		}
		open, err := s.ledger.List(ctx, openOf(id))
		switch {
		case err != nil:
			return false, err
		case len(open) > 0:
			return false, fmt.Errorf("it has open forms: %d; answer or withdraw them, then delete it", len(open))
		case !session.Updated.Equal(seen.Updated):
			return false, ErrChanged
		}
		return true, nil
	})
	if err != nil {
		return err
	}
	if !buried {
		return &UnknownError{What: "session", ID: seen.ID}
	}
	outside, err := s.finish(ctx, id, gone)
	return errors.Join(outside, err)
}

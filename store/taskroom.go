package store

import (
	"context"
	"strings"

	"planb/store/ledger"
	"planb/store/tasks"
)

// Tasks returns the room that keeps projects and plans of tasks over the same data.
func (s *Store) Tasks() *tasks.Store { return s.tasks }

// newTasks makes that room. It belongs to the user without the machine: the machine may
// get another name.
func (s *Store) newTasks(options tasks.Options) *tasks.Store {
	options.Owner, _, _ = strings.Cut(s.by, "@")
	options.Root = s.root
	options.Session = s.touchSession
	return tasks.New(s.ledger, options)
}

// touchSession moves a session to the front of the list, because a plan of tasks is
// proposed in it. So a Prune that looked at the session before does not remove it.
func (s *Store) touchSession(ctx context.Context, c *ledger.Change, id string) error {
	canonical, ok := ledger.CanonicalID(id)
	if !ok || canonical != id {
		return &UnknownError{What: "session", ID: id}
	}
	records, err := s.ledger.Get(ctx, sessionKey(id))
	if err != nil {
		return err
	}
	session, err := s.readSession(records[0], id)
	if err != nil {
		return err
	}
	return s.touch(c, records[0], session.Asks, session.Plans)
}

package store

import (
	"context"
	"strings"

	"planb/store/ledger"
	"planb/store/runs"
)

// Drafts returns the room that keeps drafts over the same data.
func (s *Store) Drafts() *runs.Store { return s.drafts }

// newDrafts makes that room. It belongs to the user without the machine, as that of tasks.
func (s *Store) newDrafts() *runs.Store {
	owner, _, _ := strings.Cut(s.by, "@")
	return runs.New(s.ledger, s.Claims, runs.Options{Owner: owner, Root: s.root, Session: s.draftSession})
}

// draftSession moves a session to the front of the list, because a draft of it begins or
// goes on, and returns its directory.
func (s *Store) draftSession(ctx context.Context, c *ledger.Change, id string) (dir string, err error) {
	if err := s.touchSession(ctx, c, id); err != nil {
		return "", err
	}
	session, err := s.Session(ctx, id)
	return session.Project.Raw(), err
}

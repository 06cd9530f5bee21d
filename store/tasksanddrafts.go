package store

import (
	"context"
	"fmt"
	"strings"

	"planb/questions/safe"
	"planb/store/ledger"
	"planb/store/runs"
	"planb/store/tasks"
)

// Tasks returns the room that keeps projects and plans of tasks over the same data.
func (s *Store) Tasks() *tasks.Store { return s.tasks }

// newTasks makes that room. It belongs to the user without the machine: the machine may
// get another name.
func (s *Store) newTasks(options tasks.Options) *tasks.Store {
	options.Owner, _, _ = strings.Cut(s.by, "@")
	options.Root = s.root
	options.Claims = s.Claims
	options.Session = s.touchSession
	options.Reviewed = s.reviewed
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

// reviewed returns the version of the plan that an ask reviews. Unless edited is empty,
// it also returns the version with that digest in the same session.
func (s *Store) reviewed(ctx context.Context, id, edited string) (tasks.Reviewed, error) {
	ask, err := s.Ask(ctx, id)
	if err != nil {
		return tasks.Reviewed{}, err
	}
	if ask.Spec.Plan == nil {
		return tasks.Reviewed{}, fmt.Errorf("the ask %s is no review", id)
	}
	var read tasks.Reviewed
	if read.Text, err = s.PlanText(ctx, ask.Session, ask.Spec.Plan.Number); err != nil || edited == "" {
		return read, err
	}
	read.Edited, err = s.versionText(ctx, ask.Session, edited)
	return read, err
}

// versionText returns the text with that digest among the session's plan versions.
func (s *Store) versionText(ctx context.Context, session, digest string) (safe.Text, error) {
	versions, err := s.Plans(ctx, session)
	if err != nil {
		return safe.Text{}, err
	}
	for _, version := range versions {
		if version.Err == nil && version.Digest == digest {
			return s.PlanText(ctx, session, version.Number)
		}
	}
	return safe.Text{}, fmt.Errorf("the plan as you edited it (SHA-256 %.12s) is not in this store", digest)
}

// Drafts returns the room that keeps drafts over the same data.
func (s *Store) Drafts() *runs.Store { return s.drafts }

// newDrafts makes that room. It belongs to the user without the machine, as that of tasks.
func (s *Store) newDrafts() *runs.Store {
	owner, _, _ := strings.Cut(s.by, "@")
	return runs.New(s.ledger, s.Claims, runs.Options{Owner: owner, Root: s.root, Session: s.draftSession, Archived: s.draftArchived})
}

// draftArchived reports whether a person put the session of a draft away. A session that
// cannot be read counts as not archived.
func (s *Store) draftArchived(ctx context.Context, c *ledger.Change, id string) (bool, error) {
	records, err := s.ledger.Get(ctx, sessionKey(id))
	if err != nil {
		return false, err
	}
	c.Check(records[0])
	session, err := s.readSession(records[0], id)
	return err == nil && session.InArchive(), nil
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

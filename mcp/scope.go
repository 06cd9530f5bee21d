package mcp

import (
	"context"
	"errors"

	"github.com/google/uuid"

	"planb/store"
	"planb/store/project"
)

// scoper finds the sessions of a project.
type scoper interface {
	Scope(ctx context.Context, dirs ...string) (store.Scope, error)
}

// dirs are the directories that the connection works for: the first is where its
// sessions belong.
func (c *conn) dirs(ctx context.Context) []string {
	roots := c.roots(ctx)
	if len(roots) > 0 {
		return roots
	}
	return []string{project.Dir(nil, c.server.env, c.server.workingDir)}
}

// sight is what a connection may see: the sessions of its own projects, and those it
// made.
type sight struct {
	conn  *conn
	scope store.Scope
}

func (c *conn) sight(ctx context.Context) (sight, error) {
	if c.server.allProjects {
		return sight{conn: c}, nil
	}
	scope, err := c.server.store.Scope(ctx, c.dirs(ctx)...)
	return sight{c, scope}, err
}

func (s sight) has(session store.Session) bool {
	return s.conn.server.allProjects || s.scope.Has(session) || s.conn.madeSession(session.ID)
}

// sees reports whether it has the sessions of a project.
func (s sight) sees(project store.Scope) bool {
	return s.conn.server.allProjects || s.scope.Overlaps(project)
}

// hasID is has for the session of that id. One whose record cannot be read is of no
// project.
func (s sight) hasID(ctx context.Context, id string) (bool, error) {
	if s.conn.server.allProjects || s.conn.madeSession(id) {
		return true, nil
	}
	session, err := s.conn.server.store.Session(ctx, id)
	if store.AboutOneRecord(err) || errors.As(err, new(*store.UnknownError)) {
		return false, nil
	}
	return err == nil && s.has(session), err
}

// sees reports whether the connection may see the session.
func (c *conn) sees(ctx context.Context, session string) (bool, error) {
	if c.madeSession(session) {
		return true, nil // without asking the client for its roots
	}
	sight, err := c.sight(ctx)
	if err != nil {
		return false, err
	}
	return sight.hasID(ctx, session)
}

// about notes whether the call is about a session of a project that the connection
// does not see.
func (c *call) about(ctx context.Context, session string) *result {
	own, err := c.conn.sees(ctx, session)
	if err != nil {
		return notStored("", "Whose session it is could not be read", err)
	}
	c.foreign = !own
	return nil
}

// findAsk returns the ask that a call names. Its whole id is enough; a part of it is
// looked for among the asks that the connection sees.
func (s *Server) findAsk(ctx context.Context, c *conn, id string) (store.Ask, error) {
	ask, err := s.store.FindAsk(ctx, id)
	ambiguous, several := errors.AsType[*store.AmbiguousError](err)
	switch {
	case several:
	case err != nil, uuid.Validate(id) == nil:
		return ask, err
	default:
		ambiguous = &store.AmbiguousError{ID: id, Matches: []string{ask.ID}}
	}
	seen, err := s.asksSeen(ctx, c, ambiguous.Matches)
	switch {
	case err != nil:
		return store.Ask{}, err
	case len(seen) == 0:
		return store.Ask{}, &store.UnknownError{What: "ask", ID: id}
	case len(seen) == 1:
		return s.store.Ask(ctx, seen[0])
	}
	return store.Ask{}, &store.AmbiguousError{ID: id, Matches: seen}
}

// asksSeen are those of the asks that the connection sees.
func (s *Server) asksSeen(ctx context.Context, c *conn, ids []string) ([]string, error) {
	sight, err := c.sight(ctx)
	if err != nil {
		return nil, err
	}
	asks, err := s.store.AsksNow(ctx, ids...)
	if err != nil {
		return nil, err
	}
	var seen []string
	for _, ask := range asks {
		has, err := sight.hasID(ctx, ask.Session)
		if err != nil {
			return nil, err
		}
		if has {
			seen = append(seen, ask.ID)
		}
	}
	return seen, nil
}

package mcp

import (
	"context"
	"errors"

	"planb/store"
	"planb/store/project"
)

// dirs are the directories that the agent works for: the first is where its
// sessions belong.
func (a *agent) dirs(ctx context.Context) []string {
	roots := a.roots(ctx)
	if len(roots) > 0 {
		return roots
	}
	return []string{project.Dir(nil, a.env, a.workingDir)}
}

// sight is what an agent may see: the sessions of its own projects, and those it
// made.
type sight struct {
	agent *agent
	scope store.Scope
}

func (a *agent) sight(ctx context.Context) (sight, error) {
	if a.allProjects {
		return sight{agent: a}, nil
	}
	scope, err := a.store.Scope(ctx, a.dirs(ctx)...)
	return sight{a, scope}, err
}

func (s sight) has(session store.Session) bool {
	return s.agent.allProjects || s.scope.Has(session) || s.agent.madeSession(session.ID)
}

// sees reports whether it has the sessions of a project.
func (s sight) sees(project store.Scope) bool {
	return s.agent.allProjects || s.scope.Overlaps(project)
}

// hasID is has for the session of that id. One whose record cannot be read is of no
// project.
func (s sight) hasID(ctx context.Context, id string) (bool, error) {
	if s.agent.allProjects || s.agent.madeSession(id) {
		return true, nil
	}
	session, err := s.agent.store.Session(ctx, id)
	if store.AboutOneRecord(err) || errors.As(err, new(*store.UnknownError)) {
		return false, nil
	}
	return err == nil && s.has(session), err
}

// sees reports whether the agent may see the session.
func (a *agent) sees(ctx context.Context, session string) (bool, error) {
	if a.madeSession(session) {
		return true, nil // without asking the client for its roots
	}
	sight, err := a.sight(ctx)
	if err != nil {
		return false, err
	}
	return sight.hasID(ctx, session)
}

package agent

import (
	"context"
	"errors"

	"planb/store"
	"planb/store/project"
)

// Dirs are the directories that the agent works for: the first is where its
// sessions belong.
func (a *Agent) Dirs(ctx context.Context) []string {
	roots := a.roots(ctx)
	if len(roots) > 0 {
		return roots
	}
	return []string{project.Dir(nil, a.cfg.Env, a.cfg.WorkingDir)}
}

// ProjectDir returns the directory whose plans of tasks the agent finds; empty if it
// finds those of all projects.
func (a *Agent) ProjectDir(ctx context.Context) string {
	if a.cfg.AllProjects {
		return ""
	}
	return a.Dirs(ctx)[0]
}

// Session returns the session with that id, whether the agent may see it or not.
func (a *Agent) Session(ctx context.Context, id string) (store.Session, error) {
	return a.cfg.Store.Session(ctx, id)
}

// Sight says which sessions an agent may see: those of its own projects, and those that it
// made.
type Sight struct {
	agent *Agent
	scope store.Scope
}

// Sight returns what the agent may see now.
func (a *Agent) Sight(ctx context.Context) (Sight, error) {
	if a.cfg.AllProjects {
		return Sight{agent: a}, nil
	}
	scope, err := a.cfg.Store.Scope(ctx, a.Dirs(ctx)...)
	return Sight{a, scope}, err
}

// Has reports whether the agent may see the session.
func (s Sight) Has(session store.Session) bool {
	return s.agent.cfg.AllProjects || s.scope.Has(session) || s.agent.madeSession(session.ID)
}

// Sees reports whether the agent may see the sessions of a project.
func (s Sight) Sees(project store.Scope) bool {
	return s.agent.cfg.AllProjects || s.scope.Overlaps(project)
}

// HasID is Has for the session with that id. A session whose record cannot be read belongs to
// no project.
func (s Sight) HasID(ctx context.Context, id string) (bool, error) {
	if s.agent.cfg.AllProjects || s.agent.madeSession(id) {
		return true, nil
	}
	session, err := s.agent.cfg.Store.Session(ctx, id)
	if store.AboutOneRecord(err) || errors.As(err, new(*store.UnknownError)) {
		return false, nil
	}
	return err == nil && s.Has(session), err
}

// Sees reports whether the agent may see the session.
func (a *Agent) Sees(ctx context.Context, session string) (bool, error) {
	if a.madeSession(session) {
		return true, nil // without asking the client for its roots
	}
	sight, err := a.Sight(ctx)
	if err != nil {
		return false, err
	}
	return sight.HasID(ctx, session)
}

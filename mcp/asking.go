package mcp

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"planb/mcp/planfile"
	"planb/mcp/tool"
	"planb/store"
	"planb/store/kv"
)

// sessions is what the tools need of the store's sessions.
type sessions interface {
	CreateSession(ctx context.Context, session store.Session) (store.Session, error)
	Session(ctx context.Context, id string) (store.Session, error)
	Undelivered(ctx context.Context, session string) ([]store.Ask, error)
	UndeliveredIn(ctx context.Context, scope store.Scope) ([]store.Ask, error)
	Waiting(ctx context.Context) ([]store.Ask, error)
	AliveAny(ctx context.Context, prefix kv.Key) (bool, error)
	AwaitDead(ctx context.Context, prefix kv.Key) error
}

// asking has the tools of a planning session that ask its user.
type asking struct {
	store   askStore
	log     *slog.Logger
	env     func(name string) string
	timeout time.Duration // how long a question may stay unanswered
	copies  planfile.Copies
	wait    *waiting
}

// askStore is what these tools need of the store.
type askStore interface {
	sessions
	forms
	outcomes
	asks
	Scope(ctx context.Context, dirs ...string) (store.Scope, error)
	Asks(ctx context.Context, session string) ([]store.Ask, error)
	AsksNow(ctx context.Context, ids ...string) ([]store.Ask, error)
}

// sessionTools are the tools of a planning session.
func (s *asking) sessionTools() []tool.Tool {
	return []tool.Tool{s.initTool(), s.askTool(), s.answerTool()}
}

// announce adds outcomes the agent has not learned to a result, except those
// that reach it another way. What is said of one begins with from.
func (s *asking) announce(ctx context.Context, answer *tool.Result, earlier []store.Ask, except func(store.Ask) bool, from func(store.Ask) string) {
	earlier = slices.DeleteFunc(earlier, func(ask store.Ask) bool { return except(ask) || s.wait.deliveries.running(ask.ID) })
	missed, err := s.missed(ctx, earlier)
	if err != nil {
		s.log.Warn("earlier answers could not be read", "error", err)
		return
	}
	for _, ask := range missed {
		answer.Earlier = append(answer.Earlier, tool.Announcement{
			Ask: ask, Data: dataOf(ask), Text: from(ask) + earlierText(ask), Hint: from(ask) + earlierHint(ask),
		})
	}
}

// session returns the session that a tool is called for, or what to tell the model.
// A session that the connection does not see is unknown to it: the tool would write
// into another project.
func (s *asking) session(ctx context.Context, c *tool.Caller, id, named string) (store.Session, *tool.Result) {
	session, failure := s.anySession(ctx, id, named)
	if failure != nil {
		return store.Session{}, failure
	}
	seen, err := c.Agent.Sees(ctx, session.ID)
	switch {
	case err != nil:
		return store.Session{}, tool.NotStored("", "Whose session it is could not be read", err)
	case !seen:
		return store.Session{}, unknownSession(id, named)
	}
	return session, nil
}

// anySession is session for a tool that only reads: it returns a session of another
// project, too.
func (s *asking) anySession(ctx context.Context, id, named string) (store.Session, *tool.Result) {
	session, err := s.store.Session(ctx, id)
	if errors.As(err, new(*store.UnknownError)) {
		return store.Session{}, unknownSession(id, named)
	}
	if err != nil {
		return store.Session{}, tool.NotStored("", "The session could not be read", err)
	}
	return session, nil
}

func unknownSession(id, named string) *tool.Result {
	failure := tool.Failed("", unknownSessionText(id, named))
	failure.Unknown = true
	return failure
}

// knownSession returns the session's id if there is one and the connection sees it,
// else "".
func (s *asking) knownSession(ctx context.Context, c *tool.Caller, id string) string {
	if id == "" {
		return ""
	}
	session, failure := s.session(ctx, c, id, "")
	if failure != nil {
		return ""
	}
	return session.ID
}

// sessionHint says where a session's id comes from.
const sessionHint = "pass the id that init_planb_session returned; call that first, once"

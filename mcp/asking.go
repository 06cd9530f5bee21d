package mcp

import (
	"context"
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

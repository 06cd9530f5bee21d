package mcp

import (
	"context"
	"log/slog"

	"planb/mcp/tool"
	"planb/mcp/wait"
	"planb/store"
)

// askStore is what the tools that ask need of the store.
type askStore interface {
	CreateSession(ctx context.Context, session store.Session) (store.Session, error)
	Session(ctx context.Context, id string) (store.Session, error)
	Scope(ctx context.Context, dirs ...string) (store.Scope, error)
	UndeliveredIn(ctx context.Context, scope store.Scope) ([]store.Ask, error)
	Waiting(ctx context.Context) ([]store.Ask, error)
	FindAsk(ctx context.Context, idOrShort string) (store.Ask, error)
	Ask(ctx context.Context, id string) (store.Ask, error)
	Asks(ctx context.Context, session string) ([]store.Ask, error)
	AsksNow(ctx context.Context, ids ...string) ([]store.Ask, error)
	Due(ctx context.Context, session string) ([]store.Ask, error)
}

// asking has the tools of a session that ask its user.
type asking struct {
	store askStore
	log   *slog.Logger
	env   func(name string) string
	room  *wait.Room
}

// sessionTools are the tools of a planning session.
func (s *asking) sessionTools() []tool.Tool {
	return []tool.Tool{s.initTool(), s.askTool(), s.answerTool()}
}

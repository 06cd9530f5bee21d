package asking

import (
	"context"
	"log/slog"

	"planb/mcp/tool"
	"planb/mcp/wait"
	"planb/store"
)

// Store is what these tools need of the store.
type Store interface {
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

// Deps is what the tools work with.
type Deps struct {
	Store Store
	Log   *slog.Logger
	Env   func(name string) string // for the user's home directory
	Room  *wait.Room
	// Unfinished returns the other texts that a new session of a directory's project gets;
	// nil: nothing.
	Unfinished func(ctx context.Context, dir string) []string
}

// toolset has the tools of a session that ask its user.
type toolset struct{ Deps }

// Tools returns the toolset session, as far as it asks.
func Tools(d Deps) []tool.Set {
	s := &toolset{d}
	return []tool.Set{{Name: "session", Tools: []tool.Tool{s.initTool(), s.askTool(), s.answerTool()}}}
}

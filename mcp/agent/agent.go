package agent

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"planb/mcp/wire"
	"planb/store"
	"planb/store/kv"
)

// Store is what an agent needs of the store, to know which sessions it may see.
type Store interface {
	Scope(ctx context.Context, dirs ...string) (store.Scope, error)
	Session(ctx context.Context, id string) (store.Session, error)
	AliveAny(ctx context.Context, prefix kv.Key) (bool, error)
}

// Config is what the agents of all connections share.
type Config struct {
	Store      Store
	Log        *slog.Logger
	Env        func(name string) string
	WorkingDir string // the project, unless the client names another
	// AllProjects lets an agent see the sessions of all projects.
	AllProjects bool
	// Claim claims that the process of the agent that asked lives, until leave is called.
	Claim func(askID string) (leave func(after time.Duration))
}

// Agent is the agent at the other end of a connection.
type Agent struct {
	*wire.Conn
	cfg Config
	clientSessions
	clientRoots

	mu     sync.Mutex
	asking map[string]func(time.Duration) // by ask whose outcome the agent is to learn; ends the claim on it
}

// New returns the agent of a connection.
func New(c *wire.Conn, cfg Config) *Agent { return &Agent{Conn: c, cfg: cfg} }

package mcp

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"planb/mcp/wire"
	"planb/store"
)

// agentStore is what of the store tells which sessions are an agent's business.
type agentStore interface {
	Scope(ctx context.Context, dirs ...string) (store.Scope, error)
	Session(ctx context.Context, id string) (store.Session, error)
	AliveAny(ctx context.Context, prefix store.Key) (bool, error)
}

// agentConfig is what the agents of all connections share.
type agentConfig struct {
	store      agentStore
	log        *slog.Logger
	env        func(name string) string
	workingDir string // the project of an agent whose client tells no other
	// allProjects lets an agent see the sessions of all projects.
	allProjects bool
	// claim claims that the process of the agent that asked lives, until leave is called.
	claim func(askID string) (leave func(after time.Duration))
}

// agent is the agent at the other end of a connection.
type agent struct {
	*wire.Conn
	agentConfig
	clientSessions
	clientRoots

	mu     sync.Mutex
	asking map[string]func(time.Duration) // ends the claim on each ask whose outcome the agent is to learn
}

func newAgent(c *wire.Conn, cfg agentConfig) *agent { return &agent{Conn: c, agentConfig: cfg} }

package tasks

import (
	"context"
	"log/slog"
	"sync"

	"planb/mcp/agent"
	"planb/store/tasks"
)

// workers are the connections whose agents work on tasks.
type workers struct {
	store Store
	log   *slog.Logger

	mu   sync.Mutex
	list map[*agent.Agent]*tasks.Connection
}

// of returns the agent's connection for the store. It is made with the first call.
func (w *workers) of(a *agent.Agent) (*tasks.Connection, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if found := w.list[a]; found != nil {
		return found, nil
	}
	// It ends with leave: a context that ended before could not give claims back.
	made, err := w.store.Tasks().Connect(context.Background())
	if err != nil {
		return nil, err
	}
	if w.list == nil {
		w.list = map[*agent.Agent]*tasks.Connection{}
	}
	w.list[a] = made
	return made, nil
}

// known returns the agent's connection if it has used it; else nil.
func (w *workers) known(a *agent.Agent) *tasks.Connection {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.list[a]
}

// leave ends the agent's connection: its tasks have lost their holder.
func (w *workers) leave(ctx context.Context, a *agent.Agent) {
	w.mu.Lock()
	found := w.list[a]
	delete(w.list, a)
	w.mu.Unlock()
	if found == nil {
		return
	}
	if err := found.Close(ctx); err != nil {
		w.log.Debug("claims on tasks could not be given back; they end by themselves", "error", err)
	}
}

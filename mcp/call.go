package mcp

import (
	"context"
	"slices"
	"sync"

	"planb/mcp/agent"
	"planb/mcp/wire"
)

// call is one request, as the tools know it.
type call struct {
	*wire.Call
	agent *agent.Agent

	fitter  *fitter
	dialogs *dialogStates // those that the call's connection was given

	// Of a tool call, set before its tool is served.
	way dialogWay // how its client shows dialogs
	who string    // what a person knows the client by
	// foreign says that the call is about a session of a project that the connection
	// does not see: the call may read an answer there, and opens no pane.
	foreign bool
	input   *givenInput // nil unless the call brings a dialog's reply

	// refused is what is answered instead of what the protocol library would
	// say. The tool or the resource that serves the call sets it.
	refused *wire.Error

	mu       sync.Mutex
	delivers []string // asks whose outcome the reply carries
	ended    []partEnd
	inherits []string // asks whose outcome counts as delivered only if their process is gone
	written  []func() // what to do once the reply is written
}

func newCall(served *wire.Call, a *agent.Agent, f *fitter, shown *dialogStates) *call {
	return &call{Call: served, agent: a, fitter: f, dialogs: shown}
}

// deliver notes that the call's reply carries the outcome of these asks. They
// count as delivered once it is written.
func (c *call) deliver(askIDs ...string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.delivers = append(c.delivers, askIDs...)
}

// onceWritten has do called when the reply was written.
func (c *call) onceWritten(do func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.written = append(c.written, do)
}

// wasWritten says that the reply was written.
func (c *call) wasWritten() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, do := range c.written {
		do()
	}
}

// inherit notes that the outcomes of these asks, if the reply carries them, count as
// delivered only if the process that asked is gone.
func (c *call) inherit(askIDs ...string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.inherits = append(c.inherits, askIDs...)
}

// delivered is asked once, when the reply is about to be written: it returns the asks
// whose outcome the reply carries, those to inherit apart.
func (c *call) delivered() (delivers, inherits []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	carried := slices.Clone(c.delivers)
	for _, end := range c.ended {
		if c.fitter.parts.end(end) {
			carried = append(carried, end.ask)
		}
	}
	for _, id := range carried {
		if slices.Contains(c.inherits, id) {
			inherits = append(inherits, id)
		} else {
			delivers = append(delivers, id)
		}
	}
	return delivers, inherits
}

// ends notes that the call's reply has the last part of a piece.
func (c *call) ends(end partEnd) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ended = append(c.ended, end)
}

type callKey struct{}

// withCall makes the call known to the tool that serves it.
func withCall(ctx context.Context, c *call) context.Context {
	return context.WithValue(wire.WithCall(ctx, c.Call), callKey{}, c)
}

func callFrom(ctx context.Context) (*call, bool) {
	c, ok := ctx.Value(callKey{}).(*call)
	return c, ok
}

// about notes whether the call is about a session of a project that the connection
// does not see.
func (c *call) about(ctx context.Context, session string) *result {
	own, err := c.agent.Sees(ctx, session)
	if err != nil {
		return notStored("", "Whose session it is could not be read", err)
	}
	c.foreign = !own
	return nil
}

package tool

import (
	"context"
	"slices"
	"sync"

	"planb/mcp/agent"
	"planb/mcp/wire"
)

// Caller is the request that a tool serves, and whose it is.
type Caller struct {
	*wire.Call
	Agent *agent.Agent

	Dialogs *Dialogs // those that the call's connection was given

	// Of a tool call, set before its tool is served.
	Way Way    // how its client shows dialogs
	Who string // what a person knows the client by
	// Foreign says that the call is about a session of a project that the connection
	// does not see: the call may read an answer there, and opens no pane.
	Foreign bool
	Input   *DialogReply // nil unless the call brings a dialog's reply

	// Refused is what is answered instead of what the protocol library would
	// say. The tool or the resource that serves the call sets it.
	Refused *wire.Error

	fitter   *Fitter
	mu       sync.Mutex
	delivers []string // asks whose outcome the reply carries
	ended    []partEnd
	inherits []string // asks whose outcome counts as delivered only if their process is gone
	written  []func() // what to do once the reply is written
}

// NewCaller returns the caller of a request of that agent.
func NewCaller(served *wire.Call, a *agent.Agent, f *Fitter, shown *Dialogs) *Caller {
	return &Caller{Call: served, Agent: a, fitter: f, Dialogs: shown}
}

// deliver notes that the call's reply carries the outcome of these asks. They
// count as delivered once it is written.
func (c *Caller) deliver(askIDs ...string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.delivers = append(c.delivers, askIDs...)
}

// OnceWritten has do called when the reply was written.
func (c *Caller) OnceWritten(do func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.written = append(c.written, do)
}

// WasWritten says that the reply was written.
func (c *Caller) WasWritten() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, do := range c.written {
		do()
	}
}

// Inherit notes that the outcomes of these asks, if the reply carries them, count as
// delivered only if the process that asked is gone.
func (c *Caller) Inherit(askIDs ...string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.inherits = append(c.inherits, askIDs...)
}

// Delivered is asked once, when the reply is about to be written: it returns the asks
// whose outcome the reply carries, those to inherit apart.
func (c *Caller) Delivered() (delivers, inherits []string) {
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
func (c *Caller) ends(end partEnd) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ended = append(c.ended, end)
}

type callKey struct{}

// WithCaller makes the call known to the tool that serves it.
func WithCaller(ctx context.Context, c *Caller) context.Context {
	return context.WithValue(wire.WithCall(ctx, c.Call), callKey{}, c)
}

// CallerFrom returns the caller that ctx is of.
func CallerFrom(ctx context.Context) (*Caller, bool) {
	c, ok := ctx.Value(callKey{}).(*Caller)
	return c, ok
}

// About notes whether the call is about a session of a project that the connection
// does not see.
func (c *Caller) About(ctx context.Context, session string) *Result {
	own, err := c.Agent.Sees(ctx, session)
	if err != nil {
		return NotStored("", "Whose session it is could not be read", err)
	}
	c.Foreign = !own
	return nil
}

package tool

import (
	"context"
	"slices"
	"sync"

	"planb/mcp/agent"
	"planb/mcp/wire"
)

// Request is a request of a client, and the agent at its connection.
type Request struct {
	*wire.Call
	Agent   *agent.Agent
	Dialogs *Dialogs // those that the connection was given

	// The protocol library's handlers cannot return these, so they leave them here.
	Refused *wire.Error // is sent in place of the library's own error
	Caller  *Caller     // of the tool that served the request; nil: none did
}

// Caller is a request that calls a tool.
type Caller struct {
	*Request
	Who   string       // what a person knows its client by
	Way   Way          // how its client shows dialogs
	Input *DialogReply // the reply to a dialog that the call brings; nil: it brings none
	// Tools are those that the server offers: a result names no others.
	Tools []string

	fitter   *Fitter
	mu       sync.Mutex
	delivers []string // asks whose outcome the reply carries
	ended    []partEnd
	inherits []string                       // asks whose outcome counts as delivered only if their process is gone
	writing  []func() (written func(error)) // what to do when the reply is written
}

// NewCaller returns the caller of a tool. Its reply is to be fitted by f.
func NewCaller(r *Request, who string, way Way, input *DialogReply, f *Fitter) *Caller {
	return &Caller{Request: r, Who: who, Way: way, Input: input, fitter: f}
}

// Has reports whether the agent has a tool of the server.
func (c *Caller) Has(tool string) bool { return slices.Contains(c.Tools, tool) }

// deliver notes that the call's reply carries the outcome of these asks. They
// count as delivered once it is written.
func (c *Caller) deliver(askIDs ...string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.delivers = append(c.delivers, askIDs...)
}

// OnWriting has do called just before the reply is written, and the function that it returns
// just after, with the error of the write. A reply to a cancelled call is never written. do must
// count its news as told already: a client may call again at once, before the write has returned,
// and would be told twice.
func (c *Caller) OnWriting(do func() (written func(error))) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.writing = append(c.writing, do)
}

// Writing runs what OnWriting was given.
func (c *Caller) Writing() (written func(error)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	after := make([]func(error), len(c.writing))
	for i, do := range c.writing {
		after[i] = do()
	}
	return func(err error) {
		for _, do := range after {
			do(err)
		}
	}
}

// Inherit notes that the outcomes of these asks, if the reply carries them, count as
// delivered only if the process that asked is gone.
func (c *Caller) Inherit(askIDs ...string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.inherits = append(c.inherits, askIDs...)
}

// Delivered returns the asks whose outcome the reply carries, and apart from them those that
// are only inherited. It is called once, just before the reply is written.
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

type requestKey struct{}

// WithRequest makes the request known to what serves it.
func WithRequest(ctx context.Context, r *Request) context.Context {
	return context.WithValue(wire.WithCall(ctx, r.Call), requestKey{}, r)
}

// RequestFrom returns the request that ctx is of.
func RequestFrom(ctx context.Context) (*Request, bool) {
	r, ok := ctx.Value(requestKey{}).(*Request)
	return r, ok
}

// IsForeign reports whether the session is of a project that the call's connection
// does not see. failure says what to tell the model where that cannot be read.
func (c *Caller) IsForeign(ctx context.Context, session string) (foreign bool, failure *Result) {
	seen, err := c.Agent.Sees(ctx, session)
	if err != nil {
		return false, NotStored("", "Whose session it is could not be read", err)
	}
	return !seen, nil
}

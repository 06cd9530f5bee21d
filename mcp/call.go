package mcp

import (
	"context"
	"encoding/json"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// call is one request from its line to its reply.
type call struct {
	conn    *conn
	request *envelope
	key     string // idKey of its id
	started time.Time
	ctx     context.Context
	cancel  context.CancelFunc
	size    int   // bytes of its line
	place   int64 // of the queue of the connection's load, until it is worked on
	room    int64 // of the connection's load, while it is worked on
	state   atomic.Int32

	progressToken json.RawMessage // empty: no progress is wanted
	progress      int             // the last value sent; only the call's own goroutine uses it

	// Of a tool call, set before its tool is served.
	way dialogWay // how its client shows dialogs
	who string    // what a person knows the client by
	// foreign says that the call is about a session of a project that the connection
	// does not see: the call may read an answer there, and opens no pane.
	foreign bool
	input   *givenInput // nil unless the call brings a dialog's reply

	// refused is what is answered instead of what the protocol library would
	// say. It is set by whoever serves the call.
	refused *rpcError

	mu       sync.Mutex
	delivers []string
	ended    []partEnd
	inherits []string // asks whose outcome counts as delivered only if their process is gone
	written  []func() // what to do once the reply is written
}

// A call is open until either its reply is about to be written or the client
// has cancelled it; whichever comes first decides.
const (
	callOpen int32 = iota
	callAnswered
	callCancelled
)

// answer claims the right to reply; false means that the call was cancelled.
func (c *call) answer() bool { return c.state.CompareAndSwap(callOpen, callAnswered) }

// cancelByClient ends the call without a reply, if none is under way.
func (c *call) cancelByClient() {
	if c.state.CompareAndSwap(callOpen, callCancelled) {
		c.cancel()
	}
}

// deliver notes that the call's reply carries the outcome of these asks. They
// count as delivered once it is written.
func (c *call) deliver(askIDs ...string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.delivers = append(c.delivers, askIDs...)
}

// withhold notes that the reply carries no outcome after all.
func (c *call) withhold() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.delivers, c.ended, c.written = nil, nil, nil
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
		if c.conn.server.parts.end(end) {
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

// reportProgress tells the client that the call is alive, if it asked to be told.
func (c *call) reportProgress(message string) {
	if len(c.progressToken) == 0 {
		return
	}
	c.progress++
	raw, err := notification("notifications/progress", struct {
		Token    json.RawMessage `json:"progressToken"`
		Progress int             `json:"progress"`
		Message  string          `json:"message"`
	}{c.progressToken, c.progress, message})
	if err != nil {
		c.conn.server.log.Error("progress could not be encoded", "error", err)
		return
	}
	if c.state.Load() != callOpen {
		return
	}
	if err := c.conn.out.write(raw); err != nil {
		c.conn.server.log.Debug("progress could not be written", "error", err)
	}
}

// requestMeta is the part of a request's _meta the loop needs exactly as written.
type requestMeta struct {
	ProgressToken   json.RawMessage `json:"progressToken"`
	ProtocolVersion string          `json:"io.modelcontextprotocol/protocolVersion"`
}

// metaOf reads a request's _meta. What is not there, or malformed, stays empty;
// the protocol library reports it.
func metaOf(params json.RawMessage) requestMeta {
	var outer struct {
		Meta requestMeta `json:"_meta"`
	}
	if len(params) == 0 || json.Unmarshal(params, &outer) != nil {
		return requestMeta{}
	}
	if _, ok := idKey(outer.Meta.ProgressToken); !ok {
		outer.Meta.ProgressToken = nil
	}
	return outer.Meta
}

type callKey struct{}

// withCall makes the call known to the tool that serves it.
func withCall(ctx context.Context, c *call) context.Context {
	return context.WithValue(ctx, callKey{}, c)
}

func callFrom(ctx context.Context) (*call, bool) {
	c, ok := ctx.Value(callKey{}).(*call)
	return c, ok
}

package wire

import (
	"context"
	"encoding/json"
	"sync/atomic"
	"time"
)

// Call is one request of the client, from its line to its reply.
type Call struct {
	conn    *Conn
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
}

// ID is the request's id, as the client wrote it.
func (c *Call) ID() json.RawMessage { return c.request.ID }

// Context ends when the client cancels the call, and when the connection must end at
// once.
func (c *Call) Context() context.Context { return c.ctx }

// Started is when the request was read.
func (c *Call) Started() time.Time { return c.started }

// WantsProgress reports whether the client asked to be told that the call is alive.
func (c *Call) WantsProgress() bool { return len(c.progressToken) > 0 }

// A call is open until either its reply is about to be written or the client
// has cancelled it; whichever comes first decides.
const (
	callOpen int32 = iota
	callAnswered
	callCancelled
)

// answer claims the right to reply; false means that the call was cancelled.
func (c *Call) answer() bool { return c.state.CompareAndSwap(callOpen, callAnswered) }

// cancelByClient ends the call without a reply, if none is under way.
func (c *Call) cancelByClient() {
	if c.state.CompareAndSwap(callOpen, callCancelled) {
		c.cancel()
	}
}

// ProgressEvery is the time between two progress notifications of a call that waits. It
// keeps clients whose limit starts anew with each of them from reaching the shortest limit
// known, 60 s.
const ProgressEvery = 10 * time.Second

// Progress tells the client that the call is alive, if it asked to be told.
func (c *Call) Progress(message string) {
	if !c.WantsProgress() {
		return
	}
	c.progress++
	raw, err := notification("notifications/progress", struct {
		Token    json.RawMessage `json:"progressToken"`
		Progress int             `json:"progress"`
		Message  string          `json:"message"`
	}{c.progressToken, c.progress, message})
	if err != nil {
		c.conn.log.Error("progress could not be encoded", "error", err)
		return
	}
	if c.state.Load() != callOpen {
		return
	}
	if err := c.conn.out.write(raw); err != nil {
		c.conn.log.Debug("progress could not be written", "error", err)
	}
}

// requestMeta is the part of a request's _meta the loop needs exactly as written.
type requestMeta struct {
	ProgressToken   json.RawMessage `json:"progressToken"`
	ProtocolVersion string          `json:"io.modelcontextprotocol/protocolVersion"`
}

// metaOf reads a request's _meta. A field that is missing or malformed stays empty; the
// protocol library reports it.
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

// WithCall makes the call known to what serves it.
func WithCall(ctx context.Context, c *Call) context.Context {
	return context.WithValue(ctx, callKey{}, c)
}

// CallFrom returns the call that ctx is of.
func CallFrom(ctx context.Context) (*Call, bool) {
	c, ok := ctx.Value(callKey{}).(*Call)
	return c, ok
}

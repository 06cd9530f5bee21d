package wire

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	sdk "github.com/mark3labs/mcp-go/mcp"
)

// Handler serves what the requests of one connection ask for.
type Handler interface {
	// Handle answers a request. message is the request with an id of the
	// connection's own; the reply gets the client's.
	Handle(call *Call, message []byte) Answer
	// Listen serves a stream of notifications until the call or the connection ends. Its
	// result is the reply that closes the stream.
	Listen(call *Call, wanted sdk.SubscriptionFilter) (result any)
	// RootsChanged is told that the client has other root directories now.
	RootsChanged()
}

// Answer is what a handler answers to a request.
type Answer struct {
	Message sdk.JSONRPCMessage
	Refused *Error // is sent in place of the message
	// Writing is called just before the message is written, and the function that it
	// returns is called with the result of that write. nil: the handler need not know.
	// It is not called if the client cancelled the call, or if an error is sent instead.
	Writing func() (written func(error))
}

// reply is what is sent for a call.
type reply struct {
	framed  []byte
	writing func() (written func(error)) // see Answer
}

// refusal is a reply that is an error.
func refusal(id json.RawMessage, problem *Error) reply {
	return reply{framed: errorResponse(id, problem)}
}

// Conn is one client's connection: its requests under way, and what it said
// about itself.
type Conn struct {
	client
	handler Handler
	log     *slog.Logger
	out     *output
	base    context.Context // ends when calls must stop at once
	abort   context.CancelFunc

	// closing is closed when no more input comes: a call that waits for a person
	// stops waiting, and everything else finishes.
	closing chan struct{}
	load    *load

	internalIDs atomic.Int64
	noted       sync.Once

	mu      sync.Mutex
	calls   map[string]*Call       // open requests of the client, by idKey
	running int                    // goroutines that may still write
	idle    chan struct{}          // closed once closing and nothing runs
	asked   map[string]func(Reply) // requests of ours that have no reply yet, by idKey
}

// New returns a connection that writes to out. Its calls keep the values of ctx, but
// do not end with it.
func New(ctx context.Context, out io.Writer, handler Handler, log *slog.Logger) *Conn {
	base, abort := context.WithCancel(context.WithoutCancel(ctx))
	return &Conn{
		handler: handler, log: log, out: newOutput(out), base: base, abort: abort,
		closing: make(chan struct{}),
		load:    newLoad(),
		calls:   map[string]*Call{},
		asked:   map[string]func(Reply){},
		idle:    make(chan struct{}),
	}
}

// Context ends when calls must stop at once.
func (c *Conn) Context() context.Context { return c.base }

// Closing is closed when no more input comes.
func (c *Conn) Closing() <-chan struct{} { return c.closing }

// Notify writes a notification.
func (c *Conn) Notify(method string, params any) error {
	message, err := notification(method, params)
	if err != nil {
		return err
	}
	return c.out.write(message)
}

// handleLine serves one line of input. It returns once the line's requests have a place in
// the queue, see load: they are worked on later, in goroutines of their own. Only initialize
// is served before it returns, because everything after it depends on it.
func (c *Conn) handleLine(line []byte) {
	if isBlank(line) {
		return
	}
	if isBatch(line) {
		c.handleBatch(line)
		return
	}
	message, problem := parseEnvelope(line)
	if problem != nil {
		c.send(errorResponse(message.ID, problem))
		return
	}
	if !message.isRequest() {
		c.handleOther(message)
		return
	}
	served, problem := c.begin(message, len(line))
	if problem != nil {
		c.send(errorResponse(message.ID, problem))
		return
	}
	serve := func() {
		defer c.finish(served)
		if answer := c.run(served); c.answer(served) {
			c.writeReply(answer.framed, answer)
		}
	}
	if message.method == string(sdk.MethodInitialize) {
		serve()
		return
	}
	go serve()
}

// handleOther serves what wants no reply: notifications, and replies to our own
// requests.
func (c *Conn) handleOther(message *envelope) {
	switch {
	case message.isResponse():
		c.answered(message)
	case message.method == string(sdk.MethodNotificationCancelled):
		c.cancelled(message.Params)
	case message.method == string(sdk.MethodNotificationRootsListChanged):
		c.handler.RootsChanged()
	}
}

// cancelled ends the request that a notifications/cancelled names. It ignores a request that
// is not open: some clients also cancel calls that have finished.
func (c *Conn) cancelled(params json.RawMessage) {
	var named struct {
		RequestID json.RawMessage `json:"requestId"`
	}
	if json.Unmarshal(params, &named) != nil {
		return
	}
	key, ok := idKey(named.RequestID)
	if !ok {
		return
	}
	c.mu.Lock()
	open := c.calls[key]
	delete(c.calls, key)
	c.mu.Unlock()
	if open != nil {
		open.cancelByClient()
	}
}

// begin waits until the queue has a place for a request of that size, and registers the
// request at once, so that a cancellation on the very next line finds it.
func (c *Conn) begin(message *envelope, size int) (*Call, *Error) {
	if problem := c.load.refuse(); problem != nil {
		return nil, problem
	}
	key, _ := idKey(message.ID)
	ctx, cancel := context.WithCancel(c.base)
	fresh := &Call{
		conn: c, request: message, key: key, started: time.Now(),
		ctx: ctx, cancel: cancel, size: size,
		progressToken: metaOf(message.Params).ProgressToken,
	}
	fresh.queue()
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, taken := c.calls[key]; taken {
		cancel()
		fresh.leave()
		return nil, &Error{Code: CodeInvalidRequest, Message: fmt.Sprintf(
			"id %s belongs to a request that is still open; every open request needs an id of its own", message.ID)}
	}
	c.calls[key] = fresh
	c.running++
	return fresh, nil
}

// answer claims the right to reply to the call; false means that it was
// cancelled. From then on the client may use the id again: it does so as soon
// as it has read the reply.
func (c *Conn) answer(served *Call) bool {
	if !served.answer() {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.calls[served.key] == served {
		delete(c.calls, served.key)
	}
	return true
}

// finish ends calls whose replies are written, or never will be.
func (c *Conn) finish(calls ...*Call) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, done := range calls {
		done.cancel()
		done.leave()
		c.running--
	}
	c.checkIdle()
}

func (c *Conn) checkIdle() {
	select {
	case <-c.closing:
	default:
		return
	}
	if c.running == 0 {
		select {
		case <-c.idle:
		default:
			close(c.idle)
		}
	}
}

// run serves a request and returns its reply.
func (c *Conn) run(served *Call) (answer reply) {
	defer func() {
		if r := recover(); r != nil {
			c.log.Error("a request failed from within", "method", served.request.method,
				"panic", r, "stack", string(debug.Stack()))
			answer = refusal(served.request.ID, &Error{
				Code: CodeInternal, Message: "planb failed from within; its log on stderr says where",
			})
		}
	}()
	if !atOnce(served.request) && !served.enter() {
		return refusal(served.request.ID, &Error{Code: CodeBusy, Message: "the connection ended before this request was begun"})
	}
	if problem := needsVersion(served.request); problem != nil {
		return refusal(served.request.ID, problem)
	}
	if wanted, ok := listens(served.request); ok {
		return reply{framed: c.listen(served, wanted)}
	}
	handled := c.handler.Handle(served, served.request.withID(c.internalIDs.Add(1)))
	c.noteClient()
	if handled.Refused != nil {
		return refusal(served.request.ID, handled.Refused)
	}
	return c.frame(served.request.ID, handled)
}

// atOnce reports whether a request is served without waiting for room: whatever else
// is under way, a client may ask whether planb lives, and introduce itself.
func atOnce(message *envelope) bool {
	return message.method == string(sdk.MethodPing) || message.method == string(sdk.MethodInitialize)
}

// noteClient logs who the client is, once it has said so.
func (c *Conn) noteClient() {
	info := c.GetClientInfo()
	if info.Name == "" {
		return
	}
	c.noted.Do(func() {
		c.log.Info("a client connected", "name", info.Name, "version", info.Version)
	})
}

// frame puts the client's own id onto what the handler answered.
func (c *Conn) frame(id json.RawMessage, handled Answer) reply {
	var framed []byte
	var err error
	switch answer := handled.Message.(type) {
	case sdk.JSONRPCResponse:
		framed, err = response(id, "result", answer.Result)
	case sdk.JSONRPCError:
		framed, err = response(id, "error", answer.Error)
	default:
		err = fmt.Errorf("unexpected answer %T", answer)
	}
	if err != nil {
		c.log.Error("a reply could not be encoded", "error", err)
		return refusal(id, &Error{Code: CodeInternal, Message: "the reply could not be encoded: " + err.Error()})
	}
	return reply{framed, handled.Writing}
}

// writeReply writes one message that consists of these replies. Each reply's call has
// claimed the right to reply.
func (c *Conn) writeReply(message []byte, replies ...reply) {
	var written []func(error)
	for _, r := range replies {
		if r.writing != nil {
			written = append(written, r.writing())
		}
	}
	err := c.out.write(message)
	if err != nil {
		c.log.Warn("a reply could not be written", "error", err)
	}
	for _, tell := range written {
		tell(err)
	}
}

// send writes a message that answers no registered call.
func (c *Conn) send(message []byte) {
	if err := c.out.write(message); err != nil {
		c.log.Debug("a message could not be written", "error", err)
	}
}

func isBlank(line []byte) bool {
	for _, b := range line {
		if b != ' ' && b != '\t' && b != '\r' {
			return false
		}
	}
	return true
}

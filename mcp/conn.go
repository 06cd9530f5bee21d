package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	sdk "github.com/mark3labs/mcp-go/mcp"
)

// conn is one client's connection: its requests under way, and what it said
// about itself.
type conn struct {
	clientSession
	server *Server
	out    *output
	base   context.Context // ends when calls must stop at once
	abort  context.CancelFunc

	// closing is closed when no more input comes: whoever waits for a person
	// stops waiting, and everything else finishes.
	closing chan struct{}
	load    *load

	internalIDs  atomic.Int64
	noted        sync.Once
	dialogStates dialogStates
	followed     subscriptions // by requests of their own; see listen for those of later versions

	mu      sync.Mutex
	calls   map[string]*call               // open requests of the client, by idKey
	running int                            // goroutines that may still write
	idle    chan struct{}                  // closed once closing and nothing runs
	asking  map[string]func(time.Duration) // ends the claim on each ask whose outcome the agent is to learn
	asked   map[string]func(clientReply)   // requests of ours that have no reply yet, by idKey
}

func newConn(ctx context.Context, s *Server, out *output) *conn {
	base, abort := context.WithCancel(context.WithoutCancel(ctx))
	c := &conn{
		server: s, out: out, base: base, abort: abort,
		closing: make(chan struct{}),
		load:    newLoad(),
		calls:   map[string]*call{},
		asked:   map[string]func(clientReply){},
		idle:    make(chan struct{}),
	}
	c.followed.conn = c
	return c
}

// handleLine serves one line of input. It waits until the line's requests have a place
// in the queue, see load, but neither for room to work on them nor for what they ask
// for; except for initialize, on which everything after it depends.
func (c *conn) handleLine(line []byte) {
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
		c.reply(served, c.run(served))
	}
	if message.method == string(sdk.MethodInitialize) {
		serve()
		return
	}
	go serve()
}

// handleOther takes what wants no reply: notifications, and replies to our own
// requests.
func (c *conn) handleOther(message *envelope) {
	switch {
	case message.isResponse():
		c.answered(message)
	case message.method == string(sdk.MethodNotificationCancelled):
		c.cancelled(message.Params)
	case message.method == string(sdk.MethodNotificationRootsListChanged):
		c.rootsChanged()
	}
}

// cancelled ends the request a notifications/cancelled names. One that is not
// open any more, or never was, is passed over: clients send these freely.
func (c *conn) cancelled(params json.RawMessage) {
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

// begin waits until there is a place for a request of that size in the queue, and
// registers it, so that a cancellation on the very next line finds it.
func (c *conn) begin(message *envelope, size int) (*call, *rpcError) {
	if problem := c.load.refuse(); problem != nil {
		return nil, problem
	}
	key, _ := idKey(message.ID)
	ctx, cancel := context.WithCancel(c.base)
	fresh := &call{
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
		return nil, &rpcError{Code: codeInvalidRequest, Message: fmt.Sprintf(
			"id %s belongs to a request that is still open; every open request needs an id of its own", message.ID)}
	}
	c.calls[key] = fresh
	c.running++
	return fresh, nil
}

// answer claims the right to reply to the call; false means that it was
// cancelled. From then on the client may use the id again: it does so as soon
// as it has read the reply.
func (c *conn) answer(served *call) bool {
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
func (c *conn) finish(calls ...*call) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, done := range calls {
		done.cancel()
		done.leave()
		c.running--
	}
	c.checkIdle()
}

func (c *conn) checkIdle() {
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

// run serves a request and returns its reply, framed.
func (c *conn) run(served *call) (reply []byte) {
	defer func() {
		if r := recover(); r != nil {
			c.server.log.Error("a request failed from within", "method", served.request.method,
				"panic", r, "stack", string(debug.Stack()))
			reply = errorResponse(served.request.ID, &rpcError{
				Code: codeInternal, Message: "planb failed from within; its log on stderr says where",
			})
		}
	}()
	if !atOnce(served.request) && !served.enter() {
		return errorResponse(served.request.ID, &rpcError{Code: codeBusy, Message: "the connection ended before this request was begun"})
	}
	if problem := needsVersion(served.request); problem != nil {
		return errorResponse(served.request.ID, problem)
	}
	if wanted, ok := listens(served.request); ok {
		return c.listen(served, wanted)
	}
	ctx := c.server.sdk.WithContext(withCall(served.ctx, served), callSession{c, served})
	answer := c.server.sdk.HandleMessage(ctx, served.request.withID(c.internalIDs.Add(1)))
	c.noteClient()
	if served.refused != nil {
		return errorResponse(served.request.ID, served.refused)
	}
	return c.frame(served.request.ID, answer)
}

// atOnce reports whether a request is served without waiting for room: whatever else
// is under way, a client may ask whether planb lives, and introduce itself.
func atOnce(message *envelope) bool {
	return message.method == string(sdk.MethodPing) || message.method == string(sdk.MethodInitialize)
}

// noteClient logs who the client is, once it has said so.
func (c *conn) noteClient() {
	info := c.GetClientInfo()
	if info.Name == "" {
		return
	}
	c.noted.Do(func() {
		c.server.log.Info("a client connected", "name", info.Name, "version", info.Version)
	})
}

// frame puts the client's own id onto what the protocol library answered.
func (c *conn) frame(id json.RawMessage, answer sdk.JSONRPCMessage) []byte {
	var framed []byte
	var err error
	switch answer := answer.(type) {
	case sdk.JSONRPCResponse:
		framed, err = response(id, "result", answer.Result)
	case sdk.JSONRPCError:
		framed, err = response(id, "error", answer.Error)
	default:
		err = fmt.Errorf("unexpected answer %T", answer)
	}
	if err != nil {
		c.server.log.Error("a reply could not be encoded", "error", err)
		return errorResponse(id, &rpcError{Code: codeInternal, Message: "the reply could not be encoded: " + err.Error()})
	}
	return framed
}

// reply writes a call's reply, unless the client has cancelled it.
func (c *conn) reply(served *call, message []byte) {
	if c.answer(served) {
		c.writeReply(message, served)
	}
}

// writeReply writes one message that answers the calls, each of which allowed
// it, and then marks what it carried as delivered.
func (c *conn) writeReply(message []byte, answered ...*call) {
	var carried, inherited []string
	for _, done := range answered {
		delivers, inherits := done.delivered()
		carried = append(carried, delivers...)
		inherited = append(inherited, inherits...)
	}
	c.heard(slices.Concat(carried, inherited)...)
	confirm := c.server.deliveries.begin(carried)
	err := c.out.write(message)
	confirm(err)
	if err != nil {
		return
	}
	c.learned(carried...)
	for _, done := range answered {
		done.wasWritten()
	}
	for _, id := range inherited {
		go c.deliverOnceGone(id)
	}
}

// send writes a message that answers no registered call.
func (c *conn) send(message []byte) {
	if err := c.out.write(message); err != nil {
		c.server.log.Debug("a message could not be written", "error", err)
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

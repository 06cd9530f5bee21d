package wire

import (
	"crypto/rand"
	"encoding/json"
	"runtime/debug"

	sdk "github.com/mark3labs/mcp-go/mcp"
)

// Reply is what a client answered to a request of ours.
type Reply struct {
	Result  json.RawMessage
	Problem json.RawMessage // the error it answered with instead
}

// Refused reports whether the reply is an error, or nothing.
func (r Reply) Refused() bool {
	return len(r.Problem) > 0 && string(r.Problem) != "null" || len(r.Result) == 0
}

// Outgoing is a request of ours to the client.
type Outgoing struct {
	conn *Conn
	id   json.RawMessage
}

// Request sends the client a request, with params unless they are nil. When the
// reply comes, replied is called with it, once, on a goroutine of its own that
// the connection's end waits for. A client may never reply. The id cannot be
// guessed: a reply may decide what a person is asked.
func (c *Conn) Request(method string, params any, replied func(Reply)) (*Outgoing, error) {
	id, err := json.Marshal("planb-" + rand.Text())
	if err != nil {
		return nil, err
	}
	message, err := json.Marshal(struct {
		JSONRPC string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Method  string          `json:"method"`
		Params  any             `json:"params,omitempty"`
	}{"2.0", id, method, params})
	if err != nil {
		return nil, err
	}
	sent := &Outgoing{conn: c, id: id}
	c.mu.Lock()
	c.asked[sent.key()] = replied
	c.mu.Unlock()
	if err := c.out.write(message); err != nil {
		sent.Forget()
		return nil, err
	}
	return sent, nil
}

func (o *Outgoing) key() string {
	key, _ := idKey(o.id)
	return key
}

// Forget drops the request. A reply that comes after that is ignored.
func (o *Outgoing) Forget() {
	o.conn.mu.Lock()
	defer o.conn.mu.Unlock()
	delete(o.conn.asked, o.key())
}

// Cancel tells the client that planb no longer waits for the reply, unless the client has
// replied. A reply that comes after that is still handed over.
func (o *Outgoing) Cancel(reason string) {
	o.conn.mu.Lock()
	_, open := o.conn.asked[o.key()]
	o.conn.mu.Unlock()
	if !open {
		return
	}
	message, err := notification(string(sdk.MethodNotificationCancelled), struct {
		RequestID json.RawMessage `json:"requestId"`
		Reason    string          `json:"reason"`
	}{o.id, reason})
	if err != nil {
		o.conn.log.Error("a cancellation could not be encoded", "error", err)
		return
	}
	o.conn.send(message)
}

// answered hands the client's reply to the function that waits for it. A reply to no open
// request, or a second one, is ignored.
func (c *Conn) answered(message *envelope) {
	key, _ := idKey(message.ID)
	c.mu.Lock()
	replied, ok := c.asked[key]
	delete(c.asked, key)
	c.mu.Unlock()
	if ok {
		c.Background(func() { replied(Reply{Result: message.Result, Problem: message.Error}) })
	}
}

// Background calls do on a goroutine of its own, for work that belongs to no open request.
// The connection's end waits for it.
func (c *Conn) Background(do func()) {
	c.mu.Lock()
	c.running++
	c.mu.Unlock()
	go func() {
		defer c.ran()
		defer func() {
			if r := recover(); r != nil {
				c.log.Error("something failed from within", "panic", r, "stack", string(debug.Stack()))
			}
		}()
		do()
	}()
}

// ran counts one goroutine less.
func (c *Conn) ran() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.running--
	c.checkIdle()
}

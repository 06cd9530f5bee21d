package mcp_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"planb/mcp"
	"planb/questions"
	"planb/store"
	"planb/store/kv/kvtest"
)

// patience is how long a test waits for what must come; nothing waits that long
// unless something is broken.
const patience = time.Minute

// client speaks to a server over in-process pipes. Every line it receives must
// be JSON-RPC; anything else fails the test.
type client struct {
	t      testing.TB
	in     io.WriteCloser
	served chan error
	stop   context.CancelFunc

	mu      sync.Mutex
	replies map[string]chan reply // by raw id
	notes   []message
	asks    chan message // requests of the server
	news    chan struct{}
	ids     int
}

type message struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  string          `json:"method"`
	Params  json.RawMessage `json:"params"`
	Result  json.RawMessage `json:"result"`
	Error   *struct {
		Code    int             `json:"code"`
		Message string          `json:"message"`
		Data    json.RawMessage `json:"data"`
	} `json:"error"`
}

type reply struct {
	message
	line []byte
}

// connect starts serving a new client.
func connect(t testing.TB, s *mcp.Server) *client {
	t.Helper()
	serverIn, clientOut := io.Pipe()
	clientIn, serverOut := io.Pipe()
	ctx, stop := context.WithCancel(context.Background())
	c := &client{
		t: t, in: clientOut, served: make(chan error, 1), stop: stop,
		replies: map[string]chan reply{}, asks: make(chan message, 8), news: make(chan struct{}, 1),
	}
	go func() {
		c.served <- s.Serve(ctx, serverIn, serverOut)
		_ = serverOut.Close()
	}()
	read := make(chan struct{})
	go func() {
		defer close(read)
		c.read(clientIn)
	}()
	t.Cleanup(func() {
		_ = clientOut.Close()
		stop()
		<-read
	})
	return c
}

func (c *client) read(in io.Reader) {
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			if len(line) > 0 {
				c.t.Errorf("the output ended inside a line: %q", line)
			}
			return
		}
		c.take(line)
	}
}

func (c *client) take(line []byte) {
	var m message
	if bytes.HasPrefix(line, []byte("[")) {
		m.ID = json.RawMessage("batch")
	} else if err := json.Unmarshal(line, &m); err != nil || m.JSONRPC != "2.0" {
		c.t.Errorf("the output is not JSON-RPC: %q", line)
		return
	}
	switch {
	case m.Method != "" && len(m.ID) > 0:
		c.asks <- m
	case m.Method != "":
		c.mu.Lock()
		c.notes = append(c.notes, m)
		c.mu.Unlock()
		select {
		case c.news <- struct{}{}:
		default:
		}
	default:
		c.expect(string(m.ID)) <- reply{m, line}
	}
}

// expect returns where the reply of that id arrives.
func (c *client) expect(id string) chan reply {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.replies[id] == nil {
		c.replies[id] = make(chan reply, 8)
	}
	return c.replies[id]
}

func (c *client) notifications(method string) []message {
	c.mu.Lock()
	defer c.mu.Unlock()
	var found []message
	for _, m := range c.notes {
		if m.Method == method {
			found = append(found, m)
		}
	}
	return found
}

// write sends raw bytes.
func (c *client) write(raw string) {
	c.t.Helper()
	if _, err := io.WriteString(c.in, raw); err != nil {
		c.t.Fatalf("writing to the server: %v", err)
	}
}

func (c *client) send(v any) {
	c.t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		c.t.Fatal(err)
	}
	c.write(string(raw) + "\n")
}

// start sends a request and returns its id.
func (c *client) start(method string, params any) string {
	c.t.Helper()
	c.mu.Lock()
	c.ids++
	id := fmt.Sprint(c.ids)
	c.mu.Unlock()
	c.send(map[string]any{"jsonrpc": "2.0", "id": json.RawMessage(id), "method": method, "params": params})
	return id
}

func (c *client) notify(method string, params any) {
	c.t.Helper()
	c.send(map[string]any{"jsonrpc": "2.0", "method": method, "params": params})
}

// reply waits for the reply of that raw id.
func (c *client) reply(id string) reply {
	c.t.Helper()
	select {
	case r := <-c.expect(id):
		return r
	case <-time.After(patience):
		c.t.Fatalf("no reply to request %s", id)
		return reply{}
	}
}

func (c *client) request(method string, params any) reply {
	c.t.Helper()
	return c.reply(c.start(method, params))
}

func (c *client) initialize(name string) reply {
	c.t.Helper()
	return c.initializeAs(map[string]any{"name": name, "version": "1"}, map[string]any{})
}

func (c *client) initializeAs(info, capabilities map[string]any) reply {
	c.t.Helper()
	r := c.request("initialize", map[string]any{
		"protocolVersion": "2025-11-25", "clientInfo": info, "capabilities": capabilities,
	})
	c.notify("notifications/initialized", nil)
	return r
}

// answer is a tool's result.
type answer struct {
	Content []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	} `json:"content"`
	IsError    bool            `json:"isError"`
	Structured json.RawMessage `json:"structuredContent"`
	Meta       map[string]json.RawMessage
	data       map[string]any
}

func (a answer) texts() []string {
	var texts []string
	for _, item := range a.Content {
		texts = append(texts, item.Text)
	}
	return texts
}

func (a answer) text() string { return strings.Join(a.texts(), "\n") }

func (c *client) startTool(name string, args any) string {
	c.t.Helper()
	return c.start("tools/call", map[string]any{"name": name, "arguments": args})
}

func (c *client) tool(name string, args any) answer {
	c.t.Helper()
	return c.answer(c.startTool(name, args))
}

// answer waits for the tool result of that id.
func (c *client) answer(id string) answer {
	c.t.Helper()
	return c.decode(c.reply(id))
}

func (c *client) decode(r reply) answer {
	c.t.Helper()
	if r.Error != nil {
		c.t.Fatalf("the call failed: %d %s", r.Error.Code, r.Error.Message)
	}
	var a struct {
		answer
		Meta map[string]json.RawMessage `json:"_meta"`
	}
	if err := json.Unmarshal(r.Result, &a); err != nil {
		c.t.Fatal(err)
	}
	if a.Structured != nil {
		c.t.Errorf("a result has structuredContent: %s", r.Result)
	}
	if err := json.Unmarshal(a.Meta["planb/result"], &a.data); err != nil {
		c.t.Fatalf("_meta of %s: %v", r.Result, err)
	}
	return a.answer
}

// session starts a planning session and returns its id.
func (c *client) session() string {
	c.t.Helper()
	first, _, _ := strings.Cut(c.tool("init_planb_session", map[string]any{}).text(), "\n")
	id, ok := strings.CutPrefix(first, "sessionId: ")
	if !ok {
		c.t.Fatalf("init answered %q", first)
	}
	return id
}

// end closes the input and waits for the server to return.
func (c *client) end() error {
	c.t.Helper()
	_ = c.in.Close()
	select {
	case err := <-c.served:
		return err
	case <-time.After(patience):
		c.t.Fatal("the server did not return at the end of input")
		return nil
	}
}

// oneQuestion is the arguments of a small ask.
func oneQuestion(session string) map[string]any {
	return map[string]any{
		"sessionId": session, "title": "One thing",
		"questions": []any{map[string]any{"id": "name", "kind": "text", "label": "Name?"}},
	}
}

// world is a server over a store that tests look into.
type world struct {
	t     testing.TB
	store *store.Store
	*mcp.Server
}

// newWorld returns a server that opens nothing unless the change says otherwise.
func newWorld(t testing.TB, change func(*mcp.Config)) *world {
	t.Helper()
	s := store.New(kvtest.NewMap(), store.Options{By: "you@example"})
	return worldOver(t, s, change)
}

func worldOver(t testing.TB, s *store.Store, change func(*mcp.Config)) *world {
	t.Helper()
	cfg := mcp.Config{
		Store: s, DataDir: t.TempDir(), NoOpen: true, Version: "1.2.3",
		WorkingDir: "/srv/project", Executable: "/opt/planb",
	}
	if change != nil {
		change(&cfg)
	}
	return &world{t: t, store: s, Server: mcp.New(cfg)}
}

// until polls until what is expected is there.
func until(t testing.TB, what string, there func() bool) {
	t.Helper()
	deadline := time.Now().Add(patience)
	for !there() {
		if time.Now().After(deadline) {
			t.Fatalf("waited in vain: %s", what)
		}
		time.Sleep(time.Millisecond)
	}
}

// opened waits until that many asks are open, and returns them, oldest first.
func (w *world) opened(n int) []store.Ask {
	w.t.Helper()
	var asks []store.Ask
	until(w.t, fmt.Sprintf("%d open asks", n), func() bool {
		var err error
		asks, err = w.store.Waiting(context.Background())
		if err != nil {
			w.t.Fatal(err)
		}
		return len(asks) == n
	})
	return asks
}

func (w *world) ask(id string) store.Ask {
	w.t.Helper()
	ask, err := w.store.Ask(context.Background(), id)
	if err != nil {
		w.t.Fatal(err)
	}
	return ask
}

func (w *world) settle(id string, outcome questions.Outcome) {
	w.t.Helper()
	if _, err := w.store.Settle(context.Background(), id, outcome); err != nil {
		w.t.Fatal(err)
	}
}

// submit answers the one question of the ask.
func (w *world) submit(id, name string) {
	w.t.Helper()
	w.settle(id, questions.Outcome{State: questions.Answered, Reply: questions.Reply{
		Answers: map[string]questions.Value{"name": questions.TextValue(name)},
	}})
}

func (w *world) delivered(id string) bool { return !w.ask(id).Delivered.IsZero() }

var errTest = errors.New("made to fail")

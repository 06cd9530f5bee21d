package mcptest

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
)

// Patience is how long a test waits for what must come. Nothing waits that long
// unless something is broken.
const Patience = 3 * time.Minute

// Client speaks to a server over in-process pipes. Every line it receives must
// be JSON-RPC; anything else fails the test.
type Client struct {
	T      testing.TB
	in     io.WriteCloser
	served chan error
	stop   context.CancelFunc

	mu      sync.Mutex
	replies map[string]chan Reply // by raw id
	notes   []Message
	Asks    chan Message // requests of the server
	news    chan struct{}
	ids     int
}

// Message is a JSON-RPC message.
type Message struct {
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

// Reply is a response, with its line as it was written.
type Reply struct {
	Message
	Line []byte
}

// Started returns a server that opens nothing, a client of it, and a session of that
// client.
func Started(t testing.TB) (w *World, c *Client, session string) {
	t.Helper()
	w = NewWorld(t, nil)
	c = Connect(t, w.Server)
	c.Initialize("test")
	return w, c, c.Session()
}

// Connect starts serving a new client.
func Connect(t testing.TB, s *mcp.Server) *Client {
	t.Helper()
	serverIn, clientOut := io.Pipe()
	clientIn, serverOut := io.Pipe()
	ctx, stop := context.WithCancel(context.Background())
	c := &Client{
		T: t, in: clientOut, served: make(chan error, 1), stop: stop,
		replies: map[string]chan Reply{}, Asks: make(chan Message, 8), news: make(chan struct{}, 1),
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

func (c *Client) read(in io.Reader) {
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			if len(line) > 0 {
				c.T.Errorf("the output ended inside a line: %q", line)
			}
			return
		}
		c.take(line)
	}
}

func (c *Client) take(line []byte) {
	var m Message
	if bytes.HasPrefix(line, []byte("[")) {
		m.ID = json.RawMessage("batch")
	} else if err := json.Unmarshal(line, &m); err != nil || m.JSONRPC != "2.0" {
		c.T.Errorf("the output is not JSON-RPC: %q", line)
		return
	}
	switch {
	case m.Method != "" && len(m.ID) > 0:
		c.Asks <- m
	case m.Method != "":
		c.mu.Lock()
		c.notes = append(c.notes, m)
		c.mu.Unlock()
		select {
		case c.news <- struct{}{}:
		default:
		}
	default:
		c.Expect(string(m.ID)) <- Reply{m, line}
	}
}

// Expect returns where the reply with that id arrives.
func (c *Client) Expect(id string) chan Reply {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.replies[id] == nil {
		c.replies[id] = make(chan Reply, 8)
	}
	return c.replies[id]
}

// Notifications are those of the method that have come so far.
func (c *Client) Notifications(method string) []Message {
	c.mu.Lock()
	defer c.mu.Unlock()
	var found []Message
	for _, m := range c.notes {
		if m.Method == method {
			found = append(found, m)
		}
	}
	return found
}

// Write sends raw bytes.
func (c *Client) Write(raw string) {
	c.T.Helper()
	if _, err := io.WriteString(c.in, raw); err != nil {
		c.T.Fatalf("writing to the server: %v", err)
	}
}

// Send sends a value as JSON.
func (c *Client) Send(v any) {
	c.T.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		c.T.Fatal(err)
	}
	c.Write(string(raw) + "\n")
}

// Start sends a request and returns its id.
func (c *Client) Start(method string, params any) string {
	c.T.Helper()
	c.mu.Lock()
	c.ids++
	id := fmt.Sprint(c.ids)
	c.mu.Unlock()
	c.Send(map[string]any{"jsonrpc": "2.0", "id": json.RawMessage(id), "method": method, "params": params})
	return id
}

// Notify sends a notification.
func (c *Client) Notify(method string, params any) {
	c.T.Helper()
	c.Send(map[string]any{"jsonrpc": "2.0", "method": method, "params": params})
}

// Reply waits for the reply of that raw id.
func (c *Client) Reply(id string) Reply {
	c.T.Helper()
	select {
	case r := <-c.Expect(id):
		return r
	case <-time.After(Patience):
		c.T.Fatalf("no reply to request %s", id)
		return Reply{}
	}
}

// Request sends a request and waits for its reply.
func (c *Client) Request(method string, params any) Reply {
	c.T.Helper()
	return c.Reply(c.Start(method, params))
}

// Initialize introduces a client with that name.
func (c *Client) Initialize(name string) Reply {
	c.T.Helper()
	return c.InitializeAs(map[string]any{"name": name, "version": "1"}, map[string]any{})
}

// InitializeAs introduces a client with these capabilities.
func (c *Client) InitializeAs(info, capabilities map[string]any) Reply {
	c.T.Helper()
	r := c.Request("initialize", map[string]any{
		"protocolVersion": "2025-11-25", "clientInfo": info, "capabilities": capabilities,
	})
	c.Notify("notifications/initialized", nil)
	return r
}

// Answer is a tool's result.
type Answer struct {
	Content []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	} `json:"content"`
	IsError    bool            `json:"isError"`
	Structured json.RawMessage `json:"structuredContent"`
	Meta       map[string]json.RawMessage
	Data       map[string]any
}

// Texts are the texts of the result.
func (a Answer) Texts() []string {
	var texts []string
	for _, item := range a.Content {
		texts = append(texts, item.Text)
	}
	return texts
}

// Text is all texts of the result.
func (a Answer) Text() string { return strings.Join(a.Texts(), "\n") }

// StartTool calls a tool and returns the id of the call.
func (c *Client) StartTool(name string, args any) string {
	c.T.Helper()
	return c.Start("tools/call", map[string]any{"name": name, "arguments": args})
}

// Tool calls a tool and waits for its result.
func (c *Client) Tool(name string, args any) Answer {
	c.T.Helper()
	return c.Answer(c.StartTool(name, args))
}

// Answer waits for the tool result with that id.
func (c *Client) Answer(id string) Answer {
	c.T.Helper()
	return c.Decode(c.Reply(id))
}

// Decode reads a tool's result.
func (c *Client) Decode(r Reply) Answer {
	c.T.Helper()
	if r.Error != nil {
		c.T.Fatalf("the call failed: %d %s", r.Error.Code, r.Error.Message)
	}
	var a struct {
		Answer
		Meta map[string]json.RawMessage `json:"_meta"`
	}
	if err := json.Unmarshal(r.Result, &a); err != nil {
		c.T.Fatal(err)
	}
	if a.Structured != nil { // T4 of the tools of tasks; others have none either
		c.T.Errorf("a result has structuredContent: %s", r.Result)
	}
	if err := json.Unmarshal(a.Meta["planb/result"], &a.Data); err != nil {
		c.T.Fatalf("_meta of %s: %v", r.Result, err)
	}
	return a.Answer
}

// Session starts a planning session and returns its id.
func (c *Client) Session() string {
	c.T.Helper()
	first, _, _ := strings.Cut(c.Tool("init_planb_session", map[string]any{}).Text(), "\n")
	id, ok := strings.CutPrefix(first, "sessionId: ")
	if !ok {
		c.T.Fatalf("init answered %q", first)
	}
	return id
}

// End closes the input and waits for the server to return.
func (c *Client) End() error {
	c.T.Helper()
	_ = c.in.Close()
	select {
	case err := <-c.served:
		return err
	case <-time.After(Patience):
		c.T.Fatal("the server did not return at the end of input")
		return nil
	}
}

// OneQuestion is the arguments of a small ask.
func OneQuestion(session string) map[string]any {
	return map[string]any{
		"sessionId": session, "title": "One thing",
		"questions": []any{map[string]any{"id": "name", "kind": "text", "label": "Name?"}},
	}
}

// ErrTest is the error of fakes that fail.
var ErrTest = errors.New("made to fail")

// Cancel cancels requests.
func (c *Client) Cancel(ids ...string) {
	c.T.Helper()
	for _, id := range ids {
		c.Notify("notifications/cancelled", map[string]any{"requestId": json.RawMessage(id)})
	}
}

// Unanswered fails the test if one of the requests has a reply.
func (c *Client) Unanswered(ids ...string) {
	c.T.Helper()
	for _, id := range ids {
		select {
		case got := <-c.Expect(id):
			c.T.Errorf("the cancelled request %s was answered: %s", id, got.Line)
		default:
		}
	}
}

// InitializeWith agrees on a version of the protocol.
func (c *Client) InitializeWith(version string) {
	c.T.Helper()
	c.Request("initialize", map[string]any{
		"protocolVersion": version, "clientInfo": map[string]any{"name": "test", "version": "1"}, "capabilities": map[string]any{},
	})
	c.Notify("notifications/initialized", nil)
}

// Ping is a request.
const Ping = `{"jsonrpc":"2.0","id":"p","method":"ping"}`

// Batch sends requests as one batch and waits for its reply.
func (c *Client) Batch(items ...string) Reply {
	c.T.Helper()
	c.Write("[" + strings.Join(items, ",") + "]\n")
	for _, id := range []string{"batch", "null"} {
		select {
		case got := <-c.Expect(id):
			return got
		default:
		}
	}
	select {
	case got := <-c.Expect("batch"):
		return got
	case got := <-c.Expect("null"):
		return got
	case <-time.After(Patience):
		c.T.Fatal("no reply to the batch")
	}
	return Reply{}
}

// Protocol is the version that a request of the era without sessions names.
func (m Message) Protocol() string {
	var params struct {
		Meta struct {
			Version string `json:"io.modelcontextprotocol/protocolVersion"`
		} `json:"_meta"`
	}
	_ = json.Unmarshal(m.Params, &params) // without params, or with odd ones, it names none
	return params.Meta.Version
}

// Prompt gets a prompt, which has one message.
func (c *Client) Prompt(name string, arguments map[string]string) (description, text string) {
	c.T.Helper()
	r := c.Request("prompts/get", map[string]any{"name": name, "arguments": arguments})
	var got struct {
		Description string
		Messages    []struct {
			Role    string
			Content struct{ Type, Text string }
		}
	}
	if r.Error != nil {
		c.T.Fatalf("prompts/get: %d %s", r.Error.Code, r.Error.Message)
	}
	if err := json.Unmarshal(r.Result, &got); err != nil {
		c.T.Fatal(err)
	}
	if len(got.Messages) != 1 || got.Messages[0].Role != "user" || got.Messages[0].Content.Type != "text" {
		c.T.Fatalf("the prompt is %s", r.Result)
	}
	return got.Description, got.Messages[0].Content.Text
}

// Modern is the _meta of a request of protocol version 2026-07-28.
func Modern(more map[string]any) map[string]any {
	meta := map[string]any{
		"io.modelcontextprotocol/protocolVersion":    "2026-07-28",
		"io.modelcontextprotocol/clientInfo":         map[string]any{"name": "claude-code", "title": "Claude Code", "version": "2.1"},
		"io.modelcontextprotocol/clientCapabilities": map[string]any{"roots": map[string]any{}},
	}
	for name, value := range more {
		meta[name] = value
	}
	return meta
}

// ReadResource reads a resource; its text must be the only content.
func (c *Client) ReadResource(uri string) (text, mime string) {
	c.T.Helper()
	r := c.Request("resources/read", map[string]any{"uri": uri})
	if r.Error != nil {
		c.T.Fatalf("%s: %d %s", uri, r.Error.Code, r.Error.Message)
	}
	var result struct {
		Contents []struct{ URI, MIMEType, Text string }
	}
	if err := json.Unmarshal(r.Result, &result); err != nil || len(result.Contents) != 1 || result.Contents[0].URI != uri {
		c.T.Fatalf("%s: %s, %v", uri, r.Result, err)
	}
	return result.Contents[0].Text, result.Contents[0].MIMEType
}

// Updates are the URIs that a client was told of, with the stream they came on.
func (c *Client) Updates() (told []string) {
	for _, m := range c.Notifications("notifications/resources/updated") {
		told = append(told, string(m.Params))
	}
	return told
}

// StillOpen reports whether the agent was told only that the ask is open, and nothing
// of its user.
func (a Answer) StillOpen(askID string) bool {
	for _, more := range []string{"away", "closed", "nowhere"} {
		if a.Data[more] != nil {
			return false
		}
	}
	return a.Data["askId"] == askID && a.Data["state"] == "pending" && strings.HasPrefix(a.Text(), "NOT ANSWERED YET: ") && !a.IsError
}

// Closed reports whether the agent was told that its user closed the form.
func (a Answer) Closed(askID string) bool {
	return a.Data["askId"] == askID && a.Data["closed"] == true && strings.HasPrefix(a.Text(), "NOT ANSWERED YET: the user closed the ") && !a.IsError
}

// Nowhere reports whether the agent was told that no pane can show the ask, and why.
func (a Answer) Nowhere(askID, reason string) bool {
	return a.Data["askId"] == askID && a.Data["state"] == "pending" && a.Data["nowhere"] == true &&
		strings.HasPrefix(a.Text(), "NOT ANSWERED YET: no pane could be opened ("+reason+"). ") && !a.IsError
}

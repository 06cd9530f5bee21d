package mcptest

import (
	"encoding/json"
	"testing"

	"planb/mcp"
	"planb/mcp/pane"
)

// NoPane is why Paneless opens no pane.
const NoPane = "there is no tmux here"

// Paneless is a server that can open no pane.
func Paneless(t testing.TB, change func(*mcp.Config)) *World {
	t.Helper()
	return NewWorld(t, func(cfg *mcp.Config) {
		cfg.NoOpen, cfg.Opener = false, pane.None{Reason: NoPane}
		if change != nil {
			change(cfg)
		}
	})
}

// FormDialogs are the capabilities of a client that shows dialogs.
var FormDialogs = map[string]any{"elicitation": map[string]any{"form": map[string]any{}}}

// WithDialogs connects a client that shows dialogs.
func WithDialogs(t testing.TB, w *World) *Client {
	t.Helper()
	c := Connect(t, w.Server)
	c.InitializeAs(map[string]any{"name": "codex-mcp-client", "title": "Codex", "version": "1"}, FormDialogs)
	return c
}

// DialogAsked is what the client is asked to show.
func (c *Client) DialogAsked() (id json.RawMessage, message, schema string) {
	c.T.Helper()
	asked := <-c.Asks
	var params struct {
		Message         string
		RequestedSchema json.RawMessage
	}
	if err := json.Unmarshal(asked.Params, &params); err != nil || asked.Method != "elicitation/create" {
		c.T.Fatalf("the client was asked %s %s, %v", asked.Method, asked.Params, err)
	}
	return asked.ID, params.Message, string(params.RequestedSchema)
}

// Respond answers a request of the server.
func (c *Client) Respond(id json.RawMessage, result string) {
	c.T.Helper()
	c.Send(map[string]any{"jsonrpc": "2.0", "id": id, "result": json.RawMessage(result)})
}

// ModernTool starts a call of a client of protocol version 2026-07-28 that shows
// dialogs; again is what it adds when it makes the call again.
func (c *Client) ModernTool(name string, args map[string]any, again map[string]any) string {
	c.T.Helper()
	params := map[string]any{"name": name, "arguments": args, "_meta": Modern(map[string]any{
		"io.modelcontextprotocol/clientCapabilities": FormDialogs,
	})}
	for key, value := range again {
		params[key] = value
	}
	return c.Start("tools/call", params)
}

// ModernSession starts a planning session as ModernTool does.
func (c *Client) ModernSession() string {
	c.T.Helper()
	id, _ := c.Answer(c.ModernTool("init_planb_session", nil, nil)).Data["sessionId"].(string)
	return id
}

// WantedInput is what a result asks its client for.
type WantedInput struct {
	State, key, Message, schema string
}

// With is what a call adds to bring the reply.
func (w WantedInput) With(reply string) map[string]any {
	return map[string]any{"requestState": w.State, "inputResponses": map[string]any{w.key: json.RawMessage(reply)}}
}

// InputWanted waits for the result with that id, which must ask for an input.
func (c *Client) InputWanted(id string) WantedInput {
	c.T.Helper()
	raw := (<-c.Expect(id)).Result
	var got struct {
		ResultType    string
		RequestState  string
		Content       []any
		InputRequests map[string]struct {
			Method string
			Params struct {
				Message         string
				RequestedSchema json.RawMessage
			}
		}
	}
	if err := json.Unmarshal(raw, &got); err != nil || got.ResultType != "input_required" || len(got.InputRequests) != 1 || len(got.Content) > 0 {
		c.T.Fatalf("got %s, %v", raw, err)
	}
	for key, request := range got.InputRequests {
		if request.Method != "elicitation/create" {
			c.T.Errorf("it asks for %s", request.Method)
		}
		return WantedInput{got.RequestState, key, request.Params.Message, string(request.Params.RequestedSchema)}
	}
	return WantedInput{}
}

// CancelledDialogs are the ids of the dialogs that the client was told to take away.
func (c *Client) CancelledDialogs() []string {
	var ids []string
	for _, m := range c.Notifications("notifications/cancelled") {
		var params struct{ RequestID json.RawMessage }
		if err := json.Unmarshal(m.Params, &params); err != nil {
			c.T.Error(err)
		}
		ids = append(ids, string(params.RequestID))
	}
	return ids
}

// Replies to dialogs.
const (
	AcceptName = `{"action":"accept","content":{"question1":"forged"}}`
	Approve    = `{"action":"accept","content":{"decision":"approve"}}`
)

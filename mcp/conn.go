package mcp

import (
	"context"
	"encoding/json"
	"io"

	sdk "github.com/mark3labs/mcp-go/mcp"

	"planb/mcp/agent"
	"planb/mcp/library"
	"planb/mcp/tool"
	"planb/mcp/wire"
)

// conn is one client's connection.
type conn struct {
	*agent.Agent
	server   *Server
	dialogs  tool.Dialogs
	followed *library.Followed
}

var _ wire.Handler = (*conn)(nil)

func newConn(ctx context.Context, s *Server, out io.Writer) *conn {
	c := &conn{server: s}
	c.Agent = agent.New(wire.New(ctx, out, c, s.log), s.agents)
	c.followed = s.library.FollowedBy(c.Agent)
	return c
}

// Handle has the protocol library answer a request.
func (c *conn) Handle(served *wire.Call, message []byte) (sdk.JSONRPCMessage, *wire.Error) {
	asked := &tool.Request{Call: served, Agent: c.Agent, Dialogs: &c.dialogs}
	ctx := c.server.sdk.WithContext(tool.WithRequest(served.Context(), asked), c.followed.Session(asked))
	answer := c.server.sdk.HandleMessage(ctx, json.RawMessage(message))
	return answer, asked.Refused
}

// Listen has the client told of changes of resources.
func (c *conn) Listen(served *wire.Call, wanted sdk.SubscriptionFilter) (result any) {
	return c.server.library.Listen(c.Agent, served, wanted)
}

// Writing has what the calls' replies carry count as delivered once they are written.
func (c *conn) Writing(served []*wire.Call) (written func(error)) {
	var answered []*tool.Caller
	for _, done := range served {
		if called, ok := done.State.(*tool.Caller); ok { // else no tool served it
			answered = append(answered, called)
		}
	}
	return c.server.room.Writing(c.Agent, answered)
}

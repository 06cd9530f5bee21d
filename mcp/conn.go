package mcp

import (
	"context"
	"encoding/json"
	"io"
	"slices"

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
	var carried, inherited []string
	for _, done := range served {
		asked, ok := done.State.(*tool.Caller)
		if !ok {
			continue // no tool served it
		}
		delivers, inherits := asked.Delivered()
		answered = append(answered, asked)
		carried = append(carried, delivers...)
		inherited = append(inherited, inherits...)
	}
	c.Heard(slices.Concat(carried, inherited)...)
	confirm := c.server.wait.deliveries.begin(carried)
	return func(err error) {
		confirm(err)
		if err != nil {
			return
		}
		c.Learned(carried...)
		for _, done := range answered {
			done.WasWritten()
		}
		for _, id := range inherited {
			go c.server.wait.deliverOnceGone(c.Context(), id)
		}
	}
}

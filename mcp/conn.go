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
func (c *conn) Handle(served *wire.Call, message []byte) wire.Answer {
	asked := &tool.Request{Call: served, Agent: c.Agent, Dialogs: &c.dialogs}
	ctx := c.server.sdk.WithContext(tool.WithRequest(served.Context(), asked), c.followed.Session(asked))
	answer := wire.Answer{Message: c.server.sdk.HandleMessage(ctx, json.RawMessage(message))}
	answer.Refused = asked.Refused
	if caller := asked.Caller; caller != nil {
		answer.Writing = func() func(error) { return c.server.room.Writing(caller) }
	}
	return answer
}

// Listen tells the client of changes of resources and of the tools, for as long as the
// call is open.
func (c *conn) Listen(served *wire.Call, wanted sdk.SubscriptionFilter) (result any) {
	var leave func()
	defer func() {
		if leave != nil {
			leave()
		}
	}()
	return c.server.library.Listen(c.Agent, served, wanted, func(meta map[string]json.RawMessage, acknowledge func()) {
		leave = c.server.offer.hear(c.Agent, served, meta, acknowledge)
	})
}

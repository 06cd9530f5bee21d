package mcp

import (
	"context"
	"encoding/json"
	"io"
	"slices"

	sdk "github.com/mark3labs/mcp-go/mcp"

	"planb/mcp/agent"
	"planb/mcp/wire"
)

// conn is one client's connection.
type conn struct {
	*agent.Agent
	server       *Server
	dialogStates dialogStates
	followed     subscriptions // by requests of their own; see Listen for those of later versions
}

var _ wire.Handler = (*conn)(nil)

func newConn(ctx context.Context, s *Server, out io.Writer) *conn {
	c := &conn{server: s}
	c.Agent = agent.New(wire.New(ctx, out, c, s.log), agent.Config{
		Store: s.store, Log: s.log, Env: s.env, WorkingDir: s.workingDir, AllProjects: s.allProjects, Claim: s.askers.enter,
	})
	c.followed.server, c.followed.agent = s, c.Agent
	return c
}

// Handle has the protocol library answer a request.
func (c *conn) Handle(served *wire.Call, message []byte) (sdk.JSONRPCMessage, *wire.Error) {
	asked := newCall(served, c.Agent, c.server.fitter, &c.dialogStates)
	served.State = asked
	ctx := c.server.sdk.WithContext(withCall(served.Context(), asked), callSession{c, asked})
	answer := c.server.sdk.HandleMessage(ctx, json.RawMessage(message))
	return answer, asked.refused
}

// Writing has what the calls' replies carry count as delivered once they are written.
func (c *conn) Writing(served []*wire.Call) (written func(error)) {
	var answered []*call
	var carried, inherited []string
	for _, done := range served {
		asked, ok := done.State.(*call)
		if !ok {
			continue // no tool served it
		}
		delivers, inherits := asked.delivered()
		answered = append(answered, asked)
		carried = append(carried, delivers...)
		inherited = append(inherited, inherits...)
	}
	c.Heard(slices.Concat(carried, inherited)...)
	confirm := c.server.deliveries.begin(carried)
	return func(err error) {
		confirm(err)
		if err != nil {
			return
		}
		c.Learned(carried...)
		for _, done := range answered {
			done.wasWritten()
		}
		for _, id := range inherited {
			go c.server.deliverOnceGone(c.Context(), id)
		}
	}
}

package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/mark3labs/mcp-go/server"

	"planb/mcp/tool"
	"planb/mcp/wire"
)

var errNoCall = errors.New("called outside a connection")

// Library is the protocol library behind the loop, for tests that offer tools
// of their own through it.
func (s *Server) Library() *server.MCPServer { return s.sdk }

// OfferedOnly is offeredOnly where the words of missing are the tools that are not offered.
func OfferedOnly(text string, missing ...string) string {
	return (&prompts{missing: func(word string) bool { return slices.Contains(missing, word) }}).offeredOnly(text)
}

// Notify writes a notification on the connection of the call that ctx is of.
func Notify(ctx context.Context, method string, params any) error {
	r, ok := tool.RequestFrom(ctx)
	if !ok {
		return errNoCall
	}
	return r.Agent.Notify(method, params)
}

// Ask sends the client of that call a request and returns its result.
func Ask(ctx context.Context, method string, params any) (json.RawMessage, error) {
	r, ok := tool.RequestFrom(ctx)
	if !ok {
		return nil, errNoCall
	}
	defer r.Park()()
	replies := make(chan wire.Reply, 1)
	sent, err := r.Agent.Request(method, params, func(reply wire.Reply) { replies <- reply })
	if err != nil {
		return nil, err
	}
	defer sent.Forget()
	select {
	case reply := <-replies:
		if reply.Refused() {
			return nil, fmt.Errorf("the client refused %s", method)
		}
		return reply.Result, nil
	case <-ctx.Done():
		return nil, fmt.Errorf("the client did not answer %s: %w", method, ctx.Err())
	case <-r.Agent.Closing():
		return nil, wire.ErrClosed
	}
}

// Progress reports progress of that call, as a call that waits for a person does.
func Progress(ctx context.Context, message string) error {
	r, ok := tool.RequestFrom(ctx)
	if !ok {
		return errNoCall
	}
	r.Progress(message)
	return nil
}

package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/mark3labs/mcp-go/server"

	"planb/store"
)

var errNoCall = errors.New("called outside a connection")

// Library is the protocol library behind the loop, for tests that offer tools
// of their own through it.
func (s *Server) Library() *server.MCPServer { return s.sdk }

// Notify writes a notification on the connection of the call that ctx is of.
func Notify(ctx context.Context, method string, params any) error {
	c, ok := callFrom(ctx)
	if !ok {
		return errNoCall
	}
	message, err := notification(method, params)
	if err != nil {
		return err
	}
	return c.conn.out.write(message)
}

// Ask sends the client of that call a request and returns its result.
func Ask(ctx context.Context, method string, params any) (json.RawMessage, error) {
	c, ok := callFrom(ctx)
	if !ok {
		return nil, errNoCall
	}
	defer c.park()()
	replies := make(chan clientReply, 1)
	sent, err := c.conn.request(method, params, func(reply clientReply) { replies <- reply })
	if err != nil {
		return nil, err
	}
	defer sent.forget()
	select {
	case reply := <-replies:
		if reply.refused() {
			return nil, fmt.Errorf("the client refused %s", method)
		}
		return reply.result, nil
	case <-ctx.Done():
		return nil, fmt.Errorf("the client did not answer %s: %w", method, ctx.Err())
	case <-c.conn.closing:
		return nil, errOutputClosed
	}
}

// Progress reports progress of that call, as a call that waits for a person does.
func Progress(ctx context.Context, message string) error {
	c, ok := callFrom(ctx)
	if !ok {
		return errNoCall
	}
	c.reportProgress(message)
	return nil
}

// Notice is what a terminal says when the ask comes up elsewhere in it.
func Notice(ask store.Ask) string { return notice(ask) }

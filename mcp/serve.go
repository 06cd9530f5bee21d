package mcp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"
)

// How long calls under way may take to end after the last input, and how long
// the claims of those who waited may take to be given back after that.
// Together they stay below the two seconds in which the server is gone.
const (
	drainTime   = 1200 * time.Millisecond
	releaseTime = 400 * time.Millisecond
)

// Serve answers one client: it reads messages from in, one on a line, and
// writes replies to out, until the input ends or ctx does, and returns within
// two seconds of that. Calls that wait for a person are answered with "not
// answered yet" then, and their asks stay open. A read that fails otherwise is
// returned as an error.
//
// Serve does not close in or out. When ctx ends first, a read of in may still
// be under way when Serve returns.
func (s *Server) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	c := newConn(ctx, s, newOutput(out))
	defer c.abort()
	s.connections.Add(1)

	ended := make(chan error, 1)
	go func() { ended <- c.read(in) }()

	var err error
	select {
	case err = <-ended:
	case <-ctx.Done():
	}
	c.shutDown()
	c.forgetAsked()
	if s.connections.Add(-1) == 0 {
		s.attendance.releaseAll(releaseTime / 2)
		s.askers.releaseAll(releaseTime / 2)
	}
	return err
}

// read serves every line of the input.
func (c *conn) read(in io.Reader) error {
	lines := newLineReader(in, c.server.maxLine)
	for {
		line, err := lines.next()
		switch {
		case err == nil:
			c.handleLine(line)
		case errors.Is(err, errLineTooLong):
			c.send(errorResponse(nil, &rpcError{Code: codeInvalidRequest, Message: fmt.Sprintf(
				"the message is longer than %d MiB, the most that is read; it was skipped", c.server.maxLine>>20)}))
		case errors.Is(err, io.EOF):
			return nil
		default:
			return fmt.Errorf("reading the client's messages: %w", err)
		}
	}
}

// shutDown lets calls under way end, for a while, and then ends them.
func (c *conn) shutDown() {
	c.mu.Lock()
	close(c.closing)
	c.checkIdle()
	c.mu.Unlock()

	patience := time.NewTimer(drainTime)
	defer patience.Stop()
	select {
	case <-c.idle:
	case <-patience.C:
		c.server.log.Warn("requests were still open when the connection ended")
	}
	c.abort()
	c.out.close()
}

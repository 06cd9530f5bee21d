package wire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"
)

// drainTime is how long calls may take to end after the last input. The server is gone
// within two seconds of that input.
const drainTime = 1200 * time.Millisecond

// Serve answers the client: it reads messages from in, one on a line, until the
// input ends or ctx does, and returns within two seconds of that. A read that fails
// otherwise is returned as an error.
//
// Serve does not close in. When ctx ends first, a read of in may still be under way
// when Serve returns.
func (c *Conn) Serve(ctx context.Context, in io.Reader) error {
	defer c.abort()
	ended := make(chan error, 1)
	go func() { ended <- c.read(in) }()

	var err error
	select {
	case err = <-ended:
	case <-ctx.Done():
	}
	c.shutDown()
	return err
}

// read serves every line of the input.
func (c *Conn) read(in io.Reader) error {
	lines := newLineReader(in, maxLine)
	for {
		line, err := lines.next()
		switch {
		case err == nil:
			c.handleLine(line)
		case errors.Is(err, errLineTooLong):
			c.send(errorResponse(nil, &Error{Code: CodeInvalidRequest, Message: fmt.Sprintf(
				"the message is longer than %d MiB, the most that is read; it was skipped", maxLine>>20)}))
		case errors.Is(err, io.EOF):
			return nil
		default:
			return fmt.Errorf("reading the client's messages: %w", err)
		}
	}
}

// shutDown lets calls under way end, for a while, and then ends them.
func (c *Conn) shutDown() {
	c.mu.Lock()
	close(c.closing)
	c.checkIdle()
	c.mu.Unlock()

	patience := time.NewTimer(drainTime)
	defer patience.Stop()
	select {
	case <-c.idle:
	case <-patience.C:
		c.log.Warn("requests were still open when the connection ended")
	}
	c.abort()
	c.out.close()
}

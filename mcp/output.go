package mcp

import (
	"errors"
	"io"
	"sync"
	"sync/atomic"
)

var errOutputClosed = errors.New("the connection has ended")

// output writes whole messages, one at a time.
type output struct {
	mu     sync.Mutex
	to     io.Writer
	closed atomic.Bool
}

// write sends one message and its newline. It returns only when all of it was
// taken by the other side or will never be.
func (o *output) write(message []byte) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.closed.Load() {
		return errOutputClosed
	}
	framed := make([]byte, 0, len(message)+1)
	framed = append(append(framed, message...), '\n')
	n, err := o.to.Write(framed)
	if err == nil && n < len(framed) {
		err = io.ErrShortWrite
	}
	if err != nil {
		// What follows half a message would be read as part of it.
		o.closed.Store(true)
	}
	return err
}

// close lets no further message begin. It does not wait for one under way,
// which a client that reads nothing may hold up for ever.
func (o *output) close() { o.closed.Store(true) }

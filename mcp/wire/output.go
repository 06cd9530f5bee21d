package wire

import (
	"errors"
	"io"
	"sync"
)

// ErrClosed is why nothing is written any more.
var ErrClosed = errors.New("the connection has ended")

// output writes whole messages, one at a time.
type output struct {
	to    io.Writer
	turn  chan struct{} // holds a value while a message is written
	ended chan struct{}
	end   sync.Once
}

func newOutput(to io.Writer) *output {
	return &output{to: to, turn: make(chan struct{}, 1), ended: make(chan struct{})}
}

// write sends one message, which it may change, and a newline. It returns once the other
// side has read all of it, or can no longer read it.
func (o *output) write(message []byte) error {
	select {
	case o.turn <- struct{}{}:
		defer func() { <-o.turn }()
	case <-o.ended:
	}
	select {
	case <-o.ended:
		return ErrClosed
	default:
	}
	framed := append(message, '\n')
	n, err := o.to.Write(framed)
	if err == nil && n < len(framed) {
		err = io.ErrShortWrite
	}
	if err != nil {
		o.close() // the next message would be read as part of this one
	}
	return err
}

// close lets no further message begin. It does not wait for one under way,
// which a client that reads nothing may hold up for ever.
func (o *output) close() { o.end.Do(func() { close(o.ended) }) }

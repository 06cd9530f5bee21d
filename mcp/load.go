package mcp

import (
	"context"
	"fmt"
	"sync"

	"golang.org/x/sync/semaphore"
)

// How much a connection takes on. Without these limits a client that sends
// without reading fills the memory with replies.
const (
	// workBytes is the room for requests that are worked on. A request takes as much
	// of it as its line is long, and workLeast at least: 16 have room at once.
	workBytes = 64 << 20
	workLeast = workBytes / 16
	// maxParked and maxParkedBytes bound what waits: calls that wait for a person,
	// and the replies of a batch, which wait for its last one.
	maxParked      = 1024
	maxParkedBytes = 64 << 20
)

// load is what a connection has taken on.
//
// A request is worked on until its reply is written. While there is no room for
// another one the connection reads no further, so a client that does not read is
// not read either. A call that waits for a person is parked: it gives its room up,
// and takes room again when its wait is over. Parked calls may stay for hours, and
// the client must be able to cancel them, so one too many does not stop the
// reading: requests are refused instead.
type load struct {
	work *semaphore.Weighted

	mu          sync.Mutex
	parked      int
	parkedBytes int
}

func newLoad() *load { return &load{work: semaphore.NewWeighted(workBytes)} }

// refuse says why no further request is begun, or nil.
func (l *load) refuse() *rpcError {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.parked < maxParked && l.parkedBytes < maxParkedBytes {
		return nil
	}
	return &rpcError{Code: codeBusy, Message: fmt.Sprintf(
		"%d calls of this connection wait already, with %d bytes; the limits are %d calls and %d bytes. Wait for their replies, or cancel some of them",
		l.parked, l.parkedBytes, maxParked, maxParkedBytes)}
}

// enter waits for room for a request of that size, and returns the room it got:
// none if ctx ended first.
func (l *load) enter(ctx context.Context, size int) (room int64) {
	room = int64(min(max(size, workLeast), workBytes))
	if l.work.Acquire(ctx, room) != nil {
		return 0
	}
	return room
}

func (l *load) leave(room int64) { l.work.Release(room) }

// park counts calls that wait, or no longer do, and what they keep in memory.
func (l *load) park(calls, bytes int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.parked += calls
	l.parkedBytes += bytes
}

// keep parks the reply of a batch's request; false if there is no room for it.
func (l *load) keep(bytes int) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.parkedBytes+bytes > maxParkedBytes {
		return false
	}
	l.parkedBytes += bytes
	return true
}

// enter takes the room in which the call is worked on.
func (c *call) enter(ctx context.Context) { c.room = c.conn.load.enter(ctx, c.size) }

// leave gives the call's room up.
func (c *call) leave() {
	c.conn.load.leave(c.room)
	c.room = 0
}

// park gives the call's room up while the call waits for somebody. The caller
// resumes it when the wait is over. A wait within a wait parks it once.
func (c *call) park() (resume func()) {
	if c.room == 0 {
		return func() {}
	}
	c.leave()
	c.conn.load.park(1, c.size)
	return func() {
		c.conn.load.park(-1, -c.size)
		c.enter(c.ctx)
	}
}

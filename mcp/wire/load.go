package wire

import (
	"fmt"
	"sync"

	"golang.org/x/sync/semaphore"
)

// How much a connection takes on. Without these limits a client that sends
// without reading fills the memory with replies.
const (
	// workBytes is the room for requests that are worked on. A request takes the length of
	// its line, but at least workLeast: 16 of them have room at once.
	workBytes = 64 << 20
	workLeast = workBytes / 16
	// queueBytes is the room for requests that were read and wait until they are worked
	// on. A request takes at least queueLeast: 512 of them have room at once.
	queueBytes = 64 << 20
	queueLeast = queueBytes / 512
	// maxParked and maxParkedBytes bound what waits: calls that wait for a person,
	// and the replies of a batch, which wait for its last one.
	maxParked      = 1024
	maxParkedBytes = 64 << 20
)

// load is what a connection has taken on.
//
// A request is queued when it is read, and worked on, until its reply is written, once
// there is room for that. The connection reads on meanwhile: requests under way may hang,
// and the client must be able to cancel them. While the queue is full, the connection reads
// no further. So a client that sends but does not read has to wait. A call that waits for a
// person is parked: it gives its room up, and takes room again when its wait is over.
// Parked calls may stay for hours, so one too many does not stop the reading: requests are
// refused instead.
type load struct {
	queue, work *semaphore.Weighted

	mu          sync.Mutex
	parked      int
	parkedBytes int
}

func newLoad() *load {
	return &load{queue: semaphore.NewWeighted(queueBytes), work: semaphore.NewWeighted(workBytes)}
}

// refuse says why no further request is begun, or nil.
func (l *load) refuse() *Error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.parked < maxParked && l.parkedBytes < maxParkedBytes {
		return nil
	}
	return &Error{Code: CodeBusy, Message: fmt.Sprintf(
		"%d calls of this connection wait already, with %d bytes; the limits are %d calls and %d bytes. Wait for their replies, or cancel some of them",
		l.parked, l.parkedBytes, maxParked, maxParkedBytes)}
}

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

// queue gives the call a place among those that were read, and waits for it while
// the queue is full. It gets none if the connection ended first.
func (c *Call) queue() {
	place := int64(min(max(c.size, queueLeast), queueBytes))
	if c.conn.load.queue.Acquire(c.conn.base, place) == nil {
		c.place = place
	}
}

// enter waits for room to work on the call, and gives its place in the queue up. It
// reports false if the call ended first.
func (c *Call) enter() bool {
	room := int64(min(max(c.size, workLeast), workBytes))
	if c.conn.load.work.Acquire(c.ctx, room) != nil {
		return false
	}
	c.room = room
	c.leaveQueue()
	return true
}

func (c *Call) leaveQueue() {
	c.conn.load.queue.Release(c.place)
	c.place = 0
}

// leave gives up the call's room.
func (c *Call) leave() {
	c.leaveQueue()
	c.conn.load.work.Release(c.room)
	c.room = 0
}

// Park gives up the call's room while the call waits for a person, a client or a program.
// The caller must call resume when the wait is over. A wait within a wait parks it once.
func (c *Call) Park() (resume func()) {
	if c.room == 0 {
		return func() {}
	}
	c.leave()
	c.conn.load.park(1, c.size)
	return func() {
		c.conn.load.park(-1, -c.size)
		c.enter() // a call that ended needs no room to say so
	}
}

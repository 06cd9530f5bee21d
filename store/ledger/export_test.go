package ledger

import (
	"sync/atomic"
	"testing"
	"time"
)

// ThisProcess returns the part of a claim that identifies this process.
func (c *Claims) ThisProcess() Claim {
	p := c.self()
	return Claim{PID: p.pid, Start: p.start, Boot: p.boot, Host: p.host}
}

// SetClock replaces the clock on which claims are observed, and returns a function
// that moves it on.
func (c *Claims) SetClock(t testing.TB) func(time.Duration) {
	t.Helper()
	var now atomic.Int64 // renewals read it beside the test
	c.mono = func() time.Duration { return time.Duration(now.Load()) }
	return func(d time.Duration) { now.Add(int64(d)) }
}

// Renewing reports whether claims are renewed in the background.
func (c *Claims) Renewing() bool {
	c.holder.mu.Lock()
	defer c.holder.mu.Unlock()
	return c.holder.end != nil
}

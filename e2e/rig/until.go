package rig

import (
	"testing"
	"time"
)

// Patience is how long a test waits for an event before it fails. It is long
// because the machine may be busy.
const Patience = time.Minute

// Deadline ends polling after Patience.
type Deadline struct {
	end   time.Time
	pause time.Duration
}

// NewDeadline returns a deadline that begins now.
func NewDeadline() *Deadline { return &Deadline{time.Now().Add(Patience), 10 * time.Millisecond} }

// Passed reports whether the time is over.
func (d *Deadline) Passed() bool { return time.Now().After(d.end) }

// Pause waits between two polls. It waits longer each time: a poll often starts a process,
// and other tests need the processor meanwhile.
func (d *Deadline) Pause() { d.PauseUpTo(d.pause) }

// PauseUpTo is Pause that waits no longer than that.
func (d *Deadline) PauseUpTo(most time.Duration) {
	time.Sleep(min(d.pause, most))
	d.pause = min(d.pause*3/2, 100*time.Millisecond)
}

// Until polls until the condition holds. After Patience it fails the test; what
// says what was awaited.
func Until(t testing.TB, what string, condition func() bool) {
	t.Helper()
	for d := NewDeadline(); !condition(); d.Pause() {
		if d.Passed() {
			t.Fatalf("after %v still not: %s", Patience, what)
		}
	}
}

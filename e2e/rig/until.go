package rig

import (
	"testing"
	"time"
)

// Patience is how long a test waits for what must happen. It is long because
// the machine may be busy; nothing waits that long when it works.
const Patience = time.Minute

// deadline ends polling.
type deadline struct{ end time.Time }

func NewDeadline() deadline { return deadline{time.Now().Add(Patience)} }

func (d deadline) Passed() bool { return time.Now().After(d.end) }

// Pause lies between two looks.
func (deadline) Pause() { time.Sleep(10 * time.Millisecond) }

// Until polls until the condition holds.
func Until(t testing.TB, what string, condition func() bool) {
	t.Helper()
	for d := NewDeadline(); !condition(); d.Pause() {
		if d.Passed() {
			t.Fatalf("after %v still not: %s", Patience, what)
		}
	}
}

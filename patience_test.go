package main_test

import (
	"testing"
	"time"
)

// patience is how long a test waits for what must happen. It is long because
// the machine may be busy; nothing waits that long when it works.
const patience = time.Minute

// deadline ends polling.
type deadline struct{ end time.Time }

func newDeadline() deadline { return deadline{time.Now().Add(patience)} }

func (d deadline) passed() bool { return time.Now().After(d.end) }

// pause lies between two looks.
func (deadline) pause() { time.Sleep(10 * time.Millisecond) }

// until polls until the condition holds.
func until(t testing.TB, what string, condition func() bool) {
	t.Helper()
	for d := newDeadline(); !condition(); d.pause() {
		if d.passed() {
			t.Fatalf("after %v still not: %s", patience, what)
		}
	}
}

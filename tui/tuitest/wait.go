package tuitest

import (
	"testing"
	"time"
)

// Patience bounds every wait of these tests; none takes nearly as long.
const Patience = time.Minute

// Poll waits until a condition holds, and fails the test after Patience.
func Poll(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(Patience); ; time.Sleep(2 * time.Millisecond) {
		if holds() {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("waited %v in vain for: %s", Patience, what)
		}
	}
}

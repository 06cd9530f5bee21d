package wait

import (
	"log/slog"
	"testing"
	"time"

	"planb/store"
	"planb/store/kv/kvtest"
)

// A claim that was given back is forgotten: a server may live for weeks.
func TestAttendanceForgetsClaimsThatWereGivenBack(t *testing.T) {
	t.Parallel()
	st := store.New(kvtest.NewMap(), store.Options{})
	a := newAttendance(st, store.WaitClaim, "owner", "", slog.New(slog.DiscardHandler))
	for range 3 {
		leave := a.enter("ask")
		leave(0)
	}
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(time.Millisecond) {
		a.mu.Lock()
		left := len(a.claims) + len(a.ending)
		a.mu.Unlock()
		if left == 0 {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d claims are still remembered", left)
		}
	}
}

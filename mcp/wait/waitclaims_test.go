package wait

import (
	"log/slog"
	"testing"
	"time"

	"planb/store"
	"planb/store/kv"
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

// A claim comes back that others removed: they believed this process dead while it slept, or
// a backup took the store's place.
func TestAttendanceComesBack(t *testing.T) {
	t.Parallel()
	engine := kvtest.NewMap()
	st := store.New(engine, store.Options{TTL: 100 * time.Millisecond})
	a := newAttendance(st, store.WaitClaim, "owner", "", slog.New(slog.DiscardHandler))
	defer a.enter("ask")(0)
	claims := func() []kv.Record {
		t.Helper()
		page, err := engine.Scan(t.Context(), store.WaitClaims("ask"), "", 10)
		if err != nil {
			t.Fatal(err)
		}
		return page.Records
	}
	until := func(what string, done func() bool) {
		t.Helper()
		for deadline := time.Now().Add(20 * time.Second); !done(); time.Sleep(time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("after 20 s still not: %s", what)
			}
		}
	}
	for range 2 {
		until("the agent counts as waiting", func() bool { return len(claims()) == 1 })
		if err := engine.Commit(t.Context(), kv.Batch{Deletes: []kv.Key{claims()[0].Key}}); err != nil {
			t.Fatal(err)
		}
	}
	until("the agent counts as waiting again", func() bool { return len(claims()) == 1 })
}

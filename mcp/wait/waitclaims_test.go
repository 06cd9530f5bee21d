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
	for range 2 {
		until(t, "the agent counts as waiting", func() bool { return len(claimsOn(t, engine)) == 1 })
		if err := engine.Commit(t.Context(), kv.Batch{Deletes: []kv.Key{claimsOn(t, engine)[0].Key}}); err != nil {
			t.Fatal(err)
		}
	}
	until(t, "the agent counts as waiting again", func() bool { return len(claimsOn(t, engine)) == 1 })
}

// A claim that could not be made, because another process held the store for long, is made
// once that is over.
func TestAttendanceIsTriedAgain(t *testing.T) {
	t.Parallel()
	engine := kvtest.NewMap()
	st := store.New(engine, store.Options{})
	if err := st.Prepare(t.Context()); err != nil {
		t.Fatal(err)
	}
	engine.FailNextCommit(&kv.Fault{Kind: kv.FaultHeld, Path: "/data", What: "is held by another process"})
	a := newAttendance(st, store.WaitClaim, "owner", "", slog.New(slog.DiscardHandler))
	defer a.enter("ask")(0)
	until(t, "the agent counts as waiting", func() bool { return len(claimsOn(t, engine)) == 1 })
}

// claimsOn are the claims of those who wait for the ask.
func claimsOn(t *testing.T, engine kv.Engine) []kv.Record {
	t.Helper()
	page, err := engine.Scan(t.Context(), store.WaitClaims("ask"), "", 10)
	if err != nil {
		t.Fatal(err)
	}
	return page.Records
}

func until(t *testing.T, what string, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !done(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("after 20 s still not: %s", what)
		}
	}
}

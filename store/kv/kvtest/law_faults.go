package kvtest

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"planb/store/kv"
)

// wantFault expects a fault about one record.
func wantFault(t testing.TB, what string, err error, key kv.Key) {
	t.Helper()
	fault, ok := errors.AsType[*kv.Fault](err)
	if !ok || fault.Kind != kv.FaultDamaged || fault.Key != key {
		t.Errorf("%s: got %v, want a fault about %s", what, err, key)
	}
}

func damagedGet(t *testing.T, h Harness) {
	e := h.Open(t)
	putAll(t, e, "a", "b", "c")
	h.Damage(t, e, "b")
	for _, keys := range [][]kv.Key{{"b"}, {"a", "b", "c"}, {"x", "b"}} {
		records, err := e.Get(t.Context(), keys...)
		wantFault(t, fmt.Sprint("get ", keys), err, "b")
		if len(records) > 0 {
			t.Errorf("beside the fault there are %d records", len(records))
		}
	}
	wantValue(t, e, "a", "a")
	wantValue(t, e, "c", "c")
}

// damagedScan damages the first, a middle, the last, and two neighbours of five
// records, and goes through them as every user of Scan does.
func damagedScan(t *testing.T, h Harness) {
	for _, hurt := range [][]kv.Key{{"k/1"}, {"k/3"}, {"k/5"}, {"k/2", "k/3"}, {"k/1", "k/5"}} {
		e := h.Open(t)
		putAll(t, e, "j", "k/1", "k/2", "k/3", "k/4", "k/5", "l")
		for _, key := range hurt {
			h.Damage(t, e, key)
		}
		for _, limit := range []int{1, 2, 100} {
			var good, bad []string
			after := kv.Key("")
			for range 20 {
				page, err := e.Scan(t.Context(), "k/", after, limit)
				for _, r := range page.Records {
					good, after = append(good, string(r.Key)), r.Key
				}
				fault, ok := errors.AsType[*kv.Fault](err)
				if ok && fault.Kind == kv.FaultDamaged && fault.Key > after {
					bad, after = append(bad, string(fault.Key)), fault.Key
					continue
				}
				if err != nil {
					t.Fatalf("scan after %q: %v", after, err)
				}
				if !page.More {
					break
				}
			}
			if len(good)+len(bad) != 5 || fmt.Sprint(bad) != fmt.Sprint(hurt) {
				t.Errorf("damaged %v, limit %d: read %v, damaged %v", hurt, limit, good, bad)
			}
		}
	}
}

func damagedCommit(t *testing.T, h Harness) {
	e := h.Open(t)
	putAll(t, e, "a", "b", "c")
	rev := get(t, e, "b").Rev
	h.Damage(t, e, "b")
	err := e.Commit(t.Context(), kv.Batch{
		Checks: []kv.Check{{Key: "a", Rev: get(t, e, "a").Rev}, {Key: "b", Rev: rev}},
		Puts:   []kv.Put{{Key: "a", Value: []byte("lost")}},
	})
	wantFault(t, "a check", err, "b")
	wantValue(t, e, "a", "a")
	put(t, e, "b", "again")
	wantValue(t, e, "b", "again")
	if now := get(t, e, "b").Rev; now <= rev {
		t.Errorf("after the damage it has revision %d, before it had %d", now, rev)
	}
	h.Damage(t, e, "c")
	commit(t, e, kv.Batch{Deletes: []kv.Key{"c"}})
	wantMissing(t, e, "c")
}

// wantOutcome expects that a commit of the value happened as its error says.
func wantOutcome(t testing.TB, e kv.Engine, err error, key kv.Key, op kv.OpID) {
	t.Helper()
	switch happened := get(t, e, key).Op == op; {
	case errors.Is(err, kv.ErrUnclear):
	case err == nil && !happened:
		t.Error("a commit without an error did not happen")
	case err != nil && happened:
		t.Errorf("a commit happened whose error says that it did not: %v", err)
	}
}

// failures makes commits fail, some after their writes and some before. The engine must
// go on working, and a writer that reads back must learn what happened.
func failures(t *testing.T, h Harness) {
	e := h.Open(t)
	put(t, e, "a", "before")
	for i, applied := range []bool{true, false, true, true, false} {
		op, beside := kv.OpID{byte(i + 1)}, kv.Key(fmt.Sprint("beside/", i))
		h.Fail(t, e, applied)
		err := e.Commit(t.Context(), kv.Batch{Op: op, Puts: []kv.Put{{Key: "a", Value: []byte{byte(i)}}, {Key: beside}}})
		if err == nil {
			t.Error("a commit that was to fail has no error")
		}
		if applied && !errors.Is(err, kv.ErrUnclear) {
			t.Errorf("a commit that happened, and failed after that: %v", err)
		}
		wantOutcome(t, e, err, "a", op)
		if a, b := get(t, e, "a").Op == op, get(t, e, beside).Op == op; a != b || a != applied {
			t.Errorf("of two writes, applied %v, one happened: %v, the other: %v", applied, a, b)
		}
		put(t, e, "after", fmt.Sprint(i))
		wantValue(t, e, "after", fmt.Sprint(i))
	}
}

// endsDuringCommit ends contexts at all moments of a commit.
func endsDuringCommit(t *testing.T, e kv.Engine) {
	put(t, e, "k", "first")
	start := time.Now()
	for range 10 {
		put(t, e, "k", "timed")
	}
	took := time.Since(start) / 10
	for i := range 200 {
		op := kv.OpID{1, byte(i)}
		ctx, cancel := context.WithTimeout(t.Context(), took*time.Duration(i)/100)
		err := e.Commit(ctx, kv.Batch{Op: op, Puts: []kv.Put{{Key: "k", Value: []byte{byte(i)}}}})
		cancel()
		if err != nil && !errors.Is(err, kv.ErrUnclear) && !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("commit %d: %v", i, err)
		}
		wantOutcome(t, e, err, "k", op)
	}
}

func unreachable(t *testing.T, h Harness) {
	e := h.Open(t)
	put(t, e, "k", "kept")
	c := watch(t, t.Context(), e)
	wantFire(t, c)
	mend := h.Cut(e)
	_, got := e.Get(t.Context(), "k")
	_, scanned := e.Scan(t.Context(), "", "", 1)
	committed := e.Commit(t.Context(), kv.Batch{Puts: []kv.Put{{Key: "k", Value: []byte("lost")}}})
	for call, err := range map[string]error{"get": got, "scan": scanned, "commit": committed} {
		fault, ok := errors.AsType[*kv.Fault](err)
		if !ok || fault.Kind != kv.FaultUnreachable || !kv.Passing(err) {
			t.Errorf("%s: %v", call, err)
		}
	}
	mend()
	wantFire(t, c)
	if !errors.Is(committed, kv.ErrUnclear) {
		wantValue(t, e, "k", "kept")
	}
	put(t, e, "k", "more")
	until(t, e, c, "k", "more")
}

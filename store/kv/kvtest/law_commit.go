package kvtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"planb/store/kv"
	"sync"
	"testing"
)

func revisions(t *testing.T, e kv.Engine) {
	var last int64
	raised := func(key kv.Key) {
		t.Helper()
		r := get(t, e, key)
		if r.Rev <= last {
			t.Errorf("%s has revision %d after %d", key, r.Rev, last)
		}
		last = r.Rev
	}
	for range 3 {
		put(t, e, "k", "same")
		raised("k")
	}
	commit(t, e, kv.Batch{Deletes: []kv.Key{"k"}})
	put(t, e, "k", "again")
	raised("k")
	before := get(t, e, "k").Rev
	put(t, e, "other", "x")
	if now := get(t, e, "k").Rev; now != before {
		t.Errorf("another key's write moved the revision from %d to %d", before, now)
	}
}

func operations(t *testing.T, e kv.Engine) {
	first, second := kv.OpID{1}, kv.OpID{15: 2}
	commit(t, e, kv.Batch{Op: first, Puts: []kv.Put{{Key: "a"}, {Key: "b"}}})
	commit(t, e, kv.Batch{Op: second, Puts: []kv.Put{{Key: "b"}}, Quiet: true})
	if a, b := get(t, e, "a").Op, get(t, e, "b").Op; a != first || b != second {
		t.Errorf("a by %x, b by %x; want %x and %x", a, b, first, second)
	}
	if r := scan(t, e, "b", "", 1).Records[0]; r.Op != second || r.Rev != get(t, e, "b").Rev {
		t.Errorf("scan gave %+v, get %+v", r, get(t, e, "b"))
	}
}

func conflicts(t *testing.T, e kv.Engine) {
	write := func(rev int64) error {
		return e.Commit(t.Context(), kv.Batch{
			Checks: []kv.Check{{Key: "k", Rev: rev}},
			Puts:   []kv.Put{{Key: "k", Value: []byte("v")}},
		})
	}
	if err := write(7); !errors.Is(err, kv.ErrConflict) {
		t.Errorf("a revision of a missing key: %v", err)
	}
	if err := write(0); err != nil {
		t.Fatalf("creating with a check that it is absent: %v", err)
	}
	if err := write(0); !errors.Is(err, kv.ErrConflict) {
		t.Errorf("creating it twice: %v", err)
	}
	rev := get(t, e, "k").Rev
	if err := write(rev); err != nil {
		t.Fatalf("at the right revision: %v", err)
	}
	if err := write(rev); !errors.Is(err, kv.ErrConflict) {
		t.Errorf("at the revision before: %v", err)
	}
	commit(t, e, kv.Batch{Deletes: []kv.Key{"k"}})
	if err := write(rev + 1); !errors.Is(err, kv.ErrConflict) {
		t.Errorf("a revision of a deleted key: %v", err)
	}
}

func atomic(t *testing.T, e kv.Engine) {
	put(t, e, "a", "1")
	put(t, e, "b", "2")
	a, b := get(t, e, "a"), get(t, e, "b")
	err := e.Commit(t.Context(), kv.Batch{
		Checks:  []kv.Check{{Key: "a", Rev: a.Rev}, {Key: "b", Rev: a.Rev}},
		Puts:    []kv.Put{{Key: "a", Value: []byte("9")}, {Key: "c", Value: []byte("9")}},
		Deletes: []kv.Key{"b"},
	})
	if !errors.Is(err, kv.ErrConflict) {
		t.Fatalf("got %v", err)
	}
	wantValue(t, e, "a", "1")
	wantValue(t, e, "b", "2")
	wantMissing(t, e, "c")
	if now := get(t, e, "a").Rev; now != a.Rev {
		t.Errorf("the revision moved from %d to %d", a.Rev, now)
	}
	commit(t, e, kv.Batch{
		Checks:  []kv.Check{{Key: "a", Rev: a.Rev}, {Key: "b", Rev: b.Rev}, {Key: "c"}},
		Puts:    []kv.Put{{Key: "a", Value: []byte("9")}, {Key: "c", Value: []byte("9")}},
		Deletes: []kv.Key{"b"},
	})
	wantValue(t, e, "a", "9")
	wantMissing(t, e, "b")
	wantValue(t, e, "c", "9")
}

func checkOnly(t *testing.T, e kv.Engine) {
	put(t, e, "a", "1")
	rev := get(t, e, "a").Rev
	commit(t, e, kv.Batch{Checks: []kv.Check{{Key: "a", Rev: rev}, {Key: "b"}}})
	err := e.Commit(t.Context(), kv.Batch{Checks: []kv.Check{{Key: "b", Rev: 1}}})
	if !errors.Is(err, kv.ErrConflict) {
		t.Errorf("got %v", err)
	}
	commit(t, e, kv.Batch{})
}

func deleteMissing(t *testing.T, e kv.Engine) {
	commit(t, e, kv.Batch{Deletes: []kv.Key{"k"}})
	commit(t, e, kv.Batch{Puts: []kv.Put{{Key: "a"}}, Deletes: []kv.Key{"k"}})
	wantKeys(t, scan(t, e, "", "", 10), "a", false)
}

func largest(t *testing.T, e kv.Engine) {
	var b kv.Batch
	key := func(i int) kv.Key { return kv.Key(fmt.Sprintf("%0512d", i)) }
	for i := range kv.MaxBatchChecks {
		b.Checks = append(b.Checks, kv.Check{Key: key(i)})
	}
	for i := range kv.MaxBatchWrites {
		b.Puts = append(b.Puts, kv.Put{Key: key(i)})
	}
	b.Puts[0].Value = make([]byte, kv.MaxBatchBytes-b.Size())
	commit(t, e, b)
	if got := len(get(t, e, key(0)).Value); got != len(b.Puts[0].Value) {
		t.Errorf("got %d bytes back", got)
	}
	if p := scan(t, e, "", "", 1); len(p.Records) != 1 || !p.More {
		t.Errorf("scan gave %d records, more %v", len(p.Records), p.More)
	}
	for i := range b.Checks {
		b.Checks[i].Rev = get(t, e, key(i)).Rev
	}
	b.Puts, b.Deletes = nil, nil
	for i := range kv.MaxBatchWrites {
		b.Deletes = append(b.Deletes, key(i))
	}
	commit(t, e, b)
	wantKeys(t, scan(t, e, "", "", 10), "", false)
}

// counting raises one number from many goroutines by compare-and-set.
func counting(t *testing.T, e kv.Engine) {
	const workers, each = 8, 10
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			for range each {
				if err := increment(t.Context(), e, "n"); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	group.Wait()
	wantValue(t, e, "n", fmt.Sprint(workers*each))
}

func increment(ctx context.Context, e kv.Engine, key kv.Key) error {
	for {
		got, err := e.Get(ctx, key)
		if err != nil {
			return err
		}
		n := 0
		if got[0].Exists() {
			if _, err := fmt.Sscan(string(got[0].Value), &n); err != nil {
				return err
			}
		}
		err = e.Commit(ctx, kv.Batch{
			Checks: []kv.Check{{Key: key, Rev: got[0].Rev}},
			Puts:   []kv.Put{{Key: key, Value: fmt.Append(nil, n+1)}},
		})
		if !errors.Is(err, kv.ErrConflict) {
			return err
		}
	}
}

// wholeCommits writes as many keys alike as a get takes, while others read them all in
// one get.
func wholeCommits(t *testing.T, e kv.Engine) {
	keys := make([]kv.Key, kv.MaxRecordsInGet)
	for i := range keys {
		keys[i] = kv.Key(fmt.Sprintf("k/%03d", i))
	}
	done := make(chan struct{})
	var group sync.WaitGroup
	group.Go(func() {
		defer close(done)
		for i := range 50 {
			var b kv.Batch
			for _, key := range keys {
				b.Puts = append(b.Puts, kv.Put{Key: key, Value: fmt.Append(nil, i)})
			}
			if err := e.Commit(t.Context(), b); err != nil {
				t.Error(err)
				return
			}
		}
	})
	for range 3 {
		group.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				got, err := e.Get(t.Context(), keys...)
				if err != nil {
					t.Error(err)
					return
				}
				for _, r := range got {
					if !bytes.Equal(got[0].Value, r.Value) || got[0].Rev != r.Rev {
						t.Errorf("half a commit: %s has %s and %s has %s", got[0].Key, got[0].Value, r.Key, r.Value)
						return
					}
				}
			}
		})
	}
	group.Wait()
}

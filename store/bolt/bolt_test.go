package bolt

import (
	"bytes"
	"context"
	"errors"
	"path/filepath"
	"reflect"
	"syscall"
	"testing"

	"planb/store/kv"
	"planb/store/kv/kvtest"

	"go.etcd.io/bbolt"
)

func TestEngine(t *testing.T) {
	t.Parallel()
	kvtest.TestEngine(t, kvtest.Harness{
		Open: func(t *testing.T) kv.Engine { return openNew(t) },
		Both: func(t *testing.T) (one, other kv.Engine) {
			path := filepath.Join(t.TempDir(), "planb.db")
			return openAt(t, path), openAt(t, path)
		},
		Damage: func(t *testing.T, e kv.Engine, key kv.Key) { tear(t, e.(*Engine), key) },
		Fail:   func(_ *testing.T, e kv.Engine, applied bool) { failNext(e.(*Engine), applied) },
		Keeper: func(t *testing.T) (kv.Keeper, string, func(path string) kv.Keeper) {
			dir := t.TempDir()
			return openAt(t, filepath.Join(dir, "planb.db")), dir, func(path string) kv.Keeper { return openAt(t, path) }
		},
	})
}

// An engine keeps the law, so a lazy one does if it hands every call on as it is.
func TestLazyEngineHandsEveryCallOn(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "planb.db")
	lazy, beside := NewLazy(path, Options{}), openAt(t, path)
	for _, key := range []kv.Key{"a/1", "a/2", "a/3", "b/1"} {
		if err := lazy.Commit(t.Context(), kv.Batch{Puts: []kv.Put{{Key: key, Value: []byte(key)}}}); err != nil {
			t.Fatal(err)
		}
	}
	unmet := kv.Batch{Checks: []kv.Check{{Key: "a/1"}}, Puts: []kv.Put{{Key: "c"}}}
	if err := lazy.Commit(t.Context(), unmet); !errors.Is(err, kv.ErrConflict) {
		t.Errorf("a check that does not hold: %v", err)
	}
	got, err := lazy.Get(t.Context(), "b/1", "c", "a/1")
	want, _ := beside.Get(t.Context(), "b/1", "c", "a/1")
	if err != nil || len(want) != 3 || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v, %v", got, want, err)
	}
	page, err := lazy.Scan(t.Context(), "a/", "a/1", 1)
	if err != nil || len(page.Records) != 1 || page.Records[0].Key != "a/2" || !page.More {
		t.Errorf("scanned %+v, %v", page, err)
	}
	if _, err := lazy.Watch(t.Context(), "\n"); err == nil {
		t.Error("a prefix that is no key's was taken")
	}
	watched, err := lazy.Watch(t.Context(), "a/")
	if err != nil {
		t.Fatal(err)
	}
	wantFire(t, watched)
	if err := beside.Commit(t.Context(), kv.Batch{Deletes: []kv.Key{"a/3"}}); err != nil {
		t.Fatal(err)
	}
	wantFire(t, watched)
	end, err := lazy.TakeTurn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	end()
	for range 2 {
		if err := lazy.Close(); err != nil {
			t.Error(err)
		}
	}
	for range watched { // Close ends it
	}
	wantRefusals(t, lazy, t.Context(), kv.ErrClosed)
}

// Each call meets its ended context wherever it looks: before the lazy engine has its
// store, and in the engine.
func TestLazyEngineEndsWithTheContext(t *testing.T) {
	t.Parallel()
	lazy := NewLazy(filepath.Join(t.TempDir(), "planb.db"), Options{})
	if _, err := lazy.Get(t.Context(), "k"); err != nil {
		t.Fatal(err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for range 20 { // it looks in two places, in no order
		wantRefusals(t, lazy, ended, context.Canceled)
	}
	if err := lazy.Close(); err != nil {
		t.Error(err)
	}
}

// wantRefusals expects the error of every call.
func wantRefusals(t *testing.T, e kv.Queue, ctx context.Context, want error) {
	t.Helper()
	_, got := e.Get(ctx, "k")
	_, scanned := e.Scan(ctx, "", "", 1)
	committed := e.Commit(ctx, kv.Batch{Puts: []kv.Put{{Key: "k"}}})
	_, watched := e.Watch(ctx, "")
	_, turned := e.TakeTurn(ctx)
	for call, err := range map[string]error{"get": got, "scan": scanned, "commit": committed, "watch": watched, "turn": turned} {
		if !errors.Is(err, want) {
			t.Errorf("%s: %v", call, err)
		}
	}
}

// tear cuts a record's envelope short.
func tear(t *testing.T, e *Engine, key kv.Key) {
	t.Helper()
	err := e.update(t.Context(), kv.Batch{Quiet: true}, func(b buckets) (int64, error) {
		sealed := b.records.Get([]byte(key))
		return int64(b.records.Sequence()), b.records.Put([]byte(key), bytes.Clone(sealed[:len(sealed)-1]))
	})
	if err != nil {
		t.Fatal(err)
	}
}

// failNext makes the disk fail the next commit: with applied, after bbolt wrote it.
func failNext(e *Engine, applied bool) {
	e.commit = func(tx *bbolt.Tx) error {
		e.commit = (*bbolt.Tx).Commit
		if applied {
			return errors.Join(tx.Commit(), syscall.EIO)
		}
		return errors.Join(tx.Rollback(), syscall.EIO)
	}
}

// checkFile looks through a file that no other engine uses.
func checkFile(path string) (kv.Inspection, error) {
	e, err := At(path, Options{})
	if err != nil {
		return kv.Inspection{}, err
	}
	return e.Check()
}

// openNew opens an engine over a new store.
func openNew(t testing.TB) *Engine {
	t.Helper()
	return openAt(t, filepath.Join(t.TempDir(), "data", "planb.db"))
}

// openAt opens an engine and expects no trouble of it.
func openAt(t testing.TB, path string) *Engine {
	t.Helper()
	e, err := Open(t.Context(), path, Options{Notice: func(err error) { t.Errorf("notice: %v", err) }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return e
}

package bolt

import (
	"bytes"
	"errors"
	"path/filepath"
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

func TestLazyEngineKeepsTheLaw(t *testing.T) {
	t.Parallel()
	opened := func(t *testing.T, e kv.Engine) *Engine {
		engine, err := e.(*Lazy).engine(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return engine
	}
	kvtest.TestEngine(t, kvtest.Harness{
		Open: func(t *testing.T) kv.Engine {
			engine := NewLazy(filepath.Join(t.TempDir(), "planb.db"), Options{})
			t.Cleanup(func() {
				if err := engine.Close(); err != nil {
					t.Error(err)
				}
			})
			return engine
		},
		Damage: func(t *testing.T, e kv.Engine, key kv.Key) { tear(t, opened(t, e), key) },
		Fail:   func(t *testing.T, e kv.Engine, applied bool) { failNext(opened(t, e), applied) },
	})
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

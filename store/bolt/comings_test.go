package bolt

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"planb/store"
)

// What waits for a store that is removed meanwhile finds it missing, and made
// again it begins anew, whatever its doorbell says.
func TestRemovedAndMadeAgain(t *testing.T) {
	e := openNew(t)
	if err := e.Commit(t.Context(), store.Batch{Puts: []store.Put{{Key: "k"}}}); err != nil {
		t.Fatal(err)
	}
	got, err := e.Get(t.Context(), "k")
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Remove(t.Context(), store.Check{Key: "k", Rev: got[0].Rev + 1}); !errors.Is(err, store.ErrConflict) {
		t.Errorf("removed on a check that does not hold: %v", err)
	}
	if there, err := e.Present(); !there || err != nil {
		t.Errorf("present: %v, %v", there, err)
	}
	if err := e.Remove(t.Context(), store.Check{Key: "k", Rev: got[0].Rev}); err != nil {
		t.Fatal(err)
	}
	if there, err := e.Present(); there || err != nil {
		t.Errorf("present after it was removed: %v, %v", there, err)
	}
	_, err = e.Get(t.Context(), "k")
	if f, ok := errors.AsType[*store.Fault](err); !ok || f.Kind != store.FaultMissing {
		t.Errorf("read after it was removed: %v", err)
	}
	if err := writeBell(e.bell, chime{rev: 7, txid: 7}); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := e.Make(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := e.Get(t.Context(), "k"); err != nil || got[0].Exists() {
		t.Errorf("made again it holds %v, %v", got, err)
	}
}

func TestCommitAs(t *testing.T) {
	e := openNew(t)
	put := store.Batch{Puts: []store.Put{{Key: "k"}}}
	commit := func(rev int64, allowed error) error {
		return e.CommitAs(t.Context(), put, rev, func() error { return allowed })
	}
	refused := errors.New("not now")
	if err := commit(0, refused); !errors.Is(err, refused) {
		t.Errorf("not allowed: %v", err)
	}
	if rev, err := e.Revision(t.Context()); rev != 0 || err != nil {
		t.Errorf("what was not allowed raised the revision to %d, %v", rev, err)
	}
	if err := commit(100, nil); err != nil {
		t.Fatal(err)
	}
	for _, rev := range []int64{1, 100} {
		if err := commit(rev, nil); !errors.Is(err, store.ErrConflict) {
			t.Errorf("revision %d after 100: %v", rev, err)
		}
	}
	if err := commit(0, nil); err != nil {
		t.Fatal(err)
	}
	got, err := e.Get(t.Context(), "k")
	if err != nil || got[0].Rev != 101 {
		t.Errorf("the next after 100 is %v, %v", got, err)
	}
}

// A lazy engine's store is present also when only its doorbell tells of it.
func TestPresentByItsDoorbell(t *testing.T) {
	path := filepath.Join(t.TempDir(), "planb.db")
	lazy := NewLazy(path, Options{})
	if there, err := lazy.Present(); there || err != nil {
		t.Errorf("before there is one: %v, %v", there, err)
	}
	if err := lazy.CommitAs(t.Context(), store.Batch{Puts: []store.Put{{Key: "k"}}}, 0, nil); err != nil {
		t.Fatal(err)
	}
	if err := lazy.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if there, err := lazy.Present(); !there || err != nil {
		t.Errorf("with its doorbell left: %v, %v", there, err)
	}
}

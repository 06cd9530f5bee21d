package bolt

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"go.etcd.io/bbolt"

	"planb/store/kv"
)

const testReserve = 64 << 10

func openReserved(t *testing.T, reserve int64) *Engine {
	t.Helper()
	e, err := Open(t.Context(), filepath.Join(t.TempDir(), "planb.db"), Options{Reserve: reserve})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	return e
}

func putOf(k kv.Key, canWait bool) kv.Batch {
	return kv.Batch{Op: kv.OpID{7}, CanWait: canWait, Puts: []kv.Put{{Key: k, Value: []byte("v")}}}
}

// fullUntilGivenUp makes the disk of the engine full as long as there is a reserve.
func (e *Engine) fullUntilGivenUp() {
	e.commit = func(tx *bbolt.Tx) error {
		if info, err := os.Stat(e.paths.reserve); err == nil && info.Size() > 0 {
			return errors.Join(tx.Rollback(), &os.PathError{Op: "write", Path: e.path, Err: syscall.ENOSPC})
		}
		return tx.Commit()
	}
}

func wantReserve(t *testing.T, e *Engine, want ReserveState) {
	t.Helper()
	if got, err := e.reserve.state(); got != want || err != nil {
		t.Errorf("the reserve is %v, %v; want %v", got, err, want)
	}
}

// A batch that can wait makes the reserve and never uses it. Any other batch gets its room
// when the disk is full.
func TestReserveIsForWhatCannotWait(t *testing.T) {
	t.Parallel()
	e := openReserved(t, testReserve)
	wantReserve(t, e, ReserveNone)
	if err := e.Commit(t.Context(), putOf("entry", false)); err != nil {
		t.Fatal(err)
	}
	wantReserve(t, e, ReserveNone)
	if err := e.Commit(t.Context(), putOf("ask", true)); err != nil {
		t.Fatal(err)
	}
	wantReserve(t, e, ReserveWhole)
	if info, err := os.Stat(e.paths.reserve); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}

	e.fullUntilGivenUp()
	wantFault(t, e.path, e.Commit(t.Context(), putOf("another ask", true)), kv.FaultFull, "{file}"+fullSentence)
	wantReserve(t, e, ReserveWhole)
	if err := e.Commit(t.Context(), putOf("answer", false)); err != nil {
		t.Errorf("with a reserve on a full disk: %v", err)
	}
	wantReserve(t, e, ReserveGivenUp)
	if got, err := e.Get(t.Context(), "answer", "another ask"); err != nil || !got[0].Exists() || got[1].Exists() {
		t.Errorf("the store holds %v, %v", got, err)
	}
}

const fullSentence = " cannot be written, because its disk is full; free some space, or set PLANB_DATA_DIR to a directory on another disk"

// While the reserve is given up nothing new is begun, until there is room to make
// it again.
func TestNothingNewUntilTheReserveIsWhole(t *testing.T) {
	t.Parallel()
	e := openReserved(t, testReserve)
	free, err := room(filepath.Dir(e.path))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(e.paths.reserve, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	e.reserve.bytes = free // of which there would have to be twice as much
	err = e.Commit(t.Context(), putOf("ask", true))
	if f, ok := errors.AsType[*kv.Fault](err); !ok || f.Kind != kv.FaultFull || !strings.Contains(f.What, "is kept for what people are answering") {
		t.Errorf("something new without room: %v", err)
	}
	if err := e.Commit(t.Context(), putOf("answer", false)); err != nil {
		t.Errorf("an answer: %v", err)
	}
	wantReserve(t, e, ReserveGivenUp)

	e.reserve.bytes = testReserve
	if err := e.Commit(t.Context(), putOf("ask", true)); err != nil {
		t.Errorf("something new with room again: %v", err)
	}
	wantReserve(t, e, ReserveWhole)
}

// A disk that never had the room for a reserve is used without one.
func TestNoRoomForAReserve(t *testing.T) {
	t.Parallel()
	e := openReserved(t, testReserve)
	e.reserve.bytes = 1 << 60
	if err := e.Commit(t.Context(), putOf("ask", true)); err != nil {
		t.Errorf("without room for a reserve: %v", err)
	}
	wantReserve(t, e, ReserveNone)
}

// A reserve that its maker did not finish, because it was killed, is made whole.
func TestHalfAReserve(t *testing.T) {
	t.Parallel()
	e := openReserved(t, testReserve)
	if err := os.WriteFile(e.paths.reserve, make([]byte, testReserve/2), 0o600); err != nil {
		t.Fatal(err)
	}
	wantReserve(t, e, ReserveGivenUp)
	if err := e.Commit(t.Context(), putOf("ask", true)); err != nil {
		t.Fatal(err)
	}
	wantReserve(t, e, ReserveWhole)
}

// The reserve stays if its room would not help.
func TestReserveStays(t *testing.T) {
	t.Parallel()
	for what, failed := range map[string]error{
		"a limit on the file's size": syscall.EFBIG,
		"a read-only file system":    syscall.EROFS,
		"a disk that fails":          syscall.EIO,
		"another writer":             kv.ErrConflict,
	} {
		t.Run(what, func(t *testing.T) {
			e := openReserved(t, testReserve)
			if err := e.Commit(t.Context(), putOf("ask", true)); err != nil {
				t.Fatal(err)
			}
			e.commit = func(tx *bbolt.Tx) error { return errors.Join(tx.Rollback(), failed) }
			if err := e.Commit(t.Context(), putOf("answer", false)); err == nil {
				t.Error("it was written")
			}
			wantReserve(t, e, ReserveWhole)
		})
	}
}

// Many engines over one file, like many processes, give up one reserve once and make one
// again.
func TestManyShareAReserve(t *testing.T) {
	t.Parallel()
	first := openReserved(t, testReserve)
	if err := first.Commit(t.Context(), putOf("ask", true)); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for i := range 8 {
		e, err := Open(t.Context(), first.path, Options{Reserve: testReserve})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = e.Close() })
		all.Go(func() {
			e.fullUntilGivenUp()
			if err := e.Commit(t.Context(), putOf(savedKey(i), false)); err != nil {
				t.Errorf("an answer on a full disk: %v", err)
			}
		})
	}
	all.Wait()
	wantReserve(t, first, ReserveGivenUp)
	if err := first.Commit(t.Context(), putOf("ask", true)); err != nil {
		t.Fatal(err)
	}
	wantReserve(t, first, ReserveWhole)
}

// If the system cannot reserve room, the reserve is written, and occupies as much.
func TestReserveIsWritten(t *testing.T) {
	t.Parallel()
	f, err := os.Create(filepath.Join(t.TempDir(), "reserve"))
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(fillUp(f, testReserve), f.Close()); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(f.Name())
	if err != nil || len(data) != testReserve || strings.Contains(string(data), strings.Repeat("\x00", 64)) {
		t.Errorf("%d bytes, %v", len(data), err)
	}
}

func TestReserveAt(t *testing.T) {
	t.Parallel()
	e := openReserved(t, ReserveBytes)
	for _, want := range []ReserveState{ReserveNone, ReserveWhole} {
		if got, err := ReserveAt(e.path); err != nil || got.State != want || got.Bytes != ReserveBytes || got.Needs != 2*ReserveBytes {
			t.Errorf("%+v, %v; want the state %v", got, err, want)
		}
		if err := e.Commit(t.Context(), putOf("ask", true)); err != nil {
			t.Fatal(err)
		}
	}
}

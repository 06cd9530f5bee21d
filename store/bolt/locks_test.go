package bolt

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"planb/store/kv"
)

// TestHeld checks the sentence about a store that another process holds, at
// each of the two locks.
func TestHeld(t *testing.T) {
	for _, which := range []string{"file", "turnstile"} {
		t.Run(which, func(t *testing.T) {
			e := fillStore(t)
			e.lockTimeout = 20 * time.Millisecond
			path := e.path
			if which == "turnstile" {
				path = e.turn
			}
			pid, release := hold(t, path)
			by := "{…}"
			if runtime.GOOS == "linux" {
				by = fmt.Sprintf("process %d (%s", pid, printable(os.Args[0]))
				by = by[:min(len(by), 60)] + "{…}"
			}
			sentence := "{file} has been held by " + by + " for more than 20ms; wait for it to end, or end it"
			wantFault(t, e.path, write(t, e), kv.FaultHeld, sentence)
			// The first one still waits for the lock, and the others for it.
			wantFault(t, e.path, read(t, e), kv.FaultHeld, sentence)
			before := runtime.NumGoroutine()
			for range 5 {
				wantFault(t, e.path, write(t, e), kv.FaultHeld, sentence)
			}
			if now := runtime.NumGoroutine(); now > before {
				t.Errorf("waiting in vain leaves goroutines: %d, then %d", before, now)
			}
			release()
			e.lockTimeout = lockTimeout
			wantSaved(t, e)
			if got, err := e.Get(t.Context(), "new"); err != nil || got[0].Exists() {
				t.Errorf("an abandoned write happened: %+v, %v", got, err)
			}
			if err := write(t, e); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestHeldByItself checks that the sentence names this very process as the holder, and
// not another.
func TestHeldByItself(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux tells who holds a lock")
	}
	e := fillStore(t)
	e.lockTimeout = time.Millisecond
	f, err := os.Open(e.path)
	if err != nil {
		t.Fatal(err)
	}
	defer closeLocked(f)
	if _, err := lock(f, true, true); err != nil {
		t.Fatal(err)
	}
	wantFault(t, e.path, read(t, e), kv.FaultHeld,
		fmt.Sprintf("{file} has been held by this very process, %d ({…}), for more than 1ms; wait for it to end, or end it", os.Getpid()))
}

func TestContextEndsWaiting(t *testing.T) {
	e := fillStore(t)
	_, release := hold(t, e.path)
	ctx, cancel := context.WithCancel(t.Context())
	var group, begun sync.WaitGroup
	begun.Add(20)
	for range 20 {
		group.Go(func() {
			begun.Done()
			_, err := e.Get(ctx, "k")
			want := "waiting for " + e.path + ": context canceled"
			if !errors.Is(err, context.Canceled) || err.Error() != want {
				t.Errorf("got  %v\nwant %s", err, want)
			}
		})
	}
	begun.Wait()
	time.AfterFunc(20*time.Millisecond, cancel)
	group.Wait()
	release()
	wantSaved(t, e)
}

func TestCloseEndsWaiting(t *testing.T) {
	e := fillStore(t)
	hold(t, e.path)
	result := make(chan error, 2)
	for range 2 {
		go func() { result <- read(t, e) }()
	}
	eventually(t, "an operation waits", func() bool { return len(e.gate.token) == 0 })
	if err := e.Close(); err != nil {
		t.Error(err)
	}
	for range 2 {
		if err := <-result; !errors.Is(err, kv.ErrClosed) {
			t.Errorf("got %v", err)
		}
	}
}

// TestGateTimeout checks that waiting at the gate is no fault, however long it takes, as
// long as other operations pass, and that it is a fault if none does.
func TestGateTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := &Engine{gate: newGate(), lockTimeout: lockTimeout, closing: make(chan struct{})}
		<-e.gate.token
		go func() {
			for range 10 {
				time.Sleep(lockTimeout * 9 / 10)
				e.gate.turns.Add(1)
			}
			e.gate.leave()
		}()
		start := time.Now()
		if err := e.passGate(t.Context()); err != nil || time.Since(start) != 9*lockTimeout {
			t.Errorf("after %v: %v", time.Since(start), err)
		}

		start = time.Now()
		err := e.passGate(t.Context())
		fault, ok := errors.AsType[*kv.Fault](err)
		if !ok || fault.Kind != kv.FaultHeld || time.Since(start) != lockTimeout {
			t.Errorf("after %v: %v", time.Since(start), err)
		}
	})
}

// TestReplacedWhileWaiting checks that an operation that waited for the lock of
// a file that was replaced meanwhile works on the new one.
func TestReplacedWhileWaiting(t *testing.T) {
	if turnThroughout {
		t.Skip("a file in use cannot be replaced here")
	}
	for _, op := range []string{"read", "write"} {
		t.Run(op, func(t *testing.T) {
			e := fillStore(t)
			older := filepath.Join(t.TempDir(), "older.db")
			writeFile(t, older, readFile(t, e.path))
			if err := e.Commit(t.Context(), kv.Batch{Puts: []kv.Put{{Key: "lost", Value: []byte("x")}}}); err != nil {
				t.Fatal(err)
			}
			replaced := readFile(t, e.path)

			// Hold the locks as a restore does; the operation waits at the file's
			// lock, to which the test lets it through.
			f, err := os.OpenFile(e.path, os.O_RDWR, 0)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := lock(f, true, true); err != nil {
				t.Fatal(err)
			}
			result := make(chan error, 1)
			go func() {
				if op == "read" {
					got, err := e.Get(t.Context(), "lost")
					if err == nil && got[0].Exists() {
						err = errors.New("it read the file that was replaced")
					}
					result <- err
					return
				}
				result <- write(t, e)
			}()
			eventually(t, "the operation waits for the file", func() bool { return waitsFor(e.turn) })
			if err := os.Rename(older, e.path); err != nil {
				t.Fatal(err)
			}
			old, err := io.ReadAll(io.NewSectionReader(f, 0, 1<<40))
			if err != nil {
				t.Fatal(err)
			}
			closeLocked(f)
			if err := <-result; err != nil {
				t.Error(err)
			}
			if string(old) != string(replaced) {
				t.Error("the file that was replaced was changed")
			}
			wantSaved(t, e)
			if op == "write" {
				got, err := e.Get(t.Context(), "new")
				if err != nil || string(got[0].Value) != "new" {
					t.Errorf("the write went to the file that was replaced: %+v, %v", got, err)
				}
			}
		})
	}
}

// waitsFor reports whether an operation holds the turnstile, as one does that waits for
// the file.
func waitsFor(turn string) bool {
	f, err := os.Open(turn)
	if err != nil {
		return false
	}
	defer f.Close()
	had, err := lock(f, true, false)
	return !had && err == nil
}

func TestPrintable(t *testing.T) {
	got := described(7, "a\x1b[2Jb\nc\u202e"+strings.Repeat("x", 100))
	if want := "process 7 (a?[2Jb?c?" + strings.Repeat("x", 71) + "…)"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

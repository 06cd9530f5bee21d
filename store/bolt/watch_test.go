package bolt

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"testing"
	"time"

	"planb/store/kv"
)

// fastLook is the second look's interval where a test waits for it.
const fastLook = 20 * time.Millisecond

func wantFire(t testing.TB, c <-chan struct{}) {
	t.Helper()
	select {
	case <-c:
	case <-time.After(10 * time.Second):
		t.Fatal("the watch does not fire")
	}
}

func wantQuiet(t testing.TB, c <-chan struct{}, d time.Duration) {
	t.Helper()
	select {
	case <-c:
		t.Fatal("the watch fires for nothing")
	case <-time.After(d):
	}
}

func startWatch(t testing.TB, e *Engine) <-chan struct{} {
	t.Helper()
	c, err := e.Watch(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	wantFire(t, c)
	return c
}

// TestWatchAcross checks that a commit of another engine, as of another process,
// is told at once.
func TestWatchAcross(t *testing.T) {
	reader := fillStore(t)
	reader.look = time.Hour // only the doorbell is left to tell it
	writer := openAt(t, reader.path)
	c := startWatch(t, reader)
	for range 10 {
		if err := write(t, writer); err != nil {
			t.Fatal(err)
		}
		wantFire(t, c)
	}
}

// TestWatchIsSpared checks that a commit wakes the watchers of the keys that it wrote,
// and no other watcher if the doorbell tells the keys.
func TestWatchIsSpared(t *testing.T) {
	reader := fillStore(t)
	reader.look = time.Hour
	writer, other := openAt(t, reader.path), openAt(t, reader.path)
	all := startWatch(t, reader)
	mine, err := reader.Watch(t.Context(), "mine/")
	if err != nil {
		t.Fatal(err)
	}
	wantFire(t, mine)
	put := func(e *Engine, keys ...kv.Key) {
		t.Helper()
		var batch kv.Batch
		for _, key := range keys {
			batch.Puts = append(batch.Puts, kv.Put{Key: key})
		}
		if err := e.Commit(t.Context(), batch); err != nil {
			t.Fatal(err)
		}
		wantFire(t, all)
	}
	for range 20 {
		for _, e := range []*Engine{writer, other, reader} {
			put(e, "yours/1", "mine")
		}
	}
	wantQuiet(t, mine, fastLook)
	put(writer, "yours/1", "mine/1")
	wantFire(t, mine)
	if err := other.Commit(t.Context(), kv.Batch{Deletes: []kv.Key{"mine/1"}}); err != nil {
		t.Fatal(err)
	}
	wantFire(t, mine)
	wantFire(t, all)
	many := make([]kv.Key, 40)
	for i := range many {
		many[i] = kv.Key(fmt.Sprintf("yours/%030d", i))
	}
	put(writer, many...) // more than the doorbell tells
	wantFire(t, mine)
	put(writer, "yours/2")
	wantQuiet(t, mine, fastLook)
}

// TestWatchMissesNothing has engines commit at once, and each watcher hear by the
// doorbell alone of all that concerns it.
func TestWatchMissesNothing(t *testing.T) {
	const writers, each = 4, 150
	path := fillStore(t).path
	name := func(i int) kv.Key { return kv.Key(fmt.Sprintf("part%d/k", i)) }
	var all sync.WaitGroup
	for i := range writers {
		reader, writer := openAt(t, path), openAt(t, path)
		reader.look = time.Hour
		c, err := reader.Watch(t.Context(), name(i)[:6])
		if err != nil {
			t.Fatal(err)
		}
		all.Go(func() {
			for n := range each {
				batch := kv.Batch{Puts: []kv.Put{{Key: name(i), Value: []byte(strconv.Itoa(n + 1))}}, Quiet: n%3 == 1 && n != each-1}
				if err := writer.Commit(t.Context(), batch); err != nil {
					t.Error(err)
					return
				}
			}
		})
		all.Go(func() {
			for {
				select {
				case <-c:
				case <-time.After(10 * time.Second):
					t.Errorf("the watch of %s misses its last commit", name(i))
					return
				}
				got, err := reader.Get(t.Context(), name(i))
				if err != nil {
					t.Error(err)
					return
				}
				if string(got[0].Value) == strconv.Itoa(each) {
					return
				}
			}
		})
	}
	all.Wait()
}

// TestQuiet checks that quiet commits wake no watcher, at once or at the second
// look, and hide no commit that rings.
func TestQuiet(t *testing.T) {
	t.Parallel()
	reader := fillStore(t)
	reader.look = fastLook
	writer := openAt(t, reader.path)
	c := startWatch(t, reader)
	for range 5 {
		if err := writer.Commit(t.Context(), kv.Batch{Quiet: true, Puts: []kv.Put{{Key: "entry"}}}); err != nil {
			t.Fatal(err)
		}
	}
	wantQuiet(t, c, fastLook*10)
	if err := write(t, writer); err != nil {
		t.Fatal(err)
	}
	wantFire(t, c)
}

// TestSecondLook checks what the doorbell never tells: a writer that died before
// it rang, a file put in the place of another, a file that went and came back.
func TestSecondLook(t *testing.T) {
	t.Parallel()
	reader := fillStore(t)
	reader.look = fastLook
	c := startWatch(t, reader)

	t.Run("a writer died", func(t *testing.T) {
		deaf := openAt(t, reader.path)
		deaf.bell = filepath.Join(t.TempDir(), "elsewhere")
		for _, quiet := range []bool{false, true} {
			if err := deaf.Commit(t.Context(), kv.Batch{Quiet: quiet, Puts: []kv.Put{{Key: "k"}}}); err != nil {
				t.Fatal(err)
			}
		}
		wantFire(t, c)
		wantQuiet(t, c, fastLook*6)
	})
	away := reader.path + ".away"
	t.Run("another file", func(t *testing.T) {
		writeFile(t, away, readFile(t, reader.path))
		if err := os.Rename(away, reader.path); err != nil {
			t.Fatal(err)
		}
		wantFire(t, c)
		wantQuiet(t, c, fastLook*6)
	})
	t.Run("gone and back", func(t *testing.T) {
		if err := os.Rename(reader.path, away); err != nil {
			t.Fatal(err)
		}
		wantFire(t, c)
		wantQuiet(t, c, fastLook*6)
		if err := os.Rename(away, reader.path); err != nil {
			t.Fatal(err)
		}
		wantFire(t, c)
	})
}

// TestBellLost checks that a doorbell that is removed, replaced or overwritten is
// listened to again.
func TestBellLost(t *testing.T) {
	t.Parallel()
	reader := fillStore(t)
	reader.look = 10 * fastLook
	writer := openAt(t, reader.path)
	c := startWatch(t, reader)
	for name, spoil := range map[string]func() error{
		"removed": func() error { return os.Remove(reader.bell) },
		"replaced": func() error {
			writeFile(t, reader.bell+"2", []byte("nonsense"))
			return os.Rename(reader.bell+"2", reader.bell)
		},
		"overwritten": func() error { return os.WriteFile(reader.bell, []byte("nonsense"), 0o600) },
	} {
		t.Run(name, func(t *testing.T) {
			if err := spoil(); err != nil {
				t.Fatal(err)
			}
			// The second look mends what the listening needs.
			if err := write(t, writer); err != nil {
				t.Fatal(err)
			}
			wantFire(t, c)
			eventually(t, "the doorbell is heard again", func() bool {
				start := time.Now()
				if err := write(t, writer); err != nil {
					t.Fatal(err)
				}
				wantFire(t, c)
				return time.Since(start) < reader.look/4
			})
		})
	}
}

// TestWatchEndsClean checks that nothing is left of watches that ended.
func TestWatchEndsClean(t *testing.T) {
	e := fillStore(t)
	startWatch(t, e)
	before := runtime.NumGoroutine()
	for range 200 {
		startWatch(t, e)
	}
	if now := runtime.NumGoroutine(); now > before+1 {
		t.Errorf("200 watches made %d goroutines of %d", now, before)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the goroutines end", func() bool { return runtime.NumGoroutine() < before })
}

package handoff_test

import (
	"sync/atomic"
	"testing"
	"time"

	"planb/store"
)

// moody is a home that can be made well, and counts what was tried on it.
type moody struct {
	well  atomic.Bool
	tries atomic.Int32
}

func (m *moody) mood() bool {
	m.tries.Add(1)
	return !m.well.Load()
}

func quiet(key store.Key) store.Batch {
	return store.Batch{Op: store.OpID{1}, Puts: []store.Put{{Key: key, Value: []byte("v")}}, Quiet: true}
}

// A home that refused a process is spared its quiet commits for a while, and not
// those that somebody waits for; the first that succeeds brings all of it home.
func TestQuietCommitsSpareAHomeThatRefused(t *testing.T) {
	t.Parallel()
	p, home := newPlaces(t), &moody{}
	opts := p.options(t)
	opts.Look = time.Hour
	e := p.openWith(t, home.mood, opts)
	commit := func(b store.Batch, tries int32) {
		t.Helper()
		before := home.tries.Load()
		if err := e.Commit(t.Context(), b); err != nil {
			t.Fatal(err)
		}
		if got := home.tries.Load() - before; got != tries {
			t.Errorf("home was tried %d times, want %d", got, tries)
		}
	}
	loud := quiet("loud")
	loud.Quiet = false
	commit(quiet("a"), 1)
	commit(quiet("b"), 0)
	commit(loud, 1)
	commit(quiet("c"), 0)
	home.well.Store(true)
	commit(quiet("d"), 0)
	commit(loud, 6) // with the five that are away
	commit(quiet("e"), 1)
	if there, err := e.State(t.Context()); err != nil || there.Commits != 0 {
		t.Errorf("away are %d commits, %v", there.Commits, err)
	}
	for _, key := range []store.Key{"a", "b", "c", "d", "e", "loud"} {
		wantValue(t, openHome(t, p), key, "v")
	}
}

// What is away comes home by itself while somebody watches, who asks a home that
// refuses it less and less often.
func TestWatchersBringHome(t *testing.T) {
	t.Parallel()
	p, home := newPlaces(t), &moody{}
	opts := p.options(t)
	opts.Look = time.Millisecond
	e := p.openWith(t, home.mood, opts)
	storeOne(t, e, "k", "v")
	begun := time.Now()
	changed, err := e.Watch(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	for home.tries.Load() < 10 {
		<-time.After(time.Millisecond)
	}
	// Half of 1, 2, 4, 8, 16, 32, 32 and 32 looks, at least.
	if took := time.Since(begun); took < 60*opts.Look {
		t.Errorf("home was asked 9 times in %v", took)
	}
	if there, err := e.State(t.Context()); err != nil || there.Commits != 1 {
		t.Errorf("away are %d commits, %v", there.Commits, err)
	}
	home.well.Store(true)
	for {
		<-changed
		if there, err := e.State(t.Context()); err != nil || there.Commits == 0 {
			break
		}
	}
	wantValue(t, openHome(t, p), "k", "v")
}

package handoff_test

import (
	"context"
	"math/rand/v2"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"testing"

	"planb/store"
	"planb/store/bolt"
	"planb/store/handoff"
	"planb/store/storetest"
)

// mood says what a home does with commits.
type mood func() bool

func well() bool       { return false }
func unwritable() bool { return true }
func atRandom() bool   { return rand.N(3) == 0 }

// moodyHome is a real engine that says it is full when its mood is bad.
type moodyHome struct {
	*bolt.Lazy
	bad mood
}

func (h moodyHome) Commit(ctx context.Context, batch store.Batch) error {
	return h.CommitAs(ctx, batch, 0, nil)
}

func (h moodyHome) CommitAs(ctx context.Context, batch store.Batch, rev int64, allowed func() error) error {
	if h.bad() && len(batch.Puts)+len(batch.Deletes) > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		return errFull
	}
	return h.Lazy.CommitAs(ctx, batch, rev, allowed)
}

var errFull = &store.Fault{
	Kind: store.FaultFull, Path: "home", What: "cannot be written, because its disk is full", Do: "free some space", Err: syscall.ENOSPC,
}

// places are the paths of the two stores.
type places struct{ home, away string }

func newPlaces(t testing.TB) places {
	dir := t.TempDir()
	return places{filepath.Join(dir, "home", "planb.db"), filepath.Join(dir, "away", "planb.db")}
}

func (p places) options(t testing.TB) handoff.Options {
	return handoff.Options{
		HomePath: p.home, AwayPath: p.away,
		Keep: func(name string, text []byte) error { t.Errorf("put aside %s: %.300s", name, text); return nil },
	}
}

// open opens an engine over the places, as one process would.
func (p places) open(t testing.TB, bad mood) *handoff.Engine {
	return p.openWith(t, bad, p.options(t))
}

func (p places) openWith(t testing.TB, bad mood, opts handoff.Options) *handoff.Engine {
	t.Helper()
	away, err := bolt.At(p.away, bolt.Options{})
	if err != nil {
		t.Fatal(err)
	}
	e := handoff.New(moodyHome{bolt.NewLazy(p.home, bolt.Options{}), bad}, away, opts)
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return e
}

// turns are processes that are asked one after the other.
type turns struct {
	engines []*handoff.Engine
	next    *atomic.Uint64
}

func (s turns) engine() store.Engine {
	return s.engines[s.next.Add(1)%uint64(len(s.engines))]
}

func (s turns) Get(ctx context.Context, keys ...store.Key) ([]store.Record, error) {
	return s.engine().Get(ctx, keys...)
}

func (s turns) Scan(ctx context.Context, prefix, after store.Key, limit int) (store.Page, error) {
	return s.engine().Scan(ctx, prefix, after, limit)
}

func (s turns) Commit(ctx context.Context, batch store.Batch) error {
	return s.engine().Commit(ctx, batch)
}

func (s turns) Watch(ctx context.Context, prefix store.Key) (<-chan struct{}, error) {
	return s.engine().Watch(ctx, prefix)
}

func (s turns) Close() error {
	for _, e := range s.engines {
		if err := e.Close(); err != nil {
			return err
		}
	}
	return nil
}

func TestEngine(t *testing.T) {
	for _, situation := range []struct {
		name  string
		moods []mood
	}{
		{"home is well", []mood{well}},
		{"home is unwritable throughout", []mood{unwritable}},
		{"home fails at random and returns", []mood{atRandom}},
		{"two processes, and only one can write home", []mood{unwritable, well}},
	} {
		t.Run(situation.name, func(t *testing.T) {
			t.Parallel()
			storetest.TestEngine(t, func(t *testing.T) store.Engine {
				p := newPlaces(t)
				s := turns{next: new(atomic.Uint64)}
				for _, m := range situation.moods {
					s.engines = append(s.engines, p.open(t, m))
				}
				return s
			})
		})
	}
}

// absentHome was never made and cannot be.
type absentHome struct{ *bolt.Lazy }

func (absentHome) Present() (bool, error) { return false, nil }

func (absentHome) Get(context.Context, ...store.Key) ([]store.Record, error) { return nil, errFull }

func (absentHome) Revision(context.Context) (int64, error) { return 0, errFull }

func (absentHome) Scan(context.Context, store.Key, store.Key, int) (store.Page, error) {
	return store.Page{}, errFull
}

func (absentHome) CommitAs(context.Context, store.Batch, int64, func() error) error { return errFull }

// A home that cannot even be made reads as empty, and everything is away. When
// it can be made, everything is there.
func TestHomeThatWasNeverMade(t *testing.T) {
	t.Parallel()
	p := newPlaces(t)
	away, err := bolt.At(p.away, bolt.Options{})
	if err != nil {
		t.Fatal(err)
	}
	e := handoff.New(absentHome{bolt.NewLazy(p.home, bolt.Options{})}, away, p.options(t))
	defer e.Close()
	if got, err := e.Get(t.Context(), "k"); err != nil || got[0].Exists() {
		t.Errorf("an absent home gave %v, %v", got, err)
	}
	storeOne(t, e, "k", "v")
	wantValue(t, e, "k", "v")
	if page, err := e.Scan(t.Context(), "", "", 9); err != nil || len(page.Records) != 1 {
		t.Errorf("scan gave %v, %v", page, err)
	}
	state, err := e.State(t.Context())
	want := "saved in " + p.away + " because the disk of " + p.home + " is full; it moves to " + p.home + " by itself"
	if err != nil || state.Commits != 1 || state.String() != want {
		t.Errorf("away: %d, %q, %v; want %q", state.Commits, state, err, want)
	}
	again := p.open(t, well)
	if err := again.MoveHome(t.Context()); err != nil {
		t.Fatal(err)
	}
	wantValue(t, openHome(t, p), "k", "v")
}

// openHome is home alone, as one sees it who knows of no away store.
func openHome(t testing.TB, p places) store.Engine {
	t.Helper()
	home, err := bolt.Open(t.Context(), p.home, bolt.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = home.Close() })
	return home
}

func wantValue(t testing.TB, e store.Engine, key store.Key, value string) {
	t.Helper()
	got, err := e.Get(t.Context(), key)
	if err != nil || string(got[0].Value) != value {
		t.Errorf("%s is %+v, %v; want %q", key, got, err, value)
	}
}

func storeOne(t testing.TB, e store.Engine, key store.Key, value string) {
	t.Helper()
	err := e.Commit(t.Context(), store.Batch{Op: store.OpID{1}, Puts: []store.Put{{Key: key, Value: []byte(value)}}})
	if err != nil {
		t.Fatal(err)
	}
}

// anew makes a record that is not there yet.
func anew(op byte, key store.Key, value string) store.Batch {
	return store.Batch{
		Op: store.OpID{op}, Checks: []store.Check{{Key: key}}, Puts: []store.Put{{Key: key, Value: []byte(value)}},
	}
}

func storeAnew(t testing.TB, e store.Engine, key store.Key, value string) {
	t.Helper()
	if err := e.Commit(t.Context(), anew(1, key, value)); err != nil {
		t.Fatal(err)
	}
}

// moveHome has a process that can write home hand over what is away.
func (p places) moveHome(t testing.TB, opts handoff.Options) {
	t.Helper()
	if err := p.openWith(t, well, opts).MoveHome(t.Context()); err != nil {
		t.Fatal(err)
	}
}

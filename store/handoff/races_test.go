package handoff_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"planb/store"
	"planb/store/bolt"
	"planb/store/handoff"
)

// between is what others do at one point of a process's work, once.
type between struct{ do func() }

func (b *between) now() {
	if do := b.do; do != nil {
		b.do = nil
		do()
	}
}

// points are those before an operation on one of the engines.
type points struct {
	homeGet, homeRevision, homeCommit, awayGet, awayScan, awayRevision, awayRemove between
}

type watchedHome struct {
	moodyHome
	*points
}

func (h watchedHome) Get(ctx context.Context, keys ...store.Key) ([]store.Record, error) {
	h.homeGet.now()
	return h.moodyHome.Get(ctx, keys...)
}

func (h watchedHome) CommitAs(ctx context.Context, b store.Batch, rev int64, allowed func() error) error {
	h.homeCommit.now()
	return h.moodyHome.CommitAs(ctx, b, rev, allowed)
}

func (h watchedHome) Revision(ctx context.Context) (int64, error) {
	h.homeRevision.now()
	return h.moodyHome.Revision(ctx)
}

type watchedAway struct {
	*bolt.Engine
	*points
}

func (a watchedAway) Get(ctx context.Context, keys ...store.Key) ([]store.Record, error) {
	a.awayGet.now()
	return a.Engine.Get(ctx, keys...)
}

func (a watchedAway) Revision(ctx context.Context) (int64, error) {
	a.awayRevision.now()
	return a.Engine.Revision(ctx)
}

func (a watchedAway) Scan(ctx context.Context, prefix, after store.Key, limit int) (store.Page, error) {
	a.awayScan.now()
	return a.Engine.Scan(ctx, prefix, after, limit)
}

func (a watchedAway) Remove(ctx context.Context, checks ...store.Check) error {
	a.awayRemove.now()
	return a.Engine.Remove(ctx, checks...)
}

// watched is a process at whose work others act.
type watched struct {
	*handoff.Engine
	away *bolt.Engine
	points
}

func (p places) watch(t testing.TB, bad mood, opts handoff.Options) *watched {
	t.Helper()
	away, err := bolt.At(p.away, bolt.Options{})
	if err != nil {
		t.Fatal(err)
	}
	w := &watched{away: away}
	home := watchedHome{moodyHome{bolt.NewLazy(p.home, bolt.Options{}), bad}, &w.points}
	w.Engine = handoff.New(home, watchedAway{away, &w.points}, opts)
	t.Cleanup(func() {
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	})
	return w
}

// What goes away after a process found nothing there, and before it has home's
// lock, is not contradicted at home.
func TestNothingIsWrittenHomePastWhatJustWentAway(t *testing.T) {
	t.Parallel()
	p := newPlaces(t)
	first := p.open(t, unwritable)
	second := p.watch(t, well, p.options(t))
	second.homeCommit.do = func() { storeAnew(t, first, "k", "first") }
	err := second.Commit(t.Context(), anew(2, "k", "second"))
	if !errors.Is(err, store.ErrConflict) {
		t.Errorf("two made the same record anew, the second with %v", err)
	}
	wantValue(t, second, "k", "first")
	wantValue(t, openHome(t, p), "k", "first")
}

// Of two that go away on the same checks at once, one goes.
func TestTwoThatGoAwayAtOnceDoNotContradict(t *testing.T) {
	t.Parallel()
	p := newPlaces(t)
	first := p.open(t, unwritable)
	storeOne(t, first, "other", "v") // so that there is an away store
	second := p.watch(t, unwritable, p.options(t))
	second.awayRevision.do = func() { storeAnew(t, first, "k", "first") }
	err := second.Commit(t.Context(), anew(2, "k", "second"))
	if !errors.Is(err, store.ErrConflict) {
		t.Errorf("two made the same record anew, the second with %v", err)
	}
	wantValue(t, second, "k", "first")
	p.moveHome(t, p.options(t))
	wantValue(t, openHome(t, p), "k", "first")
}

// The first commit away may be home already, when who handed it home died
// before it took it from away. So none is written over it that stands on what it
// stood on.
func TestWhatMayBeHomeIsNotReplaced(t *testing.T) {
	t.Parallel()
	p := newPlaces(t)
	writer := p.open(t, unwritable)
	quiet := anew(1, "draft", "first")
	quiet.Quiet = true
	if err := writer.Commit(t.Context(), quiet); err != nil {
		t.Fatal(err)
	}
	mover := p.mortal(t, life{left: 1, written: true}, p.options(t))
	if err := mover.MoveHome(t.Context()); !errors.Is(err, errDead) {
		t.Fatalf("the mover lives on: %v", err)
	}
	wantValue(t, openHome(t, p), "draft", "first")
	got, err := writer.Get(t.Context(), "draft")
	if err != nil {
		t.Fatal(err)
	}
	if err := writer.Commit(t.Context(), store.Batch{
		Op: store.OpID{2}, Quiet: true,
		Checks: []store.Check{{Key: "draft", Rev: got[0].Rev}}, Puts: []store.Put{{Key: "draft", Value: []byte("second")}},
	}); err != nil {
		t.Fatal(err)
	}
	p.moveHome(t, p.options(t))
	wantValue(t, openHome(t, p), "draft", "second")
}

// Home's revision is read when there is an away store already: the read waits
// for commits to home that saw none.
func TestHomeIsReadAfterThereIsAnAwayStore(t *testing.T) {
	t.Parallel()
	p := newPlaces(t)
	w := p.watch(t, unwritable, p.options(t))
	read := false
	w.homeRevision.do = func() {
		read = true
		if there, err := w.away.Present(); !there || err != nil {
			t.Errorf("home is read before there is an away store: %v, %v", there, err)
		}
	}
	storeOne(t, w, "k", "v")
	if !read {
		t.Error("home was not read")
	}
}

// A journal of several pages is not taken for one moment's when its first commits
// came home between two: what the last page had would be missing from it.
func TestAJournalIsReadAtOneMoment(t *testing.T) {
	t.Parallel()
	p := newPlaces(t)
	opts := p.options(t)
	opts.Look = time.Hour // so that a quiet commit goes away at once
	writer, reader := p.open(t, unwritable), p.watch(t, unwritable, opts)
	storeOne(t, reader, "k", "first")
	const entry = 7 << 10 // less than is written in pieces
	for range store.MaxPageBytes/entry + 1 {
		storeOne(t, writer, "much", strings.Repeat("x", entry))
	}
	storeOne(t, writer, "k", "second")
	storeOne(t, writer, "stays", "v")
	got, err := writer.Get(t.Context(), "k")
	if err != nil {
		t.Fatal(err)
	}
	state, err := writer.State(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	mover := p.mortal(t, life{left: 2*(state.Commits-1) + 1}, opts) // all but the last
	secondPage := func() {
		if err := mover.MoveHome(t.Context()); !errors.Is(err, errDead) {
			t.Errorf("the mover lives on: %v", err)
		}
	}
	reader.awayScan.do = func() { reader.awayScan.do = secondPage }
	on := quiet("on it")
	on.Checks = []store.Check{{Key: "k", Rev: got[0].Rev}}
	if err := reader.Commit(t.Context(), on); err != nil {
		t.Errorf("what stands on the second: %v", err)
	}
	if state, err := writer.State(t.Context()); err != nil || state.Commits != 2 {
		t.Errorf("away are %d commits, %v; want the last two", state.Commits, err)
	}
}

// Of two that make the away store's head at once, the second takes the first's.
func TestTwoThatBeginAnAwayStoreAtOnceDoNotContradict(t *testing.T) {
	t.Parallel()
	for range 8 { // which head has the higher revision is chance
		p := newPlaces(t)
		first, second := p.open(t, unwritable), p.watch(t, unwritable, p.options(t))
		second.homeRevision.do = func() { storeAnew(t, first, "k", "first") }
		err := second.Commit(t.Context(), anew(2, "k", "second"))
		if !errors.Is(err, store.ErrConflict) {
			t.Errorf("two made the same record anew, the second with %v", err)
		}
		p.moveHome(t, p.options(t))
		wantValue(t, openHome(t, p), "k", "first")
	}
}

// What goes away while another process is about to remove the away store, which
// was empty, is not removed with it.
func TestWhatJustWentAwayIsNotRemoved(t *testing.T) {
	t.Parallel()
	p := newPlaces(t)
	first := p.open(t, unwritable)
	storeOne(t, first, "k", "v")
	mover := p.watch(t, well, p.options(t))
	mover.awayRemove.do = func() { storeOne(t, first, "late", "v") }
	if err := mover.MoveHome(t.Context()); err != nil {
		t.Fatal(err)
	}
	wantValue(t, openHome(t, p), "late", "v")
}

// What another process handed home, and was written over there since, does not
// contradict home.
func TestWhatCameHomeMeanwhileIsNotPutAside(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name string
		when func(*watched) *between
		half bool // it is at home already, and nobody lived to take it from away
	}{
		{"before it is handed home", func(w *watched) *between { return &w.homeCommit }, false},
		{"before it is looked why home does not take it", func(w *watched) *between { return &w.homeGet }, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			p := newPlaces(t)
			storeAnew(t, p.open(t, unwritable), "k", "away")
			if test.half {
				if err := p.mortal(t, life{left: 1, written: true}, p.options(t)).MoveHome(t.Context()); !errors.Is(err, errDead) {
					t.Fatalf("the mover lives on: %v", err)
				}
			}
			mover := p.watch(t, well, p.options(t)) // which fails the test when a commit is put aside
			meanwhile := test.when(mover)
			meanwhile.do = func() {
				p.moveHome(t, p.options(t))
				storeOne(t, openHome(t, p), "k", "newer")
			}
			if err := mover.MoveHome(t.Context()); err != nil {
				t.Fatal(err)
			}
			if meanwhile.do != nil {
				t.Error("that never came")
			}
			wantValue(t, openHome(t, p), "k", "newer")
		})
	}
}

// What another process put aside does not come home as well, though nothing
// there contradicts it any more.
func TestWhatWasPutAsideDoesNotComeHome(t *testing.T) {
	t.Parallel()
	p := newPlaces(t)
	aside := 0
	opts := p.options(t)
	opts.Keep = func(string, []byte) error { aside++; return nil }
	storeAnew(t, p.open(t, unwritable), "k", "away")
	home := openHome(t, p) // on another machine
	storeOne(t, home, "k", "other")
	mover := p.watch(t, well, opts)
	mover.homeCommit.do = func() {
		p.moveHome(t, opts)
		if err := home.Commit(t.Context(), store.Batch{Deletes: []store.Key{"k"}}); err != nil {
			t.Error(err)
		}
	}
	if err := mover.MoveHome(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got, err := home.Get(t.Context(), "k"); err != nil || got[0].Exists() || aside != 1 {
		t.Errorf("%d put aside, home has %q, %v; want one aside and nothing at home", aside, got[0].Value, err)
	}
}

// A read is of one moment: not half of what was away when it began and half of
// what was at home when it ended.
func TestAReadIsOfOneMoment(t *testing.T) {
	t.Parallel()
	for _, then := range []struct {
		name string
		mood mood // of who writes both after all has come home
	}{{"nothing is away at the end", well}, {"something else is away at the end", unwritable}} {
		t.Run(then.name, func(t *testing.T) {
			t.Parallel()
			p := newPlaces(t)
			storeOne(t, p.open(t, unwritable), "a", "old")
			reader := p.watch(t, well, p.options(t))
			reader.homeGet.do = func() {
				p.moveHome(t, p.options(t))
				if err := openHome(t, p).Commit(t.Context(), store.Batch{Puts: []store.Put{
					{Key: "a", Value: []byte("new")}, {Key: "b", Value: []byte("new")},
				}}); err != nil {
					t.Error(err)
				}
				storeOne(t, p.open(t, then.mood), "c", "v")
			}
			got, err := reader.Get(t.Context(), "a", "b")
			if err != nil || string(got[0].Value) != string(got[1].Value) {
				t.Errorf("a is %q and b %q, %v; they were written together", got[0].Value, got[1].Value, err)
			}
		})
	}
}

// A long commit that comes home while it is read is read there.
func TestALongCommitComesHomeWhileItIsRead(t *testing.T) {
	t.Parallel()
	p := newPlaces(t)
	long := strings.Repeat("x", 1<<20-10)
	away := p.open(t, unwritable)
	storeOne(t, away, "long", long)
	storeOne(t, away, "next", "v")
	mover := p.mortal(t, life{left: 2, written: true}, p.options(t))
	reader := p.watch(t, well, p.options(t))
	reader.awayScan.do = func() {
		reader.awayGet.do = func() { // of the pieces
			if err := mover.MoveHome(t.Context()); !errors.Is(err, errDead) {
				t.Errorf("the mover lives on: %v", err)
			}
		}
	}
	wantValue(t, reader, "long", long)
}

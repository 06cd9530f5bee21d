package handoff_test

import (
	"context"
	"errors"
	"testing"

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

// watchedHome and watchedAway have others act before an operation.
type watchedHome struct {
	moodyHome
	commit, revision *between
}

func (h watchedHome) CommitAs(ctx context.Context, b store.Batch, rev int64, allowed func() error) error {
	h.commit.now()
	return h.moodyHome.CommitAs(ctx, b, rev, allowed)
}

func (h watchedHome) Revision(ctx context.Context) (int64, error) {
	h.revision.now()
	return h.moodyHome.Revision(ctx)
}

type watchedAway struct {
	*bolt.Engine
	scan, append *between
}

// Revision is read to append.
func (a watchedAway) Revision(ctx context.Context) (int64, error) {
	a.append.now()
	return a.Engine.Revision(ctx)
}

func (a watchedAway) Scan(ctx context.Context, prefix, after store.Key, limit int) (store.Page, error) {
	a.scan.now()
	return a.Engine.Scan(ctx, prefix, after, limit)
}

// watched is a process at whose work others act.
type watched struct {
	*handoff.Engine
	away                           *bolt.Engine
	commit, revision, scan, append between
}

func (p places) watch(t testing.TB, bad mood, opts handoff.Options) *watched {
	t.Helper()
	away, err := bolt.At(p.away, bolt.Options{})
	if err != nil {
		t.Fatal(err)
	}
	w := &watched{away: away}
	home := watchedHome{moodyHome{bolt.NewLazy(p.home, bolt.Options{}), bad}, &w.commit, &w.revision}
	w.Engine = handoff.New(home, watchedAway{away, &w.scan, &w.append}, opts)
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
	second.commit.do = func() { storeAnew(t, first, "k", "first") }
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
	second.append.do = func() { storeAnew(t, first, "k", "first") }
	err := second.Commit(t.Context(), anew(2, "k", "second"))
	if !errors.Is(err, store.ErrConflict) {
		t.Errorf("two made the same record anew, the second with %v", err)
	}
	wantValue(t, second, "k", "first")
	if err := p.open(t, well).MoveHome(t.Context()); err != nil {
		t.Fatal(err)
	}
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
	if err := p.open(t, well).MoveHome(t.Context()); err != nil {
		t.Fatal(err)
	}
	wantValue(t, openHome(t, p), "draft", "second")
}

// Home's revision is read when there is an away store already: the read waits
// for commits to home that saw none.
func TestHomeIsReadAfterThereIsAnAwayStore(t *testing.T) {
	t.Parallel()
	p := newPlaces(t)
	w := p.watch(t, unwritable, p.options(t))
	read := false
	w.revision.do = func() {
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

// A journal read while another process hands its first commit home is not taken
// for one: the second commit stands on what the new head says, and would look
// as if home contradicted it.
func TestAJournalIsReadAtOneMoment(t *testing.T) {
	t.Parallel()
	p := newPlaces(t)
	opts := p.options(t) // which fails the test when a commit is put aside
	opts.Same = func(k store.Key, away, home []byte) bool { return k == "k" && string(away) == string(home) }
	writer := p.openWith(t, unwritable, opts)
	storeAnew(t, writer, "k", "same")
	got, err := writer.Get(t.Context(), "k")
	if err != nil {
		t.Fatal(err)
	}
	if err := writer.Commit(t.Context(), store.Batch{
		Op: store.OpID{3}, Checks: []store.Check{{Key: "k", Rev: got[0].Rev}}, Puts: []store.Put{{Key: "on it", Value: []byte("v")}},
	}); err != nil {
		t.Fatal(err)
	}
	storeAnew(t, openHome(t, p), "k", "same") // on another machine

	// It takes the record for the same, says so in the head, takes the commit
	// from away, and dies.
	mover := p.mortal(t, life{left: 4, written: true}, opts)

	reader := p.watch(t, well, opts)
	reader.scan.do = func() {
		if err := mover.MoveHome(t.Context()); !errors.Is(err, errDead) {
			t.Errorf("the mover lives on: %v", err)
		}
		if state, err := writer.State(t.Context()); state.Commits != 1 || err != nil {
			t.Errorf("away are %d commits, %v; want the second alone", state.Commits, err)
		}
	}
	if err := reader.MoveHome(t.Context()); err != nil {
		t.Fatal(err)
	}
	wantValue(t, openHome(t, p), "on it", "v")
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

package handoff_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"testing"

	"planb/store"
	"planb/store/bolt"
	"planb/store/handoff"
)

// What another machine commits between two that come home takes no revision from
// the second.
func TestHomeGivesRevisionsBetweenTwoThatComeHome(t *testing.T) {
	t.Parallel()
	p := newPlaces(t)
	away := p.open(t, unwritable)
	storeAnew(t, away, "a", "v")
	storeAnew(t, away, "b", "v")
	if err := p.mortal(t, life{left: 2, written: true}, p.options(t)).MoveHome(t.Context()); !errors.Is(err, errDead) {
		t.Fatalf("the mover lives on: %v", err)
	}
	home := openHome(t, p)
	for range 100 {
		storeOne(t, home, "another", "v")
	}
	p.moveHome(t, p.options(t))
	wantValue(t, home, "b", "v")
}

// A home whose revisions were raised above those away, as a restored copy's are,
// gets nothing of them: it is put aside.
func TestHomeWithHigherRevisions(t *testing.T) {
	t.Parallel()
	p, aside := newPlaces(t), shelf{}
	storeOne(t, p.open(t, unwritable), "k", "v")
	home, err := bolt.Open(t.Context(), p.home, bolt.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer home.Close()
	if err := home.CommitAs(t.Context(), anew(2, "other", "v"), 1<<60, nil); err != nil {
		t.Fatal(err)
	}
	p.moveHome(t, aside.options(t, p))
	if got, err := home.Get(t.Context(), "k"); err != nil || got[0].Exists() || len(aside) != 1 {
		t.Errorf("home has %q, %v, and %d are put aside", got[0].Value, err, len(aside))
	}
}

// What contradicted a commit and is gone when it is looked at does not.
func TestAContradictionThatIsOver(t *testing.T) {
	t.Parallel()
	p := newPlaces(t)
	storeAnew(t, p.open(t, unwritable), "k", "away")
	home := openHome(t, p) // on another machine
	storeOne(t, home, "k", "other")
	mover := p.watch(t, well, p.options(t)) // which fails the test when a commit is put aside
	mover.homeGet.do = func() {
		if err := home.Commit(t.Context(), store.Batch{Deletes: []store.Key{"k"}}); err != nil {
			t.Error(err)
		}
	}
	if err := mover.MoveHome(t.Context()); err != nil {
		t.Fatal(err)
	}
	wantValue(t, home, "k", "away")
}

// An away store that was lost, as those in memory are, is not taken for the next.
func TestALostAwayStoreIsNotTakenForTheNext(t *testing.T) {
	t.Parallel()
	p := newPlaces(t)
	storeOne(t, openHome(t, p), "other", "v")
	reader := p.open(t, unwritable)
	storeOne(t, p.open(t, unwritable), "k", "lost")
	wantValue(t, reader, "k", "lost")
	for _, end := range []string{"", ".bell", ".turn"} {
		if err := os.Remove(p.away + end); err != nil {
			t.Fatal(err)
		}
	}
	storeOne(t, p.open(t, unwritable), "k", "next")
	wantValue(t, reader, "k", "next")
}

// What was taken for the same stands at home's revision, and what was written
// over it at its own.
func TestOnWhatWasTakenForTheSame(t *testing.T) {
	t.Parallel()
	p := newPlaces(t)
	opts := p.options(t)
	opts.Same = func(_ store.Key, away, home []byte) bool { return string(away) == string(home) }
	away := p.openWith(t, unwritable, opts)
	storeAnew(t, away, "k", "same")
	for n := range 3 {
		got, err := away.Get(t.Context(), "k")
		if err != nil {
			t.Fatal(err)
		}
		if err := away.Commit(t.Context(), store.Batch{
			Op: store.OpID{3, byte(n)}, Checks: []store.Check{{Key: "k", Rev: got[0].Rev}}, Puts: []store.Put{{Key: "k", Value: fmt.Append(nil, n)}},
		}); err != nil {
			t.Fatal(err)
		}
	}
	storeAnew(t, openHome(t, p), "k", "same") // on another machine
	p.moveHome(t, opts)
	wantValue(t, openHome(t, p), "k", "2")
}

// A commit of which it is not known whether home has it goes nowhere else.
func TestAnUnclearCommitGoesNowhereElse(t *testing.T) {
	t.Parallel()
	if f := handoff.Unwritable(fmt.Errorf("%w: %w", store.ErrUnclear, errFull)); f != nil {
		t.Errorf("it is taken for one that home refused: %v", f)
	}
	if f := handoff.Unwritable(fmt.Errorf("with more words: %w", errFull)); f != errFull {
		t.Errorf("what home refused is %v", f)
	}
}

// What a caller commits is theirs to change afterwards.
func TestACommitIsTheCallersToChange(t *testing.T) {
	t.Parallel()
	p, home := newPlaces(t), &moody{}
	e := p.openWith(t, home.mood, p.options(t))
	storeOne(t, e, "old", "v")
	b := store.Batch{Op: store.OpID{1}, Puts: []store.Put{{Key: "k", Value: []byte("v")}}, Deletes: []store.Key{"old"}}
	if err := e.Commit(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	b.Puts[0].Key, b.Puts[0].Value[0], b.Deletes[0] = "other", 'x', "k"
	wantValue(t, e, "k", "v")
	home.well.Store(true)
	if err := e.MoveHome(t.Context()); err != nil {
		t.Fatal(err)
	}
	wantValue(t, openHome(t, p), "k", "v")
}

// fullAway takes no commits while it is full.
type fullAway struct {
	*bolt.Engine
	full *bool
}

func (a fullAway) CommitAs(ctx context.Context, b store.Batch, rev int64, allowed func() error) error {
	if *a.full {
		return errFull
	}
	return a.Engine.CommitAs(ctx, b, rev, allowed)
}

// An away store that can't forget what home has is not a home that takes no
// writes; and nothing comes home twice.
func TestAnAwayStoreThatCannotForget(t *testing.T) {
	t.Parallel()
	p := newPlaces(t)
	storeAnew(t, p.open(t, unwritable), "k", "v")
	away, err := bolt.At(p.away, bolt.Options{})
	if err != nil {
		t.Fatal(err)
	}
	full := true
	e := handoff.New(bolt.NewLazy(p.home, bolt.Options{}), fullAway{away, &full}, p.options(t))
	defer e.Close()
	err = e.Commit(t.Context(), anew(2, "new", "v"))
	if f, is := errors.AsType[*store.Fault](err); !is || f.Kind != store.FaultIO {
		t.Errorf("it says %v", err)
	}
	full = false
	if err := e.Commit(t.Context(), anew(2, "new", "v")); err != nil {
		t.Fatal(err)
	}
	for _, key := range []store.Key{"k", "new"} {
		wantValue(t, openHome(t, p), key, "v")
	}
}

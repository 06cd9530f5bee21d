package handoff_test

import (
	"fmt"
	"testing"

	"planb/store"
	"planb/store/bolt"
	"planb/store/handoff"
)

// journaling is a process that can't write home, with one commit away already:
// the first is never replaced.
type journaling struct {
	t testing.TB
	places
	*handoff.Engine
	ops int
}

func newJournaling(t testing.TB) *journaling {
	p := newPlaces(t)
	j := &journaling{t: t, places: p, Engine: p.open(t, unwritable)}
	storeOne(t, j, "first", "v")
	return j
}

// rev is the key's revision as it is read now.
func (j *journaling) rev(key store.Key) int64 {
	j.t.Helper()
	got, err := j.Get(j.t.Context(), key)
	if err != nil {
		j.t.Fatal(err)
	}
	return got[0].Rev
}

// write writes the keys, on how they and the others stand now.
func (j *journaling) write(quiet bool, on []store.Key, keys ...store.Key) {
	j.t.Helper()
	j.ops++
	b := store.Batch{Op: store.OpID{9, byte(j.ops)}, Quiet: quiet}
	for _, k := range append(on, keys...) {
		b.Checks = append(b.Checks, store.Check{Key: k, Rev: j.rev(k)})
	}
	for _, k := range keys {
		b.Puts = append(b.Puts, store.Put{Key: k, Value: fmt.Append(nil, j.ops)})
	}
	if err := j.Commit(j.t.Context(), b); err != nil {
		j.t.Fatal(err)
	}
}

// wantAway counts what is away beside the first, brings it home, where nothing
// contradicts it, and looks that the keys were last written by these writes.
func (j *journaling) wantAway(commits int, last map[store.Key]int) {
	j.t.Helper()
	state, err := j.State(j.t.Context())
	if err != nil || state.Commits != commits+1 {
		j.t.Errorf("away are %d commits beside the first, %v; want %d", state.Commits-1, err, commits)
	}
	j.moveHome(j.t, j.options(j.t))
	for key, op := range last {
		wantValue(j.t, openHome(j.t, j.places), key, fmt.Sprint(op))
	}
}

func TestWhatAQuietCommitReplaces(t *testing.T) {
	t.Parallel()
	const loud, quiet = false, true
	for _, test := range []struct {
		name    string
		write   func(*journaling)
		commits int
		last    map[store.Key]int
	}{
		{"quiet ones it writes over, which stood on each other", func(j *journaling) {
			for range 5 {
				j.write(quiet, nil, "d")
			}
		}, 1, map[store.Key]int{"d": 5}},
		{"not a loud one", func(j *journaling) {
			j.write(loud, nil, "d")
			j.write(quiet, nil, "d")
		}, 2, map[store.Key]int{"d": 2}},
		{"nothing, when it is loud itself", func(j *journaling) {
			j.write(quiet, nil, "d")
			j.write(loud, nil, "d")
		}, 2, map[store.Key]int{"d": 2}},
		{"not one that wrote more", func(j *journaling) {
			j.write(quiet, nil, "d", "more")
			j.write(quiet, nil, "d")
		}, 2, map[store.Key]int{"d": 2, "more": 1}},
		{"not one on which another stands", func(j *journaling) {
			j.write(quiet, nil, "d")
			j.write(loud, []store.Key{"d"}, "on it")
			j.write(quiet, nil, "d")
		}, 3, map[store.Key]int{"d": 3, "on it": 2}},
		{"not one over which another wrote", func(j *journaling) {
			j.write(quiet, nil, "d")
			j.write(loud, nil, "d")
			j.write(quiet, nil, "d")
		}, 3, map[store.Key]int{"d": 3}},
		{"not one whose ground another changed", func(j *journaling) {
			j.write(quiet, []store.Key{"ground"}, "d")
			j.write(loud, nil, "ground")
			j.write(quiet, []store.Key{"ground"}, "d")
		}, 3, map[store.Key]int{"d": 3, "ground": 2}},
		{"twenty at most", func(j *journaling) {
			var all []store.Key
			for i := range 25 {
				all = append(all, store.Key(fmt.Sprint("d", i)))
				j.write(quiet, nil, all[i])
			}
			j.write(quiet, nil, all...)
		}, 6, map[store.Key]int{"d0": 26, "d24": 26}},
		{"not one with which it would be too much for a commit", func(j *journaling) {
			ground := func(from int) (keys []store.Key) {
				for i := range store.MaxBatchChecks * 2 / 3 {
					keys = append(keys, store.Key(fmt.Sprint("ground", from+i)))
				}
				return keys
			}
			j.write(quiet, ground(0), "d")
			j.write(quiet, ground(1000), "d")
		}, 2, map[store.Key]int{"d": 2}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			j := newJournaling(t)
			test.write(j)
			j.wantAway(test.commits, test.last)
		})
	}
}

// What replaces another stands on what that stood on: it is not forced on a home
// where that has changed.
func TestWhatReplacesIsContradictedLikeTheReplaced(t *testing.T) {
	t.Parallel()
	j, aside := newJournaling(t), shelf{}
	storeOne(t, openHome(t, j.places), "d", "before")
	j.write(true, nil, "d")
	j.write(true, nil, "d")
	storeOne(t, openHome(t, j.places), "d", "another")
	j.moveHome(t, aside.options(t, j.places))
	if wantValue(t, openHome(t, j.places), "d", "another"); len(aside) != 1 {
		t.Errorf("put aside is %v, want what replaced the other", aside)
	}
}

// Long commits lie in pieces, which go with them.
func TestPiecesGoWithTheirCommit(t *testing.T) {
	t.Parallel()
	j := newJournaling(t)
	pieces := func() int {
		t.Helper()
		away, err := bolt.At(j.away, bolt.Options{})
		if err != nil {
			t.Fatal(err)
		}
		page, err := away.Scan(t.Context(), "piece/", "", store.MaxPageRecords)
		if err != nil {
			t.Fatal(err)
		}
		return len(page.Records)
	}
	long := make([]byte, 100<<10)
	save := func(key store.Key, n byte) {
		t.Helper()
		long[0] = n
		if err := j.Commit(t.Context(), store.Batch{Op: store.OpID{n}, Puts: []store.Put{{Key: key, Value: long}}, Quiet: true}); err != nil {
			t.Fatal(err)
		}
	}
	for n := range 5 {
		save("d", byte(n))
	}
	save("e", 9)
	if n := pieces(); n != 2 {
		t.Errorf("two long commits lie in %d pieces", n)
	}
	mover := j.places.mortal(t, life{left: 4, written: true}, j.options(t)) // the first commit, and one of the long ones
	if err := mover.MoveHome(t.Context()); err == nil {
		t.Fatal("the mover lives on")
	}
	if n := pieces(); n != 1 {
		t.Errorf("one long commit lies in %d pieces", n)
	}
	j.moveHome(t, j.options(t))
	if got, err := openHome(t, j.places).Get(t.Context(), "d", "e"); err != nil || got[0].Value[0] != 4 || got[1].Value[0] != 9 {
		t.Errorf("at home: %v, %v", got[0].Rev, err)
	}
}

package handoff_test

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"testing"

	"planb/store"
	"planb/store/handoff"
)

// shelf holds what was put aside, by name.
type shelf map[string]string

// options are those of a process that puts aside there.
func (s shelf) options(t testing.TB, p places) handoff.Options {
	opts := p.options(t)
	opts.Keep = func(name string, text []byte) error {
		if old, there := s[name]; there && old != string(text) {
			t.Errorf("%s is put aside again, and differs: %s", name, text)
		}
		s[name] = string(text)
		return nil
	}
	opts.Text = func(value []byte) (string, bool) { return "the text of it", value[0] == 0xff }
	return opts
}

// contradicted has a document made away, which was too long for one commit, and
// another one of the same name at home.
func contradicted(t testing.TB, p places) {
	t.Helper()
	away := p.open(t, unwritable)
	storeOne(t, away, "before", "v")
	commit := func(b store.Batch) {
		t.Helper()
		if err := away.Commit(t.Context(), b); err != nil {
			t.Fatal(err)
		}
	}
	commit(store.Batch{Op: store.OpID{7}, Puts: []store.Put{{Key: "part", Value: []byte{0xff, 1}}}})
	part, err := away.Get(t.Context(), "part", "before")
	if err != nil {
		t.Fatal(err)
	}
	commit(store.Batch{
		Op:      store.OpID{7},
		Checks:  []store.Check{{Key: "doc"}, {Key: "part", Rev: part[0].Rev}, {Key: "before", Rev: part[1].Rev}},
		Puts:    []store.Put{{Key: "doc", Value: []byte("refers to part")}, {Key: "short", Value: []byte{0xfe}}},
		Deletes: []store.Key{"draft"},
	})
	storeOne(t, away, "after", "v")
	home := openHome(t, p)
	storeOne(t, home, "doc", "another")
	storeOne(t, home, "draft", "another")
}

// wantAside looks that the contradicted document is there, whole.
func (s shelf) wantAside(t testing.TB, p places) {
	t.Helper()
	names := slices.Collect(maps.Keys(s))
	if len(names) != 1 {
		t.Fatalf("put aside is %v, want one", s)
	}
	var got struct {
		Home, Why, Since, Op string
		Puts, Bytes, Texts   map[string]string
		Deletes              []string
	}
	if err := json.Unmarshal([]byte(s[names[0]]), &got); err != nil {
		t.Fatal(err)
	}
	base64Of := base64.StdEncoding.EncodeToString
	if got.Home != p.home || got.Why == "" || got.Since == "" || got.Op != (store.OpID{7}).String() ||
		!maps.Equal(got.Puts, map[string]string{"doc": "refers to part"}) ||
		!maps.Equal(got.Bytes, map[string]string{"part": base64Of([]byte{0xff, 1}), "short": base64Of([]byte{0xfe})}) ||
		!maps.Equal(got.Texts, map[string]string{"part": "the text of it"}) ||
		!slices.Equal(got.Deletes, []string{"draft"}) {
		t.Errorf("put aside is %s", s[names[0]])
	}
}

// What home contradicts is put aside whole, with what its operation wrote ahead
// of it; home stays as it is, and all else comes home.
func TestWhatHomeContradictsIsPutAsideWhole(t *testing.T) {
	t.Parallel()
	p, aside := newPlaces(t), shelf{}
	contradicted(t, p)
	p.moveHome(t, aside.options(t, p))
	aside.wantAside(t, p)
	home := openHome(t, p)
	for key, value := range map[store.Key]string{"doc": "another", "draft": "another", "before": "v", "after": "v"} {
		wantValue(t, home, key, value)
	}
}

// What stands on what was put aside is put aside after it.
func TestWhatStandsOnWhatWasPutAsideIsPutAside(t *testing.T) {
	t.Parallel()
	p, aside := newPlaces(t), shelf{}
	away := p.open(t, unwritable)
	storeAnew(t, away, "k", "first")
	got, err := away.Get(t.Context(), "k")
	if err != nil {
		t.Fatal(err)
	}
	if err := away.Commit(t.Context(), store.Batch{
		Op: store.OpID{2}, Checks: []store.Check{{Key: "k", Rev: got[0].Rev}}, Puts: []store.Put{{Key: "k", Value: []byte("second")}},
	}); err != nil {
		t.Fatal(err)
	}
	storeOne(t, openHome(t, p), "k", "another")
	p.moveHome(t, aside.options(t, p))
	if wantValue(t, openHome(t, p), "k", "another"); len(aside) != 2 {
		t.Errorf("put aside is %v, want both", aside)
	}
}

// Who dies when it has put something aside, and has not taken it from away, has
// the next one put the same aside under the same name.
func TestPutAsideTwiceIsPutAsideOnce(t *testing.T) {
	t.Parallel()
	p, aside := newPlaces(t), shelf{}
	contradicted(t, p)
	// It hands two commits home and takes them from away, tries the third, and
	// would take that.
	mover := p.mortal(t, life{left: 6}, aside.options(t, p))
	if err := mover.MoveHome(t.Context()); !errors.Is(err, errDead) {
		t.Fatalf("the mover lives on: %v", err)
	}
	aside.wantAside(t, p)
	p.moveHome(t, aside.options(t, p))
	aside.wantAside(t, p)
}

// Where home has no room for what is to be put aside, home takes no writes: they
// go away, and nothing is lost.
func TestNoRoomToPutAside(t *testing.T) {
	t.Parallel()
	p, aside := newPlaces(t), shelf{}
	contradicted(t, p)
	full := aside.options(t, p)
	full.Keep = func(string, []byte) error { return errFull }
	e := p.openWith(t, well, full)
	if err := e.MoveHome(t.Context()); !errors.Is(err, errFull) {
		t.Errorf("moving home: %v", err)
	}
	storeOne(t, e, "meanwhile", "v")
	if state, err := e.State(t.Context()); state.Commits != 3 || err != nil {
		t.Errorf("away are %d commits, %v; want the contradicted one, the one after it and the new one", state.Commits, err)
	}
	p.moveHome(t, aside.options(t, p))
	aside.wantAside(t, p)
	wantValue(t, openHome(t, p), "meanwhile", "v")
}

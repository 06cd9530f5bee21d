package home

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/store/bolt"
	"planb/store/kv"
)

func TestACheckTellsDamageFromGaps(t *testing.T) {
	for name, test := range map[string]struct {
		spoil          func(t *testing.T, h *Home)
		damaged, gappy bool
	}{
		"good":     {spoil: func(*testing.T, *Home) {}},
		"damaged":  {spoil: func(t *testing.T, h *Home) { damage(t, h.Path(), "harbour") }, damaged: true, gappy: true},
		"no store": {spoil: func(t *testing.T, h *Home) { write(t, h.Path(), []byte("no store")) }, damaged: true},
		"missing":  {spoil: func(t *testing.T, h *Home) { remove(t, h.Path()) }, damaged: true},
		"an ask that is lost": {
			spoil: func(t *testing.T, h *Home) { h.loseAsk(t, "half-filled") }, gappy: true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHome(t, "harbour")
			test.spoil(t, h)
			found := Check(t.Context(), h.Path())
			if (len(found.Problems()) > 0) != test.damaged || (len(found.Gaps()) > 0) != test.gappy {
				t.Errorf("damaged by %q, with the gaps %q", found.Problems(), found.Gaps())
			}
			ran, err := h.runChecker(t.Context(), h.Path())
			if err != nil || strings.Join(ran.Problems(), "\n") != strings.Join(found.Problems(), "\n") {
				t.Errorf("the checker found %q, %v; want %q", ran.Problems(), err, found.Problems())
			}
		})
	}
}

// loseAsk opens an ask, has the person begin to fill it in, and takes its record away.
func (h *Home) loseAsk(t *testing.T, entered string) {
	t.Helper()
	ctx := t.Context()
	engine, err := keeper(ctx, h.Path())
	if err != nil {
		t.Fatal(err)
	}
	st := store.New(engine, store.Options{})
	sessions, _, err := st.Sessions(ctx, "", 1)
	if err != nil {
		t.Fatal(err)
	}
	spec, err := questions.Parse([]byte(`{"title":"Storage","questions":[{"id":"name","kind":"text","label":"Which?"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	ask, _, err := st.OpenAsk(ctx, store.Ask{Session: sessions[0].ID, Spec: spec})
	if err == nil {
		err = st.SaveEntry(ctx, ask.ID, questions.Entry{Fields: map[string]questions.Field{"name": {Text: safe.New(entered)}}})
	}
	if err == nil {
		err = engine.Commit(ctx, kv.Batch{Op: kv.OpID{1}, Deletes: []kv.Key{kv.Key("a/" + ask.ID)}})
	}
	if err = errors.Join(err, engine.Close()); err != nil {
		t.Fatal(err)
	}
}

func TestAnExaminationOfAGoodStore(t *testing.T) {
	h, backup := backedUp(t)
	made := time.Date(2026, 5, 17, 12, 0, 0, 0, time.UTC)
	if err := os.Chtimes(backup, made, made); err != nil {
		t.Fatal(err)
	}
	left := filepath.Join(h.BackupsDir(), "planb-check-1")
	mkdir(t, left)
	write(t, filepath.Join(left, "planb.db"), []byte("a copy"))
	write(t, filepath.Join(left, "lock"), []byte("held")) // and no process holds it
	x, err := h.Examine(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if x.Missing || x.Err != nil || x.Unfit != nil || x.NoRoom != nil || x.Unchecked != nil || x.Exposed || len(x.Problems) > 0 {
		t.Errorf("it found %+v", x)
	}
	if x.Found.Content.Sessions != 2 || x.Size == 0 || x.Size != size(h.Path()) || x.DirMode.Perm() != 0o700 || x.FileMode.Perm() != 0o600 {
		t.Errorf("it found %+v", x)
	}
	if x.Backups != 1 || !x.LastBackup.Equal(made) {
		t.Errorf("there are %d backups, the last of %v", x.Backups, x.LastBackup)
	}
	if x.Reserve.Bytes != bolt.ReserveBytes {
		t.Errorf("the reserve is %+v", x.Reserve)
	}
	if !slices.ContainsFunc(x.Left, func(l bolt.Leftover) bool { return l.Path == left && l.Bytes > 0 && l.Err == nil }) {
		t.Errorf("left are %+v", x.Left)
	}
	leavesNothing(t, h.Dir(), h.BackupsDir())
}

func TestAnExaminationOfWhatIsNotRight(t *testing.T) {
	for name, test := range map[string]struct {
		spoil func(t *testing.T, h *Home)
		finds func(Examination) bool
	}{
		"missing": {
			func(t *testing.T, h *Home) { remove(t, h.Path()) },
			func(x Examination) bool { return x.Missing && x.Err == nil },
		},
		"damaged": {
			func(t *testing.T, h *Home) { damage(t, h.Path(), "harbour") },
			func(x Examination) bool { return len(x.Problems) > 0 && x.Err == nil },
		},
		"no store": {
			func(t *testing.T, h *Home) { write(t, h.Path(), []byte("no store")) },
			func(x Examination) bool { return x.Err != nil },
		},
		"readable by others": {
			func(t *testing.T, h *Home) { chmod(t, h.Dir(), 0o755) },
			func(x Examination) bool { return !x.Exposed && x.Err == nil && x.DirMode.Perm() == 0o755 },
		},
		"writable by others": {
			func(t *testing.T, h *Home) { chmod(t, h.Dir(), 0o777) },
			func(x Examination) bool { return x.Exposed && x.Err != nil },
		},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHome(t, "harbour")
			test.spoil(t, h)
			x, err := h.Examine(t.Context())
			if err != nil || !test.finds(x) {
				t.Errorf("it found %+v, %v", x, err)
			}
			leavesNothing(t, h.Dir())
		})
	}
}

func chmod(t *testing.T, path string, mode os.FileMode) {
	t.Helper()
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
}

// A repair keeps all that can be read, and the old file beside it.
func TestARepairKeepsWhatCanBeRead(t *testing.T) {
	h := newHome(t, "harbour", "quay")
	damage(t, h.Path(), "harbour")
	old, err := os.ReadFile(h.Path())
	if err != nil {
		t.Fatal(err)
	}
	made, err := h.Repair(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(made.Lost) == 0 || made.Words != "" {
		t.Errorf("lost are %q, and the words are in %q", made.Lost, made.Words)
	}
	if kept, err := os.ReadFile(made.Kept); err != nil || string(kept) != string(old) {
		t.Errorf("%s is not the file as it was: %v", made.Kept, err)
	}
	holds(t, h.Path(), "quay")
	if found := Check(t.Context(), h.Path()); len(found.Problems())+len(found.Gaps()) > 0 {
		t.Errorf("after the repair: %q, %q", found.Problems(), found.Gaps())
	}
	leavesNothing(t, h.Dir())
}

// What a person wrote for an ask that is lost goes into a file.
func TestARepairGivesOutWhatWasWrittenForALostAsk(t *testing.T) {
	h := newHome(t, "harbour")
	h.loseAsk(t, "half-filled")
	made, err := h.Repair(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if words, err := os.ReadFile(made.Words); err != nil || !strings.Contains(string(words), "half-filled") {
		t.Errorf("%q holds %q, %v", made.Words, words, err)
	}
	if found := Check(t.Context(), h.Path()); len(found.Problems())+len(found.Gaps()) > 0 {
		t.Errorf("after the repair: %q, %q", found.Problems(), found.Gaps())
	}
	if again, err := h.Repair(t.Context()); err != nil || again.Words != "" || len(again.Lost) > 0 {
		t.Errorf("a second repair: %+v, %v", again, err)
	}
}

func TestARepairOfWhatIsNoStoreChangesNothing(t *testing.T) {
	h := newHome(t)
	write(t, h.Path(), []byte("no store"))
	if made, err := h.Repair(t.Context()); err == nil {
		t.Errorf("it made %+v", made)
	}
	if left, err := os.ReadFile(h.Path()); string(left) != "no store" {
		t.Errorf("the file holds %q, %v", left, err)
	}
	leavesNothing(t, h.Dir())
}

// Where no store can be made, an examination says why before the first session tries.
func TestAnExaminationOfAPlaceForNoStore(t *testing.T) {
	dir := "/" // for everybody but root another user's
	if os.Geteuid() == 0 {
		dir = t.TempDir()
		if err := os.Chown(dir, 65534, 65534); err != nil {
			t.Fatal(err)
		}
	}
	x, err := At(dir, Options{}).Examine(t.Context())
	if fault, ok := errors.AsType[*kv.Fault](x.Unfit); err != nil || !x.Missing || !ok || fault.Kind != kv.FaultNotOwner {
		t.Errorf("%+v, %v", x, err)
	}
}

// What a newer planb wrote is not damaged: it is kept as it is, and the person is not told to
// have an older planb repair it.
func TestWhatANewerPlanbWroteIsNotRepaired(t *testing.T) {
	for name, test := range map[string]struct {
		key   kv.Key // of the first record that it wrote
		whole bool
	}{
		"the store":  {"format", true},
		"one record": {"s/", false},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHome(t, "harbour", "quay")
			h.raise(t, test.key)
			old, err := os.ReadFile(h.Path())
			if err != nil {
				t.Fatal(err)
			}
			if x, err := h.Examine(t.Context()); err != nil || !x.Found.Newer() {
				t.Errorf("it found %+v, %v", x, err)
			}
			if made, err := h.Repair(t.Context()); err == nil || !strings.Contains(err.Error(), "newer planb") {
				t.Errorf("a repair made %+v, %v", made, err)
			}
			to := filepath.Join(t.TempDir(), "backup.db")
			found, err := h.Backup(t.Context(), to)
			switch {
			case !test.whole && (err != nil || !found.Newer()):
				t.Errorf("a backup: %+v, %v", found, err)
			case test.whole && (err == nil || !strings.Contains(err.Error(), "newer planb") || strings.Contains(err.Error(), "damaged") || strings.Contains(err.Error(), "repair")):
				t.Errorf("a backup: %v", err)
			}
			if now, err := os.ReadFile(h.Path()); err != nil || string(now) != string(old) {
				t.Errorf("the file was changed (%v)", err)
			}
			leavesNothing(t, h.Dir())
		})
	}
}

// raise gives the first record below that key the format of a newer planb.
func (h *Home) raise(t *testing.T, key kv.Key) {
	t.Helper()
	engine, err := keeper(t.Context(), h.Path())
	if err != nil {
		t.Fatal(err)
	}
	page, err := engine.Scan(t.Context(), key, "", 1)
	if err != nil || len(page.Records) == 0 {
		t.Fatalf("%v, %v", page, err)
	}
	value := strings.Replace(string(page.Records[0].Value), `"v":1`, `"v":2`, 1)
	err = engine.Commit(t.Context(), kv.Batch{Op: kv.OpID{1}, Puts: []kv.Put{{Key: page.Records[0].Key, Value: []byte(value)}}})
	if err := errors.Join(err, engine.Close()); err != nil {
		t.Fatal(err)
	}
}

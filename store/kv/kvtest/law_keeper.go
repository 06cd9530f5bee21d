package kvtest

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"planb/store/kv"
)

// keeping holds an engine to what kv.Keeper promises.
func keeping(t *testing.T, h Harness) {
	for _, law := range []struct {
		name string
		test func(*testing.T, Harness, *kept)
	}{
		{"a copy has everything as it was", copied},
		{"a copy overwrites nothing", copyBeside},
		{"a check tells what is damaged", checked},
		{"what takes the store's place is the store", replaced},
		{"no revision is used again after a restore", revisionsRestored},
		{"a repair saves what can be read", repaired},
		{"a smaller file has everything", compacted},
	} {
		t.Run(law.name, func(t *testing.T) {
			k := &kept{}
			k.e, k.dir, k.at = h.Keeper(t)
			putAll(t, k.e, "a", "b", "c")
			law.test(t, h, k)
		})
	}
}

// kept is a keeper with three records.
type kept struct {
	e   kv.Keeper
	dir string
	at  func(path string) kv.Keeper
}

// copy copies the store and gives the copy's path.
func (k *kept) copy(t *testing.T, name string) string {
	t.Helper()
	path := filepath.Join(k.dir, name)
	if err := k.e.Copy(t.Context(), path); err != nil {
		t.Fatalf("copy: %v", err)
	}
	return path
}

func wantRecords(t *testing.T, e kv.Engine, want []kv.Record) {
	t.Helper()
	if got := scan(t, e, "", "", kv.MaxPageRecords).Records; !reflect.DeepEqual(got, want) {
		t.Errorf("the records are %v, want %v", got, want)
	}
}

func copied(t *testing.T, _ Harness, k *kept) {
	before := scan(t, k.e, "", "", kv.MaxPageRecords).Records
	path := k.copy(t, "copy")
	put(t, k.e, "a", "later")
	wantRecords(t, k.at(path), before)
	found, err := k.at(path).Check()
	if err != nil || len(found.Problems) > 0 || found.Records != len(before) || found.Size == 0 {
		t.Errorf("the check of a copy gave %+v, %v", found, err)
	}
	if last := before[len(before)-1].Rev; found.Revision < last {
		t.Errorf("the check gave revision %d, and %d was given", found.Revision, last)
	}
}

func copyBeside(t *testing.T, _ Harness, k *kept) {
	path := filepath.Join(k.dir, "taken")
	if err := os.WriteFile(path, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := k.e.Copy(t.Context(), path); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a copy over another file: %v", err)
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != "mine" {
		t.Errorf("the file is %q now, %v", text, err)
	}
}

func checked(t *testing.T, h Harness, k *kept) {
	copied := k.at(k.copy(t, "copy"))
	h.Damage(t, copied, "b")
	if found, err := copied.Check(); err == nil && len(found.Problems) == 0 {
		t.Errorf("a damaged record is no problem: %+v", found)
	}
}

func replaced(t *testing.T, _ Harness, k *kept) {
	before := scan(t, k.e, "", "", kv.MaxPageRecords).Records
	path := k.copy(t, "copy")
	put(t, k.e, "a", "later")
	later := scan(t, k.e, "", "", kv.MaxPageRecords).Records
	c := watch(t, t.Context(), k.e)
	wantFire(t, c)
	aside := filepath.Join(k.dir, "aside")
	if err := k.e.Replace(t.Context(), path, aside); err != nil {
		t.Fatal(err)
	}
	until(t, k.e, c, "a", "a")
	wantRecords(t, k.e, before)
	wantRecords(t, k.at(aside), later)
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the copy is still there: %v", err)
	}
}

func revisionsRestored(t *testing.T, _ Harness, k *kept) {
	path := k.copy(t, "copy")
	for range 3 {
		put(t, k.e, "a", "later")
	}
	put(t, k.e, "new", "x")
	last, seen := get(t, k.e, "new").Rev, get(t, k.e, "a")
	if err := k.e.Replace(t.Context(), path, filepath.Join(k.dir, "aside")); err != nil {
		t.Fatal(err)
	}
	err := k.e.Commit(t.Context(), kv.Batch{
		Checks: []kv.Check{{Key: "a", Rev: seen.Rev}},
		Puts:   []kv.Put{{Key: "a", Value: []byte("lost")}},
	})
	if !errors.Is(err, kv.ErrConflict) {
		t.Errorf("a check of what was there before the restore: %v", err)
	}
	put(t, k.e, "a", "after")
	if rev := get(t, k.e, "a").Rev; rev <= last {
		t.Errorf("revision %d after a restore, and %d was given before", rev, last)
	}
}

func repaired(t *testing.T, h Harness, k *kept) {
	h.Damage(t, k.e, "b")
	last := get(t, k.e, "c").Rev
	mended := false
	saved, err := k.e.Repair(t.Context(), filepath.Join(k.dir, "made"), filepath.Join(k.dir, "aside"), func(made string) error {
		mended = true
		wantValue(t, k.at(made), "a", "a")
		return nil
	})
	if err != nil || saved.Records != 2 || len(saved.Lost) == 0 || !mended {
		t.Errorf("saved %+v, mended %v, %v", saved, mended, err)
	}
	wantMissing(t, k.e, "b")
	wantValue(t, k.e, "c", "c")
	put(t, k.e, "b", "again")
	if rev := get(t, k.e, "b").Rev; rev <= last {
		t.Errorf("revision %d after a repair, and %d was given before", rev, last)
	}
}

func compacted(t *testing.T, _ Harness, k *kept) {
	commit(t, k.e, kv.Batch{Deletes: []kv.Key{"c"}})
	before := scan(t, k.e, "", "", kv.MaxPageRecords).Records
	if err := k.e.Compact(t.Context()); err != nil {
		t.Fatal(err)
	}
	wantRecords(t, k.e, before)
	put(t, k.e, "a", "after")
	wantValue(t, k.e, "a", "after")
}

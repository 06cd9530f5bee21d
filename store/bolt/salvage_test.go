package bolt

import (
	"bytes"
	"encoding/binary"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"go.etcd.io/bbolt"

	"planb/store/kv"
)

// sealedRecords is every record of a store as it lies in the file.
func sealedRecords(t testing.TB, e *Engine) map[kv.Key][]byte {
	t.Helper()
	records := map[kv.Key][]byte{}
	for after := kv.Key(""); ; {
		page, err := e.Scan(t.Context(), "", after, kv.MaxPageRecords)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range page.Records {
			records[r.Key], after = kv.Seal(r), r.Key
		}
		if !page.More {
			return records
		}
	}
}

// wantRepaired repairs a damaged store. It checks that every record is there whose bytes
// are in the broken file outside of free pages, that each is as it was, and that the
// broken file is kept. If the file has no record, the repair says so and changes nothing.
func wantRepaired(t *testing.T, e *Engine, broken []byte, sealed map[kv.Key][]byte, free ...uint64) {
	t.Helper()
	used := bytes.Clone(broken)
	for _, id := range free {
		set(page(used, metaOf(t, e.path), id), 0)
	}
	var readable []kv.Key
	for k, value := range sealed {
		if bytes.Contains(used, value) {
			readable = append(readable, k)
		}
	}
	made, aside := filepath.Join(t.TempDir(), "made.db"), e.path+".before-repair"
	saved, err := e.Repair(t.Context(), made, aside, func(string) error { return nil })
	if len(readable) == 0 {
		if _, isFault := errors.AsType[*kv.Fault](err); !isFault {
			t.Errorf("with nothing to be read: %v", err)
		}
		if !bytes.Equal(readFile(t, e.path), broken) {
			t.Error("the file was changed")
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(readFile(t, aside), broken) {
		t.Error("the damaged file is not kept as it was")
	}
	now := sealedRecords(t, e)
	for _, k := range readable {
		if !bytes.Equal(now[k], sealed[k]) {
			t.Errorf("%s could be read, and is lost", k)
		}
	}
	if len(readable) < len(sealed) && len(saved.Lost) == 0 {
		t.Error("nothing is said of what is lost")
	}
	if err := write(t, e); err != nil {
		t.Errorf("a write after the repair: %v", err)
	}
	found, err := checkFile(e.path)
	if err != nil || len(found.Problems) > 0 {
		t.Errorf("the repaired file: %q, %v", found.Problems, err)
	}
	if err := os.Remove(aside); err != nil {
		t.Error(err)
	}
}

// With an overwritten page only its own records are lost.
func TestARepairSavesWhatIsBesideALostPage(t *testing.T) {
	t.Parallel()
	e := fillStore(t)
	sealed := sealedRecords(t, e)
	whole, m := readFile(t, e.path), metaOf(t, e.path)
	free := freePages(t, e.path)
	for id := uint64(firstTreePage); id < m.pages; id++ {
		for _, with := range []byte{0, 0xFF} {
			broken := bytes.Clone(whole)
			set(page(broken, m, id), with)
			writeFile(t, e.path, broken)
			if t.Failed() {
				t.Fatalf("page %d", id-1)
			}
			wantRepaired(t, e, broken, sealed, free...)
		}
	}
}

func freePages(t *testing.T, path string) []uint64 {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	s := salvaging{f: f, meta: metaOf(t, path), seen: map[uint64]bool{}}
	s.passFree()
	return slices.Collect(maps.Keys(s.seen))
}

// Records that were deleted or overwritten do not come back if the tree can be followed
// and the list of free pages can be read.
func TestARepairBringsBackNothing(t *testing.T) {
	t.Parallel()
	e := openNew(t)
	put := func(k kv.Key, value []byte) {
		t.Helper()
		if err := e.Commit(t.Context(), kv.Batch{Puts: []kv.Put{{Key: k, Value: value}}}); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 200 {
		put(savedKey(i), bytes.Repeat([]byte{byte(i)}, 500))
	}
	for i := range 100 {
		if err := e.Commit(t.Context(), kv.Batch{Deletes: []kv.Key{savedKey(2 * i)}}); err != nil {
			t.Fatal(err)
		}
		put(savedKey(2*i+1), []byte("new"))
	}
	sealed := sealedRecords(t, e)
	whole, m := readFile(t, e.path), metaOf(t, e.path)
	for id := uint64(firstTreePage); id < m.pages; id++ {
		if id == m.freelist {
			continue
		}
		broken := bytes.Clone(whole)
		set(page(broken, m, id), 0xFF)
		writeFile(t, e.path, broken)
		made := filepath.Join(t.TempDir(), "made.db")
		if _, err := e.Repair(t.Context(), made, e.path+".aside", func(string) error { return nil }); err != nil {
			t.Fatalf("page %d: %v", id, err)
		}
		for k, value := range sealedRecords(t, e) {
			if !bytes.Equal(value, sealed[k]) {
				t.Errorf("page %d: %s is back", id, k)
			}
		}
		if err := os.Remove(e.path + ".aside"); err != nil {
			t.Fatal(err)
		}
	}
}

// A repair would make a store of this planb's format of it.
func TestARepairLeavesAStoreOfANewerPlanbAlone(t *testing.T) {
	t.Parallel()
	e := fillStore(t)
	alter(t, e.path, func(tx *bbolt.Tx) error {
		return tx.Bucket([]byte(planbBucket)).Put([]byte(formatKey), binary.BigEndian.AppendUint64(nil, 2))
	})
	before := readFile(t, e.path)
	saved, err := e.Repair(t.Context(), filepath.Join(t.TempDir(), "made.db"), e.path+".before-repair", func(string) error { return nil })
	if fault, ok := errors.AsType[*kv.Fault](err); !ok || fault.Kind != kv.FaultNewer {
		t.Errorf("it saved %+v, %v", saved, err)
	}
	if !bytes.Equal(readFile(t, e.path), before) {
		t.Error("the file was changed")
	}
}

// A single lost record is named, and no other is lost.
func TestARepairNamesDamagedRecords(t *testing.T) {
	t.Parallel()
	e := fillStore(t)
	sealed := sealedRecords(t, e)
	alter(t, e.path, func(tx *bbolt.Tx) error {
		b := tx.Bucket([]byte(recordsBucket))
		hurt := bytes.Clone(b.Get([]byte(savedKey(7))))
		hurt[len(hurt)-1] ^= 1
		return b.Put([]byte(savedKey(7)), hurt)
	})
	saved, err := e.Repair(t.Context(), filepath.Join(t.TempDir(), "made.db"), e.path+".aside", func(string) error { return nil })
	if err != nil || saved.Records != len(sealed)-1 || !slices.Equal(saved.Lost, []string{`the record "k/0007"`}) {
		t.Errorf("%+v, %v", saved, err)
	}
	delete(sealed, savedKey(7))
	if now := sealedRecords(t, e); len(now) != len(sealed) {
		t.Errorf("%d records of %d", len(now), len(sealed))
	}
}

package bolt

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"go.etcd.io/bbolt"

	"planb/store/kv"
)

// savedValue is long enough that a few records fill a page.
func savedValue(i int) string { return fmt.Sprintf("%d:%s", i, strings.Repeat("v", 700)) }

func savedKey(i int) kv.Key { return kv.Key(fmt.Sprintf("k/%04d", i)) }

const savedRecords = 120

// fillStore makes a store with acknowledged records and a tree of some pages.
func fillStore(t testing.TB) *Engine {
	t.Helper()
	e := openNew(t)
	for at := 0; at < savedRecords; at += 40 {
		var b kv.Batch
		for i := at; i < at+40; i++ {
			b.Puts = append(b.Puts, kv.Put{Key: savedKey(i), Value: []byte(savedValue(i))})
		}
		if err := e.Commit(t.Context(), b); err != nil {
			t.Fatal(err)
		}
	}
	return e
}

func wantSaved(t testing.TB, e *Engine) {
	t.Helper()
	var keys []kv.Key
	for i := range savedRecords {
		keys = append(keys, savedKey(i))
	}
	var all []kv.Record
	for some := range slices.Chunk(keys, kv.MaxRecordsInGet) {
		got, err := e.Get(t.Context(), some...)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, got...)
	}
	for i, r := range all {
		if string(r.Value) != savedValue(i) {
			t.Fatalf("%s is lost: %.20q at revision %d", r.Key, r.Value, r.Rev)
		}
	}
}

func read(t testing.TB, e *Engine) error {
	_, err := e.Get(t.Context(), savedKey(0))
	return err
}

func write(t testing.TB, e *Engine) error {
	return e.Commit(t.Context(), kv.Batch{Puts: []kv.Put{{Key: "new", Value: []byte("new")}}})
}

// wantFault checks kind and sentence; {file} stands for the path, {dir} for its
// directory and {…} for anything.
func wantFault(t testing.TB, path string, err error, kind kv.FaultKind, sentence string) {
	t.Helper()
	fault, ok := errors.AsType[*kv.Fault](err)
	if !ok {
		t.Fatalf("got %v, want a fault", err)
	}
	if fault.Kind != kind {
		t.Errorf("kind %q, want %q", fault.Kind, kind)
	}
	pattern := regexp.QuoteMeta(sentence)
	pattern = strings.ReplaceAll(pattern, regexp.QuoteMeta("{file}"), regexp.QuoteMeta(path))
	pattern = strings.ReplaceAll(pattern, regexp.QuoteMeta("{dir}"), regexp.QuoteMeta(filepath.Dir(path)))
	pattern = strings.ReplaceAll(pattern, regexp.QuoteMeta("{…}"), ".+")
	if !regexp.MustCompile("^" + pattern + "$").MatchString(err.Error()) {
		t.Errorf("got  %s\nwant %s", err, sentence)
	}
}

func readFile(t testing.TB, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func writeFile(t testing.TB, path string, b []byte) {
	t.Helper()
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
}

func metaOf(t testing.TB, path string) meta {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	m, err := readMeta(f)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// page is a part of the file's bytes.
func page(b []byte, m meta, id uint64) []byte {
	return b[int64(id)*m.pageSize : int64(id+1)*m.pageSize]
}

func rootPage(b []byte, m meta) uint64 {
	newest := page(b, m, m.txid%2)
	return binary.NativeEndian.Uint64(newest[pageHeaderBytes+16:])
}

// pointRoot makes the newest meta page name another root page, with a right checksum.
func pointRoot(b []byte, m meta, root uint64) []byte {
	order := binary.NativeEndian
	newest := page(b, m, m.txid%2)[pageHeaderBytes:]
	order.PutUint64(newest[16:], root)
	sum := fnv.New64a()
	sum.Write(newest[:56])
	order.PutUint64(newest[56:], sum.Sum64())
	return b
}

func set(b []byte, to byte) {
	for i := range b {
		b[i] = to
	}
}

const repair = "save all that can be read of it with  planb doctor --repair"

// TestDamagedFile checks for each damage that reading and writing name it (or work, where
// bbolt can), that neither makes it worse, and that every record is there when the bytes
// are put back.
func TestDamagedFile(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name        string
		damage      func(b []byte, m meta) []byte
		kind        kv.FaultKind
		read, write string // the sentences; empty: it works
	}{
		{
			"empty", func([]byte, meta) []byte { return nil },
			kv.FaultNotStore,
			"{file} is empty, and a store never is: something cut it off; " + repair, "=",
		},
		{
			"text", func([]byte, meta) []byte { return []byte(strings.Repeat("not a store\n", 1000)) },
			kv.FaultNotStore,
			"{file} is not a store, or its beginning was overwritten; " + repair, "=",
		},
		{
			"20 bytes", func([]byte, meta) []byte { return []byte("twenty bytes of text") },
			kv.FaultNotStore,
			"{file} is not a store, or its beginning was overwritten; " + repair, "=",
		},
		{
			"SQLite", func([]byte, meta) []byte { return append([]byte("SQLite format 3\x00"), make([]byte, 8176)...) },
			kv.FaultNotStore,
			"{file} is not a store, or its beginning was overwritten; " + repair, "=",
		},
		{
			"another program's bbolt file", func([]byte, meta) []byte { return foreign(t) },
			kv.FaultNotStore,
			"{file} is a bbolt file, but not planb's; " + repair, "=",
		},
		{
			"truncated to half", func(b []byte, _ meta) []byte { return b[:len(b)/2] },
			kv.FaultDamaged,
			"{file} is damaged: it was cut off at {…} bytes of {…}; " + repair, "=",
		},
		{
			"truncated to 3 pages", func(b []byte, m meta) []byte { return b[:3*m.pageSize] },
			kv.FaultDamaged,
			"{file} is damaged: it was cut off at {…} bytes of {…}; " + repair, "=",
		},
		{
			"truncated to 1 page", func(b []byte, m meta) []byte { return b[:m.pageSize] },
			kv.FaultDamaged,
			"{file} is damaged: {…}; {…}", "=",
		},
		{
			"truncated by a byte", func(b []byte, m meta) []byte { return b[:int64(m.pages)*m.pageSize-1] },
			kv.FaultDamaged,
			"{file} is damaged: it was cut off at {…} bytes of {…}; " + repair, "=",
		},
		{
			"newest meta page zeroed", func(b []byte, m meta) []byte { set(page(b, m, m.txid%2), 0); return b },
			kv.FaultDamaged,
			"{file} is damaged: its newest meta page, which leads to the last commit, is lost; " + repair, "=",
		},
		{
			"older meta page zeroed", func(b []byte, m meta) []byte { set(page(b, m, 1-m.txid%2), 0); return b },
			"", "", "",
		},
		{
			"both meta pages zeroed", func(b []byte, m meta) []byte { set(b[:2*m.pageSize], 0); return b },
			kv.FaultNotStore,
			"{file} is not a store, or its beginning was overwritten; " + repair, "=",
		},
		{
			"both meta pages flipped", func(b []byte, m meta) []byte {
				b[pageHeaderBytes+40] ^= 1
				b[m.pageSize+pageHeaderBytes+40] ^= 1
				return b
			},
			kv.FaultDamaged,
			"{file} is damaged: the checksums of both its meta pages are wrong; " + repair, "=",
		},
		{
			"root page zeroed", func(b []byte, m meta) []byte { set(page(b, m, rootPage(b, m)), 0); return b },
			kv.FaultDamaged,
			"{file} is damaged: assertion failed: Page expected to be: {…}, but self identifies as 0; " + repair, "=",
		},
		{
			"root page 0xFF", func(b []byte, m meta) []byte { set(page(b, m, rootPage(b, m)), 0xFF); return b },
			kv.FaultDamaged,
			"{file} is damaged: assertion failed: Page expected to be: {…}, but self identifies as {…}; " + repair, "=",
		},
		{
			"a page beyond the end", func(b []byte, m meta) []byte { return pointRoot(b[:int64(m.pages)*m.pageSize], m, m.pages+1) },
			kv.FaultDamaged,
			"{file} is damaged: what one of its pages refers to is not there; " + repair, "=",
		},
		{
			"a page far beyond the end", func(b []byte, m meta) []byte { return pointRoot(b, m, 1<<26) },
			kv.FaultDamaged,
			"{file} is damaged: {…}; " + repair, "=",
		},
		{
			"free list zeroed", func(b []byte, m meta) []byte { set(page(b, m, m.freelist), 0); return b },
			kv.FaultDamaged, "",
			"{file} is damaged: its list of free pages was overwritten, so that nothing can be written to it; " + repair,
		},
		{
			"free list 0xFF", func(b []byte, m meta) []byte { set(page(b, m, m.freelist), 0xFF); return b },
			kv.FaultDamaged, "",
			"{file} is damaged: its list of free pages was overwritten, so that nothing can be written to it; " + repair,
		},
		{
			"free list without end", func(b []byte, m meta) []byte {
				binary.NativeEndian.PutUint32(page(b, m, m.freelist)[12:], 1<<30)
				return b
			},
			kv.FaultDamaged, "",
			"{file} is damaged: its page {…} says that it is 1073741825 pages long, and the file ends after {…}; " + repair,
		},
		{
			"everything after the meta pages 0xFF", func(b []byte, m meta) []byte { set(b[2*m.pageSize:], 0xFF); return b },
			kv.FaultDamaged,
			"{file} is damaged: {…}; {…}", "=",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := fillStore(t)
			sealed := sealedRecords(t, e)
			whole := readFile(t, e.path)
			broken := c.damage(bytes.Clone(whole), metaOf(t, e.path))
			writeFile(t, e.path, broken)

			if c.read == "" {
				wantSaved(t, e)
			} else {
				wantFault(t, e.path, read(t, e), c.kind, c.read)
			}
			switch c.write {
			case "":
				if err := write(t, e); err != nil {
					t.Errorf("write: %v", err)
				}
				wantSaved(t, e)
				return
			case "=":
				c.write = c.read
			}
			wantFault(t, e.path, write(t, e), c.kind, c.write)
			if !bytes.Equal(readFile(t, e.path), broken) {
				t.Error("the damaged file was changed")
			}
			wantRepaired(t, e, broken, sealed)

			writeFile(t, e.path, whole)
			wantSaved(t, e)
			if err := write(t, e); err != nil {
				t.Errorf("write after the file was put back: %v", err)
			}
		})
	}
}

// foreign is a bbolt file of another program's.
func foreign(t testing.TB) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "other.db")
	db, err := bbolt.Open(path, 0o600, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	return readFile(t, path)
}

// alter changes the file behind the engine's back.
func alter(t testing.TB, path string, change func(*bbolt.Tx) error) {
	t.Helper()
	db, err := bbolt.Open(path, 0o600, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(db.Update(change), db.Close()); err != nil {
		t.Fatal(err)
	}
}

func TestFormatNumber(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		number []byte
		kind   kv.FaultKind
		want   string
	}{
		{
			"newer", binary.BigEndian.AppendUint64(nil, 2), kv.FaultNewer,
			"{file} has format 2, and this planb knows formats up to 1; use a newer planb",
		},
		{
			"zero", make([]byte, 8), kv.FaultDamaged,
			"{file} is damaged: its format has the number 0; " + repair,
		},
		{
			"short", []byte{1}, kv.FaultDamaged,
			"{file} is damaged: its format number has 1 bytes where 8 are expected; " + repair,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := fillStore(t)
			alter(t, e.path, func(tx *bbolt.Tx) error {
				return tx.Bucket([]byte(planbBucket)).Put([]byte(formatKey), c.number)
			})
			wantFault(t, e.path, read(t, e), c.kind, c.want)
			wantFault(t, e.path, write(t, e), c.kind, c.want)
		})
	}
}

func TestDamagedRecord(t *testing.T) {
	t.Parallel()
	const hurt = 7
	for _, c := range []struct {
		name   string
		damage func(sealed []byte) []byte
		why    string
	}{
		{"value", func(b []byte) []byte { b[len(b)-1] ^= 1; return b }, "its checksum is wrong"},
		{"revision", func(b []byte) []byte { b[8] ^= 1; return b }, "its checksum is wrong"},
		{"operation", func(b []byte) []byte { b[9] ^= 1; return b }, "its checksum is wrong"},
		{"short", func(b []byte) []byte { return b[:5] }, "it has 5 bytes, at least 29 are expected"},
		{"another's", func([]byte) []byte { return kv.Seal(kv.Record{Key: "k/0008", Rev: 1}) }, "its checksum is wrong"},
		{
			"version", func(b []byte) []byte {
				b[0] = 2
				summed := slices.Concat([]byte(savedKey(hurt)), b[:25], b[kv.EnvelopeBytes:])
				binary.BigEndian.PutUint32(b[25:], crc32.Checksum(summed, crc32.MakeTable(crc32.Castagnoli)))
				return b
			},
			"its envelope has version 2, only 1 is known",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := fillStore(t)
			alter(t, e.path, func(tx *bbolt.Tx) error {
				b := tx.Bucket([]byte(recordsBucket))
				k := []byte(savedKey(hurt))
				return b.Put(k, c.damage(bytes.Clone(b.Get(k))))
			})
			sentence := `{file} holds a damaged record "k/0007": ` + c.why + `; ` + repair
			_, err := e.Get(t.Context(), savedKey(1), savedKey(hurt))
			wantFault(t, e.path, err, kv.FaultDamaged, sentence)
			err = e.Commit(t.Context(), kv.Batch{Checks: []kv.Check{{Key: savedKey(hurt), Rev: 1}}})
			wantFault(t, e.path, err, kv.FaultDamaged, sentence)

			// A scan gives what is before, names the key, and can go on after it.
			first, err := e.Scan(t.Context(), "k/", "", 1000)
			wantFault(t, e.path, err, kv.FaultDamaged, sentence)
			fault, _ := errors.AsType[*kv.Fault](err)
			rest, err := e.Scan(t.Context(), "k/", fault.Key, 1000)
			if err != nil || len(first.Records) != hurt || len(rest.Records) != savedRecords-hurt-1 {
				t.Errorf("%d records before, %d after, %v", len(first.Records), len(rest.Records), err)
			}

			// The other records are there, and the damaged one can be replaced.
			put := kv.Batch{Puts: []kv.Put{{Key: savedKey(hurt), Value: []byte(savedValue(hurt))}}}
			if err := e.Commit(t.Context(), put); err != nil {
				t.Error(err)
			}
			wantSaved(t, e)
		})
	}
}

// TestDamagedLeaf checks that with a lost page only its own records are lost.
func TestDamagedLeaf(t *testing.T) {
	t.Parallel()
	e := fillStore(t)
	b, m := readFile(t, e.path), metaOf(t, e.path)
	// The record may also be in pages that are no longer in use: zero them all.
	zeroed := 0
	for id := uint64(2); id < m.pages; id++ {
		if p := page(b, m, id); bytes.Contains(p, []byte(savedValue(60))) {
			set(p, 0)
			zeroed++
		}
	}
	if zeroed == 0 {
		t.Fatal("the record's page was not found")
	}
	writeFile(t, e.path, b)
	_, err := e.Get(t.Context(), savedKey(60))
	wantFault(t, e.path, err, kv.FaultDamaged, "{file} is damaged: {…}; "+repair)
	for _, i := range []int{0, 20, 100, savedRecords - 1} {
		got, err := e.Get(t.Context(), savedKey(i))
		if err != nil || string(got[0].Value) != savedValue(i) {
			t.Errorf("record %d: %v", i, err)
		}
	}
}

// TestFlippedBits flips random bits. Whatever they hit, an operation returns the right
// value, no value, or a fault, and never a wrong value.
func TestFlippedBits(t *testing.T) {
	t.Parallel()
	e := fillStore(t)
	whole := readFile(t, e.path)
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rnd := rand.New(rand.NewPCG(seed, 0))
	faults := 0
	for range 150 {
		b := bytes.Clone(whole)
		for range 1 + rnd.IntN(8) {
			if at := rnd.IntN(len(b)); !countsGigabytes(at) {
				b[at] ^= 1 << rnd.IntN(8)
			}
		}
		writeFile(t, e.path, b)
		for _, i := range []int{0, rnd.IntN(savedRecords), savedRecords - 1} {
			got, err := e.Get(t.Context(), savedKey(i))
			faults += wantSound(t, err)
			if err == nil && got[0].Exists() && string(got[0].Value) != savedValue(i) {
				t.Fatalf("record %d is wrong: %.20q", i, got[0].Value)
			}
		}
		_, err := e.Scan(t.Context(), "", "", 1000)
		faults += wantSound(t, err)
		faults += wantSound(t, write(t, e))
	}
	if faults == 0 {
		t.Error("no flip was noticed")
	}
	writeFile(t, e.path, whole)
	wantSaved(t, e)
}

// countsGigabytes reports whether a byte is one of the upper three that say over how many
// pages a page goes on. bbolt takes that number as it stands when it frees the page: with a
// high bit in it, it counts up to 2³¹ pages in memory, until the system ends the process. To
// find this before each commit, planb would have to read the heads of all pages.
func countsGigabytes(at int) bool {
	const overflow = 12 // where a page's head has the number, in four bytes
	inPage := at % os.Getpagesize()
	return inPage > overflow && inPage < overflow+4
}

// wantSound counts a fault, and stops at any other error.
func wantSound(t testing.TB, err error) int {
	t.Helper()
	if err == nil {
		return 0
	}
	if _, ok := errors.AsType[*kv.Fault](err); !ok {
		t.Fatalf("not a fault: %v", err)
	}
	return 1
}

func TestMissingFile(t *testing.T) {
	t.Parallel()
	e := fillStore(t)
	away := e.path + ".away"
	if err := os.Rename(e.path, away); err != nil {
		t.Fatal(err)
	}
	wantFault(t, e.path, read(t, e), kv.FaultMissing, "{file} is gone; if you moved it, move it back; otherwise go back to a backup with  planb restore")
	wantFault(t, e.path, write(t, e), kv.FaultMissing, "{file} is gone; if you moved it, move it back; otherwise go back to a backup with  planb restore")
	_, err := Open(t.Context(), e.path, Options{})
	wantFault(t, e.path, err, kv.FaultMissing,
		"{file} is gone, though planb.db.bell says that it held data; "+
			"if you moved it, move it back; otherwise go back to a backup with  planb restore. Only if it is gone for good, remove {file}.bell to start with an empty store")
	if _, err := os.Stat(e.path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("an empty store took the place: %v", err)
	}
	if err := os.Rename(away, e.path); err != nil {
		t.Fatal(err)
	}
	wantSaved(t, e)
}

func TestMustExist(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "planb.db")
	_, err := Open(t.Context(), path, Options{MustExist: true})
	wantFault(t, path, err, kv.FaultMissing, "{file} does not exist; check PLANB_DATA_DIR")
	if left, _ := os.ReadDir(filepath.Dir(path)); len(left) != 0 {
		t.Errorf("something was created: %v", left)
	}
	openAt(t, path)
	if _, err := Open(t.Context(), path, Options{MustExist: true}); err != nil {
		t.Error(err)
	}
}

func TestDirectoryInItsPlace(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "planb.db")
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}
	e := openAt(t, path)
	wantFault(t, path, read(t, e), kv.FaultNotStore, "{file} is a directory; move it away, or set PLANB_DATA_DIR to another directory")
	wantFault(t, path, write(t, e), kv.FaultNotStore, "{file} is a directory; move it away, or set PLANB_DATA_DIR to another directory")
}

// TestUnclear checks the error of a commit that failed: either nothing was written, or
// the outcome is unclear, and reading back finds it.
func TestFileInPlaceOfTheDirectory(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "data")
	writeFile(t, dir, []byte("mine"))
	_, err := Open(t.Context(), filepath.Join(dir, "planb.db"), Options{})
	wantFault(t, filepath.Join(dir, "planb.db"), err, kv.FaultNotStore,
		"{dir} is a file, and a store needs a directory; move the file away, or set PLANB_DATA_DIR to another directory")
	if got := string(readFile(t, dir)); got != "mine" {
		t.Errorf("the file holds %q now", got)
	}
}

func TestUnclear(t *testing.T) {
	t.Parallel()
	broken := errors.New("the disk says no")
	op := kv.OpID{42}
	for _, c := range []struct {
		name    string
		commit  func(*bbolt.Tx) error
		unclear bool
		written bool
		want    string
	}{
		{
			"before anything was written", func(tx *bbolt.Tx) error { return errors.Join(tx.Rollback(), broken) },
			false, false,
			"{file} cannot be written, because the system says: the disk says no; see to the disk, then try again",
		},
		{
			"after all was written", func(tx *bbolt.Tx) error { return errors.Join(tx.Commit(), broken) },
			true, true,
			"it is not known whether the write happened: " +
				"{file} cannot be written, because the system says: the disk says no; see to the disk, then try again",
		},
		{
			"panic before", func(*bbolt.Tx) error { panic("a page is wrong") },
			false, false,
			"{file} is damaged: a page is wrong; " + repair,
		},
		{
			"panic after", func(tx *bbolt.Tx) error { _ = tx.Commit(); panic("a page is wrong") },
			true, true,
			"it is not known whether the write happened: {file} is damaged: a page is wrong; " + repair,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := fillStore(t)
			e.commit = c.commit
			err := e.Commit(t.Context(), kv.Batch{Op: op, Puts: []kv.Put{{Key: "new"}}})
			if errors.Is(err, kv.ErrUnclear) != c.unclear {
				t.Errorf("unclear is %v, want %v", !c.unclear, c.unclear)
			}
			fault, _ := errors.AsType[*kv.Fault](err)
			wantFault(t, e.path, err, fault.Kind, c.want)

			e.commit = (*bbolt.Tx).Commit
			got, err := e.Get(t.Context(), "new")
			if err != nil || got[0].Exists() != c.written || c.written && got[0].Op != op {
				t.Errorf("read back %+v, %v; want it written: %v", got[0], err, c.written)
			}
			wantSaved(t, e)
			if err := write(t, e); err != nil {
				t.Errorf("the next write: %v", err)
			}
		})
	}
}

// TestEndInMidTransaction checks that a commit that has begun returns its outcome even if
// its context ends, and that Close waits for it, but not for ever.
func TestEndInMidTransaction(t *testing.T) {
	t.Parallel()
	e := fillStore(t)
	e.closeTimeout = 10 * time.Millisecond
	inside, goOn := make(chan struct{}), make(chan struct{})
	e.commit = func(tx *bbolt.Tx) error {
		close(inside)
		<-goOn
		return tx.Commit()
	}
	ctx, cancel := context.WithCancel(t.Context())
	result := make(chan error)
	go func() {
		result <- e.Commit(ctx, kv.Batch{Puts: []kv.Put{{Key: "new"}}})
	}()
	<-inside
	cancel()
	want := e.path + " was closed while a transaction has been running for more than 10ms: the disk hangs"
	if err := e.Close(); err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
	close(goOn)
	if err := <-result; err != nil {
		t.Errorf("the transaction was committed: %v", err)
	}
	got, err := openAt(t, e.path).Get(t.Context(), "new")
	if err != nil || !got[0].Exists() {
		t.Errorf("%+v, %v", got, err)
	}
}

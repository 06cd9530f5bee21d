package bolt

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"planb/store/kv"
)

func putValue(t *testing.T, e *Engine, key kv.Key, rev int64, value string) error {
	t.Helper()
	return e.Commit(t.Context(), kv.Batch{
		Checks: []kv.Check{{Key: key, Rev: rev}},
		Puts:   []kv.Put{{Key: key, Value: []byte(value)}},
	})
}

func mustPut(t *testing.T, e *Engine, key kv.Key, value string) kv.Record {
	t.Helper()
	if err := putValue(t, e, key, getOne(t, e, key).Rev, value); err != nil {
		t.Fatal(err)
	}
	return getOne(t, e, key)
}

func getOne(t *testing.T, e *Engine, key kv.Key) kv.Record {
	t.Helper()
	records, err := e.Get(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	return records[0]
}

func checkCopy(t *testing.T, path string) kv.Inspection {
	t.Helper()
	found, err := checkFile(path)
	if err != nil || len(found.Problems) > 0 {
		t.Fatalf("%s: %v, %v", path, found.Problems, err)
	}
	return found
}

// Each copy holds every write that was acknowledged before it began, while
// several write.
func TestCopyInUse(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "planb.db")
	e := openAt(t, path)
	ctx, stop := context.WithCancel(t.Context())
	const writers = 4
	var acknowledged [writers]struct {
		sync.Mutex
		n int
	}
	var all sync.WaitGroup
	for w := range writers {
		other := openAt(t, path)
		all.Go(func() {
			key := kv.Key(fmt.Sprintf("w/%d", w))
			for n := 1; ctx.Err() == nil; n++ {
				if err := other.Commit(context.Background(), kv.Batch{Puts: []kv.Put{{Key: key, Value: fmt.Append(nil, n)}}}); err != nil {
					t.Error(err)
					return
				}
				acknowledged[w].Lock()
				acknowledged[w].n = n
				acknowledged[w].Unlock()
			}
		})
	}
	for i := range 10 {
		var before [writers]int
		for w := range writers {
			acknowledged[w].Lock()
			before[w] = acknowledged[w].n
			acknowledged[w].Unlock()
		}
		to := filepath.Join(dir, fmt.Sprintf("copy-%d.db", i))
		if err := e.Copy(t.Context(), to); err != nil {
			t.Fatal(err)
		}
		checkCopy(t, to)
		c := openAt(t, to)
		for w := range writers {
			n := 0
			if r := getOne(t, c, kv.Key(fmt.Sprintf("w/%d", w))); r.Exists() {
				if _, err := fmt.Sscan(string(r.Value), &n); err != nil {
					t.Fatal(err)
				}
			}
			if n < before[w] {
				t.Errorf("copy %d holds write %d of writer %d, who had %d acknowledged before", i, n, w, before[w])
			}
		}
		if info, err := os.Stat(to); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%v, %v", info.Mode(), err)
		}
	}
	stop()
	all.Wait()
	if left, err := filepath.Glob(filepath.Join(dir, "*.part-*")); err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
}

func TestCopyLeavesWhatIsThere(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	e := openAt(t, filepath.Join(dir, "planb.db"))
	to := filepath.Join(dir, "mine.txt")
	if err := os.WriteFile(to, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := e.Copy(t.Context(), to); !errors.Is(err, fs.ErrExist) {
		t.Errorf("got %v", err)
	}
	if text, err := os.ReadFile(to); err != nil || string(text) != "mine" {
		t.Errorf("the file holds %q, %v", text, err)
	}
	if err := CopyFile(filepath.Join(dir, "planb.db"), to); !errors.Is(err, fs.ErrExist) {
		t.Errorf("got %v", err)
	}
}

// Every engine that has the store open goes on with the file that took its place:
// watchers look again, and a change that was read from the old file conflicts with the
// new one.
func TestReplaceUnderOpenEngines(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "planb.db")
	e, other := openAt(t, path), openAt(t, path)
	mustPut(t, e, "a", "kept")
	backup := filepath.Join(dir, "backup.db")
	if err := e.Copy(t.Context(), backup); err != nil {
		t.Fatal(err)
	}
	later := mustPut(t, other, "a", "later")
	for range 20 {
		mustPut(t, other, "b", "only in the old file")
	}
	last := getOne(t, other, "b")
	bells, err := other.Watch(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	<-bells

	from, aside := path+".new-restore", path+".aside"
	if err := CopyFile(backup, from); err != nil {
		t.Fatal(err)
	}
	if err := e.Replace(t.Context(), from, aside); err != nil {
		t.Fatal(err)
	}
	select {
	case <-bells:
	case <-time.After(time.Minute):
		t.Fatal("who watched the old file heard nothing")
	}
	for name, engine := range map[string]*Engine{"the one that replaced it": e, "another": other} {
		if got := getOne(t, engine, "a"); string(got.Value) != "kept" {
			t.Errorf("%s reads %q", name, got.Value)
		}
		if got := getOne(t, engine, "b"); got.Exists() {
			t.Errorf("%s reads %q of the old file", name, got.Value)
		}
	}
	if err := putValue(t, other, "a", later.Rev, "undone"); !errors.Is(err, kv.ErrConflict) {
		t.Errorf("a write after a read of the old file gave %v", err)
	}
	// Not even after as many writes as the old file had.
	for range 30 {
		if r := mustPut(t, e, "b", "new"); r.Rev <= last.Rev {
			t.Fatalf("revision %d was given again; the old file had %d", r.Rev, last.Rev)
		}
	}
	checkCopy(t, aside)
	if r := getOne(t, openAt(t, aside), "a"); string(r.Value) != "later" {
		t.Errorf("what was there is kept with %q", r.Value)
	}
	if _, err := os.Lstat(from); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the file it was made from is still there: %v", err)
	}
}

func TestReplaceWhatIsDamagedOrGone(t *testing.T) {
	t.Parallel()
	for name, harm := range map[string]func(path string) error{
		"cut off":    func(path string) error { return os.Truncate(path, 9000) },
		"emptied":    func(path string) error { return os.Truncate(path, 0) },
		"overwrites": func(path string) error { return os.WriteFile(path, bytes.Repeat([]byte{0xff}, 40960), 0o600) },
		"gone":       os.Remove,
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "planb.db")
			e := openAt(t, path)
			mustPut(t, e, "a", "kept")
			from := path + ".new-restore"
			if err := e.Copy(t.Context(), from); err != nil {
				t.Fatal(err)
			}
			rev := mustPut(t, e, "a", "later").Rev
			if err := harm(path); err != nil {
				t.Fatal(err)
			}
			harmed, gone := os.ReadFile(path)
			aside := path + ".aside"
			if err := e.Replace(t.Context(), from, aside); err != nil {
				t.Fatal(err)
			}
			if got := getOne(t, e, "a"); string(got.Value) != "kept" {
				t.Errorf("it holds %q", got.Value)
			}
			if r := mustPut(t, e, "b", "new"); r.Rev <= rev {
				t.Errorf("revision %d was given again", r.Rev)
			}
			kept, err := os.ReadFile(aside)
			if gone == nil && (err != nil || !bytes.Equal(kept, harmed)) {
				t.Errorf("the damaged file was not kept (%v)", err)
			}
		})
	}
}

// A store that is made while Replace waits for the turnstile is kept, too.
func TestReplaceWhatAppears(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "planb.db")
	e := openAt(t, path)
	from := path + ".new-restore"
	if err := e.Copy(t.Context(), from); err != nil {
		t.Fatal(err)
	}
	mustPut(t, e, "a", "made meanwhile")
	appearing := readFile(t, path)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	turn := &locks{paths: e.paths, turnOnly: true}
	if had, err := turn.advance(false); !had || err != nil {
		t.Fatalf("the turnstile: %v, %v", had, err)
	}
	defer turn.release()
	aside := path + ".aside"
	replaced := make(chan error, 1)
	go func() { replaced <- e.Replace(t.Context(), from, aside) }()
	for len(e.gate.token) > 0 { // until Replace has seen that there is no store
		time.Sleep(time.Millisecond)
	}
	writeFile(t, path, appearing)
	turn.release()
	if err := <-replaced; err != nil {
		t.Fatal(err)
	}
	if kept, err := os.ReadFile(aside); err != nil || !bytes.Equal(kept, appearing) {
		t.Errorf("what was made meanwhile was not kept (%v)", err)
	}
}

// A file that is no store does not replace one, and the old file stays.
func TestReplaceRefuses(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "planb.db")
	e := openAt(t, path)
	mustPut(t, e, "a", "kept")
	from := path + ".new-restore"
	if err := os.WriteFile(from, []byte(strings.Repeat("no store ", 4000)), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := e.Replace(t.Context(), from, path+".aside"); err == nil {
		t.Error("it was taken")
	}
	if got := getOne(t, e, "a"); string(got.Value) != "kept" {
		t.Errorf("it holds %q", got.Value)
	}
}

func TestCompact(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "planb.db")
	e, other := openAt(t, path), openAt(t, path)
	mustPut(t, e, "a", "kept")
	var big kv.Batch
	var keys []kv.Key
	for i := range 50 {
		keys = append(keys, kv.Key(fmt.Sprintf("big/%d", i)))
		big.Puts = append(big.Puts, kv.Put{Key: keys[i], Value: bytes.Repeat([]byte("x"), 20_000)})
	}
	for _, batch := range []kv.Batch{big, {Deletes: keys}} {
		if err := e.Commit(t.Context(), batch); err != nil {
			t.Fatal(err)
		}
	}
	rev := mustPut(t, e, "a", "kept").Rev
	before := checkCopy(t, path)
	if err := e.Compact(t.Context()); err != nil {
		t.Fatal(err)
	}
	after := checkCopy(t, path)
	if after.Size*4 > before.Size || after.Records != before.Records || after.Revision != before.Revision || before.FreePages == 0 {
		t.Errorf("before %+v, after %+v", before, after)
	}
	// For a process that read it before, nothing has changed.
	if err := putValue(t, other, "a", rev, "and on"); err != nil {
		t.Error(err)
	}
	if got := getOne(t, e, "a"); string(got.Value) != "and on" {
		t.Errorf("it holds %q", got.Value)
	}
}

func TestCheckFindsADamagedRecord(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "planb.db")
	e := openAt(t, path)
	const secret = "a text that is easily found in the file"
	mustPut(t, e, "a", secret)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	at := bytes.LastIndex(data, []byte(secret))
	data[at] ^= 1
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	found, err := checkFile(path)
	if err != nil || len(found.Problems) != 1 || !strings.Contains(found.Problems[0], `"a"`) || found.Records != 1 {
		t.Errorf("%+v, %v", found, err)
	}
}

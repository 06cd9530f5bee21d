package bolt

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"planb/store/kv"
)

// FuzzFile makes a file of any bytes. Every operation ends with a fault or with an
// answer, and never with a crash.
func FuzzFile(f *testing.F) {
	e := fillStore(f)
	whole := readFile(f, e.path)
	f.Add(whole[:8192])
	f.Add(whole[:80])
	f.Add([]byte{})
	f.Add([]byte("text"))
	path := filepath.Join(f.TempDir(), "planb.db")
	f.Fuzz(func(t *testing.T, b []byte) {
		// The bytes take the place of the whole file, and of its first ones.
		for _, file := range [][]byte{b, append(bytes.Clone(b), whole[min(len(b), len(whole)):]...)} {
			writeFile(t, path, file)
			e, err := Open(t.Context(), path, Options{})
			if err != nil {
				t.Fatal(err)
			}
			wantSound(t, read(t, e))
			wantSound(t, write(t, e))
			if err := e.Close(); err != nil {
				t.Error(err)
			}
		}
	})
}

func FuzzBell(f *testing.F) {
	f.Add([]byte("0000000000000000012 00000000000000000034\n"), false)
	f.Add(formatChime(chime{rev: 12, txid: 34, before: 11, keys: []kv.Key{"a/b", "c"}}), true)
	f.Add([]byte("12 34"), true)
	f.Add([]byte{}, true)
	path := filepath.Join(f.TempDir(), "planb.db.bell")
	f.Fuzz(func(t *testing.T, b []byte, sum bool) {
		if end := bytes.LastIndexByte(bytes.TrimSuffix(b, []byte{'\n'}), '\n') + 1; sum && end > 0 {
			b = fmt.Appendf(slices.Clip(b[:end]), chimeSum, chimeChecksum(b[:end]))
		}
		writeFile(t, path, b)
		told, err := readBell(path)
		if err != nil {
			return
		}
		for _, c := range told {
			if err := writeBell(path, c); err != nil {
				t.Fatal(err)
			}
		}
		again, err := readBell(path)
		if err != nil || !reflect.DeepEqual(again[0], told[0]) {
			t.Errorf("%q was read as %+v, then as %+v, %v", b, told, again, err)
		}
	})
}

// TestDoorbellCannotRing checks that a commit holds although the doorbell does not ring,
// and that there is a notice.
func TestDoorbellCannotRing(t *testing.T) {
	t.Parallel()
	var notices []error
	path := filepath.Join(t.TempDir(), "planb.db")
	e, err := Open(t.Context(), path, Options{Notice: func(err error) { notices = append(notices, err) }})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	if err := os.Mkdir(e.bell, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := write(t, e); err != nil {
		t.Errorf("the commit is done: %v", err)
	}
	want := "the doorbell of " + path + " did not ring, others see the change up to 1s later: open " + e.bell + ": is a directory"
	if err := errors.Join(notices...); err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
	if got, err := e.Get(t.Context(), "new"); err != nil || !got[0].Exists() {
		t.Errorf("%+v, %v", got, err)
	}
}

// TestSiblingsLost checks that the turnstile and the doorbell can be removed.
func TestSiblingsLost(t *testing.T) {
	t.Parallel()
	e := fillStore(t)
	if err := errors.Join(os.Remove(e.turn), os.Remove(e.bell)); err != nil {
		t.Fatal(err)
	}
	wantSaved(t, e)
	if err := write(t, e); err != nil {
		t.Error(err)
	}
	for _, path := range []string{e.turn, e.bell} {
		if _, err := os.Stat(path); err != nil {
			t.Error(err)
		}
	}
}

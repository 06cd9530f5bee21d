package bolt

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"planb/store/kv"
)

func TestPutAside(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "above", "kept")
	for _, text := range []string{"first", "second"} {
		if err := PutAside(dir, "name.json", []byte(text)); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(filepath.Join(dir, "name.json")); err != nil || string(got) != text {
			t.Errorf("it holds %q, %v; want %q", got, err, text)
		}
	}
	for path, mode := range map[string]fs.FileMode{dir: 0o700, filepath.Join(dir, "name.json"): 0o600} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != mode {
			t.Errorf("%s has %v, %v; want mode %v", path, info, err, mode)
		}
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("the directory holds %v, %v; want the file alone", left, err)
	}
}

// What cannot be put aside leaves nothing behind and says why.
func TestPutAsideWhereThatCannotBe(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "name.json", "in the way"), 0o700); err != nil {
		t.Fatal(err)
	}
	err := PutAside(dir, "name.json", []byte("text"))
	if _, is := errors.AsType[*kv.Fault](err); !is {
		t.Errorf("over a directory: %v", err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("the directory holds %v, %v; want what was there", left, err)
	}
	err = PutAside("/proc/self/kept", "name.json", nil)
	if _, is := errors.AsType[*kv.Fault](err); !is {
		t.Errorf("in a directory that cannot be made: %v", err)
	}
}

//go:build unix

package configfile

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// A file that the superuser rewrites keeps its owner.
func TestTheOwnerIsKept(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only the superuser can have files of others")
	}
	path := filepath.Join(t.TempDir(), "config")
	put(t, path, "old", 0o640)
	if err := os.Chown(path, 1234, 4321); err != nil {
		t.Fatal(err)
	}
	backup, err := plan(t, path, "new").Write(noon())
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{path, backup} {
		info, err := os.Stat(file)
		if err != nil {
			t.Fatal(err)
		}
		if stat := info.Sys().(*syscall.Stat_t); stat.Uid != 1234 || stat.Gid != 4321 || info.Mode().Perm() != 0o640 {
			t.Errorf("%s belongs to %d:%d, mode %v", file, stat.Uid, stat.Gid, info.Mode())
		}
	}
}

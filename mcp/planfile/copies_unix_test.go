//go:build unix

package planfile_test

import (
	"os"
	"path/filepath"
	"testing"

	"planb/mcp/planfile"
)

// A copy is for its owner only, and is not written over a person's edit.
func TestCopiesAreForTheirOwner(t *testing.T) {
	c := planfile.Copies{Dir: filepath.Join(t.TempDir(), "data")}
	path, differs, err := c.Write("session", 1, "# Plan\n")
	if err != nil || differs {
		t.Fatal(path, differs, err)
	}
	for at, want := range map[string]os.FileMode{path: 0o600, filepath.Dir(path): 0o700, filepath.Dir(filepath.Dir(path)): 0o700} {
		if info, err := os.Stat(at); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s has the mode %v, %v; want %v", at, info.Mode().Perm(), err, want)
		}
	}
	if err := os.WriteFile(path, []byte("# Edited\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, differs, err := c.Write("session", 1, "# Plan\n"); err != nil || !differs {
		t.Errorf("it differs: %v, %v", differs, err)
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != "# Edited\n" {
		t.Errorf("the person's text is now %q, %v", text, err)
	}
}

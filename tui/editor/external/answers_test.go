package external

import (
	"os"
	"path/filepath"
	"testing"
)

// The file is its owner's alone, takes no other's place, and lies in the home
// directory, or beside other temporary files where that takes none.
func TestSaveAnswers(t *testing.T) {
	home, temp := t.TempDir(), t.TempDir()
	t.Setenv("TMPDIR", temp)
	gone := filepath.Join(home, "gone")
	for _, step := range []struct{ home, want string }{
		{home, filepath.Join(home, "planb-answers-1b2c.txt")},
		{home, filepath.Join(home, "planb-answers-1b2c-2.txt")},
		{gone, filepath.Join(temp, "planb-answers-1b2c.txt")},
		{gone, filepath.Join(temp, "planb-answers-1b2c-2.txt")},
	} {
		t.Setenv("HOME", step.home)
		path, err := SaveAnswers("0190a1b2-0000-7000-8000-0000000000001b2c", []string{"{}", "note: x"})
		if err != nil || filepath.Dir(path) != filepath.Dir(step.want) {
			t.Fatalf("saved as %s, %v; want %s", path, err, step.want)
		}
		text, err := os.ReadFile(path)
		if err != nil || string(text) != "{}\nnote: x\n" {
			t.Errorf("%s holds %q, %v", path, text, err)
		}
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", path, info, err)
		}
	}
	t.Setenv("TMPDIR", gone)
	if path, err := SaveAnswers("x", nil); err == nil {
		t.Errorf("without any place it was saved as %s", path)
	}
}

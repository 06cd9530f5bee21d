package home

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
)

// A backup into a new directory survives a loss of power: the disk is told of the names of
// the new directories, not only of the file's.
func TestTheDirectoriesOfABackupAreOnTheDisk(t *testing.T) {
	strace, err := exec.LookPath("strace")
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("strace is missing")
		}
		t.Skip("strace is missing")
	}
	if out, err := exec.Command(strace, "-o", os.DevNull, "true").CombinedOutput(); bytes.Contains(out, []byte("Operation not permitted")) {
		t.Skipf("no process may be traced here: %s, %v", out, err)
	}
	h := newHome(t, "harbour")
	to := filepath.Join(h.Dir(), "by", "year", "mine.db")
	trace := filepath.Join(t.TempDir(), "trace")
	child := exec.Command(strace, "-f", "-y", "-s", "4096", "-o", trace, "-e", "trace=?mkdir,mkdirat,fsync", "--", os.Args[0], to)
	child.Env = append(os.Environ(), checkerEnv+"=backup", "PLANB_HOME_TEST_DATA="+h.Dir())
	if out, err := child.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	holds(t, to, "harbour")
	told, err := os.ReadFile(trace)
	if err != nil {
		t.Fatal(err)
	}
	synced := map[string]bool{}
	for _, call := range regexp.MustCompile(`fsync\(\d+<([^>]*)>`).FindAllSubmatch(told, -1) {
		synced[string(call[1])] = true
	}
	for _, dir := range []string{h.Dir(), filepath.Join(h.Dir(), "by"), filepath.Dir(to)} {
		if !synced[dir] {
			t.Errorf("the disk was not told of the names in %s:\n%s", dir, told)
		}
	}
}

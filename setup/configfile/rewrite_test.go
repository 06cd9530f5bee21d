package configfile

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

func to(text string) func([]byte) ([]byte, error) {
	return func([]byte) ([]byte, error) { return []byte(text), nil }
}

func plan(t *testing.T, path, after string) *Rewrite {
	t.Helper()
	r, err := Plan(path, to(after))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func put(t *testing.T, path, text string, mode os.FileMode) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
}

func holds(t *testing.T, path, want string) {
	t.Helper()
	if text, err := os.ReadFile(path); err != nil || string(text) != want {
		t.Errorf("%s holds %q, %v, want %q", path, text, err, want)
	}
}

func names(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return strings.Join(list, " ")
}

func noon() time.Time { return time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC) }

func TestAFileIsReplacedAndKeptBeside(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.json")
	put(t, path, "one\ntwo\nthree\n", 0o640)
	r := plan(t, path, "one\n2\nthree\n")
	if want := "--- " + path + "\n+++ " + path + "\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n"; r.Diff() != want {
		t.Errorf("diff\n%s\nwant\n%s", r.Diff(), want)
	}
	backup, err := r.Write(noon())
	if err != nil || backup != path+".planb-backup-20261121-120000" {
		t.Fatalf("backup %q, %v", backup, err)
	}
	holds(t, path, "one\n2\nthree\n")
	holds(t, backup, "one\ntwo\nthree\n")
	for _, file := range []string{path, backup} {
		if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o640 {
			t.Errorf("%s: %v, %v", file, info.Mode(), err)
		}
	}
	if got := names(t, filepath.Dir(path)); got != "config.json config.json.planb-backup-20261121-120000" {
		t.Errorf("files %s", got)
	}
}

func TestOverwritingKeepsNoBackup(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.toml")
	put(t, path, "old", 0o640)
	if err := plan(t, path, "new").Overwrite(); err != nil {
		t.Fatal(err)
	}
	holds(t, path, "new")
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o640 {
		t.Error(info.Mode(), err)
	}
	if got := names(t, filepath.Dir(path)); got != "config.toml" {
		t.Errorf("files %s", got)
	}
	r := plan(t, path, "newer")
	put(t, path, "theirs", 0o640)
	if err := r.Overwrite(); !errors.Is(err, errChanged) || !strings.HasPrefix(err.Error(), path+" can't be written: ") {
		t.Errorf("%v", err)
	}
	holds(t, path, "theirs")
}

func TestANewFileIsForItsOwnerAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a", "b", "config.json")
	r := plan(t, path, "new\n")
	if r.Exists || !r.Changed() || !strings.HasPrefix(r.Diff(), "--- "+os.DevNull+"\n+++ "+path+"\n") {
		t.Errorf("%+v\n%s", r, r.Diff())
	}
	if backup, err := r.Write(noon()); err != nil || backup != "" {
		t.Fatal(backup, err)
	}
	holds(t, path, "new\n")
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Error(info.Mode(), err)
	}
	if plan(t, path, "new\n").Changed() {
		t.Error("the same text counts as a change")
	}
}

func TestALinkStaysOne(t *testing.T) {
	dir := t.TempDir()
	dotfiles := filepath.Join(dir, "dotfiles")
	if err := os.Mkdir(dotfiles, 0o755); err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(dotfiles, "real"), "old", 0o600)
	path := filepath.Join(dir, "config")
	if err := os.Symlink(filepath.Join("dotfiles", "real"), path); err != nil {
		t.Fatal(err)
	}
	if _, err := plan(t, path, "new").Write(noon()); err != nil {
		t.Fatal(err)
	}
	if to, err := os.Readlink(path); err != nil || to != filepath.Join("dotfiles", "real") {
		t.Error(to, err)
	}
	holds(t, filepath.Join(dotfiles, "real"), "new")
	holds(t, filepath.Join(dotfiles, "real.planb-backup-20261121-120000"), "old")
}

// A write by another program in between is kept: a new text, a removed or a
// created file, or a link to another file.
func TestWhatAnotherProgramWroteIsKept(t *testing.T) {
	for name, c := range map[string]struct {
		before   string
		meantime func(t *testing.T, path string)
	}{
		"changed": {"old", func(t *testing.T, path string) { put(t, path, "theirs", 0o600) }},
		"removed": {"old", func(t *testing.T, path string) {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
		}},
		"made": {"", func(t *testing.T, path string) { put(t, path, "", 0o600) }},
		"linked": {"old", func(t *testing.T, path string) {
			put(t, path+"-2", "old", 0o600)
			if err := errors.Join(os.Remove(path), os.Symlink(path+"-2", path)); err != nil {
				t.Fatal(err)
			}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "config")
			if c.before != "" {
				put(t, path, c.before, 0o600)
			}
			r := plan(t, path, "new")
			c.meantime(t, path)
			before := names(t, filepath.Dir(path))
			if _, err := r.Write(noon()); !errors.Is(err, errChanged) {
				t.Errorf("%v", err)
			}
			if after := names(t, filepath.Dir(path)); after != before {
				t.Errorf("files %s, before %s", after, before)
			}
		})
	}
}

func TestFilesThatCannotBeRewritten(t *testing.T) {
	dir := t.TempDir()
	readOnly, dangling, loop := filepath.Join(dir, "ro"), filepath.Join(dir, "dangling"), filepath.Join(dir, "loop")
	put(t, readOnly, "old", 0o444)
	if err := errors.Join(os.Symlink("nowhere", dangling), os.Symlink(loop, loop)); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		readOnly:                         "is read-only (mode 0444)",
		dangling:                         "can't be read: it is a link to nowhere, which does not exist",
		loop:                             "can't be read: ",
		dir:                              "can't be read: it is a directory",
		filepath.Join(readOnly, "below"): "can't be read: not a directory",
	} {
		r, err := Plan(path, to("new"))
		if err == nil {
			_, err = r.Write(noon())
		}
		if err == nil || !strings.HasPrefix(err.Error(), path+" can't be ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", path, err, want)
		}
	}
	holds(t, readOnly, "old")
	if got := names(t, dir); got != "dangling loop ro" {
		t.Errorf("files %s", got)
	}
}

func TestABackupIsNeverWrittenOver(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config")
	put(t, path, "1", 0o600)
	for _, text := range []string{"2", "3", "4"} {
		if _, err := plan(t, path, text).Write(noon()); err != nil {
			t.Fatal(err)
		}
	}
	backup := path + ".planb-backup-20261121-120000"
	holds(t, backup, "1")
	holds(t, backup+"-2", "2")
	holds(t, backup+"-3", "3")
}

// The leftovers of a killed run stop no later run, and stay.
func TestWhatAKilledRunLeftStopsNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config")
	put(t, path, "old", 0o600)
	left := filepath.Join(filepath.Dir(path), ".config.LEFTOVER.tmp")
	put(t, left, "half", 0o600)
	if err := plan(t, path, "new").Overwrite(); err != nil {
		t.Error(err)
	}
	holds(t, path, "new")
	holds(t, left, "half")
	if got := names(t, filepath.Dir(path)); got != filepath.Base(left)+" config" {
		t.Errorf("files %s", got)
	}
}

func TestAFailureLeavesTheFileAndSaysWhy(t *testing.T) {
	path := filepath.Join(t.TempDir(), strings.Repeat("c", 250)) // no longer name is possible
	put(t, path, "old", 0o600)
	if err := plan(t, path, "new").Overwrite(); err == nil || err.Error() != path+" can't be written: "+syscall.ENAMETOOLONG.Error() {
		t.Error(err)
	}
	holds(t, path, "old")
	if got := names(t, filepath.Dir(path)); got != filepath.Base(path) {
		t.Errorf("files %s", got)
	}
}

// A file that did not exist when it was read is never overwritten.
func TestAFileThatCameMeanwhileStays(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config")
	r := plan(t, path, "ours")
	put(t, path, "theirs", 0o600)
	if err := r.write(path, 0o600, r.After, r.name); !errors.Is(err, errChanged) {
		t.Error(err)
	}
	holds(t, path, "theirs")
}

package files

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func rootAt(t *testing.T, dir string) *os.Root {
	t.Helper()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = root.Close() })
	return root
}

// inDir lists what is in the directory, with the content of each file.
func inDir(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, e.Name()+"="+string(text))
	}
	return strings.Join(list, " ")
}

func TestAFileIsWrittenWholeOrNotAtAll(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "name")
	if err := WriteNew(path, []byte("1")); err != nil {
		t.Fatal(err)
	}
	if err := WriteNew(path, []byte("2")); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a name that is taken: %v", err)
	}
	if got := inDir(t, dir); got != "name=1" {
		t.Errorf("after WriteNew: %s", got)
	}
	if err := Replace(path, []byte("3")); err != nil {
		t.Fatal(err)
	}
	if got := inDir(t, dir); got != "name=3" {
		t.Errorf("after Replace: %s", got)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file has %v, %v; want it for its owner only", info.Mode(), err)
	}
}

func TestWhatFailsLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "taken", "below"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := Replace(filepath.Join(dir, "taken"), []byte("text")); err == nil {
		t.Error("a directory was replaced")
	}
	if err := WriteNew(filepath.Join(dir, "missing", "name"), nil); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("in a directory that does not exist: %v", err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("it left %v, %v", entries, err)
	}
}

func TestNobodySeesAPendingFileUnderItsName(t *testing.T) {
	dir := t.TempDir()
	root := rootAt(t, dir)
	for _, end := range []struct {
		name string
		do   func(*Pending) error
		want string
	}{
		{"New", (*Pending).New, "name=text"},
		{"Replace", (*Pending).Replace, "name=text"},
		{"nothing", func(*Pending) error { return nil }, ""},
	} {
		p, err := Create(root, "name", 0o600)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.Write([]byte("te")); err != nil {
			t.Fatal(err)
		}
		if _, err := p.ReadFrom(strings.NewReader("xt")); err != nil {
			t.Fatal(err)
		}
		if _, err := root.Lstat("name"); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: before it there is %v", end.name, err)
		}
		if err := errors.Join(end.do(p), p.Close()); err != nil {
			t.Errorf("%s: %v", end.name, err)
		}
		if got := inDir(t, dir); got != end.want {
			t.Errorf("%s: there is %q, want %q", end.name, got, end.want)
		}
		_ = root.Remove("name")
	}
}

func TestAPendingFileIsComparedWithTheOneThatHasItsName(t *testing.T) {
	dir := t.TempDir()
	root := rootAt(t, dir)
	long := strings.Repeat("a", 10_000)
	for _, test := range []struct {
		there, text string
		want        bool
	}{
		{"", "", true}, {long, long, true}, {long, long + "b", false}, {long + "b", long, false}, {"a", "b", false},
	} {
		if err := Replace(filepath.Join(dir, "name"), []byte(test.there)); err != nil {
			t.Fatal(err)
		}
		p, err := Create(root, "name", 0o600)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.Write([]byte(test.text)); err != nil {
			t.Fatal(err)
		}
		if got, err := p.Same(); err != nil || got != test.want {
			t.Errorf("%d and %d bytes are the same: %v, %v", len(test.there), len(test.text), got, err)
		}
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}
}

// A link in the directory does not lead a writer out of the root.
func TestAWriterStaysBelowItsRoot(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	if err := os.Symlink(outside, filepath.Join(dir, "link")); err != nil {
		t.Skip(err)
	}
	if _, err := Create(rootAt(t, dir), filepath.Join("link", "name"), 0o600); err == nil {
		t.Error("a file was created outside the root")
	}
	if got := inDir(t, outside); got != "" {
		t.Errorf("outside there is %s", got)
	}
}

func TestSweepRemovesWhatKilledWritersLeft(t *testing.T) {
	dir := t.TempDir()
	for name, age := range map[string]time.Duration{
		".a.OLD.tmp": time.Hour, ".a.NEW.tmp": 0, ".b.OLD.tmp": time.Hour, ".a.swp": time.Hour, "a": time.Hour,
	} {
		path, at := filepath.Join(dir, name), time.Now().Add(-age)
		if err := errors.Join(os.WriteFile(path, nil, 0o600), os.Chtimes(path, at, at)); err != nil {
			t.Fatal(err)
		}
	}
	Sweep(rootAt(t, dir), "a", time.Minute)
	if got, want := inDir(t, dir), ".a.NEW.tmp= .a.swp= .b.OLD.tmp= a="; got != want {
		t.Errorf("there is %s, want %s", got, want)
	}
}

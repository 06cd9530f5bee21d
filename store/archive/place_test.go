package archive_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"planb/store/archive"
)

func place(t *testing.T, dir string, replace bool) *archive.Place {
	t.Helper()
	p, err := archive.NewPlace(dir, replace)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

// tree lists everything below a directory, with the content of the files.
func tree(t *testing.T, dir string) (lines []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		name, err := filepath.Rel(dir, path)
		line := filepath.ToSlash(name)
		if entry.Type().IsRegular() {
			data, unread := os.ReadFile(path)
			err = errors.Join(err, unread)
			line += "=" + string(data)
		}
		lines = append(lines, line)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

func text(s string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, s)
		return err
	}
}

func TestWriteNeverClobbers(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	for _, step := range []struct {
		replace bool
		text    string
		fate    archive.Fate
		then    string
	}{
		{false, "one", archive.Written, "one"},
		{false, "one", archive.Same, "one"},
		{false, "two", archive.Refused, "one"},
		{false, "on", archive.Refused, "one"},
		{false, "", archive.Refused, "one"},
		{false, strings.Repeat("one", 9000), archive.Refused, "one"},
		{true, "one", archive.Same, "one"},
		{true, "two", archive.Replaced, "two"},
	} {
		fate, err := place(t, dir, step.replace).Write("plan.md", text(step.text))
		if err != nil || fate != step.fate {
			t.Fatalf("%+v: %s, %v", step, fate, err)
		}
		if got := tree(t, dir); !slices.Equal(got, []string{"plan.md=" + step.then}) {
			t.Fatalf("%+v left %q", step, got)
		}
	}
	if info, err := os.Stat(filepath.Join(dir, "plan.md")); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if err := os.Mkdir(filepath.Join(dir, "here"), 0o700); err != nil {
		t.Fatal(err)
	}
	if fate, err := place(t, dir, true).Write("here", text("x")); err != nil || fate != archive.Refused {
		t.Errorf("a directory was to be replaced by a file: %s, %v", fate, err)
	}
}

func TestWriteIsWholeOrNothing(t *testing.T) {
	dir := t.TempDir()
	broken := errors.New("broken")
	_, err := place(t, dir, true).Write("plan.md", func(w io.Writer) error {
		if err := text("half of it")(w); err != nil {
			return err
		}
		if files, err := filepath.Glob(filepath.Join(dir, "plan.md")); err != nil || len(files) > 0 {
			t.Errorf("it is there while it is written: %v, %v", files, err)
		}
		return broken
	})
	if !errors.Is(err, broken) {
		t.Error(err)
	}
	if got := tree(t, dir); len(got) > 0 {
		t.Errorf("it left %q", got)
	}
}

func TestWriteSession(t *testing.T) {
	dir := t.TempDir()
	files := []archive.File{{Path: "plans/v1.md", Data: []byte("# 1")}, {Path: "session.json", Data: []byte("{}")}}
	base := []string{"sessions", "sessions/s", "sessions/s/asks", "sessions/s/plans"}
	check := func(replace bool, want archive.Fate, left ...string) {
		t.Helper()
		name, fate, err := place(t, dir, replace).WriteSession("s", files)
		if err != nil || fate != want || name != "sessions/s" {
			t.Errorf("%s, %s, %v", name, fate, err)
		}
		all := append(slices.Clone(base), left...)
		slices.Sort(all)
		got := tree(t, dir)
		slices.Sort(got)
		if !slices.Equal(got, all) {
			t.Errorf("left %q, want %q", got, all)
		}
	}
	check(false, archive.Written, "sessions/s/plans/v1.md=# 1", "sessions/s/session.json={}")
	check(false, archive.Same, "sessions/s/plans/v1.md=# 1", "sessions/s/session.json={}")
	files[0].Data = []byte("# 2")
	files = append(files, archive.File{Path: "asks/a.json", Data: []byte("[]")})
	check(false, archive.Refused, "sessions/s/plans/v1.md=# 1", "sessions/s/session.json={}")
	if err := os.WriteFile(filepath.Join(dir, "sessions/s/mine.txt"), []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	check(true, archive.Replaced, "sessions/s/plans/v1.md=# 2", "sessions/s/asks/a.json=[]", "sessions/s/session.json={}", "sessions/s/mine.txt=mine")
	check(true, archive.Same, "sessions/s/plans/v1.md=# 2", "sessions/s/asks/a.json=[]", "sessions/s/session.json={}", "sessions/s/mine.txt=mine")
	if _, _, err := place(t, dir, true).WriteSession("t", []archive.File{{Path: "../../../escape", Data: []byte("x")}}); err == nil {
		t.Error("a file outside of the directory was written")
	}
	check(true, archive.Same, "sessions/s/plans/v1.md=# 2", "sessions/s/asks/a.json=[]", "sessions/s/session.json={}", "sessions/s/mine.txt=mine")
}

func TestWriteThroughLinks(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	secret := filepath.Join(outside, "secret")
	if err := os.WriteFile(secret, []byte("kept"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, target := range map[string]string{"plan.md": secret, "sessions": outside} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Skip(err)
		}
	}
	for _, replace := range []bool{false, true} {
		fate, err := place(t, dir, replace).Write("plan.md", text("x"))
		if err != nil || replace != (fate == archive.Replaced) {
			t.Errorf("%s, %v", fate, err)
		}
		if name, fate, err := place(t, dir, replace).WriteSession("s", nil); err == nil {
			t.Errorf("%s %s was written through a link", name, fate)
		}
	}
	if got := tree(t, outside); !slices.Equal(got, []string{"secret=kept"}) {
		t.Errorf("outside: %q", got)
	}
}

func TestNewPlaceThatCannotBe(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := archive.NewPlace(filepath.Join(file, "x"), false); err == nil || !strings.Contains(fmt.Sprint(err), "there is no directory to export to") {
		t.Error(err)
	}
}

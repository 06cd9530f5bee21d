package files_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"planb/files"
)

func TestWatch(t *testing.T) {
	t.Parallel()
	above := t.TempDir()
	dir := filepath.Join(above, "config", "planb")
	path := filepath.Join(dir, "config.toml")
	changed, err := files.Watch(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	told := func(what string, do func() error) {
		t.Helper()
		for len(changed) > 0 {
			<-changed
		}
		if err := do(); err != nil {
			t.Fatal(err)
		}
		select {
		case <-changed:
		case <-time.After(20 * time.Second):
			t.Fatalf("not told: %s", what)
		}
	}
	write := func() error { return files.Replace(path, []byte("a = 1\n")) }
	told("its directories were made", func() error { return os.MkdirAll(dir, 0o700) })
	told("it was made", write)
	told("it was replaced", write)
	told("it was removed", func() error { return os.Remove(path) })
	told("its directory was removed", func() error { return os.RemoveAll(filepath.Join(above, "config")) })
	told("all was made again", func() error {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return err
		}
		return write()
	})
	told("it was written again", write)
}

// Settings often lie in a directory of their own, and a link leads to them.
func TestWatchThroughALink(t *testing.T) {
	t.Parallel()
	config, dotfiles, others := t.TempDir(), t.TempDir(), t.TempDir()
	path := filepath.Join(config, "config.toml")
	kept, other := filepath.Join(dotfiles, "planb.toml"), filepath.Join(others, "planb.toml")
	for _, file := range []string{kept, other} {
		if err := files.Replace(file, nil); err != nil {
			t.Fatal(err)
		}
	}
	link := func(to string) error {
		made := filepath.Join(config, "made")
		if err := os.Symlink(to, made); err != nil {
			return err
		}
		return os.Rename(made, path)
	}
	if err := link(kept); err != nil {
		t.Fatal(err)
	}
	changed, err := files.Watch(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		what string
		do   func() error
	}{
		{"the file was replaced where it lies", func() error { return files.Replace(kept, []byte("a = 1\n")) }},
		{"the link leads elsewhere", func() error { return link(other) }},
		{"the other file was replaced", func() error { return files.Replace(other, []byte("a = 2\n")) }},
		{"a file has the link's place", func() error { return files.Replace(path, []byte("a = 3\n")) }},
		{"that file was replaced", func() error { return files.Replace(path, []byte("a = 4\n")) }},
	} {
		for len(changed) > 0 {
			<-changed
		}
		if err := step.do(); err != nil {
			t.Fatal(err)
		}
		select {
		case <-changed:
		case <-time.After(10 * time.Second):
			t.Fatalf("not told: %s", step.what)
		}
	}
}

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

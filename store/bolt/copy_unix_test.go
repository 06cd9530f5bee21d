//go:build unix

package bolt

import (
	"errors"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"planb/store/kv"
)

// A pipe that somebody names as a backup is refused, whether it has a writer or not.
func TestAPipeIsNoBackup(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	copied := make(chan error, 1)
	go func() { copied <- CopyFile(pipe, filepath.Join(dir, "copy")) }()
	select {
	case err := <-copied:
		if f, ok := errors.AsType[*kv.Fault](err); !ok || f.Kind != kv.FaultNotStore || f.Path != pipe {
			t.Errorf("got %v", err)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("it is waited for")
	}
}

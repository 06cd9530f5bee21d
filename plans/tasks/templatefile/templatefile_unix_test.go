//go:build unix

package templatefile_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"planb/plans/tasks/templatefile"
)

// A repository may hold a FIFO where its folder of templates would be. Nobody waits for it.
func TestAFIFOInPlaceOfTheFolderHoldsNobodyUp(t *testing.T) {
	project := t.TempDir()
	if err := os.MkdirAll(filepath.Join(project, "docs/planb"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(filepath.Join(project, "docs/planb/templates"), 0o600); err != nil {
		t.Fatal(err)
	}
	listed := make(chan error, 1)
	go func() {
		_, err := templatefile.In(project, "").List()
		listed <- err
	}()
	select {
	case err := <-listed:
		if err == nil {
			t.Error("a FIFO is taken for a folder")
		}
	case <-time.After(10 * time.Second):
		t.Fatal("planb waits for a FIFO")
	}
}

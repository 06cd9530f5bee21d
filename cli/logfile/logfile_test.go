package logfile

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
)

// When many processes write to one log at once, it stays bounded, its lines
// stay whole, and the last lines are kept.
func TestManyWritersOfOneLog(t *testing.T) {
	const writers, lines, most = 8, 200, 4 << 10
	dir := t.TempDir()
	var all sync.WaitGroup
	for n := range writers {
		log, err := openLog(dir, most)
		if err != nil {
			t.Fatal(err)
		}
		all.Go(func() {
			defer log.Close()
			for i := range lines {
				if _, err := fmt.Fprintf(log, "writer %d line %04d end\n", n, i); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	names, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(names) != 2 {
		t.Errorf("there are %v, %v", names, err)
	}
	kept := 0
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if len(text) > most+writers*32 {
			t.Errorf("%s has %d bytes, at most %d are wanted", name, len(text), most)
		}
		for line := range bytes.Lines(text) {
			var n, i int
			if _, err := fmt.Sscanf(string(line), "writer %d line %04d end\n", &n, &i); err != nil {
				t.Errorf("%s: %q, %v", name, line, err)
			}
			kept++
		}
	}
	if kept*24 < most/2 {
		t.Errorf("only %d lines are kept", kept)
	}
}

// If reopening the log fails, a later line reopens it.
func TestTheLogGoesOnAfterAFailedOpening(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows does not move a file that is open")
	}
	log, err := openLog(t.TempDir(), 4<<10)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	fmt.Fprintln(log, "first")
	if err := os.Rename(log.path, log.path+".1"); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(log.path, 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := fmt.Fprintln(log, "second"); err == nil {
		t.Fatal("a line was written, with a directory in the log's place")
	}
	if err := os.Remove(log.path); err != nil {
		t.Fatal(err)
	}
	if _, err := fmt.Fprintln(log, "third"); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(log.path); err != nil || string(text) != "third\n" {
		t.Errorf("the log is %q, %v", text, err)
	}
}

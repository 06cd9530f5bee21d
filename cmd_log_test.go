package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// Whoever writes to one log at once, it stays bounded, lines stay whole, and what
// was written last is kept.
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

package mcp_test

import (
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
)

// lines is an input that tests add to.
type lines struct {
	mu    sync.Mutex
	more  sync.Cond
	data  []byte
	ended bool
}

func (l *lines) add(line string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.data = append(append(l.data, line...), '\n')
	l.wake()
}

func (l *lines) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ended = true
	l.wake()
}

func (l *lines) wake() {
	l.more.L = &l.mu
	l.more.Broadcast()
}

func (l *lines) Read(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.more.L = &l.mu
	for len(l.data) == 0 {
		if l.ended {
			return 0, io.EOF
		}
		l.more.Wait()
	}
	n := copy(p, l.data)
	l.data = l.data[n:]
	return n, nil
}

// failingWriter takes a few messages and then none.
type failingWriter struct {
	mu        sync.Mutex
	writes    int
	failAfter int
}

func (f *failingWriter) Write(p []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.writes++
	if f.writes > f.failAfter {
		return 0, errTest
	}
	return len(p), nil
}

func (f *failingWriter) count() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.writes
}

// stuckWriter is a client that reads nothing until it ends.
type stuckWriter struct{ begun, ended chan struct{} }

func (s *stuckWriter) Write([]byte) (int, error) {
	close(s.begun)
	<-s.ended
	return 0, errTest
}

// blockDir puts a file where a directory is wanted, which stops root too.
func blockDir(t *testing.T, path string) {
	t.Helper()
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
}

func wantFile(t *testing.T, path, text string) {
	t.Helper()
	got, err := os.ReadFile(path)
	if err != nil || string(got) != text {
		t.Errorf("%s holds %q, %v; want %q", path, got, err, text)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%s: %v, %v; want 0600", path, info.Mode(), err)
	}
}

// recorder keeps the messages it is given.
type recorder struct {
	mu   sync.Mutex
	said []string
}

func (r *recorder) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.said = append(r.said, strings.TrimSuffix(string(p), "\n"))
	return len(p), nil
}

func (r *recorder) lines() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.said)
}

package mcptest

import (
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
)

// Lines is an input that tests add to.
type Lines struct {
	mu    sync.Mutex
	more  sync.Cond
	data  []byte
	ended bool
}

// Add adds a line.
func (l *Lines) Add(line string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.data = append(append(l.data, line...), '\n')
	l.wake()
}

// Close ends the input.
func (l *Lines) Close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ended = true
	l.wake()
}

func (l *Lines) wake() {
	l.more.L = &l.mu
	l.more.Broadcast()
}

// Read implements io.Reader.
func (l *Lines) Read(p []byte) (int, error) {
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

// FailingWriter takes a few messages and then none.
type FailingWriter struct {
	mu        sync.Mutex
	writes    int
	FailAfter int
}

// Write implements io.Writer.
func (f *FailingWriter) Write(p []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.writes++
	if f.writes > f.FailAfter {
		return 0, ErrTest
	}
	return len(p), nil
}

// Count is how many messages came.
func (f *FailingWriter) Count() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.writes
}

// StuckWriter is a client that reads nothing until it ends.
type StuckWriter struct{ Begun, Ended chan struct{} }

// Write implements io.Writer.
func (s *StuckWriter) Write([]byte) (int, error) {
	close(s.Begun)
	<-s.Ended
	return 0, ErrTest
}

// BlockDir puts a file where a directory is wanted, which stops root too.
func BlockDir(t *testing.T, path string) {
	t.Helper()
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
}

// WantFile fails the test unless the file holds the text, for its owner alone.
func WantFile(t *testing.T, path, text string) {
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

// Recorder keeps the messages it is given.
type Recorder struct {
	mu   sync.Mutex
	said []string
}

// Write implements io.Writer.
func (r *Recorder) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.said = append(r.said, strings.TrimSuffix(string(p), "\n"))
	return len(p), nil
}

// Lines are the messages so far.
func (r *Recorder) Lines() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.said)
}

package mcp

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"planb/store"
)

const (
	// owedPause lies between the first two tries to write what is owed; it doubles
	// up to mostOwedPause.
	owedPause     = 2 * time.Second
	mostOwedPause = 30 * time.Second
	// owedTime is how long one try may take.
	owedTime = 30 * time.Second
)

// owedCopy is a plan's readable copy that could not be written with the plan.
type owedCopy struct {
	session string
	number  int
}

// note is the name of the file that notes it.
func (c owedCopy) note() string { return fmt.Sprintf("%s.v%d", c.session, c.number) }

func owedIn(note string) (owedCopy, bool) {
	session, digits, _ := strings.Cut(note, ".v")
	number, err := strconv.Atoi(digits)
	c := owedCopy{session, number}
	return c, err == nil && c.note() == note
}

// owedCopies are written when the data directory takes writes again. Each is noted
// in a directory of another disk, if there is one, so that another server writes
// it if this one ends before.
type owedCopies struct {
	dir   string                 // of the notes; empty: there are none
	own   func(dir string) error // makes it, for its user only
	pause time.Duration          // owedPause, or a test's shorter one

	mu     sync.Mutex
	here   map[owedCopy]bool // of this process
	looked bool              // at the notes that others left
	trying bool              // one try is under way, or will be
}

func (o *owedCopies) add(c owedCopy) error {
	o.mu.Lock()
	if o.here == nil {
		o.here = map[owedCopy]bool{}
	}
	o.here[c] = true
	o.mu.Unlock()
	if o.dir == "" {
		return nil
	}
	if err := o.own(o.dir); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(o.dir, c.note()), nil, 0o600)
}

func (o *owedCopies) list() ([]owedCopy, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	all := slices.Collect(maps.Keys(o.here))
	if o.dir == "" {
		return all, nil
	}
	notes, err := os.ReadDir(o.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return all, nil
	}
	for _, note := range notes {
		if c, is := owedIn(note.Name()); is && !o.here[c] {
			all = append(all, c)
		}
	}
	return all, err
}

func (o *owedCopies) done(c owedCopy) error {
	o.mu.Lock()
	delete(o.here, c)
	o.mu.Unlock()
	if o.dir == "" {
		return nil
	}
	err := os.Remove(filepath.Join(o.dir, c.note()))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// begin reports whether the caller is the one to try: with the first call, and
// when something is owed here.
func (o *owedCopies) begin() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.trying || o.looked && len(o.here) == 0 {
		return false
	}
	o.looked, o.trying = true, true
	return true
}

// end ends the tries, unless something came to be owed during the last one.
func (o *owedCopies) end() (ended bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.trying = len(o.here) > 0
	return !o.trying
}

// writeOwed begins to write what is owed, unless that has begun: again and again
// until nothing is, or the store is closed.
func (s *Server) writeOwed() {
	if s.owed.begin() {
		go s.tryOwed(s.owed.pause)
	}
}

func (s *Server) tryOwed(pause time.Duration) {
	ctx, cancel := context.WithTimeout(context.Background(), owedTime)
	defer cancel()
	owed, err := s.owed.list()
	for _, c := range owed {
		err = errors.Join(err, s.writeOwedCopy(ctx, c))
	}
	if errors.Is(err, store.ErrClosed) || err == nil && s.owed.end() {
		return
	}
	s.log.Debug("a plan's readable copy still can't be written", "error", err)
	time.AfterFunc(pause, func() { s.tryOwed(min(2*pause, mostOwedPause)) })
}

// writeOwedCopy writes one. Nothing is owed of a session that is gone.
func (s *Server) writeOwedCopy(ctx context.Context, c owedCopy) error {
	text, err := s.store.PlanText(ctx, c.session, c.number)
	if unknown := new(store.UnknownError); errors.As(err, &unknown) {
		return s.owed.done(c)
	}
	if err == nil {
		_, _, err = s.copies.write(c.session, c.number, text.Raw())
	}
	if err == nil {
		err = s.owed.done(c)
	}
	return err
}

package handoff

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"planb/store"
)

const (
	// maxTries bounds how often one call meets a change of away by others.
	maxTries = 300
	// look is how often watchers look whether something lies away, and try to
	// hand it home.
	look = time.Second
)

// Home is the engine where everything belongs.
type Home interface {
	store.Engine
	// CommitAs is Commit under two more terms: the revision the commit gets, if
	// it is not zero, must be above all that were given, else it is
	// store.ErrConflict; and allowed, if it is not nil, is asked while no other
	// process can commit, and its error is the commit's.
	CommitAs(ctx context.Context, batch store.Batch, rev int64, allowed func() error) error
	// Revision is the last revision given.
	Revision(ctx context.Context) (int64, error)
	// Present reports, without waiting for anybody, whether there is a store.
	Present() (bool, error)
}

// Away is the engine that takes what home cannot. Every method but Make and
// Present fails with a store.FaultMissing where there is no store.
type Away interface {
	Home
	// Make makes the store if there is none.
	Make(ctx context.Context) error
	// Remove removes the store if the checks hold, else it is store.ErrConflict.
	Remove(ctx context.Context, checks ...store.Check) error
}

// Options of New.
type Options struct {
	// HomePath and AwayPath name the two in sentences.
	HomePath, AwayPath string
	// Keep takes a commit that home contradicts, as text, under a name that is
	// the same when it is given again. It is written durably when Keep returns.
	// Where home takes no writes the error says so as home's own would.
	Keep func(name string, text []byte) error
	// Text is what a value that is not text itself says to a person; nil: none do.
	Text func(value []byte) (text string, is bool)
	// Same reports that two values of the key, one made away while home could
	// not be seen and one found there, mean the same; nil: none do.
	Same func(key store.Key, away, home []byte) bool
	// Notice is told of trouble that fails no operation, and of what goes away
	// and comes home. It may be called from any goroutine; nil: nobody listens.
	Notice func(error)
	// Look is how often watchers look at away, and try to hand home what lies there,
	// as long as home did not refuse it lately; zero: once a second.
	Look time.Duration
}

// Engine is a store.Engine over home and away.
type Engine struct {
	home  Home
	away  Away
	opts  Options
	known atomic.Pointer[journal] // the journal as it was read last
	hub   *hub
	tries backoff

	mu     sync.Mutex
	closed bool
}

var _ store.Engine = (*Engine)(nil)

// New returns the engine over both, which are its own from then on: Close closes
// them. It reads and writes nothing yet.
func New(home Home, away Away, opts Options) *Engine {
	if opts.Notice == nil {
		opts.Notice = func(error) {}
	}
	if opts.Look <= 0 {
		opts.Look = look
	}
	e := &Engine{home: home, away: away, opts: opts, tries: backoff{look: opts.Look}}
	e.hub = newHub(e)
	return e
}

// Close implements store.Engine.
func (e *Engine) Close() error {
	e.mu.Lock()
	was := e.closed
	e.closed = true
	e.mu.Unlock()
	if was {
		return nil
	}
	e.hub.close()
	return errors.Join(e.home.Close(), e.away.Close())
}

func (e *Engine) enter(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return store.ErrClosed
	}
	return nil
}

// pause lets other processes go on, for a random time that grows with the tries.
func (e *Engine) pause(ctx context.Context, try int) error {
	if try >= maxTries {
		return fmt.Errorf("%s is too busy: it changed %d times while it was read", e.opts.AwayPath, try)
	}
	timer := time.NewTimer(rand.N(min(time.Duration(try+1)*time.Millisecond, 20*time.Millisecond)))
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Unwritable returns the fault in err that says that the store's place takes no
// writes though nothing is wrong with it; nil if err is another. A place that is
// another user's or on a network is not to be used at all, so that is another.
func Unwritable(err error) *store.Fault {
	f, ok := errors.AsType[*store.Fault](err)
	if !ok || errors.Is(err, store.ErrUnclear) {
		return nil
	}
	switch f.Kind {
	case store.FaultFull, store.FaultReadOnly, store.FaultDenied:
		return f
	}
	return nil
}

// State says what lies away.
type State struct {
	Commits int       // how many; zero: everything is home
	Path    string    // where they lie
	Home    string    // where they belong
	Reason  string    // why home could not be written when the first was made, a sentence
	Since   time.Time // when that was
}

// String is a sentence for a person; empty if nothing is away.
func (s State) String() string {
	if s.Commits == 0 {
		return ""
	}
	return fmt.Sprintf("saved in %s because %s; it moves to %s by itself", s.Path, s.Reason, s.Home)
}

// State looks what lies away. It changes nothing.
func (e *Engine) State(ctx context.Context) (State, error) {
	if err := e.enter(ctx); err != nil {
		return State{}, err
	}
	j, err := e.load(ctx)
	if err != nil || j == nil {
		return State{}, err
	}
	return State{
		Commits: len(j.entries), Path: e.opts.AwayPath, Home: e.opts.HomePath,
		Reason: j.head.Reason, Since: j.head.Since,
	}, nil
}

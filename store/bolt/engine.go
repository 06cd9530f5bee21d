package bolt

import (
	"context"
	"fmt"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"go.etcd.io/bbolt"

	"planb/store/kv"
)

const (
	// closeTimeout is how long Close waits for transactions that have begun. A
	// transaction takes far less, unless the disk hangs.
	closeTimeout = time.Second
	// secondLook is how often watchers look for commits whose writer died before it
	// rang.
	secondLook = time.Second
)

// Options of Open. The zero value is right for planb itself.
type Options struct {
	// MustExist refuses to create a store where there is none.
	MustExist bool
	// Notice gets errors that fail no operation, such as that of a doorbell that
	// cannot be rung. It may be called from any goroutine; nil drops them.
	Notice func(error)
	// Reserve is how many bytes are kept beside the store for a full disk; see
	// kv.Batch.CanWait. Zero keeps none.
	Reserve int64
}

// Engine is a kv.Keeper over one file. Between operations it holds no file open, but for the
// turnstile in a turn. The end of a context ends every wait for other processes. A
// transaction that has begun takes the time that the disk needs, and a commit then returns
// its outcome.
type Engine struct {
	paths
	reserve      reserve
	notice       func(error)
	gate         gate
	hub          *hub
	lockTimeout  time.Duration
	closeTimeout time.Duration
	look         time.Duration         // secondLook, or a test's shorter one
	commit       func(*bbolt.Tx) error // bbolt's Commit, or a test's failing one
	turnTaken    atomic.Bool           // this process has the turnstile, see TakeTurn

	mu      sync.Mutex // guards closed, and running.Add against Close
	closed  bool
	closing chan struct{} // closed by Close
	running sync.WaitGroup
}

var _ kv.Keeper = (*Engine)(nil)

// paths are where the files of a store are.
type paths struct {
	path    string // planb.db
	turn    string // the turnstile
	bell    string // the doorbell
	reserve string // the room for a full disk
}

func pathsAt(path string) paths {
	return paths{path: path, turn: path + ".turn", bell: path + ".bell", reserve: path + ".reserve"}
}

// Open returns an engine over the store at path. It makes the file and its directory
// if there is no store and no sign that there was one. It refuses a directory of
// another user and a network file system, with a *kv.Fault. It does not touch a file
// that exists: each operation says what is wrong with it.
func Open(ctx context.Context, path string, opts Options) (*Engine, error) {
	e, err := At(path, opts)
	if err != nil {
		return nil, err
	}
	if err := e.ensure(ctx, opts.MustExist); err != nil {
		return nil, err
	}
	return e, nil
}

// At returns an engine over the store at path and looks at nothing yet. If there is no
// store, the operations say so.
func At(path string, opts Options) (*Engine, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	e := &Engine{
		paths:        pathsAt(path),
		reserve:      reserve{pathsAt(path).reserve, opts.Reserve},
		notice:       opts.Notice,
		gate:         newGate(),
		lockTimeout:  lockTimeout,
		closeTimeout: closeTimeout,
		look:         secondLook,
		commit:       (*bbolt.Tx).Commit,
		closing:      make(chan struct{}),
	}
	if e.notice == nil {
		e.notice = func(error) {}
	}
	e.hub = newHub(e)
	return e, nil
}

// Close implements kv.Engine. It waits a second for transactions that have
// begun.
func (e *Engine) Close() error {
	e.mu.Lock()
	if e.closed {
		e.mu.Unlock()
		return nil
	}
	e.closed = true
	close(e.closing)
	e.mu.Unlock()
	e.hub.close()
	ended := make(chan struct{})
	go func() {
		e.running.Wait()
		close(ended)
	}()
	select {
	case <-ended:
		return nil
	case <-time.After(e.closeTimeout):
		return fmt.Errorf("%s was closed while a transaction has been running for more than %v: the disk hangs", e.path, e.closeTimeout)
	}
}

// enter counts a running operation, unless the engine is closed.
func (e *Engine) enter() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return kv.ErrClosed
	}
	e.running.Add(1)
	return nil
}

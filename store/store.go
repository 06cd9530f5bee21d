package store

import (
	"context"
	"io"
	"sync"
	"time"

	"planb/store/kv"
)

// DefaultTTL is how long a claim's counter may stand still before an observer
// calls the claim dead. Observers look at least twice in that time.
const DefaultTTL = 10 * time.Second

// Options are what a Store needs to know about the world. The zero value works.
type Options struct {
	// Now tells the time that records carry; time.Now by default. No decision
	// about a claim depends on it.
	Now func() time.Time
	// By names who works with this store, user@host. Claims carry it, and
	// outcomes that name nobody.
	By string
	// DataDir is where the engine keeps its data, for the sentences of errors.
	DataDir string
	// Machine names this machine, for claims and for the projects on it; empty:
	// machines are not told apart.
	Machine string
	// Root finds the directory that stands for the project of one; nil: each stands
	// for itself.
	Root func(dir string) string
	// TTL of this store's claims; DefaultTTL by default.
	TTL time.Duration
	// Random is what ids are made of, and then an id's time is that of Now: so
	// one seed makes one store. Such a Store is for one goroutine. Nil: the
	// machine's random bytes and clock.
	Random io.Reader
}

// Store is planb's memory over an Engine. Its methods may be called from many
// goroutines, and many Stores may work on the same data, in one process or in
// several. A method ends when its ctx does; its errors are sentences.
type Store struct {
	engine  kv.Engine
	now     func() time.Time
	mono    func() time.Duration
	by      string
	dataDir string
	machine string
	root    func(dir string) string
	ttl     time.Duration
	random  io.Reader
	self    func() process
	// instance tells this Store's claims from those of others.
	instance string

	// gate lets one change at a time through: goroutines of one process would
	// only make each other's commits conflict.
	gate chan struct{}

	formatMu sync.Mutex
	format   kv.Record // the format record as last read; Rev 0 before

	codec    codec
	holder   holder
	observer observer
}

// New returns a Store over the engine. It reads and writes nothing yet.
func New(engine kv.Engine, opts Options) *Store {
	s := &Store{
		engine:   engine,
		now:      opts.Now,
		by:       opts.By,
		dataDir:  opts.DataDir,
		machine:  opts.Machine,
		root:     opts.Root,
		ttl:      opts.TTL,
		random:   opts.Random,
		self:     sync.OnceValue(thisProcess),
		instance: newOp().String(),
		gate:     make(chan struct{}, 1),
	}
	if s.now == nil {
		s.now = time.Now
	}
	if s.root == nil {
		s.root = cleanPath
	}
	if s.ttl <= 0 {
		s.ttl = DefaultTTL
	}
	start := time.Now()
	s.mono = func() time.Duration { return time.Since(start) }
	return s
}

// clock is the time for a record: without a zone and a monotonic part, so that
// it reads back as it was written.
func (s *Store) clock() time.Time { return s.now().UTC().Round(0) }

// WatchAsk is Watch for what AsksNow tells of one ask; other changes need not
// fire.
func (s *Store) WatchAsk(ctx context.Context, id string) (<-chan struct{}, error) {
	canonical, ok := canonicalID(id)
	if !ok {
		return nil, &UnknownError{What: "ask", ID: id}
	}
	return s.engine.Watch(ctx, askKey(canonical))
}

// Watch tells that something in the store may have changed and should be read
// again: once at the start, then after changes. It coalesces and may fire for
// nothing; entries and the renewals of claims do not ring. The channel is closed
// when ctx ends.
func (s *Store) Watch(ctx context.Context) (<-chan struct{}, error) {
	return s.engine.Watch(ctx, "")
}

package ledger

import (
	"context"
	"io"
	"time"

	"planb/store/kv"
)

// Options are what a Ledger needs to know about the world. The zero value works.
type Options struct {
	// Now tells the time that records carry; time.Now by default.
	Now func() time.Time
	// DataDir is where the engine keeps its data, for the sentences of errors.
	DataDir string
	// Random is what ids are made of; the time in an id is then that of Now, so that
	// one seed makes one store. Such a Ledger is for one goroutine. Nil: the
	// machine's random bytes and clock.
	Random io.Reader
	// Tombstones say which records count as deleted; none by default.
	Tombstones Tombstones
}

// Tombstones hide records that are about to be swept away. One commit that writes
// the list deletes them for every reader, however long the sweep takes.
type Tombstones struct {
	// Key is the list's record. Every read of records includes it in its snapshot.
	Key kv.Key
	// Hidden returns which records the list hides; nil for none. The list exists.
	Hidden func(list kv.Record) func(kv.Record) bool
}

// Ledger keeps records over an engine. Its methods may be called from many
// goroutines, and many Ledgers may work on the same data, in one process or in
// several. A method ends when its ctx does; its errors are sentences.
type Ledger struct {
	engine     kv.Engine
	now        func() time.Time
	random     io.Reader
	dataDir    string
	tombstones Tombstones

	// gate lets one commit at a time through: goroutines of one process would only
	// make each other's commits conflict.
	gate   chan struct{}
	format knownFormat
	codec  codec
}

// New returns a Ledger over the engine. It reads and writes nothing yet.
func New(engine kv.Engine, opts Options) *Ledger {
	l := &Ledger{
		engine:     engine,
		now:        opts.Now,
		random:     opts.Random,
		dataDir:    opts.DataDir,
		tombstones: opts.Tombstones,
		gate:       make(chan struct{}, 1),
	}
	if l.now == nil {
		l.now = time.Now
	}
	return l
}

// Clock is the time for a record: without a zone and a monotonic part, so that
// it reads back as it was written.
func (l *Ledger) Clock() time.Time { return l.now().UTC().Round(0) }

// Watch tells that something under the prefix may have changed and should be read
// again: once at the start, then after changes. It coalesces and may fire for
// nothing; quiet commits do not ring. The channel is closed when ctx ends.
func (l *Ledger) Watch(ctx context.Context, prefix kv.Key) (<-chan struct{}, error) {
	return l.engine.Watch(ctx, prefix)
}

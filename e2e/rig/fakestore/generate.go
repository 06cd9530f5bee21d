package fakestore

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"runtime"
	"slices"
	"sync"

	"planb/store/kv"
	"planb/store/kv/kvtest"
	"planb/store/ledger"
)

// Size is what Generate makes. Equal sizes make equal stores.
type Size struct {
	Sessions     int // at least 1
	Asks         int // of all sessions
	Versions     int // plan versions of all sessions
	VersionBytes int // length of a version, about
	Longest      int // versions of the longest session, as far as Versions suffices
}

// FullSize is the store that the promises on speed are about.
func FullSize() Size {
	return Size{Sessions: 10_000, Asks: 100_000, Versions: 50_000, VersionBytes: 20_000, Longest: 500}
}

// Share returns a smaller size: a part of everything but the bytes of a version, and at
// least one session.
func (s Size) Share(part float64) Size {
	of := func(n int) int { return int(float64(n) * part) }
	s.Sessions, s.Asks, s.Versions, s.Longest = max(of(s.Sessions), 1), of(s.Asks), of(s.Versions), of(s.Longest)
	return s
}

func (s Size) String() string {
	return fmt.Sprintf("%d sessions, %d asks, %d versions of %d bytes, %d in the longest session",
		s.Sessions, s.Asks, s.Versions, s.VersionBytes, s.Longest)
}

// Validate reports the first thing about the size that makes no store.
func (s Size) Validate() error {
	switch {
	case s.Sessions < 1:
		return fmt.Errorf("%d sessions; at least 1 is needed", s.Sessions)
	case min(s.Asks, s.Versions, s.Longest, s.VersionBytes) < 0:
		return fmt.Errorf("a number is negative: %s", s)
	case s.VersionBytes < minVersionBytes && s.Versions > 0:
		return fmt.Errorf("versions of %d bytes; at least %d are needed", s.VersionBytes, minVersionBytes)
	}
	return nil
}

// minVersionBytes is the length of the shortest plan there is.
const minVersionBytes = 500

// Generate fills the engine, which must be empty, with a store of that size: sessions
// of several projects and clients, forms of all kinds, every outcome, some open ones,
// late words, entries, plans that change from version to version. The same size gives
// the same records, byte for byte.
//
// Each session is made by a store.Store of its own over an engine in memory, by the
// methods that planb uses; so its records are planb's. The sessions share no record but
// equal texts. Generate then commits what was made in large batches, sorted by key.
func Generate(ctx context.Context, engine kv.Engine, size Size) error {
	if err := size.Validate(); err != nil {
		return err
	}
	page, err := engine.Scan(ctx, "", "", 1)
	if err != nil {
		return err
	}
	if len(page.Records) > 0 {
		return fmt.Errorf("the store is not empty: it holds %s", page.Records[0].Key)
	}
	if err := newPlayer(size, engine).store.Prepare(ctx); err != nil {
		return err
	}
	w := bulk{engine: engine, known: map[kv.Key]bool{}}
	for made := range sessions(ctx, size) {
		if made.err != nil {
			return made.err
		}
		if err := w.add(ctx, made.records); err != nil {
			return err
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return w.flush(ctx)
}

// made is one session's records, or why they could not be made.
type made struct {
	records []kv.Record
	err     error
}

// sessions makes every session, on all cores, and sends the records of each. A caller that
// stops reading before the end cancels ctx.
func sessions(ctx context.Context, size Size) iter.Seq[made] {
	return func(yield func(made) bool) {
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		out := make(chan made)
		numbers := make(chan int, size.Sessions)
		for i := range size.Sessions {
			numbers <- i
		}
		close(numbers)
		var workers sync.WaitGroup
		for range runtime.GOMAXPROCS(0) {
			workers.Go(func() {
				engine := kvtest.NewMap()
				player := newPlayer(size, engine)
				// Which session is a worker's first depends on chance, and its ids must not.
				prepared := player.store.Prepare(ctx)
				for i := range numbers {
					err := prepared
					if err == nil {
						err = player.session(ctx, i)
					}
					select {
					case out <- made{engine.Take(formatKey), err}:
					case <-ctx.Done():
						return
					}
				}
			})
		}
		go func() {
			workers.Wait()
			close(out)
		}()
		for m := range out {
			if !yield(m) {
				return
			}
		}
	}
}

const formatKey kv.Key = "format"

// bulk commits records in an order that a sorted file takes well.
type bulk struct {
	engine  kv.Engine
	waiting []kv.Record
	bytes   int
	known   map[kv.Key]bool // chunks and their sizes that were added already: sessions share them
}

// bulkBytes is how much waits until it is sorted and committed.
const bulkBytes = 128 << 20

func (b *bulk) add(ctx context.Context, records []kv.Record) error {
	for _, r := range records {
		if family := ledger.Family(r.Key); family == ledger.ChunkKeys || family == ledger.SizeKeys {
			if b.known[r.Key] {
				continue
			}
			b.known[r.Key] = true
		}
		b.waiting = append(b.waiting, r)
		b.bytes += len(r.Key) + len(r.Value)
	}
	if b.bytes < bulkBytes {
		return nil
	}
	return b.flush(ctx)
}

func (b *bulk) flush(ctx context.Context) error {
	slices.SortFunc(b.waiting, func(x, y kv.Record) int { return cmp.Compare(x.Key, y.Key) })
	batch := kv.Batch{Op: kv.OpID{1}}
	size := 0
	for _, r := range b.waiting {
		more := len(r.Key) + len(r.Value)
		if len(batch.Puts) == kv.MaxBatchWrites || size+more > kv.MaxBatchBytes {
			if err := b.engine.Commit(ctx, batch); err != nil {
				return err
			}
			batch.Puts, size = nil, 0
		}
		batch.Puts = append(batch.Puts, kv.Put{Key: r.Key, Value: r.Value})
		size += more
	}
	b.waiting, b.bytes = nil, 0
	return b.engine.Commit(ctx, batch)
}

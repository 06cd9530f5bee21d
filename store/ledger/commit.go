package ledger

import (
	"context"
	"errors"
	"fmt"
	"iter"
	mathrand "math/rand/v2"
	"slices"
	"time"

	"planb/store/kv"
)

// Every conflict means that another writer's commit went through, so a change
// is tried again as often as a crowd of writers may need.
const (
	maxTries  = 300
	maxPause  = 20 * time.Millisecond
	pauseStep = time.Millisecond
	// maxUnclear is lower: a disk that keeps giving no answer will not soon.
	maxUnclear = 5
)

// Change is a commit in the making. At most 99 checks and 100 writes fit in, and 1 MiB
// of keys and values; see kv.Batch.
type Change struct {
	kv.Batch
	// Unclear says that the engine gave no answer to an earlier try. The ledger read back
	// and found nothing of it; an intent that can tell better may look again.
	Unclear bool
	checked map[kv.Key]bool
	chunked map[kv.Key]bool
}

func newChange(op kv.OpID) *Change {
	return &Change{Batch: kv.Batch{Op: op}, checked: map[kv.Key]bool{}, chunked: map[kv.Key]bool{}}
}

// Check makes the commit conditional on the records being as they were read; one with
// Rev 0 must not exist.
func (c *Change) Check(records ...kv.Record) {
	for _, r := range records {
		if !c.checked[r.Key] {
			c.checked[r.Key] = true
			c.Checks = append(c.Checks, kv.Check{Key: r.Key, Rev: r.Rev})
		}
	}
}

// Put writes a record, as JSON.
func (c *Change) Put(key kv.Key, value any) error {
	data, err := Encode(value)
	if err != nil {
		return err
	}
	c.Puts = append(c.Puts, kv.Put{Key: key, Value: data})
	return nil
}

// Delete deletes records; they may be missing.
func (c *Change) Delete(keys ...kv.Key) { c.Deletes = append(c.Deletes, keys...) }

func (c *Change) empty() bool { return len(c.Puts)+len(c.Deletes) == 0 }

// Commit runs intent and commits the change that it made. After a conflict it runs
// intent again on a new Change, so intent must start anew each time: it resets what
// it sets outside. A change that writes nothing is not committed. An error of intent
// ends Commit; nothing is written then.
//
// All tries have the same Op. A conflict wrote nothing, so an intent that finds a
// record with Change.Op knows that an earlier try happened, of which the engine gave
// no answer.
func (l *Ledger) Commit(ctx context.Context, intent func(c *Change) error) error {
	return l.commit(ctx, 2, intent)
}

// CommitInTurn is Commit for a change that many processes want to make at once: it takes
// a turn for the first try, too, if the engine gives turns. So nobody else writes between
// what intent reads and the commit. Others wait meanwhile, so intent should find in memory
// what takes long to read.
func (l *Ledger) CommitInTurn(ctx context.Context, intent func(c *Change) error) error {
	return l.commit(ctx, 1, intent)
}

// commit is Commit. It takes a turn for the try with the number turn, and for those after.
func (l *Ledger) commit(ctx context.Context, turn int, intent func(c *Change) error) error {
	select {
	case l.gate <- struct{}{}:
		defer func() { <-l.gate }()
	case <-ctx.Done():
		return ctx.Err()
	}
	w := &writing{l: l, op: l.newOp(), intent: intent, turn: turn}
	err := w.untilDone(ctx)
	if w.unheard != nil && !errors.Is(err, kv.ErrUnclear) { // ctx ended before the commit was heard of
		err = fmt.Errorf("%w: %w", kv.ErrUnclear, err)
	}
	return err
}

// untilDone tries until the commit has happened or cannot happen.
func (w *writing) untilDone(ctx context.Context) error {
	for try := 1; ; try++ {
		err := w.inTurn(ctx, try)
		switch {
		case err == nil:
			return nil
		case errors.Is(err, kv.ErrConflict):
			w.l.format.forgetUnread(w.reads) // it may be what changed
		case errors.Is(err, kv.ErrUnclear):
			if w.unclear++; w.unclear == maxUnclear {
				return err
			}
		default:
			return err
		}
		if try == maxTries {
			return fmt.Errorf("the store is too busy: %d tries to write met another writer's: %w", try, err)
		}
		if err := pause(ctx, try); err != nil {
			return err
		}
	}
}

// inTurn tries once. After a first try in vain at the latest it takes a turn, if the engine
// gives turns: the more processes write, the more would change between a read and the write
// that follows from it.
func (w *writing) inTurn(ctx context.Context, try int) error {
	if queue, ok := w.l.engine.(kv.Queue); ok && try >= w.turn {
		end, err := queue.TakeTurn(ctx)
		if err != nil {
			return err
		}
		defer end()
	}
	return w.try(ctx)
}

// DryRun runs intent once and commits nothing.
func (l *Ledger) DryRun(intent func(c *Change) error) error {
	return intent(newChange(randomOp()))
}

// writing is one call of Commit.
type writing struct {
	l       *Ledger
	op      kv.OpID
	intent  func(c *Change) error
	turn    int     // the first try that takes a turn
	unheard *Change // a commit of which it is not known whether it happened
	unclear int     // how many tries had no answer
	// reads is how often the format record had been read when the try began.
	reads int
}

func (w *writing) try(ctx context.Context) error {
	if w.unheard != nil {
		if happened, err := w.hear(ctx); happened || err != nil {
			return err
		}
	}
	c, err := w.begin(ctx)
	if err != nil {
		return err
	}
	if err := w.intent(c); err != nil {
		return err
	}
	if c.empty() {
		return nil
	}
	unclear := w.l.engine.Commit(ctx, c.Batch)
	if !errors.Is(unclear, kv.ErrUnclear) {
		return unclear
	}
	w.unheard = c
	if happened, err := w.hear(ctx); happened || err != nil {
		return err
	}
	return unclear
}

func (w *writing) begin(ctx context.Context) (*Change, error) {
	f, err := w.l.prepare(ctx)
	if err != nil {
		return nil, err
	}
	w.reads = w.l.format.timesRead()
	c := newChange(w.op)
	c.Unclear = w.unclear > 0
	// A process that knows only this format must not write into a store that
	// was raised to the next one since it looked.
	c.Check(f)
	return c, nil
}

// hear finds out what became of a commit to which the engine gave no answer. Nothing
// else is tried until it is known.
func (w *writing) hear(ctx context.Context) (happened bool, err error) {
	happened, err = w.l.happened(ctx, w.unheard)
	if err != nil {
		return false, fmt.Errorf("%w, and reading it back failed: %w", kv.ErrUnclear, err)
	}
	w.unheard = nil
	return happened, nil
}

// happened reads back whether a commit of unknown outcome happened. It misses one if
// others have since rewritten every record of it; intents recognise that case by the
// records that they find.
func (l *Ledger) happened(ctx context.Context, c *Change) (bool, error) {
	keys := make([]kv.Key, 0, len(c.Puts)+len(c.Deletes))
	for _, p := range c.Puts {
		keys = append(keys, p.Key)
	}
	keys = append(keys, c.Deletes...)
	records, err := l.Get(ctx, keys...)
	if err != nil {
		return false, err
	}
	gone := true
	for i, r := range records {
		if i < len(c.Puts) && r.Op == c.Op {
			return true, nil
		}
		gone = gone && !r.Exists()
	}
	return len(c.Puts) == 0 && gone, nil
}

// pause lets the others go first, for a random time that grows with the tries.
func pause(ctx context.Context, try int) error {
	most := min(time.Duration(try)*pauseStep, maxPause)
	timer := time.NewTimer(mathrand.N(most))
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Drop deletes the keys in one commit, quietly.
func (l *Ledger) Drop(ctx context.Context, keys []kv.Key) error {
	return l.Commit(ctx, func(c *Change) error {
		c.Quiet = true
		c.Delete(keys...)
		return nil
	})
}

// DropAll deletes the keys, quietly, in as many commits as it takes.
func (l *Ledger) DropAll(ctx context.Context, keys []kv.Key) error {
	for some := range slices.Chunk(keys, kv.MaxBatchWrites) {
		if err := l.Drop(ctx, some); err != nil {
			return err
		}
	}
	return nil
}

// PutAll writes the records, quietly, in as many commits as it takes.
func (l *Ledger) PutAll(ctx context.Context, puts []kv.Put) error {
	for some := range portions(puts) {
		err := l.Commit(ctx, func(c *Change) error {
			c.Quiet = true
			c.Puts = append(c.Puts, some...)
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// portions gives the puts in parts that fit into one commit each.
func portions(puts []kv.Put) iter.Seq[[]kv.Put] {
	return func(yield func([]kv.Put) bool) {
		from, size := 0, 0
		for i := range puts {
			bytes := kv.Batch{Puts: puts[i : i+1]}.Size()
			if i > from && (i-from == kv.MaxBatchWrites/2 || size+bytes > kv.MaxBatchBytes/2) {
				if !yield(puts[from:i]) {
					return
				}
				from, size = i, 0
			}
			size += bytes
		}
		if from < len(puts) {
			yield(puts[from:])
		}
	}
}

// DropUnder deletes every record under the prefix, quietly, in as many commits as it
// takes.
func (l *Ledger) DropUnder(ctx context.Context, prefix kv.Key) error {
	for {
		some, _, err := l.Page(ctx, prefix, "", kv.MaxBatchWrites)
		if err != nil || len(some) == 0 {
			return err
		}
		keys := make([]kv.Key, len(some))
		for i, f := range some {
			keys[i] = f.Key
		}
		if err := l.Drop(ctx, keys); err != nil {
			return err
		}
	}
}

// DropSeen deletes the records that are still as they were seen, in one commit,
// quietly, and returns which those are. If one of besides changed, it deletes none.
func (l *Ledger) DropSeen(ctx context.Context, seen []kv.Record, besides ...kv.Record) (dropped []kv.Key, err error) {
	keys := make([]kv.Key, 0, len(seen)+len(besides))
	for _, r := range slices.Concat(seen, besides) {
		keys = append(keys, r.Key)
	}
	err = l.Commit(ctx, func(c *Change) error {
		c.Quiet = true
		dropped = nil
		records, err := l.Get(ctx, keys...)
		if err != nil {
			return err
		}
		for i, r := range besides {
			if records[len(seen)+i].Rev != r.Rev {
				return nil
			}
		}
		c.Check(besides...)
		for i, r := range seen {
			if r.Exists() && records[i].Rev == r.Rev {
				c.Check(r)
				c.Delete(r.Key)
				dropped = append(dropped, r.Key)
			}
		}
		return nil
	})
	return dropped, err
}

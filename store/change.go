package store

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	mathrand "math/rand/v2"
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

// change is a commit in the making.
type change struct {
	kv.Batch
	checked map[kv.Key]bool
	chunked map[kv.Key]bool
}

// check makes the commit conditional on the record being as it was read.
func (c *change) check(records ...kv.Record) {
	for _, r := range records {
		if !c.checked[r.Key] {
			c.checked[r.Key] = true
			c.Checks = append(c.Checks, kv.Check{Key: r.Key, Rev: r.Rev})
		}
	}
}

func (c *change) put(key kv.Key, value any) error {
	data, err := encode(value)
	if err != nil {
		return err
	}
	c.Puts = append(c.Puts, kv.Put{Key: key, Value: data})
	return nil
}

func (c *change) delete(keys ...kv.Key) { c.Deletes = append(c.Deletes, keys...) }

func (c *change) empty() bool { return len(c.Puts)+len(c.Deletes) == 0 }

// intent reads what it needs and says what to write. It is asked again after a
// conflict, so it must start anew each time. A change that writes nothing is
// not committed.
type intent func(c *change) error

// commit carries out an intent. All tries have the same OpID: a conflict wrote
// nothing, and finding that id means that one of the tries happened.
func (s *Store) commit(ctx context.Context, in intent) error {
	select {
	case s.gate <- struct{}{}:
		defer func() { <-s.gate }()
	case <-ctx.Done():
		return ctx.Err()
	}
	w := &writing{s: s, op: s.newOp(), intent: in}
	unclear := 0
	for try := 1; ; try++ {
		err := w.try(ctx)
		switch {
		case err == nil:
			return nil
		case errors.Is(err, kv.ErrConflict):
			s.forgetFormat()
		case errors.Is(err, kv.ErrUnclear):
			if unclear++; unclear == maxUnclear {
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

// writing is one call of commit.
type writing struct {
	s       *Store
	op      kv.OpID
	intent  intent
	unheard *change // a commit of which it is not known whether it happened
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
	unclear := w.s.engine.Commit(ctx, c.Batch)
	if !errors.Is(unclear, kv.ErrUnclear) {
		return unclear
	}
	w.unheard = c
	if happened, err := w.hear(ctx); happened || err != nil {
		return err
	}
	return unclear
}

func (w *writing) begin(ctx context.Context) (*change, error) {
	f, err := w.s.prepare(ctx)
	if err != nil {
		return nil, err
	}
	c := &change{checked: map[kv.Key]bool{}, chunked: map[kv.Key]bool{}}
	c.Op = w.op
	// A process that knows only this format must not write into a store that
	// was raised to the next one since it looked.
	c.check(f)
	return c, nil
}

// hear finds out what became of the commit of which nothing was heard. Nothing
// else is tried until it is known.
func (w *writing) hear(ctx context.Context) (happened bool, err error) {
	happened, err = w.s.happened(ctx, w.unheard)
	if err != nil {
		return false, fmt.Errorf("%w, and reading it back failed: %w", kv.ErrUnclear, err)
	}
	w.unheard = nil
	return happened, nil
}

// happened reads a commit back whose outcome is unknown. It misses one whose
// every record was already written again by others; intents recognise that by
// what they find.
func (s *Store) happened(ctx context.Context, c *change) (bool, error) {
	keys := make([]kv.Key, 0, len(c.Puts)+len(c.Deletes))
	for _, p := range c.Puts {
		keys = append(keys, p.Key)
	}
	keys = append(keys, c.Deletes...)
	records, err := s.get(ctx, keys...)
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

func newOp() kv.OpID {
	var op kv.OpID
	rand.Read(op[:]) // never fails
	return op
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

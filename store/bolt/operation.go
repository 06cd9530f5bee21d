package bolt

import (
	"context"
	"fmt"
	"os"
	"sync/atomic"
	"time"

	"planb/store"
)

// The stages of an operation.
const (
	waiting   int32 = iota // for locks; may still be abandoned
	begun                  // its transaction runs; only its end tells the outcome
	abandoned              // nobody waits for it any more; it ends when it has its locks
)

// operation is one open, transaction and close, done by a goroutine of its own
// under the locks.
type operation struct {
	write bool // whether the outcome of an end in mid-transaction matters
	under func() error
	stage atomic.Int32
	done  chan error // has room for the outcome
}

// view runs read in a transaction that sees one state of the store.
func (e *Engine) view(ctx context.Context, read func(buckets) error) error {
	op := &operation{}
	op.under = func() error {
		return e.locked(op, func(f *os.File) error {
			return e.session(f, op.write, func(s *session) error { return s.view(read) })
		})
	}
	return e.run(ctx, op)
}

// update runs write in a transaction that changes the store, and rings after it
// if it is loud. write returns the revision it gave.
func (e *Engine) update(ctx context.Context, loud bool, write func(buckets) (int64, error)) error {
	op := &operation{write: true}
	op.under = func() error {
		var told chime
		err := e.locked(op, func(f *os.File) error {
			return e.session(f, op.write, func(s *session) error {
				var err error
				told, err = s.update(write)
				return err
			})
		})
		if err == nil && loud {
			e.ring(told)
		}
		return err
	}
	return e.run(ctx, op)
}

// run passes the gate, has the operation done and waits for its outcome, for
// the end of ctx or of the engine, or until patience ends.
func (e *Engine) run(ctx context.Context, op *operation) error {
	if err := e.enter(); err != nil {
		return err
	}
	defer e.running.Done()
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := e.passGate(ctx); err != nil {
		return err
	}
	op.done = make(chan error, 1)
	go func() {
		err := op.under()
		e.gate.leave()
		op.done <- err
	}()
	return e.await(ctx, op)
}

// passGate waits for the gate. Patience counts only while the gate stands
// still, so that a long queue of short operations is no fault.
func (e *Engine) passGate(ctx context.Context) error {
	select {
	case <-e.gate.token:
		return nil
	default:
	}
	turns := e.gate.turns.Load()
	timer := time.NewTimer(e.patience)
	defer timer.Stop()
	for {
		select {
		case <-e.gate.token:
			return nil
		case <-ctx.Done():
			return e.gaveUp(ctx.Err())
		case <-e.closing:
			return store.ErrClosed
		case <-timer.C:
			now := e.gate.turns.Load()
			if now == turns {
				return e.held()
			}
			turns = now
			timer.Reset(e.patience)
		}
	}
}

func (e *Engine) await(ctx context.Context, op *operation) error {
	timer := time.NewTimer(e.patience)
	defer timer.Stop()
	for {
		select {
		case err := <-op.done:
			return err
		case <-ctx.Done():
			return e.abandon(op, e.gaveUp(ctx.Err()))
		case <-e.closing:
			return e.abandon(op, store.ErrClosed)
		case <-timer.C:
			if op.stage.CompareAndSwap(waiting, abandoned) {
				return e.held()
			}
		}
	}
}

// abandon ends an operation for a reason of its caller's. One that still waits
// will do nothing. One whose transaction has begun has a moment to end.
func (e *Engine) abandon(op *operation, reason error) error {
	if op.stage.CompareAndSwap(waiting, abandoned) {
		return reason
	}
	timer := time.NewTimer(e.grace)
	defer timer.Stop()
	select {
	case err := <-op.done:
		return err
	case <-timer.C:
	}
	if op.write {
		return fmt.Errorf("%w: %w", store.ErrUnclear, reason)
	}
	return reason
}

func (e *Engine) gaveUp(cause error) error {
	return fmt.Errorf("waiting for %s: %w", e.path, cause)
}

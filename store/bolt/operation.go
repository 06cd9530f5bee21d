package bolt

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync/atomic"
	"time"

	"planb/store/kv"
)

// view runs read in a transaction that sees one state of the store.
func (e *Engine) view(ctx context.Context, read func(buckets) error) error {
	return e.locked(ctx, &locks{paths: e.paths}, func(f *os.File) error {
		return e.session(f, false, func(s *session) error { return s.view(read) })
	})
}

// update runs write in a transaction that changes the store as the batch says, and
// rings after it unless the batch is quiet. write returns the revision that it gave. If
// the disk is full, write runs once more with the room of the reserve, unless the batch
// can wait.
func (e *Engine) update(ctx context.Context, batch kv.Batch, write func(buckets) (int64, error)) error {
	var told chime
	l := &locks{paths: e.paths, write: true}
	err := e.locked(ctx, l, func(f *os.File) error {
		if batch.CanWait {
			if err := e.reserve.keep(e.path); err != nil {
				return err
			}
		}
		return e.session(f, true, func(s *session) error {
			l.letNext()
			var err error
			told, err = s.update(write)
			if err != nil && !batch.CanWait && e.reserve.giveUp(err) {
				told, err = s.update(write)
			}
			return err
		})
	})
	if err == nil && !batch.Quiet {
		told.keys = written(batch)
		e.ring(told)
	}
	return err
}

// locked runs do while it holds the locks l. The end of ctx ends the wait for the
// locks, and does not end do.
func (e *Engine) locked(ctx context.Context, l *locks, do func(*os.File) error) error {
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
	l.through = e.turnTaken.Load()
	had, err := l.advance(false)
	if !had && err == nil {
		return e.wait(ctx, l, do)
	}
	return e.finish(l, err, do)
}

// finish runs do, unless err says that there are no locks, and releases the locks and
// the gate.
func (e *Engine) finish(l *locks, err error, do func(*os.File) error) error {
	defer e.gate.leave()
	defer l.release()
	if err != nil {
		return err
	}
	return do(l.file)
}

// passGate waits for the gate. The timeout counts only while the gate stands still, so
// that a long queue of short operations is no fault.
func (e *Engine) passGate(ctx context.Context) error {
	select {
	case <-e.gate.token:
		return nil
	default:
	}
	turns := e.gate.turns.Load()
	timer := time.NewTimer(e.lockTimeout)
	defer timer.Stop()
	for {
		select {
		case <-e.gate.token:
			return nil
		case <-ctx.Done():
			return e.gaveUp(ctx.Err())
		case <-e.closing:
			return kv.ErrClosed
		case <-timer.C:
			now := e.gate.turns.Load()
			if now == turns {
				return e.held()
			}
			turns = now
			timer.Reset(e.lockTimeout)
		}
	}
}

// wait waits for the locks in a goroutine of its own, because nothing can end a wait in
// the kernel. That goroutine also does the work, so that the next operation in the
// queue need not wait for a change of threads. Either that goroutine or the end of the
// wait decides first whether the work is done; the other follows.
func (e *Engine) wait(ctx context.Context, l *locks, do func(*os.File) error) error {
	var decided atomic.Bool
	result := make(chan error, 1)
	go func() {
		_, err := l.advance(true)
		if err == nil && !decided.CompareAndSwap(false, true) {
			err = errAbandoned
		}
		result <- e.finish(l, err, do)
	}()
	timer := time.NewTimer(e.lockTimeout)
	defer timer.Stop()
	var reason error
	select {
	case err := <-result:
		return err
	case <-ctx.Done():
		reason = e.gaveUp(ctx.Err())
	case <-e.closing:
		reason = kv.ErrClosed
	case <-timer.C:
		reason = e.held()
	}
	if decided.CompareAndSwap(false, true) {
		return reason
	}
	return <-result // the work has begun
}

// errAbandoned ends an operation whose caller has gone.
var errAbandoned = errors.New("the operation was abandoned")

func (e *Engine) gaveUp(cause error) error {
	return fmt.Errorf("waiting for %s: %w", e.path, cause)
}

package bolt

import (
	"context"
	"os"

	"planb/store/kv"
)

var _ kv.Queue = (*Engine)(nil)

// TakeTurn implements kv.Queue. It keeps the turnstile locked. Where the turnstile is all
// that an operation locks, it keeps nothing.
func (e *Engine) TakeTurn(ctx context.Context) (end func(), err error) {
	if turnThroughout {
		return func() {}, nil
	}
	var turn *os.File
	l := &locks{paths: e.paths, turnOnly: true}
	err = e.locked(ctx, l, func(*os.File) error {
		turn, l.turn = l.turn, nil
		if turn != nil { // else another goroutine has the turn, or there is no turnstile
			e.turnTaken.Store(true)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return func() {
		if turn != nil {
			e.turnTaken.Store(false)
			closeLocked(turn)
		}
	}, nil
}

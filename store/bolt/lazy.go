package bolt

import (
	"context"

	"planb/store/kv"
)

// Lazy is an engine that opens its store at its first use, and tries again at each use
// if the store cannot be opened. So a server can start while the disk is full or the
// directory is missing, and say so when it is asked.
type Lazy struct {
	path string
	opts Options

	mine   chan struct{} // holds a token while a goroutine uses the fields below
	opened *Engine
	closed bool
}

var _ kv.Queue = (*Lazy)(nil)

// NewLazy returns an engine for the store at path. Nothing is read or created
// yet.
func NewLazy(path string, opts Options) *Lazy {
	return &Lazy{path: path, opts: opts, mine: make(chan struct{}, 1)}
}

// engine opens the store if it is not open yet. Only the wait for another process that
// makes the store can take long, and ctx ends that.
func (l *Lazy) engine(ctx context.Context) (*Engine, error) {
	select {
	case l.mine <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { <-l.mine }()
	if l.closed {
		return nil, kv.ErrClosed
	}
	if l.opened == nil {
		opened, err := Open(ctx, l.path, l.opts)
		if err != nil {
			return nil, err
		}
		l.opened = opened
	}
	return l.opened, nil
}

// Get implements kv.Engine.
func (l *Lazy) Get(ctx context.Context, keys ...kv.Key) ([]kv.Record, error) {
	e, err := l.engine(ctx)
	if err != nil {
		return nil, err
	}
	return e.Get(ctx, keys...)
}

// Scan implements kv.Engine.
func (l *Lazy) Scan(ctx context.Context, prefix, after kv.Key, limit int) (kv.Page, error) {
	e, err := l.engine(ctx)
	if err != nil {
		return kv.Page{}, err
	}
	return e.Scan(ctx, prefix, after, limit)
}

// Commit implements kv.Engine.
func (l *Lazy) Commit(ctx context.Context, batch kv.Batch) error {
	e, err := l.engine(ctx)
	if err != nil {
		return err
	}
	return e.Commit(ctx, batch)
}

// Watch implements kv.Engine.
func (l *Lazy) Watch(ctx context.Context, prefix kv.Key) (<-chan struct{}, error) {
	e, err := l.engine(ctx)
	if err != nil {
		return nil, err
	}
	return e.Watch(ctx, prefix)
}

// TakeTurn implements kv.Queue.
func (l *Lazy) TakeTurn(ctx context.Context) (end func(), err error) {
	e, err := l.engine(ctx)
	if err != nil {
		return nil, err
	}
	return e.TakeTurn(ctx)
}

// Close implements kv.Engine.
func (l *Lazy) Close() error {
	l.mine <- struct{}{}
	defer func() { <-l.mine }()
	l.closed = true
	if l.opened == nil {
		return nil
	}
	return l.opened.Close()
}

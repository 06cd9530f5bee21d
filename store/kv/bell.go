package kv

import (
	"context"
	"sync"
)

// Bell wakes the watchers of an engine: Watch of an engine is Join of its bell. An engine
// rings it after each commit, and whenever it cannot tell what has changed.
type Bell struct {
	begin, end func()

	mu       sync.Mutex
	watchers map[chan struct{}]watcher
	closed   bool
}

// watcher is one call of Join.
type watcher struct {
	prefix Key
	forget func() bool // stops waiting for its context
}

// NewBell returns a bell. It calls begin before the first watcher joins, and end once the
// last has left, so that an engine need not listen for changes while nobody watches.
// Neither may use the bell; either may be nil.
func NewBell(begin, end func()) *Bell {
	return &Bell{begin: begin, end: end, watchers: map[chan struct{}]watcher{}}
}

// Join returns a channel that fires once now, and then for each ring that concerns the
// prefix, until ctx ends or the bell is closed; then the channel is closed. Rings that the
// watcher has not yet heard become one.
func (b *Bell) Join(ctx context.Context, prefix Key) (<-chan struct{}, error) {
	if err := prefix.validatePrefix(); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return nil, ErrClosed
	}
	if len(b.watchers) == 0 && b.begin != nil {
		b.begin()
	}
	c := make(chan struct{}, 1)
	c <- struct{}{}
	b.watchers[c] = watcher{prefix, context.AfterFunc(ctx, func() { b.leave(c) })}
	return c, nil
}

func (b *Bell) leave(c chan struct{}) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if _, there := b.watchers[c]; !there {
		return
	}
	delete(b.watchers, c)
	close(c)
	if len(b.watchers) == 0 && b.end != nil {
		b.end()
	}
}

// Ring wakes the watchers of those prefixes that concerns accepts.
func (b *Bell) Ring(concerns func(prefix Key) bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for c, w := range b.watchers {
		if !concerns(w.prefix) {
			continue
		}
		select {
		case c <- struct{}{}:
		default: // the watcher has not heard the ring before
		}
	}
}

// RingAll wakes all watchers.
func (b *Bell) RingAll() { b.Ring(func(Key) bool { return true }) }

// Close ends all watches. Join fails with ErrClosed from now on.
func (b *Bell) Close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return
	}
	b.closed = true
	ended := len(b.watchers) > 0
	for c, w := range b.watchers {
		w.forget()
		close(c)
	}
	clear(b.watchers)
	if ended && b.end != nil {
		b.end()
	}
}

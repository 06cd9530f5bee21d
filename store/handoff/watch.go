package handoff

import (
	"context"
	"sync"
	"time"

	"planb/store"
)

// Watch implements store.Engine. It fires for every loud commit to either
// engine: to away from another process within about a second, when it is the
// first one there.
func (e *Engine) Watch(ctx context.Context, prefix store.Key) (<-chan struct{}, error) {
	if err := prefix.ValidatePrefix(); err != nil {
		return nil, err
	}
	if err := e.enter(ctx); err != nil {
		return nil, err
	}
	return e.hub.watch(ctx)
}

// hub watches both engines for all watchers, in one goroutine, as long as
// anybody watches.
type hub struct {
	e *Engine

	mu       sync.Mutex
	watchers map[chan struct{}]func() bool // to what stops waiting for its context
	leave    context.CancelFunc
	gone     sync.WaitGroup
	closed   bool
}

func newHub(e *Engine) *hub {
	return &hub{e: e, watchers: map[chan struct{}]func() bool{}}
}

func (h *hub) watch(ctx context.Context) (<-chan struct{}, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return nil, store.ErrClosed
	}
	if h.leave == nil {
		running, leave := context.WithCancel(context.Background())
		h.leave = leave
		// Before the first fire, so that nothing falls between.
		ears := h.listen(running, ears{})
		h.gone.Go(func() { h.run(running, ears) })
	}
	c := make(chan struct{}, 1)
	c <- struct{}{}
	h.watchers[c] = context.AfterFunc(ctx, func() { h.unwatch(c) })
	return c, nil
}

func (h *hub) unwatch(c chan struct{}) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if _, there := h.watchers[c]; !there {
		return
	}
	delete(h.watchers, c)
	close(c)
	if len(h.watchers) == 0 {
		h.stop()
	}
}

// stop ends the goroutine, if it runs. The caller holds mu.
func (h *hub) stop() {
	if h.leave != nil {
		h.leave()
		h.leave = nil
	}
}

func (h *hub) close() {
	h.mu.Lock()
	h.closed = true
	for c, forget := range h.watchers {
		forget()
		close(c)
	}
	clear(h.watchers)
	h.stop()
	h.mu.Unlock()
	h.gone.Wait()
}

// fire wakes all watchers.
func (h *hub) fire() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for c := range h.watchers {
		select {
		case c <- struct{}{}:
		default: // told already and not yet awake
		}
	}
}

// ears are the watches of both engines; nil where there is none yet.
type ears struct{ home, away <-chan struct{} }

// listen watches what is not watched yet and can be. Each watch fires at its
// start.
func (h *hub) listen(ctx context.Context, r ears) ears {
	if r.home == nil {
		// An error is one of a home that cannot be opened now.
		r.home, _ = h.e.home.Watch(ctx, "")
	}
	if there, err := h.e.away.Present(); r.away == nil && there && err == nil {
		r.away, _ = h.e.away.Watch(ctx, "")
	}
	return r
}

func (h *hub) run(ctx context.Context, r ears) {
	tick := time.NewTicker(h.e.opts.Look)
	defer tick.Stop()
	for {
		var open bool
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			h.retry(ctx)
			r = h.listen(ctx, r)
		case _, open = <-r.home:
			if !open {
				r.home = nil
			}
			h.fire()
		case _, open = <-r.away:
			if !open {
				r.away = nil
			}
			h.fire()
		}
	}
}

// retry hands home what lies away. What keeps it there, the next commit or
// State tells who asks.
func (h *hub) retry(ctx context.Context) {
	if there, err := h.e.away.Present(); err != nil || !there {
		return
	}
	if h.e.moveHome(ctx) == nil {
		h.fire()
	}
}

package handoff

import (
	"context"
	"sync"
	"time"

	"planb/store"
)

// Watch implements store.Engine. It fires for every loud commit under the prefix
// to home, and for every one to away, where all is kept as entries: from another
// process within about a second, when it is the first one there.
func (e *Engine) Watch(ctx context.Context, prefix store.Key) (<-chan struct{}, error) {
	if err := prefix.ValidatePrefix(); err != nil {
		return nil, err
	}
	if err := e.enter(ctx); err != nil {
		return nil, err
	}
	return e.hub.watch(ctx, prefix)
}

// hub watches both engines for all watchers, as long as anybody watches.
type hub struct {
	e *Engine

	mu       sync.Mutex
	watchers map[chan struct{}]watcher
	homes    map[store.Key]*ear // by prefix
	listen   chan struct{}      // asks the goroutine to
	leave    context.CancelFunc // ends it
	gone     sync.WaitGroup
	closed   bool
}

// watcher is one call of Watch.
type watcher struct {
	prefix store.Key
	forget func() bool // stops waiting for its context
}

// ear is a watch of one of the engines.
type ear struct {
	users int // watchers that need it
	leave context.CancelFunc
	hears bool // else the engine is not watched now
}

func newHub(e *Engine) *hub {
	return &hub{e: e, watchers: map[chan struct{}]watcher{}, listen: make(chan struct{}, 1)}
}

func (h *hub) watch(ctx context.Context, prefix store.Key) (<-chan struct{}, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return nil, store.ErrClosed
	}
	if h.leave == nil {
		h.start()
	}
	if h.homes[prefix] == nil {
		h.homes[prefix] = &ear{}
		// Watching an engine fires, so that nothing falls between.
		select {
		case h.listen <- struct{}{}:
		default: // it will
		}
	}
	h.homes[prefix].users++
	c := make(chan struct{}, 1)
	c <- struct{}{}
	h.watchers[c] = watcher{prefix, context.AfterFunc(ctx, func() { h.unwatch(c) })}
	return c, nil
}

func (h *hub) unwatch(c chan struct{}) {
	h.mu.Lock()
	defer h.mu.Unlock()
	w, there := h.watchers[c]
	if !there {
		return
	}
	delete(h.watchers, c)
	close(c)
	if ear := h.homes[w.prefix]; ear != nil {
		if ear.users--; ear.users == 0 {
			ear.end()
			delete(h.homes, w.prefix)
		}
	}
	if len(h.watchers) == 0 {
		h.stop()
	}
}

// start begins to watch. The caller holds mu.
func (h *hub) start() {
	running, leave := context.WithCancel(context.Background())
	h.leave, h.homes = leave, map[store.Key]*ear{}
	homes := h.homes // another start makes others
	h.gone.Go(func() { h.run(running, homes, &ear{users: 1}) })
}

// stop ends the goroutine, if it runs. The caller holds mu.
func (h *hub) stop() {
	if h.leave != nil {
		h.leave()
		h.leave = nil
	}
}

func (e *ear) end() {
	if e.leave != nil {
		e.leave()
	}
}

func (h *hub) close() {
	h.mu.Lock()
	h.closed = true
	for c, w := range h.watchers {
		w.forget()
		close(c)
	}
	clear(h.watchers)
	h.stop()
	h.mu.Unlock()
	h.gone.Wait()
}

// fire wakes all watchers.
func (h *hub) fire() { h.wake(func(store.Key) bool { return true }) }

// wake wakes the watchers of some prefixes.
func (h *hub) wake(concerns func(prefix store.Key) bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for c, w := range h.watchers {
		if !concerns(w.prefix) {
			continue
		}
		select {
		case c <- struct{}{}:
		default: // told already and not yet awake
		}
	}
}

func (h *hub) run(ctx context.Context, homes map[store.Key]*ear, away *ear) {
	tick := time.NewTicker(h.e.opts.Look)
	defer tick.Stop()
	for {
		h.attach(ctx, homes, away)
		select {
		case <-ctx.Done():
			return
		case <-h.listen:
		case <-tick.C:
			h.retry(ctx)
		}
	}
}

// attach watches what is not watched yet and can be. What cannot be is tried
// again with the next tick.
func (h *hub) attach(ctx context.Context, homes map[store.Key]*ear, away *ear) {
	deaf := map[store.Key]*ear{}
	h.mu.Lock()
	for prefix, ear := range homes {
		if !ear.hears {
			deaf[prefix] = ear
		}
	}
	awayHears := away.hears
	h.mu.Unlock()
	for prefix, ear := range deaf {
		h.hear(ctx, ear, h.e.home, prefix, func(p store.Key) bool { return p == prefix })
	}
	if there, err := h.e.away.Present(); !awayHears && there && err == nil {
		h.hear(ctx, away, h.e.away, "", func(store.Key) bool { return true })
	}
}

// hear has the ear watch the engine, and wakes whom it concerns. It is called
// without mu, because an engine may take long to open.
func (h *hub) hear(ctx context.Context, ear *ear, engine store.Engine, prefix store.Key, concerns func(store.Key) bool) {
	ctx, leave := context.WithCancel(ctx)
	c, err := engine.Watch(ctx, prefix)
	if err != nil {
		leave()
		return // one of a home that cannot be opened now
	}
	h.mu.Lock()
	ear.hears, ear.leave = true, leave
	if ear.users == 0 {
		leave() // nobody needs it any more
	}
	h.mu.Unlock()
	h.gone.Go(func() {
		for range c {
			h.wake(concerns)
		}
		leave()
		h.mu.Lock()
		ear.hears = false
		h.mu.Unlock()
	})
}

// retry hands home what lies away. What keeps it there, the next commit or
// State tells who asks.
func (h *hub) retry(ctx context.Context) {
	if there, err := h.e.away.Present(); err != nil || !there {
		return
	}
	if h.e.tries.spared() == nil && h.e.moveHome(ctx) == nil {
		h.fire()
	}
}

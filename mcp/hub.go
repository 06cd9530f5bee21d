package mcp

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"planb/questions"
	"planb/store"
)

// watcher is what the hub reads.
type watcher interface {
	AsksNow(ctx context.Context, ids ...string) ([]store.Ask, error)
	Watch(ctx context.Context) (<-chan struct{}, error)
}

const (
	hubPage     = 500 // asks read with one call
	hubPoll     = time.Second
	hubPatience = 5 // failed looks in a row before those who wait are told
)

// hub watches the store on behalf of every call that waits, so that a change
// costs one read however many wait. It runs while someone does.
type hub struct {
	store watcher
	log   *slog.Logger

	mu      sync.Mutex
	waiters map[string]map[*waiter]struct{} // by ask id
	kick    chan struct{}                   // of the run under way
	stop    context.CancelFunc              // ends the run under way; nil: there is none
}

func newHub(s watcher, log *slog.Logger) *hub {
	return &hub{store: s, log: log, waiters: map[string]map[*waiter]struct{}{}}
}

// waiter hears of one ask.
type waiter struct {
	news   chan news
	last   progressOf
	looked bool
}

// news is how an ask stands now, without its questions; or that this cannot be
// read, after some attempts.
type news struct {
	ask store.Ask
	err error
}

// progressOf is what of an ask is worth waking a waiter for.
type progressOf struct {
	state questions.State
	shown bool
	asked int64 // in nanoseconds; later than before when it is asked again
}

// join begins to listen for news of the ask: how it stands now, and then each
// change. Only the latest news is kept. leave must be called.
func (h *hub) join(askID string) (w *waiter, leave func()) {
	w = &waiter{news: make(chan news, 1)}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.waiters[askID] == nil {
		h.waiters[askID] = map[*waiter]struct{}{}
	}
	h.waiters[askID][w] = struct{}{}
	if h.stop == nil {
		ctx, stop := context.WithCancel(context.Background())
		h.stop, h.kick = stop, make(chan struct{}, 1)
		go h.run(ctx, h.kick)
	}
	select {
	case h.kick <- struct{}{}:
	default: // a look that has not begun is due already
	}
	return w, func() { h.leave(askID, w) }
}

func (h *hub) leave(askID string, w *waiter) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.waiters[askID], w)
	if len(h.waiters[askID]) == 0 {
		delete(h.waiters, askID)
	}
	if len(h.waiters) == 0 && h.stop != nil {
		h.stop()
		h.stop = nil
	}
}

// waited reports whether a call of this process waits for the ask.
func (h *hub) waited(askID string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.waiters[askID]) > 0
}

func (h *hub) run(ctx context.Context, kick <-chan struct{}) {
	bell, err := h.store.Watch(ctx)
	if err != nil {
		h.log.Warn("changes cannot be watched for; looking once a second instead", "error", err)
	}
	// The poll runs only where there is no bell, or where a look has failed.
	poll := time.NewTimer(hubPoll)
	defer poll.Stop()
	failed := 0
	for {
		select {
		case <-ctx.Done():
			return
		case _, open := <-bell:
			if !open {
				bell = nil
			}
		case <-kick:
		case <-poll.C:
		}
		if err := h.look(ctx); err != nil && ctx.Err() == nil {
			failed++
			if failed == 1 {
				h.log.Warn("the asks waited for cannot be read; trying again", "error", err)
			}
			if failed >= hubPatience {
				h.tellAll(err)
			}
		} else {
			failed = 0
		}
		if bell == nil || failed > 0 {
			poll.Reset(hubPoll)
		}
	}
}

// look reads every ask waited for and tells those for whom something is new.
func (h *hub) look(ctx context.Context) error {
	h.mu.Lock()
	ids := make([]string, 0, len(h.waiters))
	for id := range h.waiters {
		ids = append(ids, id)
	}
	h.mu.Unlock()
	for len(ids) > 0 {
		page := ids[:min(len(ids), hubPage)]
		ids = ids[len(page):]
		if err := h.lookAt(ctx, page); err != nil {
			return err
		}
	}
	return nil
}

// lookAt reads some asks at once. If one of them cannot be read, only those are
// told who wait for it.
func (h *hub) lookAt(ctx context.Context, ids []string) error {
	asks, err := h.store.AsksNow(ctx, ids...)
	switch {
	case store.AboutOneRecord(err) && len(ids) == 1:
		h.tell(ids[0], func(w *waiter) { w.push(news{err: err}) })
		return nil
	case store.AboutOneRecord(err):
		for i := range ids {
			if err := h.lookAt(ctx, ids[i:i+1]); err != nil {
				return err
			}
		}
		return nil
	case err != nil:
		return err
	}
	for i, ask := range asks {
		h.tell(ids[i], func(w *waiter) { w.hear(ids[i], ask) })
	}
	return nil
}

// tell gives everybody who waits for the ask their news.
func (h *hub) tell(askID string, give func(*waiter)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for w := range h.waiters[askID] {
		give(w)
	}
}

var errAskGone = errors.New("the question is no longer in the store")

// hear passes the news on, replacing older news not yet taken. The hub's lock
// is held, so nobody else sends.
func (w *waiter) hear(askID string, ask store.Ask) {
	if ask.ID != askID {
		w.push(news{err: errAskGone})
		return
	}
	now := progressOf{ask.Outcome.State, !ask.Shown.IsZero(), ask.Asked.UnixNano()}
	if w.looked && now == w.last {
		return
	}
	w.looked, w.last = true, now
	w.push(news{ask: ask})
}

func (w *waiter) push(n news) {
	select {
	case <-w.news:
	default:
	}
	w.news <- n
}

func (h *hub) tellAll(err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, waiters := range h.waiters {
		for w := range waiters {
			w.push(news{err: err})
		}
	}
}

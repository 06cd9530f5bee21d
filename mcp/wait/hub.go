package wait

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"

	"planb/questions"
	"planb/store"
)

// watcher is what the hub reads.
type watcher interface {
	AsksNow(ctx context.Context, ids ...string) ([]store.Ask, error)
	WatchAsk(ctx context.Context, id string) (<-chan struct{}, error)
}

const (
	hubPage     = 500 // asks read with one call
	hubPoll     = time.Second
	hubPatience = 5 // failed looks in a row before those who wait are told
)

// hub watches the store on behalf of every call that waits, so that changes at
// once cost one read however many wait. It runs while someone does.
type hub struct {
	store watcher
	log   *slog.Logger

	mu      sync.Mutex
	awaited map[string]*awaited // by ask id
	due     map[string]struct{} // asks to look at
	kick    chan struct{}       // tells the run under way that there are some
	stop    context.CancelFunc  // ends the run under way; nil: there is none
}

// awaited is an ask that calls wait for.
type awaited struct {
	waiters map[*waiter]struct{}
	stop    context.CancelFunc // ends the watching
}

func newHub(s watcher, log *slog.Logger) *hub {
	return &hub{store: s, log: log, awaited: map[string]*awaited{}, due: map[string]struct{}{}, kick: make(chan struct{}, 1)}
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
	if h.stop == nil {
		ctx, stop := context.WithCancel(context.Background())
		h.stop = stop
		go h.run(ctx)
	}
	a := h.awaited[askID]
	if a == nil {
		ctx, stop := context.WithCancel(context.Background())
		a = &awaited{map[*waiter]struct{}{}, stop}
		h.awaited[askID] = a
		go h.follow(ctx, askID)
	}
	a.waiters[w] = struct{}{}
	h.due[askID] = struct{}{}
	h.lookSoon()
	return w, func() { h.leave(askID, w) }
}

func (h *hub) leave(askID string, w *waiter) {
	h.mu.Lock()
	defer h.mu.Unlock()
	a := h.awaited[askID]
	if a == nil {
		return
	}
	delete(a.waiters, w)
	if len(a.waiters) == 0 {
		a.stop()
		delete(h.awaited, askID)
	}
	if len(h.awaited) == 0 && h.stop != nil {
		h.stop()
		h.stop = nil
	}
}

// waited reports whether a call of this process waits for the ask.
func (h *hub) waited(askID string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.awaited[askID] != nil
}

// follow has the ask looked at whenever it may have changed; once a second where
// that cannot be known.
func (h *hub) follow(ctx context.Context, askID string) {
	bell, err := h.store.WatchAsk(ctx, askID)
	if err != nil && ctx.Err() == nil {
		h.log.Warn("changes cannot be watched for; looking once a second instead", "ask", askID, "error", err)
	}
	for {
		var poll <-chan time.Time
		if bell == nil {
			poll = time.After(hubPoll)
		}
		select {
		case <-ctx.Done():
			return
		case _, open := <-bell:
			if !open {
				bell = nil
			}
		case <-poll:
		}
		h.makeDue(askID)
		h.lookSoon()
	}
}

// lookSoon has the asks that are due looked at.
func (h *hub) lookSoon() {
	select {
	case h.kick <- struct{}{}:
	default: // a look that has not begun is due already
	}
}

func (h *hub) run(ctx context.Context) {
	again := time.NewTimer(0)
	again.Stop()
	defer again.Stop()
	failed := 0
	for {
		select {
		case <-ctx.Done():
			return
		case <-h.kick:
		case <-again.C:
		}
		ids := h.takeDue()
		err := h.look(ctx, ids)
		if err == nil {
			failed = 0
			continue
		}
		h.makeDue(ids...)
		if ctx.Err() != nil {
			h.lookSoon() // the run that follows this one, if any does
			return
		}
		if failed++; failed == 1 {
			h.log.Warn("the asks waited for cannot be read; trying again", "error", err)
		}
		if failed >= hubPatience {
			h.tell(func(w *waiter) { w.push(news{err: err}) }, ids...)
		}
		again.Reset(hubPoll)
	}
}

// makeDue has asks looked at with the next look.
func (h *hub) makeDue(ids ...string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, id := range ids {
		h.due[id] = struct{}{}
	}
}

// takeDue returns the asks to look at that are still waited for.
func (h *hub) takeDue() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	ids := make([]string, 0, len(h.due))
	for id := range h.due {
		if h.awaited[id] != nil {
			ids = append(ids, id)
		}
	}
	clear(h.due)
	return ids
}

// look reads the asks and tells those for whom something is new.
func (h *hub) look(ctx context.Context, ids []string) error {
	for page := range slices.Chunk(ids, hubPage) {
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
		h.tell(func(w *waiter) { w.push(news{err: err}) }, ids[0])
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
		h.tell(func(w *waiter) { w.hear(ids[i], ask) }, ids[i])
	}
	return nil
}

// tell gives everybody who waits for the asks their news.
func (h *hub) tell(give func(*waiter), askIDs ...string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, id := range askIDs {
		if a := h.awaited[id]; a != nil {
			for w := range a.waiters {
				give(w)
			}
		}
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

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

// watcher is what the hub needs of the store.
type watcher interface {
	AsksNow(ctx context.Context, ids ...string) ([]store.Ask, error)
	WatchAsk(ctx context.Context, id string) (<-chan struct{}, error)
}

const (
	hubPage     = 500 // asks read with one call
	hubPoll     = time.Second
	hubPatience = 5 // failed looks in a row before the waiting calls are told
)

// hub watches the store for every call that waits. However many wait, changes that come
// together cost one read. It runs while a call waits.
type hub struct {
	store watcher
	log   *slog.Logger

	mu      sync.Mutex
	awaited map[string]*awaited // by ask id
	due     map[string]struct{} // asks to look at
	kick    chan struct{}       // tells the run that some are due
	stop    context.CancelFunc  // ends the run; nil: there is none
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
	last   stand
	looked bool
}

// news is how an ask stands now, without its questions; or, after some attempts, why that
// cannot be read.
type news struct {
	ask store.Ask
	err error
}

// stand is the part of an ask whose change wakes a waiter.
type stand struct {
	state questions.State
	shown bool
	asked int64 // in nanoseconds; later than before when it is asked again
}

// join begins to listen for news of the ask: how it stands now, and then each change. A
// waiter that is slow gets only the latest. The caller must call leave.
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

// follow makes the ask due whenever it may have changed; once a second if the store
// cannot be watched.
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

// lookSoon starts a look at the asks that are due.
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
		ids := h.clearDue()
		err := h.look(ctx, ids)
		if err == nil && ctx.Err() == nil {
			failed = 0
			continue
		}
		h.makeDue(ids...)
		if ctx.Err() != nil {
			h.lookSoon() // for the next run, if there is one
			return
		}
		if failed++; failed == 1 {
			h.log.Warn("the asks waited for cannot be read; trying again", "error", err)
		}
		if failed >= hubPatience {
			h.tell(ctx, func(w *waiter) { w.push(news{err: err}) }, ids...)
		}
		again.Reset(hubPoll)
	}
}

// makeDue adds asks to the next look.
func (h *hub) makeDue(ids ...string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, id := range ids {
		h.due[id] = struct{}{}
	}
}

// clearDue returns the asks that are due and still waited for, and clears the list.
func (h *hub) clearDue() []string {
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

// look reads the asks and gives their waiters the news.
func (h *hub) look(ctx context.Context, ids []string) error {
	for page := range slices.Chunk(ids, hubPage) {
		if err := h.lookAt(ctx, page); err != nil {
			return err
		}
	}
	return nil
}

// lookAt reads some asks at once. If one of them cannot be read, only its waiters are
// told.
func (h *hub) lookAt(ctx context.Context, ids []string) error {
	asks, err := h.store.AsksNow(ctx, ids...)
	switch {
	case store.AboutOneRecord(err) && len(ids) == 1:
		h.tell(ctx, func(w *waiter) { w.push(news{err: err}) }, ids[0])
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
		h.tell(ctx, func(w *waiter) { w.hear(ids[i], ask) }, ids[i])
	}
	return nil
}

// tell calls give for every waiter of the asks. A run that has ended tells nothing: what it
// read may be older than what the next run has told.
func (h *hub) tell(ctx context.Context, give func(*waiter), askIDs ...string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if ctx.Err() != nil {
		return
	}
	for _, id := range askIDs {
		if a := h.awaited[id]; a != nil {
			for w := range a.waiters {
				give(w)
			}
		}
	}
}

var errAskGone = errors.New("the question is no longer in the store")

// hear passes the news on, unless nothing changed for the waiter.
func (w *waiter) hear(askID string, ask store.Ask) {
	if ask.ID != askID {
		w.push(news{err: errAskGone})
		return
	}
	now := stand{ask.Outcome.State, !ask.Shown.IsZero(), ask.Asked.UnixNano()}
	if w.looked && now == w.last {
		return
	}
	w.looked, w.last = true, now
	w.push(news{ask: ask})
}

// push replaces news that the waiter has not read yet. The hub's lock is held, so no other
// goroutine sends.
func (w *waiter) push(n news) {
	select {
	case <-w.news:
	default:
	}
	w.news <- n
}

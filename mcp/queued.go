package mcp

import (
	"context"
	"slices"
	"sync"
	"time"

	"planb/store"
)

// queuedEvery is how often it is looked whether the panes are still there in
// whose queues asks wait.
const queuedEvery = 2 * time.Second

// queued are the asks that calls of this process wait for and that nobody has
// seen yet. Their pane may be killed before it comes to them, and then another
// must be opened. One look serves all asks of a place, however many wait.
type queued struct {
	wanted func(store.Ask) bool // whether a pane is to be opened for it
	show   func(context.Context, store.Ask) error

	mu     sync.Mutex
	places map[string][]*queuedAsk // in the order of their coming
	stop   context.CancelFunc      // ends the looking; nil: there is nothing to look for
}

// queuedAsk is one call's ask.
type queuedAsk struct {
	ask    store.Ask
	hidden chan error // gets why the ask cannot be shown
}

// join adds the ask, unless somebody has seen it or no pane is wanted. hidden tells, once, that the ask
// cannot be shown, and why; leave must be called, and may be called again.
func (q *queued) join(ask store.Ask) (hidden <-chan error, leave func()) {
	if !ask.Shown.IsZero() || !q.wanted(ask) {
		return nil, func() {}
	}
	place := ask.Place
	if place == "" {
		place = ask.ID // nothing else can be waited for there
	}
	own := &queuedAsk{ask, make(chan error, 1)}
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.places == nil {
		q.places = map[string][]*queuedAsk{}
	}
	q.places[place] = append(q.places[place], own)
	if q.stop == nil {
		ctx, stop := context.WithCancel(context.Background())
		q.stop = stop
		go q.run(ctx)
	}
	return own.hidden, sync.OnceFunc(func() { q.leave(place, own) })
}

func (q *queued) leave(place string, own *queuedAsk) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.places[place] = slices.DeleteFunc(q.places[place], func(other *queuedAsk) bool { return other == own })
	if len(q.places[place]) == 0 {
		delete(q.places, place)
	}
	if len(q.places) == 0 && q.stop != nil {
		q.stop()
		q.stop = nil
	}
}

func (q *queued) run(ctx context.Context) {
	tick := time.NewTicker(queuedEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		for _, waiting := range q.waiting() {
			err := q.show(ctx, waiting[0].ask) // in a pane that serves them all
			if err == nil || ctx.Err() != nil {
				continue
			}
			for _, one := range waiting {
				one.tell(err)
			}
		}
	}
}

// waiting lists, place by place, those for whom a pane is still wanted.
func (q *queued) waiting() (places [][]*queuedAsk) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, asks := range q.places {
		wanted := slices.DeleteFunc(slices.Clone(asks), func(one *queuedAsk) bool { return !q.wanted(one.ask) })
		if len(wanted) > 0 {
			places = append(places, wanted)
		}
	}
	return places
}

// tell says why the ask cannot be shown, if nobody has said so yet.
func (a *queuedAsk) tell(err error) {
	select {
	case a.hidden <- err:
	default:
	}
}

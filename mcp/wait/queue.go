package wait

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"planb/store"
)

// queuedEvery is the time between two looks whether the panes of queues still live.
const queuedEvery = 2 * time.Second

// queue holds the asks that calls of this process wait for and that the person has not
// seen yet. Their pane may be killed before it comes to them, and then another must be
// opened. One look serves all asks of a place, however many wait.
type queue struct {
	stage *stage

	mu     sync.Mutex
	places map[string][]*queuedAsk // in the order in which they came
	stop   context.CancelFunc      // ends the looks; nil: there is nothing to look for
}

// queuedAsk is one call's ask.
type queuedAsk struct {
	ask    store.Ask
	hidden chan error // gets why the ask cannot be shown
}

// join adds the ask, unless no pane is wanted for it. hidden tells, once, why the ask
// cannot be shown. The caller must call leave, and may call it again.
func (q *queue) join(ask store.Ask) (hidden <-chan error, leave func()) {
	if !q.stage.wantsPane(ask) {
		return nil, func() {}
	}
	place := ask.Place
	if place == "" {
		place = ask.ID // no other ask shares its place
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

func (q *queue) leave(place string, own *queuedAsk) {
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

func (q *queue) run(ctx context.Context) {
	tick := time.NewTicker(queuedEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		for _, waiting := range q.waiting() {
			q.look(ctx, waiting)
		}
	}
}

// look has a pane opened for the asks of a place, if they need one. The pane serves them
// all, except those that the person put off one by one or with their agent.
func (q *queue) look(ctx context.Context, waiting []*queuedAsk) {
	off := q.stage.putOffs(ctx, waiting[0].ask.Place)
	tried, common := false, error(nil)
	for _, one := range waiting {
		own := off.Has(one.ask)
		err := common
		if own || !tried {
			err = q.stage.showQueued(ctx, one.ask)
		}
		if ctx.Err() != nil {
			return
		}
		if !own {
			tried, common = true, err
		}
		if err != nil && !(errors.Is(err, store.ErrPutOff) && q.stage.records.of(one.ask.ID).pushed == pushedLater) {
			one.tell(err)
		}
	}
}

// waiting lists, place by place, the asks for which a pane is still wanted.
func (q *queue) waiting() (places [][]*queuedAsk) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, asks := range q.places {
		wanted := slices.DeleteFunc(slices.Clone(asks), func(one *queuedAsk) bool { return !q.stage.wantsPane(one.ask) })
		if len(wanted) > 0 {
			places = append(places, wanted)
		}
	}
	return places
}

// tell says why the ask cannot be shown, unless that was said already.
func (a *queuedAsk) tell(err error) {
	select {
	case a.hidden <- err:
	default:
	}
}

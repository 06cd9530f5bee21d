package wait

import (
	"fmt"
	"time"

	"planb/mcp/tool"
	"planb/mcp/wire"
	"planb/store"
)

// waitEnd is why a wait ended.
type waitEnd int

const (
	waitSettled  waitEnd = iota // the ask has its final outcome
	waitLimit                   // the call may not wait longer
	waitExpired                 // the ask's own time is over
	waitHidden                  // nothing shows the ask, and nothing can be opened
	waitStopped                 // the connection ends
	waitGivenUp                 // the client cancelled the call
	waitFaulty                  // the store cannot be read
	waitUnstored                // the reply to a dialog cannot be stored yet
)

// waited is how a wait ended.
type waited struct {
	end waitEnd
	ask store.Ask
	err error // of waitHidden, waitFaulty and waitUnstored; after a dialog, why no pane shows the ask
}

// wait waits until the ask is settled, or until the call's limit is over, counted from the
// beginning of the call. Meanwhile it sends progress to a client that asked for it. A
// dialog that the client shows ends with the wait; shown is nil if there is none.
func (r *Room) wait(c call, ask store.Ask, shown *elicitation) waited {
	defer shown.close()
	defer c.Park()()
	depart := r.waiting.enter(ask.ID)
	stay := time.Duration(0)
	defer func() { depart(stay) }()
	w, leave := r.hub.join(ask.ID)
	defer leave()
	hidden, unqueue := r.queue(c, ask)
	defer func() { unqueue() }()

	limitTimer, stopLimit := timerUntil(c.Started(), c.limit)
	defer stopLimit()
	expiry, stopExpiry := r.records.timer(ask)
	defer func() { stopExpiry() }()
	progress := time.NewTicker(wire.ProgressEvery)
	defer progress.Stop()

	for {
		select {
		case n := <-w.news:
			if n.err != nil {
				return waited{end: waitFaulty, ask: ask, err: n.err}
			}
			again := n.ask.Asked.After(ask.Asked)
			if ask.Shown.IsZero() && !n.ask.Shown.IsZero() {
				unqueue()
			}
			n.ask.Spec = ask.Spec
			ask = n.ask
			if !ask.Open() {
				return waited{end: waitSettled, ask: ask}
			}
			if again {
				stopExpiry()
				expiry, stopExpiry = r.records.timer(ask)
			}
		case <-progress.C:
			c.Progress(fmt.Sprintf("waiting for the user, %s", tool.InWords(time.Since(c.Started()).Round(time.Second))))
		case err := <-hidden:
			return waited{end: waitHidden, ask: ask, err: err}
		case end := <-shown.ended():
			switch {
			case end.err != nil:
				return waited{end: waitUnstored, ask: ask, err: end.err}
			case !end.ask.Open():
				return waited{end: waitSettled, ask: end.ask}
			case !end.read:
				return waited{end: waitHidden, ask: ask, err: shown.reason}
			}
		case <-expiry:
			ended, again := r.expire(c, ask)
			if !again {
				return ended
			}
			ask = ended.ask
			expiry, stopExpiry = r.records.timer(ask)
		case <-limitTimer:
			stay = linger
			return waited{end: waitLimit, ask: ask, err: shown.why()}
		case <-c.Agent.Closing():
			return waited{end: waitStopped, ask: ask, err: shown.why()}
		case <-c.Context().Done():
			return waited{end: waitGivenUp, ask: ask}
		}
	}
}

// timerUntil fires when limit has passed since from; never if limit is 0.
func timerUntil(from time.Time, limit time.Duration) (<-chan time.Time, func()) {
	if limit <= 0 {
		return nil, func() {}
	}
	t := time.NewTimer(time.Until(from.Add(limit)))
	return t.C, func() { t.Stop() }
}

// queue has the ask shown once no pane serves its queue any more. hidden tells why it
// cannot be shown. A call of another project leaves that to others.
func (r *Room) queue(c call, ask store.Ask) (hidden <-chan error, leave func()) {
	if c.foreign {
		return nil, func() {}
	}
	return r.stage.queue.join(ask)
}

// expire marks the ask as expired, unless it was asked again since, perhaps by another
// server: then its time runs anew, and again is true. A call of another project leaves the
// ask as it is.
func (r *Room) expire(c call, ask store.Ask) (ended waited, again bool) {
	if c.foreign {
		return waited{end: waitExpired, ask: ask}, false
	}
	expired, err := r.cfg.Store.Expire(c.Context(), ask.ID, ask.Asked)
	if err != nil {
		return waited{end: waitFaulty, ask: ask, err: err}, false
	}
	expired.Spec = ask.Spec
	switch {
	case !expired.Open():
		return waited{end: waitSettled, ask: expired}, false
	case expired.Asked.After(ask.Asked):
		return waited{ask: expired}, true
	}
	return waited{end: waitExpired, ask: expired}, false
}

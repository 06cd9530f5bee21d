package wait

import (
	"context"
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
func (r *Room) wait(c call, ask store.Ask, shown *elicitation) (ended waited) {
	defer shown.close()
	defer c.Park()()
	depart := r.waiting.enter(ask.ID)
	defer func() {
		if ended.end == waitLimit {
			depart(linger)
			return
		}
		depart(0)
	}()
	w, leave := r.hub.join(ask.ID)
	defer func() {
		if ended.end == waitSettled {
			context.AfterFunc(c.Context(), leave) // the call has the outcome in hand until its reply is written
			return
		}
		leave()
	}()
	hidden, unqueue := r.queue(c, ask)
	defer unqueue()
	limit, stopLimit := timerUntil(c.Started(), c.limit)
	defer stopLimit()
	v := &vigil{room: r, call: c, ask: ask, unqueue: unqueue}
	v.expiry, v.stopExpiry = r.records.timer(ask)
	defer func() { v.stopExpiry() }()
	progress := time.NewTicker(wire.ProgressEvery)
	defer progress.Stop()
	for over := false; !over; {
		select {
		case n := <-w.news:
			ended, over = v.hear(n)
		case <-progress.C:
			c.Progress(fmt.Sprintf("waiting for the user, %s", tool.InWords(time.Since(c.Started()).Round(time.Second))))
		case end := <-shown.ended():
			ended, over = v.dialogEnded(end, shown.why())
		case <-v.expiry:
			ended, over = v.expire()
		case err := <-hidden:
			return v.end(waitHidden, err)
		case <-limit:
			return v.end(waitLimit, shown.why())
		case <-c.Agent.Closing():
			return v.end(waitStopped, shown.why())
		case <-c.Context().Done():
			return v.end(waitGivenUp, nil)
		}
	}
	return ended
}

// vigil is the wait of one call.
type vigil struct {
	room       *Room
	call       call
	ask        store.Ask // as it was heard of last
	unqueue    func()    // the person has seen the ask
	expiry     <-chan time.Time
	stopExpiry func()
}

func (v *vigil) end(why waitEnd, err error) waited { return waited{end: why, ask: v.ask, err: err} }

// hear takes in how the ask stands now.
func (v *vigil) hear(n news) (ended waited, over bool) {
	if n.err != nil {
		return v.end(waitFaulty, n.err), true
	}
	if v.ask.Shown.IsZero() && !n.ask.Shown.IsZero() {
		v.unqueue()
	}
	again := n.ask.Asked.After(v.ask.Asked)
	n.ask.Spec = v.ask.Spec
	v.ask = n.ask
	if !v.ask.Open() {
		return v.end(waitSettled, nil), true
	}
	if again {
		v.restart()
	}
	return waited{}, false
}

// dialogEnded goes on waiting only if the person has read what to run in a terminal.
func (v *vigil) dialogEnded(end dialogEnd, reason error) (ended waited, over bool) {
	switch {
	case end.err != nil:
		return v.end(waitUnstored, end.err), true
	case !end.ask.Open():
		return waited{end: waitSettled, ask: end.ask}, true
	case !end.read:
		return v.end(waitHidden, reason), true
	}
	return waited{}, false
}

// expire marks the ask as expired. If it was asked again since, perhaps by another server,
// its time runs anew. A call of another project leaves the ask as it is.
func (v *vigil) expire() (ended waited, over bool) {
	if v.call.foreign {
		return v.end(waitExpired, nil), true
	}
	expired, err := v.room.cfg.Store.Expire(v.call.Context(), v.ask.ID, v.ask.Asked)
	if err != nil {
		return v.end(waitFaulty, err), true
	}
	again := expired.Asked.After(v.ask.Asked)
	expired.Spec = v.ask.Spec
	v.ask = expired
	switch {
	case !expired.Open():
		return v.end(waitSettled, nil), true
	case again:
		v.restart()
		return waited{}, false
	}
	return v.end(waitExpired, nil), true
}

// restart counts the ask's time anew, because it was asked again.
func (v *vigil) restart() {
	v.stopExpiry()
	v.expiry, v.stopExpiry = v.room.records.timer(v.ask)
}

// queue has the ask shown once no pane serves its queue any more. hidden tells why it
// cannot be shown. A call of another project leaves that to others.
func (r *Room) queue(c call, ask store.Ask) (hidden <-chan error, leave func()) {
	if c.foreign {
		return nil, func() {}
	}
	return r.stage.queue.join(ask)
}

// timerUntil fires when limit has passed since from; never if limit is 0.
func timerUntil(from time.Time, limit time.Duration) (<-chan time.Time, func()) {
	if limit <= 0 {
		return nil, func() {}
	}
	t := time.NewTimer(time.Until(from.Add(limit)))
	return t.C, func() { t.Stop() }
}

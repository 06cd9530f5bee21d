package wait

import (
	"context"
	"errors"
	"fmt"
	"time"

	"planb/mcp/tool"
	"planb/mcp/wire"
	"planb/questions"
	"planb/setup/known"
	"planb/store"
	"planb/store/kv"
)

// Terms say how a call waits for an ask.
type Terms struct {
	// Foreign: the call's connection does not see the ask's project. The call may read
	// an answer, opens no pane, and changes nothing.
	Foreign bool
	// Most is how long the agent wants to wait; 0 is as long as its client allows.
	Most time.Duration
}

// call is a tool's call that waits for an ask.
type call struct {
	*tool.Caller
	limit   time.Duration // how long it may wait; 0 is no limit
	brief   bool          // the limit is the agent's wish, and less than the client allows
	foreign bool          // see Terms
}

func (r *Room) call(ctx context.Context, c *tool.Caller, t Terms) call {
	limit := r.cfg.Limit
	if limit <= 0 {
		limit = known.BySelfName(c.Agent.Client(ctx).Name.Raw()).CallTime(c.WantsProgress())
	}
	if brief := t.Most > 0 && (limit == 0 || t.Most < limit); brief {
		return call{c, t.Most + time.Since(c.Started()), brief, t.Foreign}
	}
	return call{c, limit, false, t.Foreign}
}

// Resume waits for an ask that is open, and has it shown again if nothing shows it.
func (r *Room) Resume(ctx context.Context, c *tool.Caller, ask store.Ask, t Terms) *tool.Result {
	waits := r.call(ctx, c, t)
	err := r.waitingFor(ask, func() (err error) {
		ask, err = r.stage.showAgain(waits, ask)
		return err
	})
	switch {
	case err == nil || c.Context().Err() != nil:
		return r.await(waits, ask, nil)
	case t.Most > 0 || errors.Is(err, errClosed):
		return r.stage.notShown(ask, err)
	}
	return r.cannotShow(waits, ask, err)
}

// Look says how an ask that is open stands, without waiting.
func (r *Room) Look(ctx context.Context, ask store.Ask) *tool.Result {
	if r.isAway(ctx, ask) {
		return r.results.away(ask)
	}
	return r.stillOpen(ctx, ask, nil)
}

// await waits as long as the call may, and words how that ended. If an agent has waited for
// a while without an answer, the result says that the person seems to be away; a wait that
// was brief by the agent's own wish does not count for that.
func (r *Room) await(c call, ask store.Ask, shown *elicitation) *tool.Result {
	ended := r.wait(c, ask, shown)
	if ended.end == waitHidden && shown == nil && !c.brief {
		return r.cannotShow(c, ended.ask, ended.err)
	}
	if ended.end == waitLimit || ended.end == waitExpired && !c.brief {
		if r.isAway(c.Context(), ended.ask) {
			return r.results.away(ended.ask)
		}
		if !c.brief {
			r.records.waitedInVain(c.Context(), r.cfg.Store, ended.ask, c.Started())
		}
	}
	return r.ended(c, ended)
}

// isAway reports whether the person seems to be away. A person who put the ask off is
// not away.
func (r *Room) isAway(ctx context.Context, ask store.Ask) bool {
	return r.records.isAway(ctx, r.cfg.Store, ask) && !r.stage.isPutOff(ctx, ask)
}

// ended words how a wait ended.
func (r *Room) ended(c call, ended waited) *tool.Result {
	ask := ended.ask
	switch ended.end {
	case waitSettled:
		r.records.forget(ask.ID)
		return r.results.outcome(ask)
	case waitExpired:
		return r.results.expired(ask)
	case waitHidden:
		return r.stage.notShown(ask, ended.err)
	case waitFaulty:
		return unreadable(ask, ended.err)
	case waitUnstored:
		return unstored(ask, ended.err, kv.Passing(ended.err))
	}
	return r.stillOpen(c.Context(), ask, ended.err)
}

// stillOpen returns the result for an ask that is not answered yet. If no screen shows the
// ask, the result says why; reason is the reason of the last attempt, if it is known.
func (r *Room) stillOpen(ctx context.Context, ask store.Ask, reason error) *tool.Result {
	if ask.Outcome.State == questions.Expired {
		return r.results.expired(ask)
	}
	if r.cfg.NoOpen || ctx.Err() != nil || r.records.of(ask.ID).dialog.open {
		return r.results.pending(ask)
	}
	shown, err := r.stage.shown(ctx, ask)
	if err != nil {
		r.cfg.Log.Warn("whether the form is shown could not be read", "ask", ask.ID, "error", err)
	} else if why := r.stage.whyNotShown(ctx, ask, reason); !shown && why != nil {
		return r.stage.notShown(ask, why)
	}
	return r.results.pending(ask)
}

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

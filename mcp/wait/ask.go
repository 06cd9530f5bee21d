package wait

import (
	"context"
	"errors"
	"slices"

	"planb/mcp/tool"
	"planb/store"
)

// Ask brings a form before the person and waits for what becomes of it. It uses Session,
// Spec and Subject of the ask that it is given. The same ask, asked again in the session,
// joins the one that is open.
func (r *Room) Ask(ctx context.Context, c *tool.Caller, asked store.Ask) *tool.Result {
	if answer := r.calledAgain(ctx, c, asked); answer != nil {
		return answer
	}
	ask, failure := r.begin(ctx, c, asked)
	switch {
	case failure != nil:
		return failure
	case !ask.Open():
		return r.results.outcome(ask)
	}
	waits := r.call(ctx, c, Terms{})
	err := r.waitingFor(ask, func() error { return r.stage.bringUp(waits, ask) })
	if err != nil && c.Context().Err() == nil {
		return r.cannotShow(waits, ask, err)
	}
	return r.await(waits, ask, nil)
}

// waitingFor has the agent count as waiting for the ask while it is brought up: the form says
// whether an agent waits when it comes up. A wait that follows goes on with the same claim.
func (r *Room) waitingFor(ask store.Ask, bringUp func() error) error {
	leave := r.waiting.enter(ask.ID)
	err := bringUp()
	if err != nil {
		leave(0)
		return err
	}
	leave(linger)
	return nil
}

// Show brings an ask before the person as Ask does, but does not wait for an answer.
// hidden says that no screen shows the ask; it is stored nevertheless. The ask is zero
// if it could not be stored; a call that waits for it later is told why.
func (r *Room) Show(ctx context.Context, c *tool.Caller, asked store.Ask) (ask store.Ask, hidden bool) {
	ask, failure := r.begin(ctx, c, asked)
	if failure != nil || !ask.Open() {
		return ask, false
	}
	err := r.stage.bringUp(r.call(ctx, c, Terms{}), ask)
	return ask, err != nil && c.Context().Err() == nil
}

// begin stores an ask, or finds the same one in the store.
func (r *Room) begin(ctx context.Context, c *tool.Caller, asked store.Ask) (store.Ask, *tool.Result) {
	session := asked.Session
	place, err := r.stage.place(ctx)
	if err != nil {
		r.cfg.Log.Warn("where the form belongs could not be found out", "error", err)
	}
	ask, err := r.open(ctx, store.Ask{
		Session: session, Spec: asked.Spec, Subject: asked.Subject, Place: place, Client: c.Agent.Client(ctx), Timeout: r.cfg.Timeout,
	})
	if many, ok := errors.AsType[*store.TooManyError](err); ok {
		due, err := r.cfg.Store.Due(ctx, session)
		if err != nil {
			r.cfg.Log.Warn("a session's open questions could not be looked up", "session", session, "error", err)
		}
		return store.Ask{}, tooMany(session, many.Open, due)
	}
	if err != nil {
		refused := notAsked(session, r.cfg.Dir, err)
		refused.Cause = err
		return store.Ask{}, refused
	}
	if !ask.Open() {
		return ask, nil
	}
	r.forgetEnded(ctx, c)
	c.Agent.Asks(ask.ID)
	r.records.use(ask.ID, func(known *record) {
		known.restart(ask)
		known.pushed = pushedOnce
	})
	return ask, nil
}

// forgetEnded ends what this process keeps for asks that have nothing more to tell their agent,
// such as a review that gave way to another: no result carries their outcome.
func (r *Room) forgetEnded(ctx context.Context, c *tool.Caller) {
	asking := c.Agent.Asking()
	asks, err := r.cfg.Store.AsksNow(ctx, asking...)
	if err != nil {
		r.cfg.Log.Debug("which asks have ended could not be read", "error", err)
		return
	}
	for i, ask := range asks {
		if ask.ID == "" || !ask.Open() && !ask.Undelivered() {
			c.Agent.Learned(asking[i])
			r.records.forget(asking[i])
		}
	}
}

// open stores the ask, or finds the same one. If the outcome of that one is on its way to
// the client, or has arrived there meanwhile, the ask is opened anew. The store may give the ask
// of a verdict that an agent was told before, in place of a new ask; then the verdict is told again.
func (r *Room) open(ctx context.Context, ask store.Ask) (store.Ask, error) {
	for {
		opened, attached, err := r.cfg.Store.OpenAsk(ctx, ask)
		if err != nil || !attached || !opened.Undelivered() {
			return opened, err
		}
		r.AwaitDelivery(ctx, opened.ID)
		missed, err := r.missed(ctx, []store.Ask{opened})
		if err != nil || len(missed) > 0 {
			return opened, err
		}
	}
}

// missed returns the asks whose outcome the agent has not learned by now.
func (r *Room) missed(ctx context.Context, asks []store.Ask) ([]store.Ask, error) {
	if len(asks) == 0 {
		return nil, nil
	}
	ids := make([]string, len(asks))
	for i, ask := range asks {
		ids[i] = ask.ID
	}
	now, err := r.cfg.Store.AsksNow(ctx, ids...)
	if err != nil {
		return nil, err
	}
	var missed []store.Ask
	for i, ask := range asks {
		if now[i].Undelivered() {
			missed = append(missed, ask)
		}
	}
	return missed, nil
}

// AnnounceEarlier adds to a result those outcomes of the session that their agent has
// not learned. It leaves out asks that another call waits for, and asks whose answer is
// just on its way to the client.
func (r *Room) AnnounceEarlier(ctx context.Context, c *tool.Caller, answer *tool.Result) {
	if answer.Session == "" {
		return
	}
	earlier, err := r.cfg.Store.Undelivered(ctx, answer.Session)
	if ctx.Err() != nil {
		return // the call was cancelled, and its result is not written
	}
	if err != nil {
		r.cfg.Log.Warn("earlier answers could not be looked up", "session", answer.Session, "error", err)
		return
	}
	earlier = slices.DeleteFunc(earlier, func(ask store.Ask) bool {
		return ask.ID == answer.Ask.ID || r.InHand(ask.ID) || !c.Agent.IsFor(ctx, ask)
	})
	r.Announce(ctx, answer, earlier, func(store.Ask) string { return "" })
}

// Announce adds the outcomes that the agent has not learned by now to a result. The text
// of each begins with from.
func (r *Room) Announce(ctx context.Context, answer *tool.Result, earlier []store.Ask, from func(store.Ask) string) {
	missed, err := r.missed(ctx, earlier)
	if err != nil {
		r.cfg.Log.Warn("earlier answers could not be read", "error", err)
		return
	}
	for _, ask := range missed {
		answer.Earlier = append(answer.Earlier, r.results.announcement(ask, from(ask)))
	}
}

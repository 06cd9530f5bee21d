package wait

import (
	"context"
	"errors"
	"time"

	"planb/mcp/tool"
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
	ask, err := r.stage.showAgain(waits, ask)
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

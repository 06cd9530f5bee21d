package wait

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"time"

	"planb/mcp/tool"
	"planb/store"
	"planb/store/kv"
)

// deliverTime is how long one write to the store may take that no end of a call cuts short.
const deliverTime = 10 * time.Second

// deliverer stores that an agent has learned an outcome.
type deliverer interface {
	Deliver(ctx context.Context, askIDs ...string) error
}

// deliveries follows outcomes from just before they are written to the client until the
// store knows that they were. Without it, a client quick enough to ask again in between
// would be given the same answer for its new question.
type deliveries struct {
	store deliverer
	log   *slog.Logger

	mu       sync.Mutex
	underWay map[string]chan struct{} // by ask id; closed when the store knows
}

// begin announces that a reply carrying these asks is about to be written. The caller
// must then call confirm with the error of the write. confirm marks the asks as
// delivered if there was none.
func (d *deliveries) begin(askIDs []string) (confirm func(written error)) {
	if len(askIDs) == 0 {
		return func(error) {}
	}
	done := make(chan struct{})
	d.mu.Lock()
	if d.underWay == nil {
		d.underWay = map[string]chan struct{}{}
	}
	for _, id := range askIDs {
		if _, other := d.underWay[id]; !other {
			d.underWay[id] = done
		}
	}
	d.mu.Unlock()
	return func(written error) {
		defer d.end(askIDs, done)
		if written != nil {
			d.log.Warn("answers did not reach the agent; they will be announced again", "asks", askIDs)
			return
		}
		ctx, cancel := context.WithTimeout(context.Background(), deliverTime)
		defer cancel()
		if err := d.store.Deliver(ctx, askIDs...); err != nil {
			d.log.Error("an answer reached the agent, but the store does not know; it will be announced again",
				"asks", askIDs, "error", err)
		}
	}
}

func (d *deliveries) end(askIDs []string, done chan struct{}) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, id := range askIDs {
		if d.underWay[id] == done {
			delete(d.underWay, id)
		}
	}
	close(done)
}

// await waits until no delivery of the ask is under way.
func (d *deliveries) await(ctx context.Context, askID string) {
	d.mu.Lock()
	done, underWay := d.underWay[askID]
	d.mu.Unlock()
	if !underWay {
		return
	}
	select {
	case <-done:
	case <-ctx.Done():
	}
}

// running reports whether a delivery of the ask is under way.
func (d *deliveries) running(askID string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	_, ok := d.underWay[askID]
	return ok
}

// AwaitDelivery waits until no delivery of the ask is under way. An ask that the caller
// read before may be out of date then.
func (r *Room) AwaitDelivery(ctx context.Context, askID string) { r.deliveries.await(ctx, askID) }

// Writing is called just before the reply to a call is written, and the function written
// just after it, with the error of the write. If the reply was written, the outcomes
// that it carries count as delivered.
func (r *Room) Writing(c *tool.Caller) (written func(error)) {
	carried, inherited := c.Delivered()
	c.Agent.Heard(slices.Concat(carried, inherited)...)
	confirm, tell := r.deliveries.begin(carried), c.Writing()
	return func(err error) {
		tell(err)
		confirm(err)
		if err != nil {
			return
		}
		c.Agent.Learned(carried...)
		for _, id := range inherited {
			go r.deliverOnceGone(c.Agent.Context(), id)
		}
	}
}

// LeaveToAsker keeps outcomes that are for another agent from counting as delivered by this
// result. If the process that asked may still live, planb decides after writing the reply
// whether the outcome counts as delivered. named says that the call named the result's
// session: an agent that names a session of another project may be the agent of that
// session, resumed elsewhere.
func (r *Room) LeaveToAsker(ctx context.Context, c *tool.Caller, answer *tool.Result, named bool) {
	if len(answer.Carries) == 0 || c.Agent.ChoseSession(answer.Session) {
		return
	}
	asks, err := r.cfg.Store.AsksNow(ctx, answer.Carries...)
	if err != nil {
		r.cfg.Log.Warn("whose answers these are could not be read", "asks", answer.Carries, "error", err)
	}
	answer.Carries = nil
	for _, ask := range asks {
		inherits := c.Agent.MayInherit(ctx, ask) || named && c.Agent.IsOfItsClient(ctx, ask)
		switch {
		case c.Agent.IsFor(ctx, ask), inherits && c.Agent.AskerGone(ctx, ask.ID):
		case inherits:
			c.Inherit(ask.ID)
		default:
			continue
		}
		answer.Carries = append(answer.Carries, ask.ID)
	}
}

// deliverOnceGone marks an outcome that a written reply carried as delivered, if the
// process that asked turns out to be gone.
func (r *Room) deliverOnceGone(ctx context.Context, askID string) {
	// A process in another container counts as gone when its claim stood still.
	ctx, cancel := context.WithTimeout(ctx, 3*store.DefaultTTL)
	defer cancel()
	for _, prefix := range []kv.Key{store.WaitClaims(askID), store.AskerClaims(askID)} {
		if r.cfg.Store.AwaitDead(ctx, prefix) != nil {
			return // it lives, or that cannot be known
		}
	}
	if err := r.cfg.Store.Deliver(ctx, askID); err != nil {
		r.cfg.Log.Warn("an answer reached an agent, but the store does not know; it will be announced again", "ask", askID, "error", err)
	}
}

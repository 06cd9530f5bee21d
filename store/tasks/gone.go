package tasks

import (
	"context"
	"errors"
	"slices"
	"time"

	"planb/plans/tasks"
	"planb/store/kv"
	"planb/store/ledger"
)

// maxGone is how many claims one commit says are without their holders.
const maxGone = 40

// notice writes which holders of the plan's tasks are known to be dead, and updates
// the plan as it was read.
func (s *Store) notice(ctx context.Context, w *Whole) error {
	holders, err := s.holders(ctx, w.Claims)
	if err != nil {
		return err
	}
	w.far = holders.far
	if len(holders.dead) == 0 {
		return nil
	}
	gone := func(claim Claim) bool { return holders.dead[claim.Agent] }
	err = s.noticeGone(ctx, w.ID, gone)
	if fault, ok := errors.AsType[*kv.Fault](err); ok && fault.Unwritable() {
		// No holder can say that it lives, so nobody is found gone. What the caller reads of
		// the plan is right.
		s.options.Claims.CannotWrite()
		return nil
	}
	if err != nil {
		return err
	}
	now := s.ledger.Clock()
	for n, claim := range w.Claims {
		if gone(claim) && claim.Gone.IsZero() {
			claim.Gone = now
			w.Claims[n] = claim
		}
	}
	return nil
}

// holders is what is known of the connections that hold some tasks.
type holders struct {
	dead map[string]bool // those that are known to have ended
	// far is the longest TTL of the holders on other systems. Only their counters show
	// whether they live, so this process must watch them for that long before it knows
	// that they are dead; see ledger.Claims.Alive.
	far time.Duration
}

func (s *Store) holders(ctx context.Context, claims map[int]Claim) (holders, error) {
	h := holders{dead: map[string]bool{}}
	for _, claim := range claims {
		if claim.Gone.IsZero() {
			h.dead[claim.Agent] = true
		}
	}
	if len(h.dead) == 0 {
		return h, nil
	}
	live, err := s.options.Claims.Live(ctx, agentKeys)
	if err != nil && !ledger.AboutOne(err) {
		return holders{}, err
	}
	if err != nil {
		return holders{}, nil // of a claim that cannot be read nothing is known
	}
	run := s.run()
	for key, claim := range live {
		agent := ledger.LastPart(key)
		if h.dead[agent] && (run == "" || claim.Boot != run) {
			h.far = max(h.far, claim.TTL)
		}
		delete(h.dead, agent)
	}
	return h, nil
}

// observe looks at the holders of a plan's tasks for a while, if only their counters
// tell about them. So a holder on another system is found dead even if agents call
// seldom.
func (c *Connection) observe(w Whole) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if w.far == 0 || c.observed[w.ID] {
		return
	}
	c.observed[w.ID] = true
	go func() {
		defer func() {
			c.mu.Lock()
			defer c.mu.Unlock()
			delete(c.observed, w.ID)
		}()
		ticks := time.NewTicker(w.far / 3)
		defer ticks.Stop()
		for range 8 { // four would do on a machine that is not busy
			select {
			case <-c.ctx.Done():
				return
			case <-ticks.C:
			}
			now, err := c.s.Plan(c.ctx, Caller{}, w.ID)
			if err == nil {
				err = c.s.notice(c.ctx, &now)
			}
			if err != nil || now.far == 0 {
				return // the next call meets the same error, and tells it
			}
		}
	}()
}

// noticeGone writes that those holders of a plan's tasks that gone picks are gone.
func (s *Store) noticeGone(ctx context.Context, plan string, gone func(Claim) bool) error {
	return s.mark(ctx, plan, HolderGone, func(claim Claim) bool { return claim.Gone.IsZero() && gone(claim) })
}

// mark writes of the claims of a plan that which picks whether their holders are gone, as the
// action says.
func (s *Store) mark(ctx context.Context, plan string, action Action, which func(Claim) bool) (err error) {
	for found := maxGone; err == nil && found == maxGone; {
		found, err = s.markSome(ctx, plan, action, which)
	}
	return err
}

// markSome is mark for as many claims as one commit takes.
func (s *Store) markSome(ctx context.Context, plan string, action Action, which func(Claim) bool) (found int, err error) {
	by := Caller{Actor: tasks.Planb, Name: "planb"}
	err = s.commit(ctx, by, plan, func(c *ledger.Change) (Event, error) {
		found = 0
		event := Event{Action: action}
		m, err := s.moment(ctx, plan)
		if err != nil {
			return event, err
		}
		var since time.Time
		if action == HolderGone {
			since = s.ledger.Clock()
		}
		for _, f := range m.claims {
			record, err := ledger.DecodeFound[claimRecord](s.ledger, f)
			if err != nil || !which(record.Claim) || len(event.Tasks) == maxGone {
				continue // one that cannot be read is for a person to release
			}
			if err := s.ledger.Rewrite(c, f.Record, "gone", since); err != nil {
				return event, err
			}
			event.Tasks = append(event.Tasks, numberOf(f.Key))
		}
		slices.Sort(event.Tasks)
		found = len(event.Tasks)
		return event, nil
	})
	return found, err
}

// lapse ends the attempt of a holder that is gone or was silent for too long. Of the two, only
// silence counts as giving the task back: a holder that is gone says nothing any more.
func (t *task) lapse(now time.Time) {
	how := EndedByExit
	if t.claim.Gone.IsZero() || t.claim.Silent(t.claim.Gone) {
		how = EndedByLease
		t.past.GivenBack++
	}
	if last := t.past.find(t.claim.ID); last != nil {
		last.end(how, now)
	}
}

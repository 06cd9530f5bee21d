package tasks

import (
	"context"
	"slices"

	"planb/plans/tasks"
	"planb/store/ledger"
)

// maxGone is how many claims one commit says are without their holders.
const maxGone = 40

// notice writes which holders of the plan's tasks are known to be dead, and updates
// the plan as it was read. By a counter alone a holder is known to be dead only after
// this process looked at it for a while; see ledger.Claims.Alive.
func (s *Store) notice(ctx context.Context, w *Whole) error {
	dead, err := s.dead(ctx, w.Claims)
	if err != nil || len(dead) == 0 {
		return err
	}
	if err := s.noticeGone(ctx, w.ID, func(claim Claim) bool { return dead[claim.Agent] }); err != nil {
		return err
	}
	now := s.ledger.Clock()
	for n, claim := range w.Claims {
		if dead[claim.Agent] && claim.Gone.IsZero() {
			claim.Gone = now
			w.Claims[n] = claim
		}
	}
	return nil
}

// dead returns the connections among those of the claims that are known to have ended.
func (s *Store) dead(ctx context.Context, claims map[int]Claim) (map[string]bool, error) {
	dead := map[string]bool{}
	for _, claim := range claims {
		if claim.Gone.IsZero() {
			dead[claim.Agent] = true
		}
	}
	if len(dead) == 0 {
		return nil, nil
	}
	live, err := s.options.Claims.Live(ctx, agentKeys)
	if err != nil && !ledger.AboutOne(err) {
		return nil, err
	}
	if err != nil {
		return nil, nil // whose claim cannot be read is unknown
	}
	for key := range live {
		delete(dead, ledger.LastPart(key))
	}
	return dead, nil
}

// noticeGone writes that those holders of a plan's tasks that gone picks are gone.
func (s *Store) noticeGone(ctx context.Context, plan string, gone func(Claim) bool) error {
	by := Caller{Actor: tasks.Planb, Name: "planb"}
	return s.commit(ctx, by, plan, func(c *ledger.Change) (Event, error) {
		event := Event{Action: HolderGone}
		m, err := s.moment(ctx, plan)
		if err != nil {
			return event, err
		}
		now := s.ledger.Clock()
		for _, f := range m.claims {
			record, err := ledger.DecodeFound[claimRecord](s.ledger, f)
			if err != nil || !record.Gone.IsZero() || !gone(record.Claim) || len(event.Tasks) == maxGone {
				continue // one that cannot be read is for a person to release
			}
			if err := s.ledger.Rewrite(c, f.Record, "gone", now); err != nil {
				return event, err
			}
			event.Tasks = append(event.Tasks, numberOf(f.Key))
		}
		slices.Sort(event.Tasks)
		return event, nil
	})
}

package ask

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"planb/store"
)

// queue returns the asks that can be shown here next. Asks that no other pane shows come
// first, among them those that an agent's call waits for, and among those the sessions take
// turns.
func (h *Host) queue(ctx context.Context, aside []string) ([]store.Ask, error) {
	all, err := h.welcome(ctx, aside)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	claims, err := h.store.Standing(ctx)
	if err != nil && !store.AboutOneRecord(err) {
		return nil, err
	}
	var groups [4][]store.Ask
	for _, ask := range all {
		shown := len(claims.Shown(ask.ID))
		if h.showing(ask.ID) != nil {
			shown--
		}
		group := 0
		if !claims.Waited(ask.ID) {
			group++
		}
		if shown > 0 {
			group += 2
		}
		groups[group] = append(groups[group], ask)
	}
	queue := make([]store.Ask, 0, len(all))
	for _, group := range groups {
		queue = append(queue, h.inTurn(group)...)
	}
	return queue, nil
}

// inTurn deals out asks by session, one of each, beginning with the sessions that
// were not shown here for longest. The asks of one session keep their order.
func (h *Host) inTurn(asks []store.Ask) []store.Ask {
	bySession := map[string][]store.Ask{}
	var sessions []string
	for _, ask := range asks {
		if bySession[ask.Session] == nil {
			sessions = append(sessions, ask.Session)
		}
		bySession[ask.Session] = append(bySession[ask.Session], ask)
	}
	h.holding.Lock()
	slices.SortStableFunc(sessions, func(a, b string) int { return cmp.Compare(h.turns[a], h.turns[b]) })
	h.holding.Unlock()
	dealt := make([]store.Ask, 0, len(asks))
	for round := 0; len(dealt) < len(asks); round++ {
		for _, session := range sessions {
			if round < len(bySession[session]) {
				dealt = append(dealt, bySession[session][round])
			}
		}
	}
	return dealt
}

// hadTurn notes that a session has had its turn.
func (h *Host) hadTurn(session string) {
	h.holding.Lock()
	defer h.holding.Unlock()
	h.turn++
	h.turns[session] = h.turn
}

// PutOffAgent has the next Next put off all asks of an agent at the place.
func (h *Host) PutOffAgent(agent store.Client) {
	h.holding.Lock()
	defer h.holding.Unlock()
	h.agent = &agent
}

// putOffLeft notes that the person put off the ask that they left open, or the ask that
// has replaced it. If they chose so, it puts off all asks of the same agent.
func (h *Host) putOffLeft(ctx context.Context, id string) error {
	h.holding.Lock()
	agent := h.agent
	h.agent = nil
	h.holding.Unlock()
	id, err := h.standing(ctx, id)
	if err == nil {
		err = h.store.PutOffAsk(ctx, id)
	}
	if _, gone := errors.AsType[*store.UnknownError](err); gone || store.AboutOneRecord(err) {
		err = nil // nothing is left that could come up
	}
	if agent != nil {
		err = errors.Join(err, h.store.PutOffAgent(ctx, h.options.Place, *agent))
	}
	return err
}

// anyPutOff reports whether the person put off something that waits at the place, as
// far as that can be read.
func (h *Host) anyPutOff(ctx context.Context) bool {
	all, err := h.store.Queue(ctx, h.options.Place)
	if err != nil {
		return false
	}
	off, err := h.store.PutOffs(ctx, h.options.Place)
	return err == nil && slices.ContainsFunc(all, off.Has)
}

// welcome are the asks of the place that are neither aside nor put off.
func (h *Host) welcome(ctx context.Context, aside []string) ([]store.Ask, error) {
	all, err := h.store.Queue(ctx, h.options.Place)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	off, err := besides(h.store.PutOffs(ctx, h.options.Place))
	return slices.DeleteFunc(all, func(ask store.Ask) bool { return off.Has(ask) || slices.Contains(aside, ask.ID) }), err
}

// waiting counts what can be shown at the place, besides the ask that is shown.
func (h *Host) waiting(ctx context.Context, shown string, aside []string) (int, error) {
	if h.options.Place == "" {
		return 0, nil
	}
	asks, err := h.welcome(ctx, append(slices.Clone(aside), shown))
	return len(asks), err
}

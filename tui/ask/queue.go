package ask

import (
	"cmp"
	"context"
	"slices"

	"planb/store"
)

// queue is what can be shown here next: what no other pane shows first, within
// that what an agent's call waits for, and within that in turn by session.
func (h *Host) queue(ctx context.Context, aside []string) ([]store.Ask, error) {
	all, err := h.store.Queue(ctx, h.options.Place)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	claims, err := h.store.Standing(ctx)
	if err != nil && !store.AboutOneRecord(err) {
		return nil, err
	}
	var groups [4][]store.Ask
	for _, ask := range all {
		if h.isAside(ask, aside) {
			continue
		}
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

// PutOffAgent puts aside whatever an agent asks at the place, now and later.
func (h *Host) PutOffAgent(agent store.Client) {
	h.holding.Lock()
	defer h.holding.Unlock()
	h.agents = append(h.agents, agent)
}

// isAside reports whether the person put the ask off, or all of its agent.
func (h *Host) isAside(ask store.Ask, aside []string) bool {
	h.holding.Lock()
	defer h.holding.Unlock()
	return slices.Contains(aside, ask.ID) || slices.Contains(h.agents, ask.Client)
}

// waiting counts what can be shown at the place, besides the ask that is shown.
func (h *Host) waiting(ctx context.Context, shown string, aside []string) (int, error) {
	if h.options.Place == "" {
		return 0, nil
	}
	all, err := h.store.Queue(ctx, h.options.Place)
	n := 0
	for _, ask := range all {
		if ask.ID != shown && !h.isAside(ask, aside) {
			n++
		}
	}
	return n, err
}

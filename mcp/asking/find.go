package asking

import (
	"context"
	"errors"

	"github.com/google/uuid"

	"planb/mcp/agent"
	"planb/store"
)

// findAsk returns the ask that a call names. A whole id finds any ask; a part of an id
// finds only asks that the agent sees.
func (s *toolset) findAsk(ctx context.Context, a *agent.Agent, id string) (store.Ask, error) {
	ask, err := s.Store.FindAsk(ctx, id)
	ambiguous, several := errors.AsType[*store.AmbiguousError](err)
	switch {
	case several:
	case err != nil, uuid.Validate(id) == nil:
		return ask, err
	default:
		ambiguous = &store.AmbiguousError{ID: id, Matches: []string{ask.ID}}
	}
	seen, err := s.asksSeen(ctx, a, ambiguous.Matches)
	switch {
	case err != nil:
		return store.Ask{}, err
	case len(seen) == 0:
		return store.Ask{}, &store.UnknownError{What: "ask", ID: id}
	case len(seen) == 1:
		return s.Store.Ask(ctx, seen[0])
	}
	return store.Ask{}, &store.AmbiguousError{ID: id, Matches: seen}
}

// asksSeen returns the asks that the agent sees.
func (s *toolset) asksSeen(ctx context.Context, a *agent.Agent, ids []string) ([]string, error) {
	sight, err := a.Sight(ctx)
	if err != nil {
		return nil, err
	}
	asks, err := s.Store.AsksNow(ctx, ids...)
	if err != nil {
		return nil, err
	}
	var seen []string
	for _, ask := range asks {
		has, err := sight.HasID(ctx, ask.Session)
		if err != nil {
			return nil, err
		}
		if has {
			seen = append(seen, ask.ID)
		}
	}
	return seen, nil
}

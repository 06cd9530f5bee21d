package inbox

import (
	"context"
	"errors"
	"slices"

	"planb/store"
)

// Waiting is an open ask with the session it belongs to.
type Waiting struct {
	Ask     store.Ask
	Session store.Session
	Live    bool          // an agent's call waits for it
	Shown   []store.Claim // of the panes that show it
}

// waitingReader reads what waits.
type waitingReader interface {
	Waiting(ctx context.Context) ([]store.Ask, error)
	Standing(ctx context.Context) (store.Standing, error)
	Session(ctx context.Context, id string) (store.Session, error)
}

// Read returns what waits: first the asks that a call of an agent waits for, then the
// others, last those that cannot be read; the oldest first in each group. Read gets the
// session of an ask from known if it is there, because the parts of a session that a form
// shows never change. If known has a session twice, the later one counts.
func Read(ctx context.Context, from waitingReader, known []store.Session) ([]Waiting, error) {
	asks, err := from.Waiting(ctx)
	if err != nil {
		return nil, err
	}
	sessions := make(map[string]store.Session, len(known))
	for _, session := range known {
		sessions[session.ID] = session
	}
	waiting := make([]Waiting, 0, len(asks))
	var errs []error
	standing, err := from.Standing(ctx)
	if err != nil {
		errs = append(errs, err)
	}
	for _, ask := range asks {
		session, ok := sessions[ask.Session]
		if !ok {
			if session, err = from.Session(ctx, ask.Session); err != nil {
				errs = append(errs, err)
			}
			sessions[ask.Session] = session
		}
		waiting = append(waiting, Waiting{ask, session, standing.Waited(ask.ID), standing.Shown(ask.ID)})
	}
	slices.SortStableFunc(waiting, func(a, b Waiting) int { return rank(a) - rank(b) })
	return waiting, errors.Join(errs...)
}

func rank(w Waiting) int {
	switch {
	case w.Ask.Err != nil:
		return 2
	case w.Live:
		return 0
	}
	return 1
}

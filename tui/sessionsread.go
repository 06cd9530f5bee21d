package tui

import (
	"context"
	"errors"
	"slices"

	tea "charm.land/bubbletea/v2"

	"planb/store"
	"planb/tui/screen"
)

// Messages of the list of sessions to itself.
type (
	sessionsRead struct {
		list     *sessionsScreen
		waiting  []waitingAsk
		sessions []store.Session
		next     string
		err      error
	}
	sessionsMore struct {
		list     *sessionsScreen
		sessions []store.Session
		next     string
		err      error
	}
	sessionsStale struct{ list *sessionsScreen }
	// sessionsRested says that the next read may come.
	sessionsRested struct{ list *sessionsScreen }
	// sessionsSettled says that the row under the cursor stood long enough for
	// the person to see it.
	sessionsSettled struct {
		list   *sessionsScreen
		change int
	}
)

func (m sessionsRead) owner() *sessionsScreen    { return m.list }
func (m sessionsMore) owner() *sessionsScreen    { return m.list }
func (m sessionsStale) owner() *sessionsScreen   { return m.list }
func (m sessionsRested) owner() *sessionsScreen  { return m.list }
func (m sessionsSettled) owner() *sessionsScreen { return m.list }

// readAll reads what waits and the newest sessions: those are what changes. Now
// and then it reads as many as are listed, for the others may be archived, or
// deleted, elsewhere.
func (l *sessionsScreen) readAll() tea.Cmd {
	want := sessionsPage
	if l.deep {
		want = max(want, len(l.state.sessions))
	}
	l.deep = false
	from, listed := l.deps.store, l.state.sessions
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(context.Background(), screen.StorePatience)
		defer cancel()
		msg := sessionsRead{list: l}
		var err error
		for {
			var some []store.Session
			some, msg.next, err = from.Sessions(ctx, msg.next, min(want-len(msg.sessions), sessionsMany))
			msg.sessions = append(msg.sessions, some...)
			if err != nil || msg.next == "" || len(msg.sessions) >= want {
				break
			}
		}
		var waitErr error
		msg.waiting, waitErr = readWaiting(ctx, from, slices.Concat(listed, msg.sessions))
		msg.err = errors.Join(waitErr, err)
		return msg
	}
}

// waitingReader reads what waits.
type waitingReader interface {
	Waiting(ctx context.Context) ([]store.Ask, error)
	Standing(ctx context.Context) (store.Standing, error)
	Session(ctx context.Context, id string) (store.Session, error)
}

// readWaiting reads what waits: first what an agent's call waits for, then the rest, each
// with the oldest first, and last what cannot be read. An ask comes with its session, which
// is read only if it is not among the known ones: nothing that a form shows of its session
// ever changes. Of one session that is known twice, the later one counts.
func readWaiting(ctx context.Context, from waitingReader, known []store.Session) ([]waitingAsk, error) {
	asks, err := from.Waiting(ctx)
	if err != nil {
		return nil, err
	}
	sessions := make(map[string]store.Session, len(known))
	for _, session := range known {
		sessions[session.ID] = session
	}
	waiting := make([]waitingAsk, 0, len(asks))
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
		waiting = append(waiting, waitingAsk{ask, session, standing.Waited(ask.ID), standing.Shown(ask.ID)})
	}
	slices.SortStableFunc(waiting, func(a, b waitingAsk) int { return rank(a) - rank(b) })
	return waiting, errors.Join(errs...)
}

func rank(w waitingAsk) int {
	switch {
	case w.ask.Err != nil:
		return 2
	case w.live:
		return 0
	}
	return 1
}

// readMore reads the next page, a large one where all are wanted.
func (l *sessionsScreen) readMore() tea.Cmd {
	next, from, limit := l.state.next, l.deps.store, sessionsPage
	if l.state.wantsAll() {
		limit = sessionsMany
	}
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(context.Background(), screen.StorePatience)
		defer cancel()
		sessions, after, err := from.Sessions(ctx, next, limit)
		return sessionsMore{l, sessions, after, err}
	}
}

func (l *sessionsScreen) staleSoon() tea.Cmd {
	return l.deps.after(screen.StaleAfter, sessionsStale{l})
}

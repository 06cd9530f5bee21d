package inbox

import (
	"context"
	"errors"
	"slices"

	tea "charm.land/bubbletea/v2"

	"planb/store"
	"planb/tui/screen"
)

// Messages of the inbox to itself.
type (
	allRead struct {
		list     *Screen
		waiting  []Waiting
		needs    []Need
		sessions []store.Session
		next     string
		err      error
	}
	moreRead struct {
		list     *Screen
		sessions []store.Session
		next     string
		err      error
	}
	stale struct{ list *Screen }
	// rested says that the next read may begin.
	rested struct{ list *Screen }
	// cursorSettled says that the row under the cursor stood long enough for the person to
	// see it.
	cursorSettled struct {
		list   *Screen
		change int
	}
)

func (m allRead) owner() *Screen       { return m.list }
func (m moreRead) owner() *Screen      { return m.list }
func (m stale) owner() *Screen         { return m.list }
func (m rested) owner() *Screen        { return m.list }
func (m cursorSettled) owner() *Screen { return m.list }

// readAll reads what waits and the newest sessions, because those change. Now and then it
// reads as many sessions as are listed: another program may have archived or deleted an
// old one.
func (l *Screen) readAll() tea.Cmd {
	want := pageSize
	if l.deep {
		want = max(want, len(l.state.sessions))
	}
	l.deep = false
	from, listed, desk, drawer := l.deps.Store, l.state.sessions, l.deps.Tasks, l.deps.Drafts
	if !l.deps.Answers {
		desk.Store, drawer.Store = nil, nil
	}
	return screen.Within(func(ctx context.Context) tea.Msg {
		msg := allRead{list: l}
		var err error
		for {
			var some []store.Session
			some, msg.next, err = from.Sessions(ctx, msg.next, min(want-len(msg.sessions), largePage))
			msg.sessions = append(msg.sessions, some...)
			if err != nil || msg.next == "" || len(msg.sessions) >= want {
				break
			}
		}
		var waitErr error
		msg.waiting, waitErr = Read(ctx, from, slices.Concat(listed, msg.sessions))
		var needErr error
		msg.needs, needErr = ReadNeeds(ctx, desk, drawer, msg.waiting)
		msg.err = errors.Join(waitErr, needErr, err)
		return msg
	})
}

// readMore reads the next page: a large one if all sessions are needed.
func (l *Screen) readMore() tea.Cmd {
	next, from, limit := l.state.next, l.deps.Store, pageSize
	if l.state.wantsAll() {
		limit = largePage
	}
	return screen.Within(func(ctx context.Context) tea.Msg {
		sessions, after, err := from.Sessions(ctx, next, limit)
		return moreRead{l, sessions, after, err}
	})
}

func (l *Screen) staleSoon() tea.Cmd {
	return l.deps.After(screen.StaleAfter, stale{l})
}

package tui

import (
	"context"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"planb/questions/safe"
	"planb/store"
)

// sessionScreen is one session: what it is about, what was asked in it, and
// the versions of its plan.
type sessionScreen struct {
	browser  browser
	session  store.Session
	asks     []store.Ask  // oldest first
	plans    []store.Plan // newest first
	asksErr  string       // why they cannot be read
	plansErr string
	loaded   bool

	list   pickList
	bell   *bell
	page   page
	keys   []boundKey
	status string

	reading, again bool
	first          screen // lies over the session from the start; nil for none
}

// Messages of a session's screen to itself.
type (
	sessionRead struct {
		screen   *sessionScreen
		session  store.Session
		asks     []store.Ask
		plans    []store.Plan
		err      error
		asksErr  error
		plansErr error
	}
	sessionStale struct{ screen *sessionScreen }
)

func newSessionScreen(b browser, session store.Session) *sessionScreen {
	return &sessionScreen{browser: b, session: session, bell: newBell(b.store), keys: sessionKeys()}
}

// Init reads the session and listens for changes.
func (s *sessionScreen) Init() tea.Cmd {
	start := tea.Batch(s.read(), s.bell.start(), s.staleSoon())
	if s.first == nil {
		return start
	}
	return tea.Batch(start, send(pushScreen{s.first, s}))
}

// Resize lays the screen out.
func (s *sessionScreen) Resize(width, height int) {
	s.page.width, s.page.height = width, height
	s.layOut()
}

// Retheme takes the look.
func (s *sessionScreen) Retheme(look *look) { s.page.look = look }

// Update moves, opens, and takes what was read.
func (s *sessionScreen) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return escapeFirst(msg, func(key tea.KeyPressMsg) tea.Cmd {
			s.status = ""
			return s.act(actionOf(s.keys, key))
		})
	case tea.MouseClickMsg:
		return s.click(msg.Mouse())
	case tea.MouseWheelMsg:
		s.list.move(wheelSteps(msg.Mouse()))
	case sessionRead:
		return s.took(msg)
	case sessionStale:
		if msg.screen == s {
			return tea.Batch(s.read(), s.staleSoon())
		}
	case askEnded:
		s.status = askStatus(msg)
		return s.read()
	case bellHung, bellRang:
		return s.bell.heard(msg, s.read)
	}
	return nil
}

func (s *sessionScreen) act(act action) tea.Cmd {
	if moveList(&s.list, act) {
		return nil
	}
	switch act {
	case actEnter:
		return s.open()
	case actDiff:
		return s.compare()
	case actCopy:
		s.status = "The session's id is in the clipboard, if this terminal allows it."
		return tea.SetClipboard(s.session.ID)
	case actEscape:
		return send(closeScreen{s})
	case actTheme:
		return send(switchTheme{})
	case actHelp:
		return send(pushScreen{newKeysScreen("Session", s.keys), s})
	case actQuit:
		return send(quitProgram{})
	}
	return nil
}

// open opens the ask or the plan under the cursor.
func (s *sessionScreen) open() tea.Cmd {
	at := s.list.cursor
	if at < len(s.asks) {
		if err := s.asks[at].Err; err != nil {
			s.status = sentence(err)
			return nil
		}
		return send(pushScreen{s.browser.form(s.asks[at]), s})
	}
	if at -= len(s.asks); at < len(s.plans) {
		return send(pushScreen{newPlanScreen(s.browser, s.session, s.plans[at].Number), s})
	}
	return nil
}

// compare shows what changed in the version under the cursor; on an ask, in the
// latest one.
func (s *sessionScreen) compare() tea.Cmd {
	number := 0
	switch at := s.list.cursor - len(s.asks); {
	case at >= 0 && at < len(s.plans):
		number = s.plans[at].Number
	case len(s.plans) > 0:
		number = s.plans[0].Number
	}
	versions := slices.Clone(s.plans)
	slices.Reverse(versions)
	changes, none := s.browser.changes(s.session, versions, number)
	if changes == nil {
		s.status = none
		return nil
	}
	return send(pushScreen{changes, s})
}

func (s *sessionScreen) click(mouse tea.Mouse) tea.Cmd {
	row, ok := s.list.rowAt(mouse.Y - pageHeaderLines - len(s.about()))
	if !ok || mouse.Button != tea.MouseLeft {
		return nil
	}
	if row == s.list.cursor {
		return s.open()
	}
	s.list.moveTo(row)
	return nil
}

// read reads everything anew, one read at a time.
func (s *sessionScreen) read() tea.Cmd {
	if s.reading {
		s.again = true
		return nil
	}
	s.reading = true
	b, id := s.browser, s.session.ID
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(context.Background(), ioPatience)
		defer cancel()
		msg := sessionRead{screen: s}
		msg.session, msg.err = b.store.Session(ctx, id)
		msg.asks, msg.asksErr = b.store.Asks(ctx, id)
		msg.plans, msg.plansErr = b.store.Plans(ctx, id)
		return msg
	}
}

func (s *sessionScreen) took(msg sessionRead) tea.Cmd {
	if msg.screen != s {
		return nil
	}
	if msg.err == nil {
		s.session = msg.session
	}
	s.session.Err = msg.err
	s.asksErr, s.plansErr = sentence(msg.asksErr), sentence(msg.plansErr)
	at := s.current()
	s.asks = msg.asks
	s.plans = s.plans[:0]
	for i := len(msg.plans) - 1; i >= 0; i-- {
		s.plans = append(s.plans, msg.plans[i])
	}
	s.loaded = true
	s.layOut()
	s.moveTo(at)
	s.reading = false
	if s.again {
		s.again = false
		return s.read()
	}
	return nil
}

// sessionSpot names a row of the screen, whatever else comes and goes.
type sessionSpot struct {
	ask  string
	plan int
}

func (s *sessionScreen) current() sessionSpot {
	at := s.list.cursor
	if at < len(s.asks) {
		return sessionSpot{ask: s.asks[at].ID}
	}
	if at -= len(s.asks); at < len(s.plans) {
		return sessionSpot{plan: s.plans[at].Number}
	}
	return sessionSpot{}
}

func (s *sessionScreen) moveTo(spot sessionSpot) {
	for i, ask := range s.asks {
		if ask.ID == spot.ask {
			s.list.moveTo(i)
		}
	}
	for i, plan := range s.plans {
		if plan.Number == spot.plan {
			s.list.moveTo(len(s.asks) + i)
		}
	}
}

func (s *sessionScreen) staleSoon() tea.Cmd {
	return tea.Tick(staleAfter, func(time.Time) tea.Msg { return sessionStale{s} })
}

// close stops listening.
func (s *sessionScreen) close(context.Context) ([]string, error) {
	s.bell.stop()
	return nil, nil
}

// sentence is an error for a line of the screen; empty for none.
func sentence(err error) string {
	if err == nil {
		return ""
	}
	return safe.New(err.Error()).Line()
}

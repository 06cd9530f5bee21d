package retro

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"planb/questions/safe"
	"planb/store"
	"planb/store/runs"
	"planb/store/timeline"
	"planb/tui/ask"
	"planb/tui/compare"
	"planb/tui/editor/external"
	"planb/tui/keymap"
	"planb/tui/screen"
	"planb/tui/wording"
)

// Session is the story of a session: a list of everything that happened, and beside it
// what was known at the moment under the cursor.
type Session struct {
	deps    Deps
	session store.Session
	state   storyState
	loaded  bool
	problem string                                     // why it cannot be told
	start   func(*timeline.Story) (place int, ok bool) // where the cursor begins; nil for the end
	first   screen.Screen                              // opens over the session; nil for none

	drafts    []runs.Summary // that were written in it
	draftsErr error          // why they cannot be listed

	share  *external.Sharer
	page   screen.Page
	keys   []keymap.Binding
	status string

	reads    *screen.Reader // of the story
	peeking  bool           // what belongs to one event is being read
	studying *study
}

// NewSession is the story of a session, with the cursor at its end.
func NewSession(d Deps, session store.Session) *Session {
	s := &Session{deps: d, session: session, state: newStoryState(), keys: d.Keys.On(keymap.OfSession, keymap.Session())}
	s.reads = screen.NewReader(d.Store, d.After, s.read)
	s.share = external.NewSharer(d.Environ, s.keys, &s.status)
	return s
}

// NewSessionAtAsk is the story of a session with the cursor on the end of an ask. The form
// of the ask opens over it.
func NewSessionAtAsk(d Deps, session store.Session, id string) *Session {
	s := NewSession(d, session)
	s.start = func(story *timeline.Story) (int, bool) { return story.FindAsk(id) }
	s.first = d.OpenForm(Form{Ask: store.Ask{ID: id}})
	return s
}

// NewSessionAtPlan is the story of a session with the cursor on a version of its plan.
// That version opens over it.
func NewSessionAtPlan(d Deps, session store.Session, number int) *Session {
	s := NewSession(d, session)
	s.start = func(story *timeline.Story) (int, bool) { return story.FindPlan(number) }
	s.first = newPlan(d, session, number)
	return s
}

// Init reads the session and listens for changes.
func (s *Session) Init() tea.Cmd {
	start := s.reads.Start()
	if s.first == nil {
		return start
	}
	return tea.Batch(start, screen.Send(screen.Push{Screen: s.first, Over: s}))
}

// Resize lays the screen out.
func (s *Session) Resize(width, height int) {
	s.page.Width, s.page.Height = width, height
	s.layOut()
}

// Retheme takes the look.
func (s *Session) Retheme(look *screen.Look) {
	s.page.Look = look
	s.layOut()
}

func (s *Session) layOut() {
	s.state.says = !s.hasPanel()
	s.state.layOut(s.deps.Now())
	s.state.list.SetLines(s.split().ListLines() - len(s.about()) - len(s.tail()))
}

// Update handles keys and the mouse, what was read, and the end of a form.
func (s *Session) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return screen.EscapeFirst(msg, func(key tea.KeyPressMsg) tea.Cmd {
			s.status = ""
			return s.act(keymap.ActionOf(s.keys, key))
		})
	case tea.MouseClickMsg:
		return s.click(msg.Mouse())
	case tea.MouseWheelMsg:
		s.state.list.Move(screen.WheelSteps(msg.Mouse()))
		s.state.noteMove()
		return s.peek()
	case screen.ThemeKept:
		s.status = msg.Notice
	case screen.Relaid:
		return s.peek()
	case ask.Ended:
		s.status = msg.Status()
		return s.reads.Read()
	case screen.ReadDue:
		return s.reads.Heard(msg)
	case external.Sharing:
		return s.share.Heard(msg)
	case interface{ owner() *Session }:
		if msg.owner() == s {
			return s.heardOwn(msg)
		}
	}
	return nil
}

// heardOwn handles the results of the own commands of the screen.
func (s *Session) heardOwn(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case sessionRead:
		return s.apply(msg)
	case sessionPeeked:
		return s.peeked(msg)
	case sessionStudied:
		return s.studied(msg)
	}
	return nil
}

func (s *Session) act(act keymap.Action) tea.Cmd {
	if s.state.move(act) {
		return s.peek()
	}
	switch act {
	case keymap.Enter:
		return s.open()
	case keymap.Changes:
		return s.compare()
	case keymap.Unfold:
		s.state.toggleFold(s.deps.Now())
		s.layOut()
		return s.peek()
	case keymap.Led:
		return s.showLed()
	case keymap.Copy, keymap.Pager, keymap.Edit:
		return s.shareText(act)
	}
	return screen.ActCommon(act, s, "Session", s.keys)
}

// open opens the ask or the plan of the event under the cursor.
func (s *Session) open() tea.Cmd {
	e, ok := s.state.event()
	switch {
	case !ok:
		return nil
	case e.Plan > 0:
		return screen.Send(screen.Push{Screen: newPlan(s.deps, s.session, e.Plan), Over: s})
	case e.Err != nil:
		s.status = wording.Sentence(e.Err)
		return nil
	}
	ask, ok := s.state.story.Ask(e.Ask)
	if !ok {
		s.status = "Nothing more belongs to this."
		return nil
	}
	return screen.Send(screen.Push{Screen: s.deps.OpenForm(Form{Ask: ask}), Over: s})
}

// opens reports whether something belongs to an event that open opens.
func (s *Session) opens(e timeline.Event) bool {
	_, about := s.state.story.Ask(e.Ask)
	return e.Plan > 0 || e.Err == nil && about
}

// shareText copies the text of the event under the cursor, or opens it in the pager or the
// editor.
func (s *Session) shareText(act keymap.Action) tea.Cmd {
	e, ok := s.state.event()
	if !ok {
		return nil
	}
	d, session := s.deps, s.session
	return s.share.Share(act, func(ctx context.Context) (external.Shared, error) {
		switch {
		case e.Plan > 0:
			return d.sharedPlan(ctx, session.ID, e.Plan)
		case e.Ask != "":
			return d.sharedAsk(ctx, e.Ask)
		case act == keymap.Copy:
			return external.Shared{What: "The session's id", Text: safe.New(session.ID)}, nil
		}
		return sharedSession(session), nil
	})
}

// showLed lists the answers that led to the version under the cursor, or the versions that
// followed the answer under it.
func (s *Session) showLed() tea.Cmd {
	e, ok := s.state.event()
	if !ok {
		return nil
	}
	name, rows := "Where it led", []screen.Row(nil)
	if e.Plan > 0 {
		name = fmt.Sprintf("What led to v%d", e.Plan)
		rows = s.deps.ledHere(s.state.story, s.state.details[e.Plan], e.Plan, func(line int) func(screen.Screen) tea.Cmd {
			return func(from screen.Screen) tea.Cmd {
				return screen.Send(screen.Push{Screen: newPlan(s.deps, s.session, e.Plan).at(line), Over: from})
			}
		})
	} else {
		rows = s.deps.ledFrom(s.state.story, s.session, s.state.place(), s.state.cited[e.Ask])
	}
	if len(rows) == 0 {
		s.status = "No answer or plan is known to be linked with this."
		return nil
	}
	return screen.Send(screen.Push{Screen: screen.NewPick(s.deps.Keys, name, wording.SessionTitle(s.session), rows, 0), Over: s})
}

// compare shows what changed in the latest version at the moment under the cursor, or in
// the first version if there was none yet.
func (s *Session) compare() tea.Cmd {
	if s.state.story == nil {
		return nil
	}
	versions := s.state.story.Plans
	number := s.state.planAt(s.state.place())
	if number == 0 && len(versions) > 0 {
		number = versions[0].Number
	}
	changes, none := compare.Since(s.deps.comparing(), s.session, versions, number)
	if changes == nil {
		s.status = none
		return nil
	}
	return screen.Send(screen.Push{Screen: changes, Over: s})
}

func (s *Session) click(mouse tea.Mouse) tea.Cmd {
	if mouse.X >= s.listWidth() {
		return nil
	}
	hit, again := s.state.list.Click(mouse, screen.HeaderLines+len(s.about()))
	switch {
	case again:
		return s.open()
	case !hit:
		return nil
	}
	s.state.noteMove()
	return s.peek()
}

// Close stops listening and all reading.
func (s *Session) Close(context.Context) ([]string, error) {
	s.reads.Stop()
	s.studying.stop()
	return nil, s.share.Close()
}

package retro

import (
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"planb/questions/safe"
	"planb/store"
	"planb/store/timeline"
	"planb/tui/markdown"
	"planb/tui/screen"
	"planb/tui/wording"
)

// A session is read in three steps, so that the longest opens at once: its story,
// which the records tell; what belongs to the event under the cursor, its form
// or the head of its plan; and meanwhile, version by version, what the texts
// tell.

// Messages of a session's screen to itself.
type (
	sessionRead struct {
		screen *Session
		story  *timeline.Story
		err    error
	}
	// sessionRested says that the next read may come.
	sessionRested struct{ screen *Session }
	sessionStale  struct{ screen *Session }
	// sessionPeeked is what belongs to one event: a form, or the head of a plan.
	sessionPeeked struct {
		screen *Session
		id     string
		ask    store.Ask
		plan   int
		text   safe.Text
		err    error
	}
	// sessionStudied is what the texts of some versions tell.
	sessionStudied struct {
		screen  *Session
		study   *study
		details []timeline.Detail
		err     error
		done    bool
	}
)

func (m sessionRead) owner() *Session    { return m.screen }
func (m sessionRested) owner() *Session  { return m.screen }
func (m sessionStale) owner() *Session   { return m.screen }
func (m sessionPeeked) owner() *Session  { return m.screen }
func (m sessionStudied) owner() *Session { return m.screen }

// read reads the story anew, one read at a time.
func (s *Session) read() tea.Cmd {
	if s.reading || s.resting {
		s.again = true
		return nil
	}
	s.reading = true
	d, id := s.deps, s.session.ID
	return screen.Within(func(ctx context.Context) tea.Msg {
		story, err := timeline.Read(ctx, d.Store, id)
		return sessionRead{s, story, err}
	})
}

func (s *Session) readAgain() tea.Cmd {
	if !s.again || s.reading || s.resting {
		return nil
	}
	s.again = false
	return s.read()
}

func (s *Session) took(msg sessionRead) tea.Cmd {
	s.reading, s.resting, s.loaded = false, true, true
	s.problem = wording.Sentence(msg.err)
	if msg.err == nil {
		s.session = msg.story.Session
		s.state.setStory(msg.story, s.deps.Now())
		s.begin()
	}
	s.layOut()
	return tea.Batch(s.deps.After(s.rest(), sessionRested{s}), s.peek(), s.study())
}

// rest is the least time until the next read: a long story takes longer to read,
// and the store rings for every other session, too.
func (s *Session) rest() time.Duration {
	const perEvent = 100 * time.Microsecond
	if s.state.story == nil {
		return screen.RefreshPause
	}
	return max(screen.RefreshPause, perEvent*time.Duration(len(s.state.story.Events)))
}

// begin goes where the session is to be opened.
func (s *Session) begin() {
	if s.start == nil {
		return
	}
	if place, ok := s.start(s.state.story); ok {
		s.layOut()
		s.state.list.MoveTo(place)
		s.state.noteMove()
	}
	s.start = nil
}

// peek reads what belongs to the event under the cursor and is shown beside it,
// one thing at a time. While the cursor runs over events what it has left behind
// is not read.
func (s *Session) peek() tea.Cmd {
	e, ok := s.state.event()
	if !ok || s.peeking || !s.hasPanel() {
		return nil
	}
	d, session := s.deps, s.session.ID
	number := s.state.planAt(s.state.list.Cursor)
	if _, have := s.state.specs[e.Ask]; e.Ask != "" && e.Err == nil && !have {
		return s.peekAt(func(ctx context.Context) (msg sessionPeeked) {
			msg.id = e.Ask
			msg.ask, msg.err = d.Store.Ask(ctx, e.Ask)
			return msg
		})
	}
	head, have := s.state.heads[number]
	if number > 0 && !have {
		return s.peekAt(func(ctx context.Context) (msg sessionPeeked) {
			msg.plan = number
			msg.text, msg.err = d.Store.PlanText(ctx, session, number)
			return msg
		})
	}
	if number == 0 || head.err != nil || s.page.Look == nil {
		return nil
	}
	renderer, room := s.page.Look.Markdown, s.panelRoom()
	if _, ready := renderer.Cached(head.value, room); ready {
		return nil
	}
	return s.peekAt(func(context.Context) sessionPeeked {
		renderer.Render(head.value, room)
		return sessionPeeked{}
	})
}

func (s *Session) peekAt(read func(ctx context.Context) sessionPeeked) tea.Cmd {
	s.peeking = true
	return screen.Within(func(ctx context.Context) tea.Msg {
		msg := read(ctx)
		msg.screen = s
		return msg
	})
}

func (s *Session) peeked(msg sessionPeeked) tea.Cmd {
	s.peeking = false
	switch {
	case msg.id != "":
		s.state.addSpec(msg.ask, msg.id, msg.err)
	case msg.plan > 0:
		s.state.addHead(msg.plan, msg.text, msg.err)
	}
	return s.peek()
}

// headLines are the rendered first lines of a version, once they are at hand.
func (s *Session) headLines(number int) (markdown.Doc, bool) {
	head, ok := s.state.heads[number]
	if !ok || head.err != nil {
		return markdown.Doc{}, false
	}
	return s.page.Look.Markdown.Cached(head.value, s.panelRoom())
}

// study is the reading of the texts of some versions, one after another. It
// belongs to one screen.
type study struct {
	end     context.CancelFunc
	numbers []int
	steps   chan sessionStudied
}

// study looks into the versions that were not looked into yet.
func (s *Session) study() tea.Cmd {
	numbers := s.state.unknownVersions()
	if s.studying != nil || len(numbers) == 0 {
		return nil
	}
	ctx, end := context.WithCancel(context.Background())
	run := &study{end: end, numbers: numbers, steps: make(chan sessionStudied)}
	s.studying = run
	story, from := s.state.story, s.deps.Store
	return func() tea.Msg {
		go run.read(ctx, s, story, from)
		return run.next(s)
	}
}

// read passes on what is found out, more at once while the screen is busy, until
// somebody ends it.
func (r *study) read(ctx context.Context, screen *Session, story *timeline.Story, from timeline.Texts) {
	defer close(r.steps)
	step := sessionStudied{screen: screen, study: r}
	for detail, err := range story.Details(ctx, from, r.numbers...) {
		if step.err = err; err != nil {
			break
		}
		step.details = append(step.details, detail)
		select {
		case r.steps <- step:
			step.details = nil
		default:
		}
	}
	select {
	case r.steps <- step:
	case <-ctx.Done():
	}
}

// next waits for what is found out next.
func (r *study) next(screen *Session) tea.Msg {
	if step, ok := <-r.steps; ok {
		return step
	}
	return sessionStudied{screen: screen, study: r, done: true}
}

func (r *study) stop() {
	if r != nil {
		r.end()
	}
}

func (s *Session) studied(msg sessionStudied) tea.Cmd {
	run := msg.study
	if run != s.studying {
		return nil
	}
	for _, detail := range msg.details {
		s.state.addDetail(detail)
	}
	switch {
	case msg.err != nil: // the next change reads anew
		run.stop()
		s.studying = nil
		if !errors.Is(msg.err, context.Canceled) {
			s.status = "The versions could not be compared: " + wording.Sentence(msg.err)
		}
		return nil
	case msg.done:
		run.stop()
		s.studying = nil
		s.state.missed(run.numbers)
		return s.study()
	}
	return func() tea.Msg { return run.next(s) }
}

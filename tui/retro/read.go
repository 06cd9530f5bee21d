package retro

import (
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"planb/questions/safe"
	"planb/store"
	"planb/store/runs"
	"planb/store/timeline"
	"planb/tui/markdown"
	"planb/tui/screen"
	"planb/tui/wording"
)

// A session is read in three steps, so that even the longest opens at once. First comes the
// story, which needs only the records. Then comes the form or the plan of the event under the
// cursor (peek). Meanwhile the texts of the versions are compared, one after another (study).

// Messages of Session to itself.
type (
	sessionRead struct {
		screen *Session
		story  *timeline.Story
		err    error

		drafts    []runs.Summary
		draftsErr error
	}
	// sessionRested says that the next read may begin. sessionPeeked brings what the
	// panel shows for one event: a form, or the first lines of a plan.
	sessionPeeked struct {
		screen *Session
		id     string
		ask    store.Ask
		plan   int
		text   safe.Text
		err    error
	}
	// sessionStudied is what the texts of some versions say.
	sessionStudied struct {
		screen  *Session
		study   *study
		details []timeline.Detail
		err     error
		done    bool
	}
)

func (m sessionRead) owner() *Session    { return m.screen }
func (m sessionPeeked) owner() *Session  { return m.screen }
func (m sessionStudied) owner() *Session { return m.screen }

// read reads the story anew.
func (s *Session) read() tea.Cmd {
	d, id := s.deps, s.session.ID
	return screen.Within(func(ctx context.Context) tea.Msg {
		story, err := timeline.Read(ctx, d.Store, id)
		drafts, draftsErr := d.Store.Drafts().Of(ctx, id)
		return sessionRead{s, story, err, drafts, draftsErr}
	})
}

func (s *Session) apply(msg sessionRead) tea.Cmd {
	s.loaded = true
	s.problem = wording.Sentence(msg.err)
	s.drafts, s.draftsErr = msg.drafts, msg.draftsErr
	if msg.err == nil {
		s.session = msg.story.Session
		s.state.setStory(msg.story, s.deps.Now())
		s.begin()
	}
	s.layOut()
	return tea.Batch(s.reads.Done(s.rest()), s.peek(), s.study())
}

// rest is the least time until the next read. It grows with the story, because a long
// story takes longer to read, and the store rings for changes in other sessions, too.
func (s *Session) rest() time.Duration {
	const perEvent = 100 * time.Microsecond
	if s.state.story == nil {
		return screen.RefreshPause
	}
	return max(screen.RefreshPause, perEvent*time.Duration(len(s.state.story.Events)))
}

// begin puts the cursor where the session is to be opened.
func (s *Session) begin() {
	if s.start == nil {
		return
	}
	if place, ok := s.start(s.state.story); ok {
		s.layOut()
		s.state.moveTo(place)
		s.state.noteMove()
	}
	s.start = nil
}

// peek reads what is shown beside the event under the cursor, one thing at a time. Events
// that the cursor has left meanwhile are not read.
func (s *Session) peek() tea.Cmd {
	e, ok := s.state.event()
	if !ok || s.peeking || !s.hasPanel() {
		return nil
	}
	d, session := s.deps, s.session.ID
	number := s.state.planAt(s.state.place())
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
	renderer, room := s.page.Look.Markdown.Joined(), s.split().Room()
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

// headLines are the first lines of a version, once they are rendered.
func (s *Session) headLines(number int) (markdown.Doc, bool) {
	head, ok := s.state.heads[number]
	if !ok || head.err != nil {
		return markdown.Doc{}, false
	}
	return s.page.Look.Markdown.Joined().Cached(head.value, s.split().Room())
}

// study reads the texts of some versions, one after another, for one screen.
type study struct {
	end     context.CancelFunc
	numbers []int
	steps   chan sessionStudied
}

// study looks into the versions that are not known yet.
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

// read sends what it finds out until it is stopped. While the screen is busy it collects
// several versions for one message.
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

// next waits for the next message of the study.
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

package retro

import (
	"context"
	"errors"

	tea "charm.land/bubbletea/v2"

	"planb/store/search"
	"planb/tui/editor"
	"planb/tui/keymap"
	"planb/tui/screen"
	"planb/tui/wording"
)

// Search finds words in everything that was asked, answered and planned, while they are
// typed.
type Search struct {
	deps   Deps
	state  searchState
	page   screen.Page
	keys   []keymap.Binding
	typed  *editor.Query
	status string

	run *searchRun // nil while no search is under way
}

// searchRun is a search under way. The next change of the words ends it.
type searchRun struct {
	end   context.CancelFunc
	steps chan searchStep
}

// searchStep is the next part of the results of a run; done is set in the last one.
type searchStep struct {
	run  *searchRun
	step search.Step
	err  error
	done bool
}

// NewSearch is an empty search.
func NewSearch(d Deps) *Search {
	return &Search{deps: d, typed: editor.NewQuery(search.MaxQueryBytes), keys: d.Keys.On(keymap.OfSearch, keymap.Search())}
}

// Init starts nothing, because nothing is typed yet.
func (s *Search) Init() tea.Cmd { return nil }

// Resize lays the hits out.
func (s *Search) Resize(width, height int) {
	s.page.Width, s.page.Height = width, height
	s.layOut()
}

func (s *Search) layOut() { s.state.layOut(s.page.BodyLines() - s.aboveList()) }

// Retheme takes the look.
func (s *Search) Retheme(look *screen.Look) { s.page.Look = look }

// Update handles typing, keys and the mouse, and the results of a search.
func (s *Search) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		s.status = ""
		return screen.EscapeFirst(msg, s.press, s.keys...)
	case tea.PasteMsg:
		return s.search(keymap.None, msg.Content)
	case tea.MouseClickMsg:
		return s.click(msg.Mouse())
	case tea.MouseWheelMsg:
		s.state.list.Move(screen.WheelSteps(msg.Mouse()))
	case searchStep:
		if msg.run == s.run && s.run != nil {
			return s.apply(msg)
		}
	}
	return nil
}

func (s *Search) press(msg tea.KeyPressMsg) tea.Cmd {
	act := keymap.ActionOf(s.keys, msg)
	if s.state.list.Act(act) {
		return nil
	}
	switch act {
	case keymap.Enter:
		return s.open()
	case keymap.Escape:
		return screen.Send(screen.Close{Screen: s})
	case keymap.Help:
		return screen.Send(screen.Push{Screen: screen.NewHelp("Find", s.keys), Over: s})
	case keymap.Quit:
		return screen.Send(screen.Quit{})
	}
	return s.search(act, msg.Text)
}

// search changes the text, ends the search under way and begins one for the new text.
func (s *Search) search(act keymap.Action, typed string) tea.Cmd {
	if !s.typed.Type(act, typed) {
		return nil
	}
	s.stop()
	text := s.typed.Text()
	s.state.restart(text)
	defer s.layOut()
	query, err := search.Parse(text, s.deps.Now())
	if err != nil {
		s.state.problem = wording.Sentence(err)
		return nil
	}
	if query.Empty() {
		return nil
	}
	query.Excerpts = mostExcerpts
	ctx, end := context.WithCancel(context.Background())
	run := &searchRun{end: end, steps: make(chan searchStep)}
	s.run, s.state.running = run, true
	from := s.deps.Store
	return func() tea.Msg {
		go run.search(ctx, from, query)
		return run.next()
	}
}

// search sends the results step by step until its context ends.
func (r *searchRun) search(ctx context.Context, from search.Source, query search.Query) {
	defer close(r.steps)
	for step, err := range search.Run(ctx, from, query) {
		select {
		case r.steps <- searchStep{run: r, step: step, err: err}:
		case <-ctx.Done():
			return
		}
	}
}

// next waits for the next step.
func (r *searchRun) next() tea.Msg {
	if step, ok := <-r.steps; ok {
		return step
	}
	return searchStep{run: r, done: true}
}

func (s *Search) apply(msg searchStep) tea.Cmd {
	defer s.layOut()
	if msg.err != nil && !errors.Is(msg.err, context.Canceled) {
		s.state.problem = wording.Sentence(msg.err)
	}
	if msg.done || msg.err != nil {
		s.stop()
		return nil
	}
	s.state.add(msg.step)
	if s.state.more {
		s.stop()
		return nil
	}
	return s.run.next
}

// stop ends the search under way.
func (s *Search) stop() {
	if s.run != nil {
		s.run.end()
	}
	s.run, s.state.running = nil, false
}

// open opens the hit under the cursor.
func (s *Search) open() tea.Cmd {
	hit, ok := s.state.hit()
	switch {
	case !ok:
		return nil
	case hit.Ask.ID != "":
		form := Form{Ask: hit.Ask}
		if len(hit.Excerpts) > 0 {
			form.Question, form.Found = hit.Excerpts[0].Question, hit.Excerpts[0].Raw()
		}
		return screen.Send(screen.Push{Screen: s.deps.OpenForm(form), Over: s})
	case hit.Plan.Number > 0:
		plan := newPlan(s.deps, hit.Session, hit.Plan.Number).showFound(hit)
		return screen.Send(screen.Push{Screen: plan, Over: s})
	}
	return screen.Send(screen.Push{Screen: NewSession(s.deps, hit.Session), Over: s})
}

// click puts the cursor on a hit. A click on the hit under the cursor opens it.
func (s *Search) click(mouse tea.Mouse) tea.Cmd {
	if _, again := s.state.list.Click(mouse, screen.HeaderLines+s.aboveList()); again {
		return s.open()
	}
	return nil
}

// Close ends the search under way.
func (s *Search) Close(context.Context) ([]string, error) {
	s.stop()
	return nil, nil
}

package drafts

import (
	"context"
	"errors"
	"sync/atomic"

	tea "charm.land/bubbletea/v2"

	rules "planb/drafts"
	"planb/store/runs"
	"planb/tui/ask"
	"planb/tui/keymap"
	"planb/tui/lanes"
	"planb/tui/markdown"
	"planb/tui/screen"
	"planb/tui/wording"
)

// Screen is one draft.
type Screen struct {
	deps  Deps
	id    string
	draft *draft
	view  view
	steps screen.List
	graph graph
	chart chart
	text  reader // the section beside the steps
	needs int    // lines that the preview of an unwritten step has, if the cursor stands on one; else 0

	reads  *screen.Reader
	page   screen.Page
	keys   []keymap.Binding
	failed error  // why the draft could not be read
	status string // below the body
	asked  *decision
	writes screen.Writes
	// refused has the texts of the person that were not taken over, by step.
	refused map[string]refusedEdit
	back    atomic.Pointer[editorLeft] // returned by the editor, not yet handled
}

// view is what the screen shows of the draft.
type view uint8

// The views.
const (
	asList view = iota
	asGraph
	asSchedule
	views
)

// New returns the screen of a draft.
func New(d Deps, id string) *Screen {
	s := &Screen{
		deps: d, id: id, keys: d.Keys.On(keymap.OfDrafts, keymap.Drafts()),
		refused: map[string]refusedEdit{},
	}
	s.reads = screen.NewReader(d.Watcher, d.After, s.read)
	s.graph.pen = lanes.NewPen()
	s.steps.Around = 1
	return s
}

// Messages of the screen to itself.
type (
	draftRead struct {
		screen *Screen
		draft  *draft
		err    error
	}
	rendered struct{ screen *Screen }
)

func (m draftRead) owner() *Screen { return m.screen }
func (m rendered) owner() *Screen  { return m.screen }

// Init reads the draft and listens for changes.
func (s *Screen) Init() tea.Cmd { return s.reads.Start() }

// read reads the draft anew.
func (s *Screen) read() tea.Cmd {
	d, id, before := s.deps, s.id, s.draft
	return screen.Within(func(ctx context.Context) tea.Msg {
		p, err := d.readDraft(ctx, id, before)
		return draftRead{s, p, err}
	})
}

// Resize lays the screen out.
func (s *Screen) Resize(width, height int) {
	s.page.Width, s.page.Height = width, height
	s.layOut()
}

// Retheme takes the look.
func (s *Screen) Retheme(look *screen.Look) {
	s.page.Look = look
	s.layOut()
}

// Update handles keys and the mouse, and what was read and rendered.
func (s *Screen) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return screen.EscapeFirst(msg, s.press, s.typing()...)
	case tea.PasteMsg:
		if s.asked != nil {
			s.asked.Paste(msg.Content)
		}
	case tea.MouseClickMsg:
		return s.click(msg.Mouse())
	case tea.MouseWheelMsg:
		return s.wheel(msg.Mouse())
	case screen.ThemeKept:
		s.status = msg.Notice
	case screen.Relaid:
		return s.render()
	case screen.ReadDue:
		return s.reads.Heard(msg)
	case interface{ owner() *Screen }:
		if msg.owner() == s {
			return s.heardOwn(msg)
		}
	case ask.Ended:
		s.status = msg.Status()
		return s.reads.Read()
	}
	return nil
}

// heardOwn handles the results of the own commands of the screen.
func (s *Screen) heardOwn(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case draftRead:
		return s.apply(msg)
	case rendered:
		s.readStep()
	default:
		cmd := s.heardDecision(msg)
		s.layOut()
		return tea.Batch(cmd, s.reads.Read())
	}
	return nil
}

// apply shows what was read. The cursor stays on its step; at first it goes to the one that
// matters most.
func (s *Screen) apply(msg draftRead) tea.Cmd {
	if s.failed = msg.err; msg.err == nil {
		first := s.draft == nil
		before, _ := s.step()
		s.draft = msg.draft
		if first {
			before = s.draft.steps[s.draft.first()]
		}
		s.layOut()
		s.pointTo(before.ID)
	}
	return tea.Batch(s.reads.Done(screen.RefreshPause), s.render())
}

// first is the step that a person wants to see first: one that waits for them, else one that
// failed, else one in work, else one to be written again, else the next one. In a finished
// draft it is the summary.
func (p *draft) first() int {
	for _, wanted := range []rules.StepState{rules.StepForYou, rules.StepFailed, rules.StepInWork, rules.StepAgain, rules.StepNext} {
		if list := p.stepsIn(wanted); len(list) > 0 {
			return p.at(list[0].ID)
		}
	}
	return max(p.at(summaryStep), 0)
}

// summaryStep is the step whose section stands first in a report.
const summaryStep = "summary"

// step is the step under the cursor.
func (s *Screen) step() (rules.Step, bool) {
	if s.draft == nil || s.steps.Cursor >= len(s.draft.steps) {
		return rules.Step{}, false
	}
	return s.draft.steps[s.steps.Cursor], true
}

// pointTo puts the cursor on a step.
func (s *Screen) pointTo(id string) {
	if at := s.draft.at(id); at >= 0 {
		s.steps.MoveTo(at)
	}
	s.moved()
}

func (s *Screen) press(msg tea.KeyPressMsg) tea.Cmd {
	s.status = ""
	if s.asked != nil {
		cmd := s.pressAnswer(msg)
		s.layOut()
		return cmd
	}
	return s.act(keymap.ActionOf(s.keys, msg))
}

// rows is the list that the cursor stands in.
func (s *Screen) rows() *screen.List {
	if s.view == asSchedule {
		return &s.chart.list
	}
	return &s.steps
}

// act does what a key means.
func (s *Screen) act(act keymap.Action) tea.Cmd {
	if s.rows().Act(act) {
		s.moved()
		return s.render()
	}
	switch act {
	case keymap.ScrollUp:
		s.text.scroll(-screen.WheelLines)
	case keymap.ScrollDown:
		s.text.scroll(screen.WheelLines)
	case keymap.PanLeft:
		s.text.pan.By(-markdown.PanCells)
	case keymap.PanRight:
		s.text.pan.By(markdown.PanCells)
	case keymap.Enter:
		return s.open()
	case keymap.Next:
		s.turn()
		return s.render()
	}
	step, known := s.step()
	if cmd, done := s.decide(act, step, known && s.view != asSchedule, s); done {
		s.layOut()
		return cmd
	}
	return screen.ActCommon(act, s, "Drafts", s.keys)
}

// open opens the section under the cursor, or the form of a step that waits for the person.
func (s *Screen) open() tea.Cmd {
	step, ok := s.step()
	switch {
	case !ok || s.view == asSchedule:
		return nil
	case s.draft.state(step) == rules.StepForYou:
		return s.answer(step, s)
	case step.ID == scheduleStep && s.draft.placed != nil:
		s.view = asSchedule
		s.layOut()
		return nil
	}
	return screen.Send(screen.Push{Screen: newSection(s, step.ID), Over: s})
}

// turn shows the next view. A draft without a schedule has no chart.
func (s *Screen) turn() {
	step, ok := s.step()
	s.view = (s.view + 1) % views
	if s.view == asSchedule && (s.draft == nil || s.draft.placed == nil) {
		s.view = asList
	}
	s.layOut()
	if ok {
		s.pointTo(step.ID)
	}
}

func (s *Screen) click(mouse tea.Mouse) tea.Cmd {
	if s.draft == nil {
		return nil
	}
	if s.asked != nil {
		defer s.layOut()
		return s.clickAnswer(s.page, mouse)
	}
	if s.view != asSchedule && mouse.X >= s.split().ListWidth() {
		return nil
	}
	if _, again := s.rows().Click(mouse, screen.HeaderLines+s.aboveRows()); again {
		return s.act(keymap.Enter)
	}
	if list, needs := s.steps, s.needs; s.view == asList {
		if s.layOut(); s.steps.FromTop() != list.FromTop() { // a second click must find the row where it was
			s.steps, s.needs = list, needs
		}
	}
	s.readStep()
	return s.render()
}

// moved lays the view out for the row to which the cursor moved, with the rows around it in view.
func (s *Screen) moved() {
	s.layOut()
	s.rows().Move(0)
}

// wheel scrolls what lies below the mouse.
func (s *Screen) wheel(mouse tea.Mouse) tea.Cmd {
	if split := s.split(); s.view != asSchedule && split.Beside() && mouse.X >= split.ListWidth() {
		s.text.scroll(screen.WheelLines * screen.WheelSteps(mouse))
		return nil
	}
	s.rows().Move(screen.WheelSteps(mouse))
	s.moved()
	return s.render()
}

// problem says why the draft, or its newest state, is not shown; empty if it is.
func (s *Screen) problem() string {
	switch refused, ok := errors.AsType[*runs.Error](s.failed); {
	case s.failed == nil:
		return ""
	case ok && refused.Code == runs.PlanNotFound:
		return "There is no such draft."
	}
	return "The draft cannot be read: " + wording.Sentence(s.failed)
}

// Close stops listening, waits for what the person decided last, and keeps what they wrote in
// vain.
func (s *Screen) Close(ctx context.Context) (parting []string, err error) {
	s.reads.Stop()
	failed, err := s.writes.Wait(ctx)
	for _, fault := range failed {
		parting = append(parting, undone(fault))
	}
	return append(parting, s.parting()...), err
}

package tasks

import (
	"context"
	"errors"

	tea "charm.land/bubbletea/v2"

	rules "planb/plans/tasks"
	"planb/tui/ask"
	"planb/tui/editor"
	"planb/tui/keymap"
	"planb/tui/lanes"
	"planb/tui/screen"
	"planb/tui/wording"
)

// Screen is one plan of tasks.
type Screen struct {
	deps  Deps
	id    string // of the plan
	state board
	open  int // the first column that is not folded
	// broken says in which columns long titles have two lines, spread in which hints have, apart in
	// which an empty line stands below each card, and long in which titles have more than two lines.
	broken, spread, apart, long [columns]bool
	graph                       graph
	// graphed is true while the graph is shown instead of the board.
	graphed bool

	reads  *screen.Reader
	page   screen.Page
	keys   []keymap.Binding
	typing []keymap.Binding
	typed  *editor.Query // the filter
	types  bool          // keys go into the filter

	failed error // why the plan could not be read
	decide *decider
}

// maxFilter is the most bytes of a filter.
const maxFilter = 200

// New returns the screen of a plan. id is that of the plan or of one of its tasks, whose page opens
// at once.
func New(d Deps, id string) *Screen {
	s := &Screen{
		deps: d, id: id, typed: editor.NewQuery(maxFilter),
		keys: d.Keys.On(keymap.OfTasks, keymap.Tasks()), typing: d.Keys.On(keymap.OfFilter, keymap.Filtering()),
	}
	s.reads = screen.NewReader(d.Watcher, d.After, s.read)
	s.decide = &decider{deps: d, keys: s.keys}
	s.state.heights, s.graph.pen = s.cardHeights, lanes.NewPen()
	return s
}

// Messages of the screen to itself.
type (
	planRead struct {
		screen *Screen
		plan   *plan
		err    error
	}
)

func (m planRead) owner() *Screen { return m.screen }

// Init reads the plan and listens for changes.
func (s *Screen) Init() tea.Cmd {
	return s.reads.Start()
}

// read reads the plan anew.
func (s *Screen) read() tea.Cmd {
	d, id, before := s.deps, s.id, s.state.plan
	return screen.Within(func(ctx context.Context) tea.Msg {
		p, err := d.readPlan(ctx, id, before)
		return planRead{s, p, err}
	})
}

// Resize lays the screen out.
func (s *Screen) Resize(width, height int) {
	s.page.Width, s.page.Height = width, height
	s.layOut()
}

// Retheme takes the look.
func (s *Screen) Retheme(look *screen.Look) { s.page.Look = look }

// Update handles keys and the mouse, and what was read.
func (s *Screen) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		typing := s.decide.typing()
		if s.types {
			typing = s.typing
		}
		return screen.EscapeFirst(msg, s.press, typing...)
	case tea.PasteMsg:
		if s.types {
			s.filter(keymap.None, msg.Content)
		}
		s.decide.paste(msg.Content)
	case tea.MouseClickMsg:
		return s.click(msg.Mouse())
	case tea.MouseWheelMsg:
		s.list().Move(screen.WheelSteps(msg.Mouse()))
		s.followGraph()
	case screen.ThemeKept:
		s.decide.status = msg.Notice
	case screen.ReadDue:
		return s.reads.Heard(msg)
	case interface{ owner() *Screen }:
		if msg.owner() == s {
			return s.heardOwn(msg)
		}
	case interface{ decider() *decider }:
		if msg.decider() == s.decide {
			s.state.picked = nil
			cmd := s.decide.update(msg)
			s.layOut()
			return tea.Batch(cmd, s.reads.Read())
		}
	case ask.Ended:
		s.decide.status = msg.Status()
		return s.reads.Read()
	}
	return nil
}

// heardOwn handles the results of the own commands of the screen.
func (s *Screen) heardOwn(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case planRead:
		return s.apply(msg)
	}
	return nil
}

func (s *Screen) apply(msg planRead) tea.Cmd {
	s.failed = msg.err
	if msg.err == nil {
		first := s.state.plan == nil
		if first { // what is proposed is seen best as a whole
			s.graphed = msg.plan.Status == rules.PlanProposed
		}
		s.state.show(msg.plan)
		s.decide.plan = msg.plan
		_, n, ok := rules.SplitID(s.id)
		named := first && ok && n != 0
		if named {
			s.state.moveTo(n)
		}
		s.layOut()
		if named {
			return tea.Batch(s.openTask(n), s.reads.Done(screen.RefreshPause))
		}
	}
	return s.reads.Done(screen.RefreshPause)
}

// openTask opens the page of a task over the plan.
func (s *Screen) openTask(n int) tea.Cmd {
	return screen.Send(screen.Push{Screen: newTask(s.deps, s.state.plan, n), Over: s})
}

func (s *Screen) press(msg tea.KeyPressMsg) tea.Cmd {
	s.decide.status = ""
	switch {
	case s.decide.prompt != nil:
		cmd := s.decide.press(msg)
		s.layOut()
		return cmd
	case s.types:
		return s.typeFilter(msg)
	}
	return s.act(keymap.ActionOf(s.keys, msg))
}

// act does what a key means outside the filter.
func (s *Screen) act(act keymap.Action) tea.Cmd {
	switch {
	case s.graphed && s.actGraph(act):
		return nil
	case !s.graphed && s.state.act(act):
		s.unfold()
		return nil
	}
	switch act {
	case keymap.Enter:
		if n := s.task(); n != 0 {
			return s.openTask(n)
		}
	case keymap.Why:
		return s.why()
	case keymap.Select:
		s.state.pick(s.task())
		s.list().Move(1)
		s.followGraph()
	case keymap.Space, keymap.Release, keymap.Priority, keymap.CancelTask:
		cmd := s.decide.ask(act, s.state.chosen(s.task()))
		s.layOut()
		return cmd
	case keymap.Edit:
		return s.decide.edit(s.task())
	case keymap.Undo:
		return s.decide.takeBack()
	case keymap.Visit:
		return s.decide.visit(s.task())
	case keymap.Approve:
		return s.decide.approve(s)
	case keymap.Next:
		s.graphed = !s.graphed
		s.layOut()
		s.unfold()
	case keymap.Filter:
		s.types = true
		s.layOut()
	case keymap.Escape:
		switch {
		case len(s.state.picked) > 0:
			s.state.picked = nil
		case s.state.filter != "":
			s.filter(keymap.DeleteToStart, "")
		default:
			return screen.Send(screen.Close{Screen: s})
		}
	default:
		return screen.ActCommon(act, s, "Tasks", s.keys)
	}
	return nil
}

// list is the list that the cursor stands in.
func (s *Screen) list() *screen.List {
	if s.graphed {
		return &s.graph.list
	}
	return &s.state.lists[s.state.at]
}

// followGraph puts the cursor of the board on the task under that of the graph, which has as many
// lines as what is said of that task leaves.
func (s *Screen) followGraph() {
	if s.graphed {
		s.state.moveTo(s.graph.task())
		s.fitGraph()
	}
}

// task is the task under the cursor; 0 if there is none.
func (s *Screen) task() int {
	if s.graphed {
		return s.graph.task()
	}
	return s.state.task()
}

// typeFilter does what a key means while the filter is typed.
func (s *Screen) typeFilter(msg tea.KeyPressMsg) tea.Cmd {
	act := keymap.ActionOf(s.typing, msg)
	if s.list().Act(act) {
		s.followGraph()
		return nil
	}
	switch act {
	case keymap.Enter:
		s.types = false
		s.layOut()
	case keymap.Escape:
		s.types = false
		s.filter(keymap.DeleteToStart, "")
		s.layOut()
	case keymap.Quit:
		return screen.Send(screen.Quit{})
	case keymap.Backspace:
		if s.typed.Text() == "" {
			s.types = false
			s.layOut()
			return nil
		}
		s.filter(act, "")
	default:
		s.filter(act, msg.Text)
	}
	return nil
}

// filter changes the filter and narrows the board by it.
func (s *Screen) filter(act keymap.Action, text string) {
	if s.typed.Type(act, text) {
		s.state.setFilter(s.typed.Text())
		s.unfoldHits()
		s.layOut()
	}
}

// click puts the cursor on a card.
func (s *Screen) click(mouse tea.Mouse) tea.Cmd {
	if s.decide.prompt != nil {
		return s.decide.click(s.page, mouse)
	}
	if s.graphed {
		_, again := s.graph.list.Click(mouse, screen.HeaderLines+s.aboveColumns()+len(s.pathLines())+1)
		s.followGraph()
		if again {
			return s.act(keymap.Enter)
		}
		return nil
	}
	slots := s.slots()
	if s.foldedLines() > 0 && mouse.Y == s.cardsTop()-headLines-s.foldedLines() {
		slots = s.foldedSlots()
	}
	for _, slot := range slots {
		if !slot.covers(mouse.X) {
			continue
		}
		before := s.state.task()
		s.state.at = slot.column
		if hit, again := s.state.lists[slot.column].Click(mouse, s.cardsTop()+len(s.changesAbove(slot.column, slot.room()))); hit && again && before == s.state.task() {
			return s.act(keymap.Enter)
		}
		s.unfold()
	}
	return nil
}

// problem says why the plan, or its newest state, is not shown; empty if it is.
func (s *Screen) problem() string {
	var refused *rules.Error
	switch {
	case s.failed == nil:
		return ""
	case errors.As(s.failed, &refused) && refused.Code == rules.CodePlanNotFound:
		return "There is no such plan of tasks."
	}
	return "The plan cannot be read: " + wording.Sentence(s.failed)
}

// Close stops listening, and waits for what the person decided last.
func (s *Screen) Close(ctx context.Context) ([]string, error) {
	s.reads.Stop()
	return s.decide.close(ctx)
}

package tasks

import (
	"context"
	"errors"

	tea "charm.land/bubbletea/v2"

	rules "planb/plans/tasks"
	kept "planb/store/tasks"
	"planb/tui/ask"
	"planb/tui/keymap"
	"planb/tui/screen"
)

// Task is the page of one task: what it is, when it is done, who worked on it and what they
// reported, and where it came from.
type Task struct {
	deps   Deps
	plan   *plan
	n      int
	past   kept.Past
	origin origin
	failed error // why a part of it could not be read

	lines []string // of the body
	heads []int    // those of them that are headings; none if two columns stand beside each other
	top   int      // the first line in view

	reads  *screen.Reader
	page   screen.Page
	keys   []keymap.Binding
	decide *decider
}

// newTask returns the page of a task of a plan that was read.
func newTask(d Deps, p *plan, n int) *Task {
	t := &Task{deps: d, plan: p, n: n, keys: d.Keys.On(keymap.OfTasks, keymap.Tasks())}
	t.reads = screen.NewReader(d.Watcher, d.After, t.read)
	t.decide = &decider{deps: d, keys: t.keys, plan: p}
	return t
}

// Messages of the page to itself.
type (
	taskRead struct {
		task   *Task
		plan   *plan
		past   kept.Past
		origin origin
		err    error
	}
	taskRendered struct{ task *Task }
)

func (m taskRead) owner() *Task     { return m.task }
func (m taskRendered) owner() *Task { return m.task }

// Init reads what belongs to the task, and listens for changes.
func (t *Task) Init() tea.Cmd { return t.reads.Start() }

func (t *Task) read() tea.Cmd {
	d, before, n := t.deps, t.plan, t.n
	return screen.Within(func(ctx context.Context) tea.Msg {
		msg := taskRead{task: t, plan: before}
		p, err := d.readPlan(ctx, before.ID, before)
		if err != nil {
			msg.err = err
			return msg
		}
		msg.plan = p
		var pastErr, originErr error
		msg.past, pastErr = d.Store.Past(ctx, d.caller(), p.TaskID(n))
		msg.origin, originErr = d.originOf(ctx, p, n)
		msg.err = errors.Join(pastErr, originErr)
		return msg
	})
}

// Resize lays the page out.
func (t *Task) Resize(width, height int) {
	t.page.Width, t.page.Height = width, height
	t.layOut()
}

// Retheme takes the look.
func (t *Task) Retheme(look *screen.Look) {
	t.page.Look = look
	t.layOut()
}

// Update handles keys and the mouse, and what was read and rendered.
func (t *Task) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return screen.EscapeFirst(msg, t.press, t.decide.typing()...)
	case tea.PasteMsg:
		t.decide.paste(msg.Content)
	case tea.MouseClickMsg:
		if t.decide.prompt != nil {
			return t.decide.click(t.page, msg.Mouse())
		}
	case tea.MouseWheelMsg:
		t.scroll(screen.WheelLines * screen.WheelSteps(msg.Mouse()))
	case screen.ThemeKept:
		t.decide.status = msg.Notice
	case screen.Relaid:
		return t.render()
	case screen.ReadDue:
		return t.reads.Heard(msg)
	case interface{ owner() *Task }:
		if msg.owner() == t {
			return t.heardOwn(msg)
		}
	case interface{ decider() *decider }:
		if msg.decider() == t.decide {
			return tea.Batch(t.decide.update(msg), t.reads.Read())
		}
	case ask.Ended:
		t.decide.status = msg.Status()
		return t.reads.Read()
	}
	return nil
}

func (t *Task) press(msg tea.KeyPressMsg) tea.Cmd {
	t.decide.status = ""
	if t.decide.prompt != nil {
		return t.decide.press(msg)
	}
	return t.act(keymap.ActionOf(t.keys, msg))
}

func (t *Task) heardOwn(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case taskRead:
		t.failed = msg.err
		if msg.plan != nil {
			t.plan, t.decide.plan = msg.plan, msg.plan
		}
		if msg.err == nil {
			t.past, t.origin = msg.past, msg.origin
		}
		t.layOut()
		return tea.Batch(t.reads.Done(screen.RefreshPause), t.render())
	case taskRendered:
		t.layOut()
	}
	return nil
}

// render renders the description, unless that was done before.
func (t *Task) render() tea.Cmd {
	if t.page.Look == nil || t.page.Unsized() {
		return nil
	}
	renderer, text, room := t.page.Look.Markdown, t.task().Description, t.columns().main
	if _, done := renderer.Cached(text, room); done || text.Blank() {
		return nil
	}
	return func() tea.Msg {
		renderer.Render(text, room)
		return taskRendered{t}
	}
}

func (t *Task) task() rules.Task { return t.plan.texts[t.n-1] }

func (t *Task) act(act keymap.Action) tea.Cmd {
	room := t.page.BodyLines()
	switch act {
	case keymap.Up:
		t.scroll(-1)
	case keymap.Down:
		t.scroll(1)
	case keymap.PageUp:
		t.scroll(-max(room-2, 1))
	case keymap.PageDown:
		t.scroll(max(room-2, 1))
	case keymap.Home:
		t.scroll(-len(t.lines))
	case keymap.End:
		t.scroll(len(t.lines))
	case keymap.Enter:
		return t.links()
	case keymap.Why:
		t.decide.status = t.plan.why(t.n) + "."
	case keymap.Space, keymap.Release, keymap.Priority, keymap.CancelTask:
		return t.decide.ask(act, []int{t.n})
	case keymap.Edit:
		return t.decide.edit(t.n)
	case keymap.Undo:
		return t.decide.takeBack()
	case keymap.Visit:
		return t.decide.visit(t.n)
	case keymap.Approve:
		return t.decide.approve(t)
	case keymap.Left:
		return screen.Send(screen.Close{Screen: t})
	default:
		return screen.ActCommon(act, t, "Task", t.keys)
	}
	return nil
}

func (t *Task) scroll(by int) {
	t.top = max(min(t.top+by, len(t.lines)-t.page.BodyLines()), 0)
}

// Close stops listening, and waits for what the person decided last.
func (t *Task) Close(ctx context.Context) ([]string, error) {
	t.reads.Stop()
	return t.decide.close(ctx)
}

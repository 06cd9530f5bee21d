package tasks

import (
	"cmp"
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"

	rules "planb/plans/tasks"
	"planb/store"
	kept "planb/store/tasks"
	"planb/themes"
	"planb/tui/ask"
	"planb/tui/cells"
	"planb/tui/keymap"
	"planb/tui/retro"
	"planb/tui/screen"
	"planb/tui/wording"
)

// List is all plans of tasks: first those that wait for the person's approval, then those
// in work, then those that have ended.
type List struct {
	deps  Deps
	plans []listed
	list  screen.List

	reads  *screen.Reader
	page   screen.Page
	keys   []keymap.Binding
	loaded bool
	failed error
	status string
}

// listed is a plan of the list.
type listed struct {
	kept.Plan
	project  string
	done, of int
	err      error // why its tasks cannot be counted
}

// NewList returns the list of all plans.
func NewList(d Deps) *List {
	l := &List{deps: d, keys: d.Keys.On(keymap.OfPick, keymap.TaskPlans())}
	l.reads = screen.NewReader(d.Watcher, d.After, l.read)
	return l
}

// Messages of the list to itself.
type (
	listRead struct {
		list  *List
		plans []listed
		err   error
	}
	listReview struct {
		list *List
		ask  store.Ask
		err  error
	}
)

func (m listRead) owner() *List   { return m.list }
func (m listReview) owner() *List { return m.list }

// Init reads the plans and listens for changes.
func (l *List) Init() tea.Cmd { return l.reads.Start() }

func (l *List) read() tea.Cmd {
	d := l.deps
	return screen.Within(func(ctx context.Context) tea.Msg {
		plans, err := d.readPlans(ctx)
		return listRead{l, plans, err}
	})
}

// readPlans reads all plans, with how much of each is done.
func (d Deps) readPlans(ctx context.Context) ([]listed, error) {
	plans, err := d.Store.Plans(ctx, d.caller())
	if err != nil {
		return nil, err
	}
	projects, err := d.Store.Projects(ctx, d.caller())
	if err != nil {
		return nil, err
	}
	names := map[string]string{}
	for _, project := range projects {
		if project.Err == nil {
			names[project.ID] = project.Name.Line()
		}
	}
	list := make([]listed, 0, len(plans))
	for _, p := range plans {
		row := listed{Plan: p, project: names[p.Project], err: p.Err}
		if p.Err == nil {
			var whole kept.Whole
			if whole, row.err = d.Store.Plan(ctx, d.caller(), p.ID); row.err == nil {
				row.done, row.of = (&plan{Whole: whole}).done()
			}
		}
		list = append(list, row)
	}
	slices.SortStableFunc(list, func(a, b listed) int {
		return cmp.Or(cmp.Compare(a.rank(), b.rank()), b.Updated.Compare(a.Updated))
	})
	return list, nil
}

// rank orders plans by what they want of the person.
func (p listed) rank() int {
	switch {
	case p.Err != nil:
		return 2
	case p.Status == rules.PlanProposed:
		return 0
	case p.Status == rules.PlanActive:
		return 1
	}
	return 3
}

// Resize lays the list out.
func (l *List) Resize(width, height int) {
	l.page.Width, l.page.Height = width, height
	l.list.SetLines(l.page.BodyLines())
}

// Retheme takes the look.
func (l *List) Retheme(look *screen.Look) { l.page.Look = look }

// Update handles keys and the mouse, and what was read.
func (l *List) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return screen.EscapeFirst(msg, l.press)
	case tea.MouseWheelMsg:
		l.list.Move(screen.WheelSteps(msg.Mouse()))
	case tea.MouseClickMsg:
		if _, again := l.list.Click(msg.Mouse(), screen.HeaderLines); again {
			return l.act(keymap.Enter)
		}
	case screen.ThemeKept:
		l.status = msg.Notice
	case ask.Ended:
		l.status = msg.Status()
		return l.reads.Read()
	case screen.ReadDue:
		return l.reads.Heard(msg)
	case interface{ owner() *List }:
		if msg.owner() == l {
			return l.heardOwn(msg)
		}
	}
	return nil
}

func (l *List) heardOwn(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case listRead:
		l.apply(msg)
		return l.reads.Done(screen.RefreshPause)
	case listReview:
		if msg.err != nil {
			l.status = "Nothing to approve: " + wording.Sentence(msg.err)
			return nil
		}
		return screen.Send(screen.Push{Screen: l.deps.Past.OpenForm(retro.Form{Ask: msg.ask}), Over: l})
	}
	return nil
}

// apply shows what was read. The cursor stays on its plan.
func (l *List) apply(msg listRead) {
	if l.failed = msg.err; msg.err != nil {
		return
	}
	at := l.list.Cursor
	if at < len(l.plans) {
		id := l.plans[at].ID
		if now := slices.IndexFunc(msg.plans, func(p listed) bool { return p.ID == id }); now >= 0 {
			at = now
		}
	}
	l.plans, l.loaded = msg.plans, true
	heights := make([]int, len(l.plans))
	for i := range heights {
		heights[i] = rowLines
		if l.heading(i) != "" {
			heights[i]++
		}
	}
	l.list.SetRows(heights, at)
}

func (l *List) press(msg tea.KeyPressMsg) tea.Cmd {
	l.status = ""
	return l.act(keymap.ActionOf(l.keys, msg))
}

func (l *List) act(act keymap.Action) tea.Cmd {
	if l.list.Act(act) {
		return nil
	}
	switch act {
	case keymap.Enter:
		if l.list.Cursor < len(l.plans) {
			return screen.Send(screen.Push{Screen: New(l.deps, l.plans[l.list.Cursor].ID), Over: l})
		}
	case keymap.Approve:
		return l.approve()
	default:
		return screen.ActCommon(act, l, "Plans of tasks", l.keys)
	}
	return nil
}

// approve opens the review of the plan under the cursor.
func (l *List) approve() tea.Cmd {
	if l.list.Cursor >= len(l.plans) {
		return nil
	}
	p, review := l.plans[l.list.Cursor], l.deps.Review
	if p.Err != nil || p.Status.Final() {
		l.status = "Nothing of it waits for your approval."
		return nil
	}
	return screen.Within(func(ctx context.Context) tea.Msg {
		made, err := review(ctx, p.ID)
		return listReview{l, made, err}
	})
}

// rowLines is the height of a row: the title, what is said below it, and an empty line.
const rowLines = 3

// heading names the group that begins with a row; empty if none does.
func (l *List) heading(i int) string {
	rank := l.plans[i].rank()
	if i > 0 && l.plans[i-1].rank() == rank {
		return ""
	}
	return [...]string{"Waiting for your approval", "In work", "Unreadable", "Ended"}[rank]
}

// View draws the list.
func (l *List) View() screen.Frame {
	acts := []keymap.Action{keymap.Enter, keymap.Escape, keymap.Help, keymap.Theme, keymap.Quit}
	switch at := l.list.Cursor; {
	case at >= len(l.plans):
		acts = acts[1:]
	case l.plans[at].Err == nil && l.plans[at].Status == rules.PlanProposed:
		acts = append([]keymap.Action{keymap.Approve}, acts...)
	}
	return screen.Frame{Title: "planb: tasks", Content: l.page.Draw(
		l.page.Header("Tasks", wording.Plural(len(l.plans), "plan")), l.body(),
		l.page.Footer(l.keys, acts, l.status))}
}

func (l *List) body() []string {
	st := &l.page.Look.Styles
	switch {
	case l.failed != nil:
		return []string{"", " " + st.Danger.Render(cells.Cut("! "+wording.Sentence(l.failed), l.page.Width-2))}
	case !l.loaded:
		return nil
	case len(l.plans) == 0:
		return l.page.Centred(l.empty())
	}
	return l.list.Visible(l.row)
}

// row draws a plan: its title and how far it is, and below it its project and status.
func (l *List) row(i int) []string {
	p, st, width := l.plans[i], &l.page.Look.Styles, l.page.Width
	var lines []string
	if heading := l.heading(i); heading != "" {
		lines = append(lines, "  "+st.Strong.Render(heading))
	}
	standing := p.Status.Standing()
	mark, title, right := st.Role(themes.RoleOfTasks(p.Status)).Render(standing.Mark), p.Title.Line(), ""
	about := cells.Join(standing.Word, p.project, rules.Short(p.ID), wording.Ago(p.Updated, l.deps.Now()))
	if p.Paused && !p.Status.Final() {
		about = cells.Join("paused", about)
	}
	if p.err == nil {
		right = st.Progress(p.done, p.of) + st.Muted.Render(" "+cells.PadLeft(digits(p.done)+"/"+digits(p.of), 7))
	} else {
		mark, about = st.Danger.Render("!"), wording.Sentence(p.err)
		if p.Err != nil {
			title = "Unreadable plan " + rules.Short(p.ID)
		}
	}
	drawn := []string{
		"  " + mark + " " + cells.Sides(st.ItemTitle(i == l.list.Cursor).Render(title), right, width-5),
		"    " + st.Muted.Render(cells.CutParts(about, width-5)),
	}
	if i == l.list.Cursor {
		drawn = st.FocusedItem(drawn, width)
	}
	return append(append(lines, drawn...), "")
}

// empty tells a person without plans how to get one.
func (l *List) empty() []string {
	st := &l.page.Look.Styles
	width := min(l.page.Width-4, 62)
	lines := []string{
		st.Strong.Render(cells.Cut("There are no plans of tasks yet.", width)),
		st.Muted.Render(cells.Cut("Agents propose them, you approve them here.", width)), "",
	}
	return append(lines, l.page.Commands(width, 28, [][2]string{
		{"planb tasks on", "gives your agents the tools"},
		{"planb tasks import TODO.md", "makes a plan of a list of yours"},
		{"planb demo tasks", "shows it once, without an agent"},
	})...)
}

// Close stops listening.
func (l *List) Close(context.Context) ([]string, error) {
	l.reads.Stop()
	return nil, nil
}

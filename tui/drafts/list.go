package drafts

import (
	"cmp"
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"

	"planb/store/runs"
	"planb/themes"
	"planb/tui/cells"
	"planb/tui/keymap"
	"planb/tui/screen"
	"planb/tui/wording"
)

// List is all drafts: first those that need the person, then those in work, then those that
// were stopped or failed, and last those that are written.
type List struct {
	deps   Deps
	drafts []listed
	list   screen.List

	reads  *screen.Reader
	page   screen.Page
	keys   []keymap.Binding
	loaded bool
	failed error
	status string
}

// listed is a draft of the list.
type listed struct {
	runs.Summary
	condition condition
	happens   string // now
	err       error  // why the draft cannot be read
}

// NewList returns the list of all drafts.
func NewList(d Deps) *List {
	l := &List{deps: d, keys: d.Keys.On(keymap.OfPick, append(keymap.List(), keymap.Common()...))}
	l.reads = screen.NewReader(d.Watcher, d.After, l.read)
	return l
}

// Messages of the list to itself.
type (
	listRead struct {
		list   *List
		drafts []listed
		err    error
	}
)

func (m listRead) owner() *List { return m.list }

// Init reads the drafts and listens for changes.
func (l *List) Init() tea.Cmd { return l.reads.Start() }

func (l *List) read() tea.Cmd {
	d := l.deps
	return screen.Within(func(ctx context.Context) tea.Msg {
		drafts, err := d.readList(ctx)
		return listRead{l, drafts, err}
	})
}

// maxListed is how many drafts are listed, the newest ones.
const maxListed = 1000

// readList reads all drafts. For those that are being written it finds out by whom.
func (d Deps) readList(ctx context.Context) ([]listed, error) {
	all, err := d.Store.List(ctx, nil, maxListed)
	if err != nil {
		return nil, err
	}
	list := make([]listed, 0, len(all))
	for _, p := range all {
		list = append(list, d.listed(ctx, p))
	}
	slices.SortStableFunc(list, func(a, b listed) int { return cmp.Compare(a.rank(), b.rank()) })
	return list, nil
}

// listed finds out how a draft stands.
func (d Deps) listed(ctx context.Context, p runs.Summary) listed {
	row := listed{Summary: p, err: p.Err}
	if row.err != nil {
		return row
	}
	if p.State == runs.Completed {
		row.condition, row.happens = finished, finished.standing().word
		return row
	}
	whole, err := d.readDraft(ctx, p.ID, nil)
	if err != nil {
		row.err = err
		return row
	}
	row.condition, row.happens = whole.condition(), whole.happens()
	return row
}

// group is a part of the list.
type group uint8

const (
	needsYou group = iota
	goesOn
	ended
	unreadable
	isWritten
)

// rank orders drafts by what they want of the person.
func (p listed) rank() group {
	switch {
	case p.err != nil:
		return unreadable
	case p.condition <= stalled:
		return needsYou
	case p.condition <= ready:
		return goesOn
	case p.condition <= stopped:
		return ended
	}
	return isWritten
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
	}
	return nil
}

// apply shows what was read. The cursor stays on its draft.
func (l *List) apply(msg listRead) {
	if l.failed = msg.err; msg.err != nil {
		return
	}
	at := l.list.Cursor
	if at < len(l.drafts) {
		id := l.drafts[at].ID
		if now := slices.IndexFunc(msg.drafts, func(p listed) bool { return p.ID == id }); now >= 0 {
			at = now
		}
	}
	l.drafts, l.loaded = msg.drafts, true
	heights := make([]int, len(l.drafts))
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
		if l.list.Cursor < len(l.drafts) {
			return screen.Send(screen.Push{Screen: New(l.deps, l.drafts[l.list.Cursor].ID), Over: l})
		}
	default:
		return screen.ActCommon(act, l, "Drafts", l.keys)
	}
	return nil
}

// rowLines is the height of a row: the title, what is said below it, and an empty line.
const rowLines = 3

// heading names the group that begins with a row; empty if none does.
func (l *List) heading(i int) string {
	rank := l.drafts[i].rank()
	if i > 0 && l.drafts[i-1].rank() == rank {
		return ""
	}
	return [...]string{"Needs you", "In work", "Stopped or failed", "Unreadable", "Written"}[rank]
}

// View draws the list.
func (l *List) View() screen.Frame {
	acts := []keymap.Action{keymap.Enter, keymap.Escape, keymap.Help, keymap.Theme, keymap.Quit}
	if len(l.drafts) == 0 {
		acts = acts[1:]
	}
	return screen.Frame{Title: "planb: drafts", Content: l.page.Draw(
		l.page.Header("Drafts", wording.Plural(len(l.drafts), "draft")), l.body(),
		l.page.Footer(l.keys, acts, l.status))}
}

func (l *List) body() []string {
	st := &l.page.Look.Styles
	switch {
	case l.failed != nil:
		return []string{"", " " + st.Danger.Render(cells.Cut("! "+wording.Sentence(l.failed), l.page.Width-2))}
	case !l.loaded:
		return nil
	case len(l.drafts) == 0:
		return l.page.Centred(l.empty())
	}
	return l.list.Visible(l.row)
}

// row draws a draft: its title and how far it is, and below it what happens and its project.
func (l *List) row(i int) []string {
	p, st, width := l.drafts[i], &l.page.Look.Styles, l.page.Width
	var lines []string
	if heading := l.heading(i); heading != "" {
		lines = append(lines, "  "+st.Strong.Render(heading))
	}
	standing := p.condition.standing()
	mark, name, right := st.Role(standing.role).Render(standing.mark), title(p.Summary), ""
	happens, about := p.happens, cells.Join(project(p.Summary), string(p.Detail), short(p.ID), "begun "+wording.Ago(p.Created, l.deps.Now()))
	if p.err == nil {
		right = st.Progress(p.Done, p.Of) + st.Muted.Render(" "+cells.PadLeft(stepCount(p.Done, p.Of), 5))
	} else {
		mark, happens, about = st.Danger.Render("!"), wording.Sentence(p.err), ""
		if p.Err != nil {
			name = "Unreadable draft " + short(p.ID)
		}
	}
	below := st.Role(standing.role).Render(cells.Cut(happens, width-5))
	if standing.role == themes.RoleFaint || p.err != nil {
		below = st.Muted.Render(cells.Cut(happens, width-5))
	}
	if room := width - 5 - cells.Width(below) - cells.Width(cells.Gap); about != "" && room >= leastAbout {
		below += st.Muted.Render(cells.Gap + cells.CutParts(about, room))
	}
	here := i == l.list.Cursor
	drawn := []string{"  " + mark + " " + cells.Sides(st.ItemTitle(here).Render(name), right, width-5), "    " + below}
	if here {
		drawn = st.FocusedItem(drawn, width)
	}
	return append(append(lines, drawn...), "")
}

// leastAbout is the room from which on a row says more than what happens to its draft.
const leastAbout = 12

// empty tells a person without drafts how to get one.
func (l *List) empty() []string {
	st := &l.page.Look.Styles
	width := min(l.page.Width-4, 64)
	lines := []string{
		st.Strong.Render(cells.Cut("There are no drafts yet.", width)),
		st.Muted.Render(cells.Cut("A draft makes a whole plan of one prompt, step by step.", width)), "",
	}
	return append(lines, l.page.Commands(width, 22, [][2]string{
		{"planb draft new", "begins one: from a form, or from a file"},
		{"planb demo draft", "shows it once, without an agent"},
	})...)
}

// Close stops listening.
func (l *List) Close(context.Context) ([]string, error) {
	l.reads.Stop()
	return nil, nil
}

package tasks

import (
	"context"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	rules "planb/plans/tasks"
	"planb/questions/safe"
	"planb/themes"
	"planb/tui/cells"
	"planb/tui/keymap"
	"planb/tui/screen"
	"planb/tui/wording"
)

// why tells why the task under the cursor is not ready. From there the person goes to the
// tasks that it waits for. If there are none, the footer says so.
func (s *Screen) why() tea.Cmd {
	n := s.task()
	if n == 0 {
		return nil
	}
	chain := s.state.plan.chain(n)
	if len(chain.links) == 0 {
		s.decide.status = s.whyAlone(n)
		return nil
	}
	return screen.Send(screen.Push{Screen: newReasons(s, n, chain), Over: s})
}

// whyAlone says of a task that waits for no other one why it stands where it does. If the lines
// above say that in full, it says what the person can do.
func (s *Screen) whyAlone(n int) string {
	p, does := s.state.plan, ""
	if !s.whyShown(n) {
		return p.why(n) + "."
	}
	if p.column(n) == needsYou {
		switch {
		case p.waits(n):
			does = keymap.Tells(s.keys, ": ", keymap.Approve, " reviews it")
		case p.view.State(n) == rules.NeedsReview:
			if does = keymap.Tells(s.keys, ": ", keymap.Space, " accepts it or sends it back"); p.unanswered(n) {
				does = keymap.Tells(s.keys, ": ", keymap.Space, " answers its agent")
			}
		default:
			does = keymap.Tells(s.keys, ": ", keymap.Space, " says that you have done it")
		}
	}
	return "It waits for no other task" + does + "."
}

// whyShown reports whether what is said of the task under the cursor has all of why it stands
// where it does.
func (s *Screen) whyShown(n int) bool {
	if s.detailLines() == 0 {
		return false
	}
	lines := s.whyLines(n)
	return !strings.HasSuffix(lines[len(lines)-1], "…")
}

// drawWhy says on a task's page why agents cannot have it, or that a change of it waits.
func (t *Task) drawWhy(s *sheet) {
	s.lines = append(s.lines, "")
	if t.failed != nil {
		s.say(s.st.Danger, "! Not everything could be read: "+wording.Sentence(t.failed))
	}
	if t.plan.column(t.n) != needsYou { // the header says what it wants of the person
		s.say(t.role(), t.why()+".")
	} else if changed := t.plan.whyChanged(t.n); changed != "" {
		s.say(t.role(), changed+".")
	}
}

// why says why agents cannot have the task: if one has it, in words other than the header's.
func (t *Task) why() string {
	if t.plan.column(t.n) == working {
		if o := t.plan.obstacles(t.n); len(o) > 0 && o[0].Why == rules.Taken && o[0].Who != "" {
			has := fmt.Sprintf("%s has been on it for %s", safe.New(o[0].Who).Line(), wording.Lasted(t.plan.view.Now.Sub(o[0].Since)))
			return cells.JoinBy(". ", has, t.plan.whyChanged(t.n))
		}
	}
	return t.plan.why(t.n)
}

// chain is all that a task waits for, also by way of others.
type chain struct {
	links []link
	moves []move
}

// link is a task that another one waits for.
type link struct {
	task, depth int
	again       bool // it stands further up, with what it waits for itself
}

// move is what somebody can do for the task to become ready.
type move struct {
	mark column // of the board: how it is marked
	who  string // cleaned
	does string
	act  keymap.Action // by which the person does it on the board; None: by no key
}

// mostLinks is how many tasks of a chain are listed.
const mostLinks = 200

// chain follows what a task waits for.
func (p *plan) chain(n int) chain {
	var c chain
	seen := map[int]bool{n: true}
	var follow func(n, depth int)
	follow = func(n, depth int) {
		obstacles := p.obstacles(n)
		if len(obstacles) == 0 && depth > 0 {
			c.add(move{ready, "Any agent", "claims " + wording.Quote(p.title(n)), keymap.None})
		}
		for _, o := range obstacles {
			if o.Task == 0 {
				c.add(p.move(n, o))
				continue
			}
			if len(c.links) == mostLinks {
				return
			}
			c.links = append(c.links, link{o.Task, depth, seen[o.Task]})
			if !seen[o.Task] {
				seen[o.Task] = true
				follow(o.Task, depth+1)
			}
		}
	}
	follow(n, 0)
	if len(c.links) == 1 && len(c.moves) == 1 && c.moves[0].mark != needsYou {
		c.moves = nil // the row of the only task says that already
	}
	// What the person can do comes first, then what is ready.
	order := []column{needsYou, ready, working, blocked}
	slices.SortStableFunc(c.moves, func(a, b move) int { return slices.Index(order, a.mark) - slices.Index(order, b.mark) })
	return c
}

func (c *chain) add(m move) {
	if m.does != "" && !slices.Contains(c.moves, m) {
		c.moves = append(c.moves, m)
	}
}

// move says who can take away an obstacle that is no other task of the plan.
func (p *plan) move(n int, o rules.Obstacle) move {
	title := wording.Quote(p.title(n))
	you := func(does string, act keymap.Action) move { return move{needsYou, "You", does, act} }
	switch o.Why {
	case rules.NotActive:
		if p.Status == rules.PlanProposed {
			return you("approve the plan", keymap.Approve)
		}
	case rules.Paused:
		return you("let the plan go on, which is paused", keymap.None)
	case rules.Locked:
		if p.heldBack(n) {
			return you("approve "+title+", which you held back", keymap.None)
		}
		return you("approve "+title, keymap.Approve)
	case rules.Person:
		return you("do "+title, keymap.Space)
	case rules.Review:
		return you("accept "+title, keymap.Space)
	case rules.Taken:
		return move{working, safe.New(o.Who).Line(), "completes " + title, keymap.None}
	case rules.HolderGone:
		return move{working, safe.New(o.Who).Line(), "is gone; " + title + " is free in " + wording.Lasted(o.Until.Sub(p.view.Now)), keymap.None}
	case rules.Overlap:
		if o.Other != nil {
			return move{working, safe.New(o.Who).Line(), "completes " + wording.Quote(o.Other.Title.Line()) + " of " + wording.Quote(o.Other.Plan.Line()), keymap.None}
		}
	}
	return move{}
}

// reasons is the page that tells why a task is not ready: what it waits for, and who can do
// what about that. It shows the plan as the board had it.
type reasons struct {
	of    *Screen
	plan  *plan
	n     int
	chain chain
	list  screen.List
	page  screen.Page
	keys  []keymap.Binding
}

func newReasons(of *Screen, n int, c chain) *reasons {
	r := &reasons{of: of, plan: of.state.plan, n: n, chain: c, keys: of.deps.Keys.On(keymap.OfPick, append(keymap.List(), keymap.Common()...))}
	heights := make([]int, len(c.links))
	for i := range heights {
		heights[i] = 1
	}
	r.list.SetRows(heights, 0)
	return r
}

// Init starts nothing: the plan is known.
func (r *reasons) Init() tea.Cmd { return nil }

func (r *reasons) Resize(width, height int) {
	r.page.Width, r.page.Height = width, height
	r.layOut()
}

func (r *reasons) Retheme(look *screen.Look) {
	r.page.Look = look
	r.layOut()
}

// layOut gives the list the lines that are left over.
func (r *reasons) layOut() {
	if r.page.Look == nil || r.page.Unsized() {
		return
	}
	room := r.page.BodyLines() - len(r.heading()) - len(r.moves())
	r.list.SetLines(min(max(room, 1), len(r.chain.links)))
}

// Update moves in the list and goes to the task that the person chooses.
func (r *reasons) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return screen.EscapeFirst(msg, r.press)
	case tea.MouseWheelMsg:
		r.list.Move(screen.WheelSteps(msg.Mouse()))
	case tea.MouseClickMsg:
		if hit, _ := r.list.Click(msg.Mouse(), screen.HeaderLines+len(r.heading())); hit {
			return r.open()
		}
	}
	return nil
}

func (r *reasons) press(msg tea.KeyPressMsg) tea.Cmd {
	act := keymap.ActionOf(r.keys, msg)
	switch {
	case r.list.Act(act):
		return nil
	case act == keymap.Enter:
		return r.open()
	}
	return screen.ActCommon(act, r, whyName, r.keys)
}

// whyName is what the page is called.
const whyName = "Why not ready"

// open goes to the task under the cursor.
func (r *reasons) open() tea.Cmd {
	r.of.goTo(r.chain.links[r.list.Cursor].task)
	return screen.Send(screen.Close{Screen: r})
}

// View draws the page.
func (r *reasons) View() screen.Frame {
	body := append(r.heading(), r.list.Visible(r.row)...)
	return screen.Frame{Title: "planb: " + whyName, Content: r.page.Draw(
		r.page.Header(whyName, r.plan.Title.Line()), append(body, r.moves()...),
		r.page.Footer(r.keys, []keymap.Action{keymap.Enter, keymap.Escape, keymap.Help, keymap.Theme, keymap.Quit}, ""))}
}

// margin is how many cells stand at the left of the page: the edge of the focus, and a blank. The
// right end is that of the header.
const margin = 2

func (r *reasons) room() int { return r.end() - margin }

func (r *reasons) end() int { return r.page.Width - 1 }

// airy reports whether empty lines stand between the parts of the page.
func (r *reasons) airy() bool { return r.page.Height >= smallHeight }

// smallHeight is the height of a window from which on the page has air.
const smallHeight = 20

// heading names the task, says how it stands, and begins the list.
func (r *reasons) heading() []string {
	st, p, room := &r.page.Look.Styles, r.plan, r.room()
	id := st.Faint.Render(cells.Join(p.key(r.n), rules.Short(p.ID)+"."+digits(r.n)))
	lines := []string{cells.Sides(st.Strong.Render(p.title(r.n)), id, room), p.facts(st, r.n, room)}
	if r.airy() {
		lines = append(append([]string{""}, lines...), "")
	}
	return r.indented(append(lines, r.rule("What it waits for", r.list.Position())))
}

// rule is a heading with a line behind it, and a few words at its end.
func (r *reasons) rule(name, end string) string {
	st := &r.page.Look.Styles
	if end != "" {
		end = " " + end
	}
	line := max(r.room()-ansi.StringWidth(name+end)-1, 0)
	return st.Strong.Render(name) + " " + st.Rule.Render(strings.Repeat("─", line)) + st.Faint.Render(end)
}

// row draws a task of the chain, indented below the one that waits for it.
func (r *reasons) row(i int) []string {
	const step, deepest = 2, 8
	st, p, l := &r.page.Look.Styles, r.plan, r.chain.links[i]
	here := i == r.list.Cursor
	lead := strings.Repeat(" ", margin+step*min(l.depth, deepest)) + p.mark(st, l.task) + " "
	hint := p.hintBeside(l.task, r.end()-ansi.StringWidth(lead))
	style := st.Faint
	switch c := p.column(l.task); {
	case l.again:
		hint = "see above"
	case c == needsYou, c == working:
		style = st.Role(themes.RoleOfTask(c.state()))
	case c == ready:
		hint = "ready for any agent"
	case i+1 < len(r.chain.links) && r.chain.links[i+1].depth > l.depth: // the rows below say after which
		words, _ := p.besideOthers(l.task)
		hint = fitting(words, r.end()/2)
	}
	title := cells.Cut(p.title(l.task), max(r.end()-ansi.StringWidth(lead)-ansi.StringWidth(hint)-2, 1))
	line := cells.Sides(lead+st.ItemTitle(here).Render(title), style.Render(hint), r.end())
	if here {
		line = st.Focused(line, r.page.Width)
	}
	return []string{line}
}

// keysAreTold is the room from which on it is said that the keys work on the board.
const keysAreTold = 60 // cells

// moves say who can do what for the task to become ready, on a third of the page at most.
func (r *reasons) moves() []string {
	st, room := &r.page.Look.Styles, r.room()
	most := min(len(r.chain.moves), max(r.page.BodyLines()/3, 1))
	if most == 0 {
		return nil
	}
	shown, who := r.chain.moves[:most], 0
	for _, m := range shown {
		who = max(who, min(ansi.StringWidth(m.who), room/3))
	}
	// Where the keys work is said behind them, or once above them if that would cut what they do.
	press, where, end := "press ", " on the board", ""
	for _, m := range shown {
		if key := r.key(m); key != "" && ansi.StringWidth("● "+m.does+press+key+where)+who+2*cells.SidesGap > room {
			press, where, end = "", "", "key on the board"
		}
	}
	if room < keysAreTold {
		end = ""
	}
	lines := []string{r.rule("Who can unblock it", end)}
	if r.airy() {
		lines = append([]string{""}, lines...)
	}
	for _, m := range shown {
		style, key := st.Role(themes.RoleOfTask(m.mark.state())), r.key(m)
		if key != "" {
			key = st.Faint.Render(press) + st.Keycap.Render(key) + st.Faint.Render(where)
		}
		left := style.Render(m.mark.state().Standing().Mark) + " " + st.Text.Render(cells.Pad(cells.Cut(m.who, who), who)) + "  "
		does := cells.Cut(m.does, max(room-ansi.StringWidth(left)-ansi.StringWidth(key)-2, 1))
		lines = append(lines, cells.Sides(left+st.Muted.Render(does), key, room))
	}
	return r.indented(lines)
}

// key is the key of the board by which the person does it; empty if there is none.
func (r *reasons) key(m move) string {
	if m.act == keymap.None {
		return ""
	}
	return keymap.Label(r.of.keys, m.act)
}

func (r *reasons) indented(lines []string) []string {
	for i, line := range lines {
		if line != "" {
			lines[i] = strings.Repeat(" ", margin) + line
		}
	}
	return lines
}

// Close leaves nothing open.
func (r *reasons) Close(context.Context) ([]string, error) { return nil, nil }

// goTo puts the cursor on a task, on the board and in the graph. A filter that hides the
// task is taken away.
func (s *Screen) goTo(n int) {
	if n == 0 {
		return
	}
	if s.state.filter != "" && !s.state.plan.has(n, s.state.filter) {
		s.typed.Clear()
		s.state.setFilter("")
	}
	s.state.moveTo(n)
	s.layOut()
	s.unfold()
}

package tasks

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"planb/themes"
	"planb/tui/cells"
	"planb/tui/keymap"
	"planb/tui/lanes"
	"planb/tui/marks"
	"planb/tui/screen"
	"planb/tui/wording"
)

// graph is the plan in layers: each task below those that it waits for, with the lines
// between them.
type graph struct {
	rows  []lanes.Row
	steps [][]int // the tasks of each layer
	tasks []int   // of the rows that the cursor can stand on
	first []int   // the row with which each of them begins: that of its layer's heading, if any
	list  screen.List
	wide  int // cells of the lines
	pen   lanes.Pen
}

// show lays the graph out anew. The cursor goes to the task.
func (g *graph) show(p *plan, task, width int, airy bool) {
	const part = 6 // of the width: so many lanes of two cells are a third of it
	g.steps = p.Graph.Layers()
	g.rows = lanes.Lay(lanes.Graph{Layers: g.steps, Before: p.prerequisites(), Critical: p.critical}, max(width/part, 3), airy)
	g.tasks, g.first, g.wide = g.tasks[:0], g.first[:0], lanes.Width(g.rows)
	var heights []int
	at, lines := 0, 0
	for i, row := range g.rows {
		lines++
		if row.Node == 0 {
			continue
		}
		if row.Node == task {
			at = len(g.tasks)
		}
		g.tasks, g.first, heights = append(g.tasks, row.Node), append(g.first, i+1-lines), append(heights, lines)
		lines = 0
	}
	g.list.SetRows(heights, at)
}

// task is the task under the cursor; 0 if there is none.
func (g *graph) task() int {
	if g.list.Cursor < len(g.tasks) {
		return g.tasks[g.list.Cursor]
	}
	return 0
}

// drawGraph draws the graph below the critical path in words.
func (s *Screen) drawGraph() []string {
	lines := append(s.pathLines(), "")
	return append(lines, s.graph.list.Visible(s.graphRows)...)
}

// pathLines say the critical path in words.
func (s *Screen) pathLines() []string {
	p, st, room := s.state.plan, &s.page.Look.Styles, s.page.Width-2
	if len(p.critical) == 0 {
		return []string{" " + st.Muted.Render("Nothing is left to do.")}
	}
	const long = markCritical + " Critical path: " // the header says how long it takes
	const arrow = " → "
	// path has as many tasks as fit, and says whether these are all.
	path := func(lead string, name func(int) string) (wrapped []string, whole bool) {
		words := lead + name(p.critical[0])
		wrapped = cells.Lines(words, room)
		for i, n := range p.critical[1:] {
			more := words + arrow + name(n)
			end := ""
			if i+2 < len(p.critical) {
				end = arrow + "…"
			}
			if len(cells.Lines(more+end, room)) > s.mostPathLines() {
				return cells.Lines(words+arrow+"…", room), false
			}
			words, wrapped = more, cells.Lines(more, room)
		}
		return wrapped, len(wrapped) <= s.mostPathLines()
	}
	lead := long
	wrapped, whole := path(lead, p.title)
	if !whole {
		wrapped, whole = path(lead, p.key)
	}
	if !whole { // without its name the path may be seen whole
		if short, whole := path(markCritical+" ", p.key); whole {
			lead, wrapped = markCritical+" ", short
		}
	}
	wrapped = cells.Fold(wrapped, s.mostPathLines(), room)
	out := make([]string, len(wrapped))
	for i, line := range wrapped {
		if i == 0 && strings.HasPrefix(line, lead) {
			out[i] = " " + st.Accent.Render(markCritical) + st.Strong.Render(strings.TrimPrefix(lead, markCritical)) + st.Accent.Render(strings.TrimPrefix(line, lead))
			continue
		}
		out[i] = " " + st.Accent.Render(line)
	}
	return out
}

func (s *Screen) mostPathLines() int {
	if s.airy() {
		return 2
	}
	return 1
}

// graphRows draws a task with the heading of its layer above it.
func (s *Screen) graphRows(i int) []string {
	g := &s.graph
	var lines []string
	for at := g.first[i]; g.rows[at].Node == 0; at++ {
		lines = append(lines, s.layerRow(g.rows[at]))
	}
	row := g.rows[g.first[i]+len(lines)]
	return append(lines, s.taskRow(row, i == g.list.Cursor))
}

// layerRow draws the heading of a layer, with a rule behind it: words alone look like a task.
func (s *Screen) layerRow(row lanes.Row) string {
	line, st := " "+s.drawLanes(row), &s.page.Look.Styles
	if row.Layer == 0 {
		return line
	}
	words := fmt.Sprintf("Step %d", row.Layer)
	if row.Layer == 1 {
		words += ", at once"
	}
	count, cancelled := s.state.plan.counted(s.graph.steps[row.Layer-1])
	words = cells.Join(words, wording.Count(count, "task"))
	if ansi.StringWidth(line)+signCells+cells.Width(words+cancelledToo(cancelled)) < s.page.Width {
		words += cancelledToo(cancelled)
	}
	line += strings.Repeat(" ", signCells) + st.Muted.Render(words) + " "
	line += st.Rule.Render(strings.Repeat("─", max(s.page.Width-1-ansi.StringWidth(line), 0)))
	return cells.Cut(line, s.page.Width)
}

// drawLanes draws the lines of a row, with the mark of its task.
func (s *Screen) drawLanes(row lanes.Row) string {
	st, mark := &s.page.Look.Styles, ""
	if row.Node != 0 {
		mark = s.mark(row.Node)
	}
	s.graph.pen.Light, s.graph.pen.Heavy = st.Faint, st.Accent
	return s.graph.pen.Draw(row, mark, s.graph.wide)
}

// mark is the mark of a task, or that it is picked.
func (s *Screen) mark(n int) string {
	p, st := s.state.plan, &s.page.Look.Styles
	if s.state.picked[n] {
		return st.Accent.Render(marks.Ticked)
	}
	return p.mark(st, n)
}

// mark is the mark of a task as it stands on the board.
func (p *plan) mark(st *screen.Styles, n int) string {
	state := p.view.Shown(n)
	return st.Role(themes.RoleOfTask(state)).Render(state.Standing().Mark)
}

// signCells is how many cells stand between the lines of a task and its title: the sign of the
// critical path, and a blank.
const signCells = 2

// taskRow draws a task of the graph: its lines, the sign of the critical path, its title, and at
// the right how it stands.
func (s *Screen) taskRow(row lanes.Row, focused bool) string {
	p, st, n := s.state.plan, &s.page.Look.Styles, row.Node
	style, sign := st.ItemTitle(focused), " "
	if p.view.State(n).Final() || s.state.filter != "" && !p.has(n, s.state.filter) {
		style = st.Faint
	}
	if p.onPath[n-1] {
		sign = st.Accent.Render(markCritical)
	}
	right := st.Muted.Render(s.rowHint(n))
	line := " " + s.drawLanes(row) + sign + " " + s.hit(style.Render(p.title(n)))
	line = cells.Sides(line, right, s.page.Width-1)
	if focused {
		line = st.Focused(line, s.page.Width)
	}
	return line
}

// rowHint says at the right of a task how it stands.
func (s *Screen) rowHint(n int) string {
	const part, least = 4, 15 // of the width, and in cells
	p, room := s.state.plan, max(s.page.Width/part, least)
	if p.changed(n) != nil {
		return p.hint(n, room)
	}
	switch p.column(n) {
	case ready:
		return fitting(cells.Join(p.estimate(n), "ready"), room)
	case blocked, toApprove:
		if p.Graph.Human(n) {
			return fitting(cells.Join("for you", p.estimate(n)), room)
		}
		return p.estimate(n)
	case finished:
		return p.view.State(n).Standing().Word
	}
	return p.hint(n, room)
}

// actGraph moves the cursor of the graph, and reports whether the action does that.
func (s *Screen) actGraph(act keymap.Action) bool {
	if !s.graph.list.Act(act) {
		return false
	}
	s.followGraph()
	return true
}

// prerequisites returns of each task those it waits for.
func (p *plan) prerequisites() [][]int {
	before := make([][]int, p.Graph.Len())
	for _, n := range p.tasks() {
		for _, e := range p.Graph.Edges(n) {
			if e.Kind.Hard() && !p.Graph.Dropped(e.On) {
				before[n-1] = append(before[n-1], e.On)
			}
		}
	}
	return before
}

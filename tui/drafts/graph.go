package drafts

import (
	"slices"

	"planb/tui/lanes"
)

// graph is the steps in layers: each below those that it is written from, with the lines
// between them.
type graph struct {
	rows  []lanes.Row // those of steps, and between them those with lines alone
	first []int       // the row with which each step begins: that with lines above it, if any
	wide  int         // cells of the lines
	pen   lanes.Pen
}

// mostLanes is how many lanes of two cells the graph has at most.
const mostLanes = 8

// layOut lays the steps of a draft out for a number of lines, in the order of their numbers, and
// returns the heights of their rows. If they fit, an empty line stands between two layers, because
// two marks that touch show no line between them. If they do not fit, the mark of a step may touch
// that of a step which is written from it. Other marks never touch.
func (g *graph) layOut(p *draft, lines int) (heights []int) {
	before, opens := p.layers()
	alone := make([][]int, len(p.steps)) // a layer for each step: lanes sorts each by its lines
	for i := range p.steps {
		alone[i] = []int{i + 1}
	}
	laid := lanes.Lay(lanes.Graph{Layers: alone, Before: before}, mostLanes, false)
	g.wide = lanes.Width(laid)
	apart := func(step int) bool { return opens[step] }
	if heights = g.show(laid, apart); len(g.rows) <= lines {
		return heights
	}
	column := func(step int) int { return laid[2*step+1].Column() } // each step has a heading and a row
	return g.show(laid, func(step int) bool {
		return column(step-1) == column(step) && !slices.Contains(before[step], step)
	})
}

// show takes the rows of the steps, and a row with lines alone above those that are to stand
// apart from the step before.
func (g *graph) show(laid []lanes.Row, apart func(step int) bool) (heights []int) {
	g.rows, g.first = g.rows[:0], g.first[:0]
	for i := 0; i+1 < len(laid); i += 2 {
		g.first = append(g.first, len(g.rows))
		if step := i / 2; step > 0 && apart(step) {
			g.rows = append(g.rows, laid[i])
		}
		g.rows = append(g.rows, laid[i+1])
		heights = append(heights, len(g.rows)-g.first[len(g.first)-1])
	}
	return heights
}

// layers returns for each step the numbers, from 1, of the steps that it is written from. opens
// says whether a new layer begins with the step: it does if the step is written from one of the
// layer so far.
func (p *draft) layers() (before [][]int, opens []bool) {
	first := 0 // of the layer
	for i, s := range p.steps {
		var list []int
		begins := false
		for _, b := range p.before(s) {
			at := p.at(b.ID)
			list = append(list, at+1)
			begins = begins || at >= first
		}
		if begins {
			first = i
		}
		before, opens = append(before, list), append(opens, begins)
	}
	return before, opens
}

// graphRows draws a step with the lines above it.
func (s *Screen) graphRows(i int) []string {
	g, st := &s.graph, &s.page.Look.Styles
	g.pen.Light, g.pen.Heavy = st.Faint, st.Accent
	var lines []string
	at := g.first[i]
	for ; g.rows[at].Node == 0; at++ {
		lines = append(lines, " "+g.pen.Draw(g.rows[at], "", g.wide))
	}
	step := s.draft.steps[g.rows[at].Node-1]
	lead := " " + g.pen.Draw(g.rows[at], s.rowMark(step), g.wide)
	return append(lines, s.stepRow(lead, step, i == s.steps.Cursor))
}

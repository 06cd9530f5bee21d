package drafts

import "planb/tui/lanes"

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

// layOut lays the steps of a draft out, and returns their order and the heights of their
// rows. The layers stand apart even where the graph has to scroll for it: marks one right
// above the other show no line between them.
func (g *graph) layOut(p *draft) (order, heights []int) {
	layers, before := p.layers()
	rows := lanes.Lay(lanes.Graph{Layers: layers, Before: before}, mostLanes, false)
	g.rows, g.first, g.wide = g.rows[:0], g.first[:0], lanes.Width(rows)
	height := 0
	for i, row := range rows {
		if row.Node == 0 && i == 0 {
			continue
		}
		g.rows = append(g.rows, row)
		if height++; row.Node != 0 {
			g.first = append(g.first, len(g.rows)-height)
			order, heights = append(order, row.Node-1), append(heights, height)
			height = 0
		}
	}
	return order, heights
}

// layers returns the steps, counted from 1, in layers, and for each step those that it is
// written from.
func (p *draft) layers() (layers [][]int, before [][]int) {
	depth := make([]int, len(p.steps))
	for i, s := range p.steps {
		var list []int
		for _, b := range p.before(s) {
			at := p.at(b.ID)
			list = append(list, at+1)
			depth[i] = max(depth[i], depth[at]+1)
		}
		before = append(before, list)
		for len(layers) <= depth[i] {
			layers = append(layers, nil)
		}
		layers[depth[i]] = append(layers[depth[i]], i+1)
	}
	return layers, before
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

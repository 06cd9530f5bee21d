package tasks

import (
	"cmp"
	"math"
	"slices"
)

// Sides of a cell from which a line leaves it.
const (
	up = 1 << iota
	right
	down
	left
)

// laneCell is a cell beside a task in the graph.
type laneCell struct {
	sides uint8
	heavy uint8 // those of the sides that belong to the critical path
	node  bool  // the mark of the task stands here
}

// graphRow is a task in the graph with the lines at its left, or the heading of a layer,
// through which the lines go on.
type graphRow struct {
	task  int // 0 for a heading
	layer int // from 1; 0 for a row with lines alone
	count int // of the tasks in the layer
	cells []laneCell
}

// lanes lays out the graph. Each task has a lane, which leads down from it to the tasks that
// wait for it. There are as many lanes as fit; what has none is drawn without lines.
type lanes struct {
	plan  *plan
	most  int
	owner []int       // the task whose line goes down in a lane; 0 for none
	lane  map[int]int // of a task
	left  map[int]int // how many tasks still wait for it further down
	place []int       // of task n, at n-1: its row among the tasks
	rows  []graphRow
}

// mostReduced is the size of a plan up to which lines are left out that others imply.
const mostReduced = 1000

// layGraph returns the rows of the graph of a plan, layer by layer, with at most that many
// lanes. In an airy graph the layers stand apart.
func layGraph(p *plan, most int, airy bool) []graphRow {
	l := &lanes{plan: p, most: most, lane: map[int]int{}, left: map[int]int{}, place: make([]int, p.Graph.Len())}
	layers := p.Graph.Layers()
	before := p.prerequisites()
	for _, layer := range layers {
		for _, n := range layer {
			for _, on := range before[n-1] {
				l.left[on]++
			}
		}
	}
	placed := 0
	for i, layer := range layers {
		l.sort(layer, before)
		if airy && i > 0 {
			l.rows = append(l.rows, graphRow{cells: l.through()})
		}
		l.heading(i+1, len(layer))
		for _, n := range layer {
			l.place[n-1] = placed
			placed++
			l.add(n, i+1, before[n-1])
		}
	}
	return l.rows
}

// prerequisites returns of each task those it waits for, without those that another of them
// waits for anyway.
func (p *plan) prerequisites() [][]int {
	before := make([][]int, p.Graph.Len())
	for _, n := range p.tasks() {
		for _, e := range p.Graph.Edges(n) {
			if e.Kind.Hard() && !p.Graph.Dropped(e.On) {
				before[n-1] = append(before[n-1], e.On)
			}
		}
	}
	if p.Graph.Len() > mostReduced {
		return before
	}
	reduced := make([][]int, len(before))
	for i, list := range before {
		implied := map[int]bool{}
		for _, on := range list {
			ancestors(before, on, implied)
		}
		reduced[i] = slices.DeleteFunc(slices.Clone(list), func(on int) bool { return implied[on] })
	}
	return reduced
}

// ancestors adds all that a task waits for.
func ancestors(before [][]int, n int, found map[int]bool) {
	for _, on := range before[n-1] {
		if !found[on] {
			found[on] = true
			ancestors(before, on, found)
		}
	}
}

// sort orders the tasks of a layer: the critical path first, then below what they wait for.
func (l *lanes) sort(layer []int, before [][]int) {
	first := func(n int) int {
		at := math.MaxInt
		for _, on := range before[n-1] {
			at = min(at, l.place[on-1])
		}
		return at
	}
	slices.SortStableFunc(layer, func(a, b int) int {
		switch pa, pb := l.plan.onPath[a-1], l.plan.onPath[b-1]; {
		case pa && !pb:
			return -1
		case pb && !pa:
			return 1
		}
		return cmp.Compare(first(a), first(b))
	})
}

// heading begins a layer.
func (l *lanes) heading(layer, count int) {
	row := graphRow{layer: layer, count: count, cells: l.through()}
	l.rows = append(l.rows, row)
}

// through returns the lines that go straight down.
func (l *lanes) through() []laneCell {
	row := make([]laneCell, 2*len(l.owner))
	for i, owner := range l.owner {
		if owner == 0 {
			continue
		}
		row[2*i].sides = up | down
		if l.heavy(owner) {
			row[2*i].heavy = up | down
		}
	}
	return row
}

// heavy reports whether the line of a task still leads to the next one of the critical path.
func (l *lanes) heavy(n int) bool {
	next := l.next(n)
	return next != 0 && l.left[n] > 0 && (l.place[next-1] == 0)
}

// next is the task behind this one on the critical path; 0 if there is none.
func (l *lanes) next(n int) int {
	at := slices.Index(l.plan.critical, n)
	if at < 0 || at+1 == len(l.plan.critical) {
		return 0
	}
	return l.plan.critical[at+1]
}

// add draws a task: the lines of what it waits for lead to it, and its own leads down.
func (l *lanes) add(n, layer int, before []int) {
	row := l.through()
	at := -1
	type end struct {
		lane   int
		heavy  bool
		goesOn bool
	}
	var ends []end
	for _, on := range before {
		l.left[on]--
		lane, ok := l.lane[on]
		if !ok {
			continue
		}
		e := end{lane: lane, heavy: l.next(on) == n, goesOn: l.left[on] > 0}
		if !e.goesOn {
			l.owner[lane] = 0
			delete(l.lane, on)
			if at < 0 || e.heavy {
				at = lane
			}
		}
		ends = append(ends, e)
	}
	if at < 0 {
		at = l.free()
	}
	for 2*at >= len(row) && at < l.most {
		row = append(row, laneCell{}, laneCell{})
	}
	for _, e := range ends {
		l.join(row, e.lane, at, e.heavy, e.goesOn)
	}
	if at < l.most {
		row[2*at] = laneCell{node: true}
	}
	if at < l.most && l.left[n] > 0 {
		l.owner[at], l.lane[n] = n, at
	}
	l.rows = append(l.rows, graphRow{task: n, layer: layer, cells: row})
}

// free returns a lane that no line uses.
func (l *lanes) free() int {
	if at := slices.Index(l.owner, 0); at >= 0 {
		return at
	}
	if len(l.owner) < l.most {
		l.owner = append(l.owner, 0)
		return len(l.owner) - 1
	}
	return l.most
}

// join draws the line from a lane to the node. Where it crosses others, those stay whole.
func (l *lanes) join(row []laneCell, from, to int, heavy, goesOn bool) {
	turn := uint8(right)
	if from > to {
		turn = left
	}
	cell := &row[2*from]
	cell.sides = up
	if goesOn {
		cell.sides |= down
	}
	cell.heavy &= cell.sides
	if from == to {
		return
	}
	cell.sides |= turn
	if heavy {
		cell.heavy |= turn | up
		cell.heavy &^= down
	}
	for x := 2*min(from, to) + 1; x < 2*max(from, to) && x < len(row); x++ {
		c := &row[x]
		if c.sides&(up|down) != 0 {
			if c.sides&(left|right) != 0 { // another line that joins: this one passes it
				c.sides |= left | right
				if heavy {
					c.heavy |= left | right
				}
			}
			continue
		}
		c.sides |= left | right
		if heavy {
			c.heavy |= left | right
		}
	}
}

// glyph is the sign of a cell, and whether any line of it belongs to the critical path.
func (c laneCell) glyph(signs *[16][16]string) (sign string, heavy bool) {
	return signs[c.sides][c.heavy&c.sides], c.heavy&c.sides != 0
}

// lineSigns are the signs of lines by the sides from which they leave a cell, and those of
// them that are heavy. A missing one is drawn as if all sides were light or heavy.
func lineSigns() *[16][16]string {
	signs := &[16][16]string{}
	for _, line := range []struct {
		sides uint8
		heavy map[uint8]string
	}{
		{0, map[uint8]string{0: " "}},
		{up | down, map[uint8]string{0: "│", up | down: "┃"}},
		{left | right, map[uint8]string{0: "─", left | right: "━"}},
		{up | right, map[uint8]string{0: "╰", up: "┖", right: "┕", up | right: "┗"}},
		{up | left, map[uint8]string{0: "╯", up: "┚", left: "┙", up | left: "┛"}},
		{up | down | right, map[uint8]string{0: "├", right: "┝", up | down: "┠", up | right: "┡", up | down | right: "┣"}},
		{up | down | left, map[uint8]string{0: "┤", left: "┥", up | down: "┨", up | left: "┩", up | down | left: "┫"}},
		{up | left | right, map[uint8]string{0: "┴", left | right: "┷", up: "┸", up | right: "┺", up | left: "┹", up | left | right: "┻"}},
		{up | down | left | right, map[uint8]string{0: "┼", left | right: "┿", up | down: "╂", up | right: "╄", up | left: "╃", up | down | left | right: "╋"}},
	} {
		for heavy := range signs[line.sides] {
			signs[line.sides][heavy] = line.heavy[0]
		}
		for heavy, sign := range line.heavy {
			signs[line.sides][heavy] = sign
		}
	}
	return signs
}

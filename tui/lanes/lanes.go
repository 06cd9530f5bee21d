package lanes

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

// Cell is a cell beside a node.
type Cell struct {
	sides uint8
	heavy uint8 // those of the sides that belong to the critical path
	node  bool  // the mark of the node stands here
	// joint is where a line leaves a lane that goes on, and another line passes. It has a sign of
	// its own, as ┼ is drawn where lines only cross.
	joint bool
}

// Row is a node with the lines at its left, or the heading of a layer, through which the
// lines go on.
type Row struct {
	Node  int // 0 for a heading
	Layer int // from 1; 0 for a row with lines alone
	Cells []Cell
}

// Column is the cell of a row in which the mark of its node stands; -1 if the node has no lane.
func (r Row) Column() int {
	return slices.IndexFunc(r.Cells, func(c Cell) bool { return c.node })
}

// Graph is what is laid out. Its nodes have the numbers from 1 on.
type Graph struct {
	Layers   [][]int // each node stands in a later layer than those that it waits for
	Before   [][]int // of node n, at n-1: the nodes that it waits for
	Critical []int   // the critical path; empty for none
}

// lanes lays out the graph. Each node has a lane, which leads down from it to the nodes that
// wait for it. There are as many lanes as fit. A node without a lane is drawn without lines.
type lanes struct {
	Graph
	onPath map[int]bool
	most   int
	owner  []int       // the node whose line goes down in a lane; 0 for none
	lane   map[int]int // of a node
	left   map[int]int // how many nodes still wait for it further down
	place  []int       // of node n, at n-1: its row among the nodes
	column []int       // of a lane: where it is drawn; nil for lanes in their order
	passes passes
	rows   []Row
}

// mostReduced is the size of a graph up to which lines are left out that others imply.
const mostReduced = 1000

// Lay returns the rows of a graph, layer by layer, with at most that many lanes. In an airy
// graph the layers stand apart. Lay sorts the layers.
func Lay(g Graph, most int, airy bool) []Row {
	before := g.reduced()
	l := lay(g, before, nil, most, airy)
	if column := l.passes.order(len(l.owner)); column != nil {
		l = lay(g, before, column, most, airy)
	}
	return l.rows
}

// lay draws each lane in its column.
func lay(g Graph, before [][]int, column []int, most int, airy bool) *lanes {
	l := &lanes{Graph: g, most: most, onPath: map[int]bool{}, lane: map[int]int{}, left: map[int]int{}, place: make([]int, len(g.Before)), column: column, passes: passes{}}
	for _, n := range g.Critical {
		l.onPath[n] = true
	}
	for _, layer := range g.Layers {
		for _, n := range layer {
			for _, on := range before[n-1] {
				l.left[on]++
			}
		}
	}
	placed := 0
	for i, layer := range g.Layers {
		l.sort(layer, before)
		if airy && i > 0 {
			l.rows = append(l.rows, Row{Cells: l.through()})
		}
		l.rows = append(l.rows, Row{Layer: i + 1, Cells: l.through()})
		for _, n := range layer {
			l.place[n-1] = placed
			placed++
			l.add(n, i+1, before[n-1])
		}
	}
	return l
}

// at is the column of a lane.
func (l *lanes) at(lane int) int {
	if lane < len(l.column) {
		return l.column[lane]
	}
	return lane
}

// reduced returns the nodes that each node waits for, without those that it waits for
// through another one anyway.
func (g Graph) reduced() [][]int {
	if len(g.Before) > mostReduced {
		return g.Before
	}
	reduced := make([][]int, len(g.Before))
	for i, list := range g.Before {
		implied := map[int]bool{}
		for _, on := range list {
			ancestors(g.Before, on, implied)
		}
		reduced[i] = slices.DeleteFunc(slices.Clone(list), func(on int) bool { return implied[on] })
	}
	return reduced
}

// ancestors adds all nodes that a node waits for, directly or not.
func ancestors(before [][]int, n int, found map[int]bool) {
	for _, on := range before[n-1] {
		if !found[on] {
			found[on] = true
			ancestors(before, on, found)
		}
	}
}

// sort orders the nodes of a layer: the critical path first, then below what they wait for.
func (l *lanes) sort(layer []int, before [][]int) {
	first := func(n int) int {
		at := math.MaxInt
		for _, on := range before[n-1] {
			at = min(at, l.place[on-1])
		}
		return at
	}
	slices.SortStableFunc(layer, func(a, b int) int {
		switch pa, pb := l.onPath[a], l.onPath[b]; {
		case pa && !pb:
			return -1
		case pb && !pa:
			return 1
		}
		return cmp.Compare(first(a), first(b))
	})
}

// through returns the lines that go straight down.
func (l *lanes) through() []Cell {
	row := make([]Cell, 2*max(len(l.owner), len(l.column)))
	for i, owner := range l.owner {
		if owner == 0 {
			continue
		}
		cell := &row[2*l.at(i)]
		cell.sides = up | down
		if l.heavy(owner) {
			cell.heavy = up | down
		}
	}
	return row
}

// heavy reports whether the line of a node still leads to the next one of the critical path.
func (l *lanes) heavy(n int) bool {
	next := l.next(n)
	return next != 0 && l.left[n] > 0 && (l.place[next-1] == 0)
}

// next is the node behind this one on the critical path; 0 if there is none.
func (l *lanes) next(n int) int {
	at := slices.Index(l.Critical, n)
	if at < 0 || at+1 == len(l.Critical) {
		return 0
	}
	return l.Critical[at+1]
}

// add draws a node: the lines of what it waits for lead to it, and its own leads down.
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
		row = append(row, Cell{}, Cell{})
	}
	for _, e := range ends { // the turns first, as lines that come later pass them
		turn(row, l.at(e.lane), l.at(at), e.heavy, e.goesOn)
	}
	for _, e := range ends {
		lead(row, l.at(e.lane), l.at(at), e.heavy)
		l.passes.add(e.lane, at, l.owner)
	}
	if at < l.most {
		row[2*l.at(at)] = Cell{node: true}
	}
	if at < l.most && l.left[n] > 0 {
		l.owner[at], l.lane[n] = n, at
	}
	l.rows = append(l.rows, Row{Node: n, Layer: layer, Cells: row})
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

// turn turns the line of a lane towards the node.
func turn(row []Cell, from, to int, heavy, goesOn bool) {
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
}

// lead draws the line from a lane's turn to the node, across the lanes between them.
func lead(row []Cell, from, to int, heavy bool) {
	for x := 2*min(from, to) + 1; x < 2*max(from, to) && x < len(row); x++ {
		c := &row[x]
		if beside := c.sides & (left | right); beside == left || beside == right {
			c.joint = c.sides&(up|down) == up|down
		}
		c.sides |= left | right
		if heavy {
			c.heavy |= left | right
		}
	}
}

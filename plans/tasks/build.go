package tasks

import (
	"cmp"
	"slices"
)

// Build makes the graph of a plan. The error is a *Error: dependency.cycle with its
// path, or validation.invalid_input with all other mistakes: in
// the plan's edges, and texts or numbers outside of their limits.
func Build(p Plan) (*Graph, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	g := newGraph(p.Title, p.Description, make([]node, len(p.Tasks)))
	var buffer canonical
	for i, t := range p.Tasks {
		g.nodes[i] = t.node(&buffer)
	}
	keys := g.Keys()
	edges := make([][]Edge, len(p.Tasks))
	for i, t := range p.Tasks {
		if !t.Dropped {
			edges[i] = t.Edges.numbered(keys)
		}
	}
	g.connect(edges)
	if path := g.sort(); path != nil {
		return nil, Cycle(path)
	}
	return g, nil
}

func (t Task) node(buffer *canonical) node {
	x := node{key: t.Key, minutes: uint16(t.Minutes)}
	if t.Dropped {
		return node{key: t.Key, flags: dropped}
	}
	x.hash = t.hash(buffer)
	if t.Execution.Kind == Human {
		x.flags |= human
	}
	if x.files = raws(t.Execution.Files); len(x.files) > 0 {
		x.flags |= withFiles
	}
	return x
}

// numbered returns the edges in ascending order of the other task. A task in
// several lists counts in the strictest.
func (e Edges) numbered(keys map[string]int) []Edge {
	list := make([]Edge, 0, len(e.DependsOn)+len(e.AlsoAfter)+len(e.Soft))
	for kind, on := range e.lists() {
		for _, key := range on.keys {
			list = append(list, Edge{keys[key], EdgeKind(kind)})
		}
	}
	slices.SortStableFunc(list, byNumber)
	return slices.CompactFunc(list, func(a, b Edge) bool { return a.On == b.On })
}

func byNumber(a, b Edge) int { return cmp.Compare(a.On, b.On) }

// connect stores the edges of all tasks, task n at n-1.
func (g *Graph) connect(edges [][]Edge) {
	waiting := make([][]Edge, len(edges))
	for i, list := range edges {
		for _, e := range list {
			if e.Kind.Hard() {
				waiting[e.On-1] = append(waiting[e.On-1], Edge{i + 1, e.Kind})
			}
		}
	}
	g.edges, g.waiting = flatten(edges), flatten(waiting)
}

func flatten(lists [][]Edge) adjacency {
	a := adjacency{start: make([]uint32, 1, len(lists)+1)}
	total := 0
	for _, list := range lists {
		total += len(list)
		a.start = append(a.start, uint32(total))
	}
	a.list = slices.Concat(lists...)
	return a
}

// sort sets the order of the graph by a depth-first search: each task after those
// that it depends on, else by number. It returns the path of a cycle, if there is
// one: a, b, a means that a depends on b and b on a.
func (g *Graph) sort() (cycle []string) {
	s := search{g: g, stage: make([]stage, len(g.nodes)), order: make([]uint16, 0, len(g.nodes))}
	for n := range g.nodes {
		if !s.visit(n + 1) {
			return g.keysOf(s.path)
		}
	}
	g.setOrder(s.order)
	return nil
}

func (g *Graph) setOrder(order []uint16) {
	g.order, g.place = order, make([]uint16, len(order))
	for at, n := range order {
		g.place[n-1] = uint16(at)
	}
}

func (g *Graph) keysOf(path []int) []string {
	keys := make([]string, len(path))
	for i, n := range path {
		keys[i] = g.Key(n)
	}
	return keys
}

// search is a depth-first search along hard edges.
type search struct {
	g     *Graph
	stage []stage
	order []uint16 // tasks that were left, in that order
	path  []int    // tasks that were entered and not left; after a cycle, the cycle
}

type stage uint8

const (
	unseen stage = iota
	entered
	left
)

// visit searches from task n. It returns false once it has found a cycle.
func (s *search) visit(n int) bool {
	switch s.stage[n-1] {
	case left:
		return true
	case entered:
		s.path = append(s.path[slices.Index(s.path, n):], n)
		return false
	}
	s.stage[n-1] = entered
	s.path = append(s.path, n)
	for _, e := range s.g.Edges(n) {
		if e.Kind.Hard() && !s.visit(e.On) {
			return false
		}
	}
	s.path = s.path[:len(s.path)-1]
	s.stage[n-1] = left
	s.order = append(s.order, uint16(n))
	return true
}

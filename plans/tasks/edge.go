package tasks

import (
	"fmt"
	"slices"
)

// With returns the graph with one more edge: task n refers to another. An edge
// that is there already becomes one of the new kind. The error is a *Error for a
// cycle. Whether the caller may add or soften the edge is for CheckEdge.
func (g *Graph) With(n int, e Edge) (*Graph, error) {
	if n == e.On {
		return nil, Cycle(g.keysOf([]int{n, n}))
	}
	changed := *g
	if e.Kind.Hard() {
		order, cycle := g.orderWith(n, e.On)
		if cycle != nil {
			return nil, Cycle(g.keysOf(cycle))
		}
		changed.setOrder(order)
	}
	changed.edges = g.edges.with(n, e)
	changed.waiting = g.waiting.without(e.On, n)
	if e.Kind.Hard() {
		changed.waiting = changed.waiting.with(e.On, Edge{n, e.Kind})
	}
	return &changed, nil
}

// Without returns the graph without the edge from task n to another.
func (g *Graph) Without(n, on int) *Graph {
	changed := *g
	changed.edges = g.edges.without(n, on)
	changed.waiting = g.waiting.without(on, n)
	return &changed
}

// Edge returns the kind of the edge from task n to another.
func (g *Graph) Edge(n, on int) (kind EdgeKind, ok bool) {
	list := g.Edges(n)
	at, ok := slices.BinarySearchFunc(list, Edge{On: on}, byNumber)
	if !ok {
		return 0, false
	}
	return list[at].Kind, true
}

// orderWith returns the order of the graph after task n depends on another, or the
// cycle that this would close.
//
// If the other stands before n already, nothing changes and nothing is searched. Else
// only the tasks between the two places can be part of a cycle. The other task and the
// tasks that it depends on move before n; all others keep their order.
func (g *Graph) orderWith(n, on int) (order []uint16, cycle []int) {
	first, last := g.place[n-1], g.place[on-1]
	if last < first {
		return g.order, nil
	}
	r := reach{g: g, bound: first, from: make([]uint16, last-first+1)}
	if r.search(on, n) {
		return nil, r.path(n, on)
	}
	order = slices.Clone(g.order)
	moved, rest := order[first:first], make([]uint16, 0, last-first+1)
	for at := first; at <= last; at++ {
		if other := g.order[at]; r.from[at-first] != 0 {
			moved = append(moved, other)
		} else {
			rest = append(rest, other)
		}
	}
	copy(order[int(first)+len(moved):], rest)
	return order, nil
}

// reach searches along hard edges, and only among tasks that stand at bound or
// behind it in the order.
type reach struct {
	g     *Graph
	bound uint16
	from  []uint16 // by place: the task that a task was reached from; 0 if it was not
}

// search reports whether task start depends on goal, directly or not.
func (r *reach) search(start, goal int) bool {
	r.from[r.g.place[start-1]-r.bound] = uint16(start)
	open := []int{start}
	for len(open) > 0 {
		n := open[len(open)-1]
		open = open[:len(open)-1]
		for _, e := range r.g.Edges(n) {
			at := r.g.place[e.On-1]
			if !e.Kind.Hard() || at < r.bound || r.from[at-r.bound] != 0 {
				continue
			}
			r.from[at-r.bound] = uint16(n)
			if e.On == goal {
				return true
			}
			open = append(open, e.On)
		}
	}
	return false
}

// path returns the cycle n, start … n that a search from start to n has found.
func (r *reach) path(n, start int) []int {
	path := []int{n}
	for at := n; at != start; {
		at = int(r.from[r.g.place[at-1]-r.bound])
		path = append(path, at)
	}
	path = append(path, n)
	slices.Reverse(path)
	return path
}

func (a adjacency) with(n int, e Edge) adjacency {
	list := a.of(n)
	at, found := slices.BinarySearchFunc(list, e, byNumber)
	at += int(a.start[n-1])
	if found {
		changed := adjacency{a.start, slices.Clone(a.list)}
		changed.list[at] = e
		return changed
	}
	return adjacency{shifted(a.start, n, 1), slices.Insert(slices.Clone(a.list), at, e)}
}

func (a adjacency) without(n, on int) adjacency {
	at, found := slices.BinarySearchFunc(a.of(n), Edge{On: on}, byNumber)
	if !found {
		return a
	}
	at += int(a.start[n-1])
	return adjacency{shifted(a.start, n, -1), slices.Delete(slices.Clone(a.list), at, at+1)}
}

// shifted returns where the edges of each task start after the number of edges of task
// n has grown by that many.
func shifted(start []uint32, n, by int) []uint32 {
	start = slices.Clone(start)
	for i := n; i < len(start); i++ {
		start[i] = uint32(int(start[i]) + by)
	}
	return start
}

// AgentEdge returns the graph after an agent has added an edge from task n, or made one
// soft or hard. An agent can only make a task wait; it cannot soften an edge that the
// person approved. The error is a *Error. The graph is the same one if nothing changes.
func (g *Graph) AgentEdge(n, on int, hard bool) (*Graph, error) {
	kind, exists := g.Edge(n, on)
	wanted := Soft
	if hard {
		wanted = Added
	}
	switch {
	case exists && (kind == wanted || kind == Required && hard):
		return g, nil
	case exists && kind == Required:
		return nil, approvedEdge("soften", g.Key(n), g.Key(on))
	case !exists && len(g.Edges(n)) == MaxDependsOn:
		return nil, InvalidBecause("dependsOn", fmt.Sprintf("%q refers to %d tasks already; at most %d are allowed", g.Key(n), MaxDependsOn, MaxDependsOn))
	}
	return g.With(n, Edge{on, wanted})
}

// AgentRemoves returns the graph after an agent has taken back an edge from task n that an
// agent added. The error is a *Error if the person approved the edge. Without such an edge
// it returns the same graph.
func (g *Graph) AgentRemoves(n, on int) (*Graph, error) {
	kind, exists := g.Edge(n, on)
	switch {
	case !exists:
		return g, nil
	case kind == Required:
		return nil, approvedEdge("remove", g.Key(n), g.Key(on))
	}
	return g.Without(n, on), nil
}

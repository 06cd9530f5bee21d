package graph

import (
	"slices"
)

// arc asks that to is at least from + least. Each step beyond that costs cost.
type arc struct{ from, to, least, cost int }

// simplex finds values for variables that satisfy every arc at the least total cost. It
// is the network simplex method, as Gansner, Koutsofios, North and Vo describe it for
// drawing graphs ("A Technique for Drawing Directed Graphs", 1993). The layout uses it
// for the layers of nodes, and for their places in a layer.
type simplex struct {
	arcs  []arc
	of    [][]int // the arcs of each variable
	value []int
	// The spanning tree of tight arcs is numbered in post-order. The subtree of a
	// variable has the numbers from low to lim.
	inTree []bool
	parent []int // the arc to the parent, or none
	low    []int
	lim    []int
	byLim  []int
	cut    []int // the cut value of each tree arc; if it is negative, loosening the arc saves cost
	steps  int   // how many are left before the search stops
}

// minimize returns the values; the least one is 0. ok is false if the arcs contradict
// each other. The search stops after a bounded number of steps, even if the cost is
// not the least. If centred is true, minimize then moves variables to the middle of
// their room where that costs nothing.
func minimize(n int, arcs []arc, centred bool) (values []int, ok bool) {
	if n == 0 {
		return nil, true
	}
	s := simplex{arcs: withRoot(n, arcs), steps: 4_000_000}
	n++
	s.of = make([][]int, n)
	for i, a := range s.arcs {
		s.of[a.from] = append(s.of[a.from], i)
		s.of[a.to] = append(s.of[a.to], i)
	}
	if !s.begin() {
		return nil, false
	}
	s.span()
	s.number(0, None, 1)
	s.cutAll()
	for search := 0; s.steps > 0; {
		leaving := s.leaving(&search)
		if leaving == None {
			break
		}
		s.exchange(leaving, s.entering(leaving))
	}
	if centred {
		s.balance()
	}
	values = s.value[1:]
	least := slices.Min(values)
	for i := range values {
		values[i] -= least
	}
	return values, true
}

// withRoot adds a variable before all others, so that the graph is connected.
func withRoot(n int, arcs []arc) []arc {
	all := make([]arc, 0, len(arcs)+n)
	for _, a := range arcs {
		if a.from != a.to {
			all = append(all, arc{a.from + 1, a.to + 1, a.least, a.cost})
		}
	}
	entered := make([]bool, n+1)
	for _, a := range all {
		entered[a.to] = true
	}
	for v := 1; v <= n; v++ {
		if !entered[v] {
			all = append(all, arc{0, v, 0, 0})
		}
	}
	return all
}

// begin gives every variable its least value. It returns false if the arcs have a
// cycle.
func (s *simplex) begin() bool {
	n := len(s.of)
	s.value = make([]int, n)
	open := make([]int, n)
	for _, a := range s.arcs {
		open[a.to]++
	}
	queue := make([]int, 0, n)
	for v, count := range open {
		if count == 0 {
			queue = append(queue, v)
		}
	}
	for i := 0; i < len(queue); i++ {
		v := queue[i]
		for _, e := range s.of[v] {
			if a := s.arcs[e]; a.from == v {
				s.value[a.to] = max(s.value[a.to], s.value[v]+a.least)
				if open[a.to]--; open[a.to] == 0 {
					queue = append(queue, a.to)
				}
			}
		}
	}
	return len(queue) == n
}

func (s *simplex) slack(e int) int {
	a := s.arcs[e]
	return s.value[a.to] - s.value[a.from] - a.least
}

// span grows a tree of tight arcs from the root. To add the next arc, it moves the
// whole tree so that the arc becomes tight.
func (s *simplex) span() {
	n := len(s.of)
	s.inTree = make([]bool, len(s.arcs))
	reached := make([]bool, n)
	members := make([]int, 0, n)
	var add func(v int)
	add = func(v int) {
		reached[v] = true
		members = append(members, v)
		for _, e := range s.of[v] {
			if w := s.other(e, v); !reached[w] && s.slack(e) == 0 {
				s.inTree[e] = true
				add(w)
			}
		}
	}
	add(0)
	for len(members) < n {
		best := None
		for e, a := range s.arcs {
			if reached[a.from] != reached[a.to] && (best == None || s.slack(e) < s.slack(best)) {
				best = e
			}
		}
		move := s.slack(best)
		if reached[s.arcs[best].to] {
			move = -move
		}
		for _, v := range members {
			s.value[v] += move
		}
		s.inTree[best] = true
		if a := s.arcs[best]; reached[a.from] {
			add(a.to)
		} else {
			add(a.from)
		}
	}
}

func (s *simplex) other(e, v int) int { return s.arcs[e].from + s.arcs[e].to - v }

// number numbers the subtree of v, beginning with next, and returns the next free
// number.
func (s *simplex) number(v, parent, next int) int {
	if s.lim == nil {
		n := len(s.of)
		s.parent, s.low, s.lim, s.byLim = make([]int, n), make([]int, n), make([]int, n), make([]int, n+1)
		s.cut = make([]int, len(s.arcs))
	}
	s.steps--
	s.parent[v], s.low[v] = parent, next
	for _, e := range s.of[v] {
		if s.inTree[e] && e != parent {
			next = s.number(s.other(e, v), e, next)
		}
	}
	s.lim[v] = next
	s.byLim[next] = v
	return next + 1
}

// below reports whether w is in the subtree of v.
func (s *simplex) below(v, w int) bool { return s.low[v] <= s.lim[w] && s.lim[w] <= s.lim[v] }

// child returns the end of a tree arc that is below the other end.
func (s *simplex) child(e int) int {
	if a := s.arcs[e]; s.parent[a.from] == e {
		return a.from
	}
	return s.arcs[e].to
}

// cutAll computes the cut value of every tree arc, the deepest first.
func (s *simplex) cutAll() {
	for _, v := range s.byLim[1:] {
		if s.parent[v] != None {
			s.cut[s.parent[v]] = s.cutOf(v)
		}
	}
}

// cutOf returns the cut value of the arc above v: the cost of all arcs that cross the
// cut in its direction, minus the cost of those that cross it in the other direction.
func (s *simplex) cutOf(v int) int {
	up := s.parent[v]
	outwards := s.arcs[up].from == v
	sum := 0
	for _, e := range s.of[v] {
		a := s.arcs[e]
		sameWay := (a.from == v) == outwards
		w := s.other(e, v)
		switch {
		case e == up:
			sum += a.cost
		case !s.below(v, w):
			if sameWay {
				sum += a.cost
			} else {
				sum -= a.cost
			}
		default:
			// An arc into the subtree of v counts with its cut value without its
			// own cost, seen from v.
			beyond := -a.cost
			if s.inTree[e] {
				beyond += s.cut[e]
			}
			if sameWay {
				sum -= beyond
			} else {
				sum += beyond
			}
		}
	}
	return sum
}

// leaving returns a tree arc that saves cost if it is no longer tight, or none. search
// is where the next search begins.
func (s *simplex) leaving(search *int) int {
	best, found := None, 0
	for range s.arcs {
		e := *search
		*search = (*search + 1) % len(s.arcs)
		if s.inTree[e] && s.cut[e] < 0 {
			if best == None || s.cut[e] < s.cut[best] {
				best = e
			}
			if found++; found == 30 {
				break
			}
		}
	}
	s.steps -= len(s.arcs) / 8
	return best
}

// entering returns the arc with the least slack that crosses the cut of a tree arc in
// the other direction, or none.
func (s *simplex) entering(leaving int) int {
	v := s.child(leaving)
	inwards := s.arcs[leaving].from == v
	best := None
	for number := s.low[v]; number <= s.lim[v]; number++ {
		w := s.byLim[number]
		s.steps--
		for _, e := range s.of[w] {
			if (s.arcs[e].to == w) == inwards && !s.below(v, s.other(e, w)) && (best == None || s.slack(e) < s.slack(best)) {
				best = e
			}
		}
	}
	return best
}

// exchange replaces one tree arc by another arc.
func (s *simplex) exchange(leaving, entering int) {
	v := s.child(leaving)
	move := s.slack(entering)
	if s.arcs[leaving].from == v {
		move = -move
	}
	s.moveBelow(v, move)
	cut := s.cut[leaving]
	a := s.arcs[entering]
	top := s.recut(a.from, a.to, cut, true)
	s.recut(a.to, a.from, cut, false)
	s.cut[entering], s.cut[leaving] = -cut, 0
	s.inTree[entering], s.inTree[leaving] = true, false
	s.number(top, s.parent[top], s.low[top])
}

// moveBelow moves the subtree of v.
func (s *simplex) moveBelow(v, by int) {
	for number := s.low[v]; number <= s.lim[v]; number++ {
		s.value[s.byLim[number]] += by
		s.steps--
	}
}

// recut updates the cut values on the way up from v to the first variable that is also
// above w, and returns that variable.
func (s *simplex) recut(v, w, cut int, forwards bool) int {
	for !s.below(v, w) {
		e := s.parent[v]
		if (s.arcs[e].from == v) == forwards {
			s.cut[e] += cut
		} else {
			s.cut[e] -= cut
		}
		v = s.other(e, v)
		s.steps--
	}
	return v
}

// balance moves subtrees to the middle of their room where that costs nothing.
func (s *simplex) balance() {
	for e := range s.arcs {
		if !s.inTree[e] || s.cut[e] != 0 {
			continue
		}
		enter := s.entering(e)
		if enter == None || s.slack(enter) < 2 {
			continue
		}
		v, move := s.child(e), s.slack(enter)/2
		if s.arcs[e].from == v {
			move = -move
		}
		s.moveBelow(v, move)
	}
}

package simplex

import "slices"

// none stands for the index of an arc if there is none.
const none = -1

// Arc asks that the value of variable To is at least Least more than that of variable
// From. Each step beyond that costs Cost, which is not negative.
type Arc struct{ From, To, Least, Cost int }

// solver is the state of one search.
type solver struct {
	arcs  []Arc
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

// Minimize returns values for the variables 0 to n-1 that satisfy every arc at the
// least total cost. The least value is 0. If the arcs contradict each other, ok is
// false. The search stops after a bounded number of steps, even if the cost is not the
// least yet. If centred is true, Minimize then moves variables to the middle of their
// room where that costs nothing.
func Minimize(n int, arcs []Arc, centred bool) (values []int, ok bool) {
	if n == 0 {
		return nil, true
	}
	s := solver{arcs: withRoot(n, arcs), steps: 4_000_000}
	n++
	s.of = make([][]int, n)
	for i, a := range s.arcs {
		s.of[a.From] = append(s.of[a.From], i)
		s.of[a.To] = append(s.of[a.To], i)
	}
	if !s.begin() {
		return nil, false
	}
	s.span()
	s.number(0, none, 1)
	s.cutAll()
	for search := 0; s.steps > 0; {
		leaving := s.leaving(&search)
		if leaving == none {
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
func withRoot(n int, arcs []Arc) []Arc {
	all := make([]Arc, 0, len(arcs)+n)
	for _, a := range arcs {
		if a.From != a.To {
			all = append(all, Arc{a.From + 1, a.To + 1, a.Least, a.Cost})
		}
	}
	entered := make([]bool, n+1)
	for _, a := range all {
		entered[a.To] = true
	}
	for v := 1; v <= n; v++ {
		if !entered[v] {
			all = append(all, Arc{0, v, 0, 0})
		}
	}
	return all
}

// begin gives every variable its least value. It returns false if the arcs have a
// cycle.
func (s *solver) begin() bool {
	n := len(s.of)
	s.value = make([]int, n)
	open := make([]int, n)
	for _, a := range s.arcs {
		open[a.To]++
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
			if a := s.arcs[e]; a.From == v {
				s.value[a.To] = max(s.value[a.To], s.value[v]+a.Least)
				if open[a.To]--; open[a.To] == 0 {
					queue = append(queue, a.To)
				}
			}
		}
	}
	return len(queue) == n
}

func (s *solver) slack(e int) int {
	a := s.arcs[e]
	return s.value[a.To] - s.value[a.From] - a.Least
}

// span grows a tree of tight arcs from the root. To add the next arc, it moves the
// whole tree so that the arc becomes tight.
func (s *solver) span() {
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
		best := none
		for e, a := range s.arcs {
			if reached[a.From] != reached[a.To] && (best == none || s.slack(e) < s.slack(best)) {
				best = e
			}
		}
		move := s.slack(best)
		if reached[s.arcs[best].To] {
			move = -move
		}
		for _, v := range members {
			s.value[v] += move
		}
		s.inTree[best] = true
		if a := s.arcs[best]; reached[a.From] {
			add(a.To)
		} else {
			add(a.From)
		}
	}
}

func (s *solver) other(e, v int) int { return s.arcs[e].From + s.arcs[e].To - v }

// number numbers the subtree of v, beginning with next, and returns the next free
// number.
func (s *solver) number(v, parent, next int) int {
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
func (s *solver) below(v, w int) bool { return s.low[v] <= s.lim[w] && s.lim[w] <= s.lim[v] }

// child returns the end of a tree arc that is below the other end.
func (s *solver) child(e int) int {
	if a := s.arcs[e]; s.parent[a.From] == e {
		return a.From
	}
	return s.arcs[e].To
}

// cutAll computes the cut value of every tree arc, the deepest first.
func (s *solver) cutAll() {
	for _, v := range s.byLim[1:] {
		if s.parent[v] != none {
			s.cut[s.parent[v]] = s.cutOf(v)
		}
	}
}

// cutOf returns the cut value of the arc above v: the cost of all arcs that cross the
// cut in its direction, minus the cost of those that cross it in the other direction.
func (s *solver) cutOf(v int) int {
	up := s.parent[v]
	outwards := s.arcs[up].From == v
	sum := 0
	for _, e := range s.of[v] {
		a := s.arcs[e]
		sameWay := (a.From == v) == outwards
		w := s.other(e, v)
		switch {
		case e == up:
			sum += a.Cost
		case !s.below(v, w):
			if sameWay {
				sum += a.Cost
			} else {
				sum -= a.Cost
			}
		default:
			// An arc into the subtree of v counts with its cut value without its
			// own cost, seen from v.
			beyond := -a.Cost
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
func (s *solver) leaving(search *int) int {
	best, found := none, 0
	for range s.arcs {
		e := *search
		*search = (*search + 1) % len(s.arcs)
		if s.inTree[e] && s.cut[e] < 0 {
			if best == none || s.cut[e] < s.cut[best] {
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
func (s *solver) entering(leaving int) int {
	v := s.child(leaving)
	inwards := s.arcs[leaving].From == v
	best := none
	for number := s.low[v]; number <= s.lim[v]; number++ {
		w := s.byLim[number]
		s.steps--
		for _, e := range s.of[w] {
			if (s.arcs[e].To == w) == inwards && !s.below(v, s.other(e, w)) && (best == none || s.slack(e) < s.slack(best)) {
				best = e
			}
		}
	}
	return best
}

// exchange replaces one tree arc by another arc.
func (s *solver) exchange(leaving, entering int) {
	v := s.child(leaving)
	move := s.slack(entering)
	if s.arcs[leaving].From == v {
		move = -move
	}
	s.moveBelow(v, move)
	cut := s.cut[leaving]
	a := s.arcs[entering]
	top := s.recut(a.From, a.To, cut, true)
	s.recut(a.To, a.From, cut, false)
	s.cut[entering], s.cut[leaving] = -cut, 0
	s.inTree[entering], s.inTree[leaving] = true, false
	s.number(top, s.parent[top], s.low[top])
}

func (s *solver) moveBelow(v, by int) {
	for number := s.low[v]; number <= s.lim[v]; number++ {
		s.value[s.byLim[number]] += by
		s.steps--
	}
}

// recut updates the cut values on the way up from v to the first variable that is also
// above w, and returns that variable.
func (s *solver) recut(v, w, cut int, forwards bool) int {
	for !s.below(v, w) {
		e := s.parent[v]
		if (s.arcs[e].From == v) == forwards {
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
func (s *solver) balance() {
	for e := range s.arcs {
		if !s.inTree[e] || s.cut[e] != 0 {
			continue
		}
		enter := s.entering(e)
		if enter == none || s.slack(enter) < 2 {
			continue
		}
		v, move := s.child(e), s.slack(enter)/2
		if s.arcs[e].From == v {
			move = -move
		}
		s.moveBelow(v, move)
	}
}

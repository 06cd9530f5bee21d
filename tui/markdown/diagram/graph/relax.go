package graph

import (
	"slices"

	"planb/tui/markdown/diagram/graph/simplex"
)

// relax chooses among places that cost the same for the simplex method: it moves a box
// to the middle of the boxes to which its lines branch. Boxes on one straight line
// move together, as far as their neighbours allow.
func (p *placing) relax(values []int, separations []simplex.Arc) {
	r := relaxing{p: p, values: values, separations: separations, block: make([]int, p.frames)}
	r.join()
	for range 12 {
		moved := false
		for n := range r.members {
			moved = r.move(n) || moved
		}
		for n := len(r.members) - 1; n >= 0; n-- {
			moved = r.move(n) || moved
		}
		if !moved {
			break
		}
	}
	for _, net := range p.s.netSegs {
		r.snap(net)
	}
}

// snap straightens a branch of a net that is off by one or two cells. It leaves a net
// that is symmetrical as it is.
func (r *relaxing) snap(net []int) {
	s := r.p.s
	first, fromA := r.hub(net)
	hub := r.column(first, fromA)
	low, high := hub, hub
	for _, i := range net {
		low, high = min(low, r.column(s.segs[i], !fromA)), max(high, r.column(s.segs[i], !fromA))
	}
	if uneven := low + high - 2*hub; len(net) > 1 && uneven >= -1 && uneven <= 1 {
		return
	}
	for _, i := range net {
		by := hub - r.column(s.segs[i], !fromA)
		if by == 0 || by < -2 || by > 2 {
			continue
		}
		a, b := r.of(r.p.of[s.segs[i].a]), r.of(r.p.of[s.segs[i].b])
		branch, trunk := b, a
		if !fromA {
			branch, trunk = a, b
		}
		if branch == trunk {
			continue
		}
		if r.room(branch, by) == by {
			r.shift(branch, by)
		} else if r.room(trunk, -by) == -by {
			r.shift(trunk, -by)
		} else {
			continue
		}
		return
	}
}

// room returns how much of a move of a block its neighbours allow.
func (r *relaxing) room(block, by int) int {
	for _, i := range r.arcs[block] {
		a := r.separations[i]
		slack := r.values[a.To] - r.values[a.From] - a.Least
		if r.of(a.To) == block {
			by = max(by, -slack)
		} else {
			by = min(by, slack)
		}
	}
	return by
}

func (r *relaxing) shift(block, by int) {
	for _, v := range r.members[block] {
		r.values[v] += by
	}
}

// hub returns the first segment of a net, and at which end of it all segments meet.
func (r *relaxing) hub(net []int) (first seg, fromA bool) {
	first, fromA = r.p.s.segs[net[0]], true
	for _, i := range net[1:] {
		fromA = fromA && r.p.s.segs[i].a == first.a
	}
	return first, fromA
}

// relaxing moves blocks of variables that belong together.
type relaxing struct {
	p           *placing
	values      []int
	block       []int         // the block of each variable of a slot
	members     [][]int       // the variables of each block
	passes      []bool        // whether a block has no box
	arcs        [][]int       // for each block, the separations between it and others
	nets        [][]int       // for each block, the nets with an end in it
	separations []simplex.Arc // the arcs that keep variables apart
}

// column returns where a segment meets the slot at one of its ends.
func (r *relaxing) column(e seg, atA bool) int {
	if atA {
		return r.values[r.p.of[e.a]] + e.aOffset
	}
	return r.values[r.p.of[e.b]] + e.bOffset
}

// join finds the blocks: slots that are joined by straight lines without branches.
func (r *relaxing) join() {
	s := r.p.s
	for v := range r.block {
		r.block[v] = v
	}
	var root func(v int) int
	root = func(v int) int {
		if r.block[v] != v {
			r.block[v] = root(r.block[v])
		}
		return r.block[v]
	}
	for _, net := range s.netSegs {
		if e := s.segs[net[0]]; len(net) == 1 && r.column(e, true) == r.column(e, false) {
			r.block[root(r.p.of[e.b])] = root(r.p.of[e.a])
		}
	}
	number := make([]int, len(r.block))
	for v := range r.block {
		if root(v) == v {
			number[v] = len(r.members)
			r.members = append(r.members, nil)
		}
	}
	for v := range r.block {
		n := number[root(v)]
		r.members[n] = append(r.members[n], v)
	}
	for n, members := range r.members {
		for _, v := range members {
			r.block[v] = n
		}
	}
	r.passes = slices.Repeat([]bool{true}, len(r.members))
	for i, at := range s.slots {
		if at.kind == solid {
			r.passes[r.of(r.p.of[i])] = false
		}
	}
	r.arcs, r.nets = make([][]int, len(r.members)), make([][]int, len(r.members))
	for i, a := range r.separations {
		from, to := r.of(a.From), r.of(a.To)
		for _, b := range []int{from, to} {
			if b != None && from != to {
				r.arcs[b] = append(r.arcs[b], i)
			}
		}
	}
	for n, net := range s.netSegs {
		for _, i := range net {
			for _, slot := range []int{s.segs[i].a, s.segs[i].b} {
				if b := r.of(r.p.of[slot]); !slices.Contains(r.nets[b], n) {
					r.nets[b] = append(r.nets[b], n)
				}
			}
		}
	}
}

// of returns the block of a variable, or None for the border of a frame.
func (r *relaxing) of(v int) int {
	if v >= len(r.block) {
		return None
	}
	return r.block[v]
}

// move moves a block to the mean of the places that its nets prefer, and reports
// whether it moved. A block without a box moves only if that costs nothing: with nets
// at both ends it would otherwise drift away from them, step by step.
func (r *relaxing) move(n int) bool {
	sum, count := 0, 0
	for _, net := range r.nets[n] {
		if by, pulls := r.askew(r.p.s.netSegs[net], n); pulls {
			sum += by
			count++
		}
	}
	if count == 0 {
		return false
	}
	by := r.room(n, sum/count)
	before := r.cost(n)
	r.shift(n, by)
	if r.passes[n] && r.cost(n) > before {
		r.shift(n, -by)
		return false
	}
	return by != 0
}

// cost returns the cost of the lines that lead out of a block.
func (r *relaxing) cost(block int) int {
	sum := 0
	for _, net := range r.nets[block] {
		for _, i := range r.p.s.netSegs[net] {
			if e := r.p.s.segs[i]; (r.of(r.p.of[e.a]) == block) != (r.of(r.p.of[e.b]) == block) {
				d := r.column(e, true) - r.column(e, false)
				sum += r.p.cost(e) * max(d, -d)
			}
		}
	}
	return sum
}

// askew returns how far a net would move a block. The point where the net branches
// should be in the middle of its branches. pulls is false if moving the block cannot
// help: of the branches, only the middle ones can.
func (r *relaxing) askew(net []int, block int) (by int, pulls bool) {
	s := r.p.s
	first, fromA := r.hub(net)
	hub := r.column(first, fromA)
	ends := make([]int, 0, len(net))
	var inside []int // the ends in the block
	for _, i := range net {
		e := s.segs[i]
		end := r.column(e, !fromA)
		ends = append(ends, end)
		slot := e.b
		if !fromA {
			slot = e.a
		}
		if r.of(r.p.of[slot]) == block {
			inside = append(inside, end)
		}
	}
	slices.Sort(ends)
	low, high := ends[(len(ends)-1)/2], ends[len(ends)/2]
	middle := (low + high) / 2
	hubSlot := first.a
	if !fromA {
		hubSlot = first.b
	}
	hubInside := r.of(r.p.of[hubSlot]) == block
	switch {
	case hubInside && len(inside) == 0:
		return middle - hub, true
	case !hubInside:
		return hub - middle, slices.Contains(inside, low) || slices.Contains(inside, high)
	}
	return 0, false
}

// straighten moves ports along the sides of boxes if that makes a line straight.
func (s *sheet) straighten() {
	for range 2 {
		for i, at := range s.slots {
			if at.kind != solid || s.items[at.item].border != None {
				continue
			}
			reach := s.items[at.item].outline.reach(s.heading.sideways())
			if !s.heading.sideways() {
				reach = max(reach-1, 0) // keep straightened ports away from the corners
			}
			for side := range at.ports {
				s.straightenSide(i, side, reach)
			}
		}
	}
}

// straightenSide does the work of straighten for one side of a slot. No port moves
// further than reach from the middle.
func (s *sheet) straightenSide(i, side, reach int) {
	ports := s.slots[i].ports[side]
	room := 2
	if s.heading.sideways() {
		room = 1
	}
	offset := func(n int) *int {
		e := &s.segs[ports[n][0]]
		if side == before {
			return &e.bOffset
		}
		return &e.aOffset
	}
	for n, port := range ports {
		if len(port) > 1 {
			continue
		}
		e := s.segs[port[0]]
		if len(s.netSegs[e.net]) > 1 {
			continue
		}
		wanted := s.slots[e.a].middle + e.aOffset - s.slots[i].middle
		if side == behind {
			wanted = s.slots[e.b].middle + e.bOffset - s.slots[i].middle
		}
		low, high := -reach, reach
		if n > 0 {
			low = max(low, *offset(n - 1)+room)
		}
		if n+1 < len(ports) {
			high = min(high, *offset(n + 1)-room)
		}
		if low <= wanted && wanted <= high {
			*offset(n) = wanted
		}
	}
}

package graph

import (
	"fmt"
	"slices"

	"planb/tui/markdown/diagram/graph/simplex"
)

// assignLayers gives every item a layer, so that links lead to later layers and are short.
// Then it fills the layers with slots.
func (s *sheet) assignLayers() error {
	arcs, err := s.layerArcs()
	if err != nil {
		return err
	}
	layers, ok := simplex.Minimize(len(s.items)+2*len(s.frames), arcs, false)
	if !ok {
		return fmt.Errorf("the lines to a group contradict each other")
	}
	for i := range s.items {
		s.items[i].layer = layers[s.variable(i, s.items[i].last)]
	}
	s.closeUp()
	s.insertLabels()
	s.spanFrames()
	return s.fill()
}

// turnBack reverses the links that close a cycle. It finds them by a depth-first walk
// in the order of the source, which begins at items without incoming links.
func (s *sheet) turnBack() {
	out := make([][]int, len(s.items))
	entered := make([]bool, len(s.items))
	for i, l := range s.links {
		out[l.from] = append(out[l.from], i)
		entered[l.to] = true
	}
	const unseen, open, done = 0, 1, 2
	state := make([]uint8, len(s.items))
	var walk func(v int)
	walk = func(v int) {
		state[v] = open
		for _, i := range out[v] {
			switch l := &s.links[i]; state[l.to] {
			case open:
				l.from, l.to, l.turned = l.to, l.from, true
			case unseen:
				walk(l.to)
			}
		}
		state[v] = done
	}
	for _, roots := range []bool{true, false} {
		for v := range s.items {
			if state[v] == unseen && entered[v] != roots {
				walk(v)
			}
		}
	}
}

// variable returns the variable for the layer of an item. For a border, that is the
// variable of its frame's first layer, or of its last layer if last is true.
func (s *sheet) variable(item int, last bool) int {
	f := s.items[item].border
	switch {
	case f == None:
		return 2*len(s.frames) + item
	case last:
		return 2*f + 1
	}
	return 2 * f
}

// layerArcs returns the arcs between items, and between frames and their contents.
func (s *sheet) layerArcs() ([]simplex.Arc, error) {
	var arcs []simplex.Arc
	inside := func(frame, first, last int) {
		top := 2 * frame
		arcs = append(arcs, simplex.Arc{From: top, To: first}, simplex.Arc{From: last, To: top + 1})
	}
	for i, it := range s.items {
		if it.frame != None && it.border == None {
			v := s.variable(i, false)
			inside(it.frame, v, v)
		}
	}
	for f, frame := range s.frames {
		top := 2 * f
		arcs = append(arcs, simplex.Arc{From: top, To: top + 1, Cost: 1})
		if frame.parent != None {
			inside(frame.parent, top, top+1)
		}
	}
	if !slices.ContainsFunc(s.links, s.meetsFrame) {
		s.turnBack()
		for _, l := range s.links {
			arcs = append(arcs, simplex.Arc{From: s.variable(l.from, true), To: s.variable(l.to, false), Least: s.g.Edges[l.edge].Length, Cost: 2})
		}
		return arcs, nil
	}
	return s.turnAround(arcs)
}

func (s *sheet) meetsFrame(l link) bool {
	return s.items[l.from].border != None || s.items[l.to].border != None
}

// turnAround does the work of turnBack if some links end at frames. Such a link leads
// to a frame's first layer or from its last one, so a walk along links misses
// cycles. turnAround adds the links one by one, those at frames first, and reverses
// each link that would close a cycle.
func (s *sheet) turnAround(arcs []simplex.Arc) ([]simplex.Arc, error) {
	n := 2*len(s.frames) + len(s.items)
	ends := map[[2]int]int{} // the item of each border; the key is the frame, and 1 for the last border
	for _, atFrame := range []bool{true, false} {
		for i := range s.links {
			l := &s.links[i]
			if s.meetsFrame(*l) != atFrame {
				continue
			}
			a, b := s.variable(l.from, true), s.variable(l.to, false)
			if reaches(n, arcs, b, a) {
				l.from, l.to, l.turned = l.to, l.from, true
				a, b = s.variable(l.from, true), s.variable(l.to, false)
				if atFrame && reaches(n, arcs, b, a) {
					return nil, fmt.Errorf("a line leads to a group from a box that lies between the boxes of the group")
				}
			}
			arcs = append(arcs, simplex.Arc{From: a, To: b, Least: s.g.Edges[l.edge].Length, Cost: 2})
		}
	}
	for i := range s.links {
		l := &s.links[i]
		l.from, l.to = s.side(ends, l.from, true), s.side(ends, l.to, false)
	}
	return arcs, nil
}

// side returns the item for one of the two borders of a frame. The first border asked
// for gets the item itself, the other one a copy of it.
func (s *sheet) side(ends map[[2]int]int, it int, last bool) int {
	if s.items[it].border == None {
		return it
	}
	key := [2]int{s.items[it].border, 0}
	if last {
		key[1] = 1
	}
	if _, known := ends[key]; !known {
		other := key
		other[1] = 1 - other[1]
		ends[key] = it
		if _, ok := ends[other]; ok {
			ends[key] = len(s.items)
			s.items = append(s.items, s.items[it])
		}
		s.items[ends[key]].last = last
	}
	return ends[key]
}

// reaches reports whether a path of arcs leads from one variable to another.
func reaches(n int, arcs []simplex.Arc, from, to int) bool {
	out := make([][]int, n)
	for _, a := range arcs {
		out[a.From] = append(out[a.From], a.To)
	}
	seen := make([]bool, n)
	seen[from] = true
	for queue := []int{from}; len(queue) > 0; queue = queue[1:] {
		if queue[0] == to {
			return true
		}
		for _, next := range out[queue[0]] {
			if !seen[next] {
				seen[next] = true
				queue = append(queue, next)
			}
		}
	}
	return false
}

package diagram

import (
	"cmp"
	"slices"
)

// portSide are the ports at one side of a slot, in their order across. Segments
// of one net share a port.
type portSide [][]int

const (
	before = 0 // the side of a slot to the layer before it
	behind = 1
)

// netKey says which segments at one side of a box may run together: they look
// the same there and, where they reach that, at their other end.
type netKey struct {
	slot        int
	stroke      stroke
	mark, other mark
}

// assignPorts joins segments that leave a box together, or reach it together, to
// nets, and orders the ports at every side by where the lines go.
func (s *sheet) assignPorts() {
	out, in := map[netKey]int{}, map[netKey]int{}
	for i := range s.segs {
		if !s.segs[i].hidden {
			a, b := s.netKeys(i)
			out[a]++
			in[b]++
		}
	}
	nets := map[netKey][2]int{}
	count := 0
	join := func(i int, key netKey, side int) {
		have, known := nets[key]
		if !known {
			have = [2]int{none, none}
		}
		if have[side] == none {
			have[side] = count
			count++
			nets[key] = have
		}
		s.segs[i].net = have[side]
	}
	for i := range s.segs {
		if s.segs[i].hidden {
			s.segs[i].net = none
			continue
		}
		a, b := s.netKeys(i)
		manyOut := out[a] > 1 && s.slots[a.slot].kind == solid
		manyIn := in[b] > 1 && s.slots[b.slot].kind == solid
		switch {
		case manyOut && (!manyIn || out[a] >= in[b]):
			join(i, a, behind)
		case manyIn:
			join(i, b, before)
		default:
			s.segs[i].net = count
			count++
		}
	}
	s.netSegs = make([][]int, count)
	for i, e := range s.segs {
		if e.net != none {
			s.netSegs[e.net] = append(s.netSegs[e.net], i)
		}
	}
	for i := range s.slots {
		at := &s.slots[i]
		at.ports[before] = s.portsOf(at.up, func(e int) int { return s.slots[s.segs[e].a].pos })
		at.ports[behind] = s.portsOf(at.down, func(e int) int { return s.slots[s.segs[e].b].pos })
	}
}

// netKeys are what a segment looks like at its two ends.
func (s *sheet) netKeys(i int) (a, b netKey) {
	l := s.links[s.segs[i].link]
	e := s.g.edges[l.edge]
	first, last := e.tail, e.head
	if l.turned {
		first, last = last, first
	}
	at := s.segs[i]
	if s.slots[at.a].kind != solid {
		first = noMark
	}
	if s.slots[at.b].kind != solid {
		last = noMark
	}
	return netKey{at.a, e.stroke, first, last}, netKey{at.b, e.stroke, last, first}
}

// portsOf groups the segments at one side by their nets and sorts these by the
// middle of where they lead.
func (s *sheet) portsOf(segs []int, otherPos func(int) int) portSide {
	var ports portSide
	at := map[int]int{}
	for _, e := range segs {
		net := s.segs[e].net
		if net == none {
			continue
		}
		if _, known := at[net]; !known {
			at[net] = len(ports)
			ports = append(ports, nil)
		}
		ports[at[net]] = append(ports[at[net]], e)
	}
	key := func(port []int) float64 {
		sum := 0
		for _, e := range port {
			sum += otherPos(e)
		}
		return float64(sum) / float64(len(port))
	}
	slices.SortStableFunc(ports, func(a, b []int) int { return cmp.Compare(key(a), key(b)) })
	return ports
}

// placePorts says how far from the middle of a slot the lines meet it.
func (s *sheet) placePorts(i int, step int) {
	at := &s.slots[i]
	for side, ports := range at.ports {
		for n, port := range ports {
			offset := portOffset(n, len(ports), step)
			for _, e := range port {
				if side == before {
					s.segs[e].bo = offset
				} else {
					s.segs[e].ao = offset
				}
			}
		}
	}
}

// portOffset is where the n-th of some ports lies, seen from the middle.
func portOffset(n, count, step int) int {
	if step == 1 && count%2 == 0 {
		// The middle stays free, so that both halves are alike.
		if n -= count / 2; n >= 0 {
			n++
		}
		return n
	}
	return (2*n - (count - 1)) * step / 2
}

// portReach is how far the ports of a slot lie from its middle at most.
func (s *sheet) portReach(i, step int) int {
	reach := 0
	for _, ports := range s.slots[i].ports {
		if len(ports) > 0 {
			reach = max(reach, portOffset(len(ports)-1, len(ports), step))
		}
	}
	return reach
}

package graph

import (
	"cmp"
	"slices"

	"planb/tui/markdown/diagram/canvas"
)

// portSide holds the ports at one side of a slot, in their order across. A port is a
// list of segments; segments of one net share a port.
type portSide [][]int

const (
	before = 0 // the side of a slot towards the layer before it
	behind = 1 // the side towards the layer behind it
)

// netKey says which segments at one side of a box may run together: those that look
// the same there. Segments that reach a box together must also begin with the same
// sign. Otherwise an arrow back to one beginning would seem to lead to the others.
type netKey struct {
	slot        int
	stroke      canvas.Stroke
	sign, other canvas.Sign
}

// assignPorts joins segments that leave or reach a box together into nets, and sorts
// the ports at every side by where their lines lead.
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
		net, ok := nets[key]
		if !ok {
			net = [2]int{None, None}
		}
		if net[side] == None {
			net[side] = count
			count++
			nets[key] = net
		}
		s.segs[i].net = net[side]
	}
	for i := range s.segs {
		if s.segs[i].hidden {
			s.segs[i].net = None
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
		if e.net != None {
			s.netSegs[e.net] = append(s.netSegs[e.net], i)
		}
	}
	for i := range s.slots {
		at := &s.slots[i]
		at.ports[before] = s.portsOf(at.up, func(e int) int { return s.slots[s.segs[e].a].pos })
		at.ports[behind] = s.portsOf(at.down, func(e int) int { return s.slots[s.segs[e].b].pos })
	}
}

// netKeys returns how a segment looks at its two ends.
func (s *sheet) netKeys(i int) (a, b netKey) {
	l := s.links[s.segs[i].link]
	e := s.g.Edges[l.edge]
	first, last := e.Tail, e.Head
	if l.turned {
		first, last = last, first
	}
	at := s.segs[i]
	a, b = netKey{slot: at.a, stroke: e.Stroke}, netKey{slot: at.b, stroke: e.Stroke, other: first}
	if s.slots[at.a].kind == solid {
		a.sign = first
	}
	if s.slots[at.b].kind == solid {
		b.sign = last
	}
	return a, b
}

// portsOf groups the segments at one side by net, and sorts the groups by the mean
// position of their other ends.
func (s *sheet) portsOf(segs []int, otherPos func(int) int) portSide {
	var ports portSide
	at := map[int]int{}
	for _, e := range segs {
		net := s.segs[e].net
		if net == None {
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

// placePorts sets how far from the middle of a slot its lines meet it.
func (s *sheet) placePorts(i int, step int, sp spacing) {
	for side, ports := range s.slots[i].ports {
		offsets := s.portOffsets(i, side, step, sp)
		for n, port := range ports {
			for _, e := range port {
				if side == before {
					s.segs[e].bOffset = offsets[n]
				} else {
					s.segs[e].aOffset = offsets[n]
				}
			}
		}
	}
}

// portOffsets returns the distance of each port at a side from the middle. Ports are
// one step apart. If two lines lead to labels next, their ports are as far apart as
// the labels, up to 16 cells.
func (s *sheet) portOffsets(i, side, step int, sp spacing) []int {
	ports := s.slots[i].ports[side]
	offsets := make([]int, len(ports))
	if step == 1 {
		for n := range offsets {
			offsets[n] = rowOffset(n, len(ports))
		}
		return offsets
	}
	for n := 1; n < len(ports); n++ {
		distance := step
		if a, b := s.labelNext(ports[n-1], side), s.labelNext(ports[n], side); a != None && b != None {
			if apart := s.slots[a].after + sp.lines + 1 + s.slots[b].before; apart <= 16 {
				distance = max(distance, apart)
			}
		}
		offsets[n] = offsets[n-1] + distance
	}
	if len(offsets) > 0 {
		middle := offsets[len(offsets)-1] / 2
		for n := range offsets {
			offsets[n] -= middle
		}
	}
	return offsets
}

// labelNext returns the slot of the label to which the only line of a port leads next,
// or None.
func (s *sheet) labelNext(port []int, side int) int {
	e := s.segs[port[0]]
	next := e.b
	if side == before {
		next = e.a
	}
	if len(port) > 1 || len(s.netSegs[e.net]) > 1 || s.slots[next].kind != words {
		return None
	}
	return next
}

// rowOffset returns the distance of port n from the middle, if the ports lie in the
// rows of a box. If count is even, the middle row stays free for symmetry.
func rowOffset(n, count int) int {
	n -= count / 2
	if count%2 == 0 && n >= 0 {
		n++
	}
	return n
}

// portReach returns the greatest distance of a slot's ports from its middle.
func (s *sheet) portReach(i, step int, sp spacing) int {
	reach := 0
	for side := range s.slots[i].ports {
		for _, offset := range s.portOffsets(i, side, step, sp) {
			reach = max(reach, offset, -offset)
		}
	}
	return reach
}

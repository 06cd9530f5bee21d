package diagram

import (
	"errors"
	"fmt"
)

var errTangled = errors.New("its lines are tangled in a way that cannot be laid out")

// maxSlots is how many places the layers of a sheet may have together.
const maxSlots = 6000

// sheet is what is laid out together: a diagram, or the inside of a group into
// which no line leads from outside. The layout knows two axes only, as if all
// diagrams led downwards: layers follow each other along, and what is in a layer
// is ordered across. Where that is on the screen is decided when it is painted.
//
// It is made in stages, each in a file of its own: the layers (layers.go), their
// order (order.go), where lines meet boxes (ports.go), the places across
// (place.go), and the lines between layers (route.go).
type sheet struct {
	g       *graph
	group   int     // whose inside it is, or none
	written heading // where it leads in the source
	heading heading // where it leads
	items   []item
	links   []link
	frames  []groupFrame // outer ones before inner ones
	slots   []slot
	segs    []seg
	netSegs [][]int // the segments of each net
	layers  [][]int
	gaps    []gap // gaps[i] is before layer i, and the last one behind all

	sp            spacing
	across, along int // its size, once it is placed
}

// item is what stands in a layer: a node, a group with an inside of its own, or
// the border of a framed group at which lines end.
type item struct {
	node   int    // or none
	inner  *sheet // or nil
	border int    // a frame, or none
	last   bool   // which border of it: the last one along, not the first one
	group  int    // of inner and of border
	frame  int    // the innermost frame it is in, or none
	loops  []int  // edges from it to itself
	layer  int

	outline frame // of a node or an inner sheet, on the screen
	words   label
}

// link is an edge that leads from an earlier layer to a later one, if need be
// against its own direction.
type link struct {
	edge     int
	from, to int // items
	turned   bool
	labelAt  int   // the layer its label is in, or none
	segs     []int // from the first layer to the last one
	words    label
}

// groupFrame is a group whose nodes are in the same layers as those outside of it.
type groupFrame struct {
	group, parent int // parent is a frame, or none
	first, last   int // layers
	outerFirst    int // how many frames around it begin in the same layer
	outerLast     int // how many end in the same one
	low, high     int // its borders across
	start, end    int // its borders along
}

// slot is a place in a layer.
type slot struct {
	kind  slotKind
	item  int // of a solid slot
	link  int // of a bend or words
	frame int // the innermost frame it is in, or none
	layer int
	pos   int   // in its layer
	up    []int // segments from the layer before
	down  []int // segments to the layer behind
	ports [2]portSide

	before, after int // how many cells it takes across, on both sides of its middle
	thick         int // how many it takes along
	inset         int // where along its box begins
	boxThick      int // how much of thick is its box
	o, r          int // where its middle is across, and where it begins along
}

type slotKind uint8

const (
	solid  slotKind = iota
	bend            // where a line passes a layer
	words           // where it does so with its label
	filler          // holds a frame open
)

// seg is the part of a link from one layer to the next one.
type seg struct {
	a, b   int // slots
	link   int
	hidden bool
	net    int // segments of one net run together; none where hidden
	ao, bo int // how far from the middle of a and b it meets them
	path   []point
}

// newSheet takes from a graph what belongs to a sheet and finds its layers.
func newSheet(g *graph, group int, h heading) (*sheet, error) {
	s := &sheet{g: g, group: group, written: h, heading: h}
	inFrame := map[int]int{group: none}
	inItem := map[int]int{}
	for i, child := range g.groups {
		outer, here := inFrame[child.parent]
		if !here {
			continue
		}
		if g.crossed(i) {
			if len(child.notes) > 0 {
				return nil, fmt.Errorf("a note at the state %q is not drawn, because lines lead into it", child.id)
			}
			inFrame[i] = len(s.frames)
			s.frames = append(s.frames, groupFrame{group: i, parent: outer})
			continue
		}
		inner := child.heading
		if inner == unsaid {
			inner = h
		}
		sub, err := newSheet(g, i, inner)
		if err != nil {
			return nil, err
		}
		inItem[i] = len(s.items)
		s.items = append(s.items, item{node: none, inner: sub, border: none, group: i, frame: outer})
	}
	ofNode := make([]int, len(g.nodes))
	for i, n := range g.nodes {
		ofNode[i] = none
		if f, here := inFrame[n.group]; here {
			ofNode[i] = len(s.items)
			s.items = append(s.items, item{node: i, border: none, group: none, frame: f})
			continue
		}
		for in := n.group; in != none; in = g.groups[in].parent {
			if it, found := inItem[in]; found {
				ofNode[i] = it
			}
		}
	}
	if err := s.takeEdges(inFrame, inItem, ofNode); err != nil {
		return nil, err
	}
	if err := s.layer(); err != nil {
		return nil, err
	}
	s.order()
	s.assignPorts()
	return s, nil
}

// crossed reports whether a line leads from inside of a group to outside of it.
func (g *graph) crossed(group int) bool {
	for _, e := range g.edges {
		if g.inside(e.from, e.fromGroup, group) != g.inside(e.to, e.toGroup, group) {
			return true
		}
	}
	return false
}

// inside reports whether an end of an edge is within a group, and not the group itself.
func (g *graph) inside(end int, isGroup bool, group int) bool {
	if isGroup {
		return g.within(g.groups[end].parent, group)
	}
	return g.within(g.nodes[end].group, group)
}

// notesAt are the notes beside an item.
func (s *sheet) notesAt(it *item) []note {
	if it.node != none {
		return s.g.nodes[it.node].notes
	}
	return s.g.groups[it.group].notes
}

// takeEdges finds the edges that are drawn in this sheet.
func (s *sheet) takeEdges(inFrame, inItem map[int]int, ofNode []int) error {
	borders := map[int]int{}
	end := func(i int, isGroup bool) int {
		if !isGroup {
			return ofNode[i]
		}
		for in := i; in != none; in = s.g.groups[in].parent {
			if it, found := inItem[in]; found {
				return it
			}
		}
		f, found := inFrame[i]
		if !found || i == s.group {
			return none
		}
		if _, known := borders[i]; !known {
			borders[i] = len(s.items)
			s.items = append(s.items, item{node: none, border: f, group: i, frame: f})
		}
		return borders[i]
	}
	for i, e := range s.g.edges {
		from, to := end(e.from, e.fromGroup), end(e.to, e.toGroup)
		switch {
		case from == none || to == none:
		case from != to:
			s.links = append(s.links, link{edge: i, from: from, to: to, labelAt: none})
		case s.items[from].inner != nil && !(e.fromGroup && e.from == s.items[from].group):
			// It is inside of the item.
		case s.items[from].border != none:
			return fmt.Errorf("a line leads from a group back to itself, while others lead out of it")
		default:
			s.items[from].loops = append(s.items[from].loops, i)
		}
	}
	return nil
}

package graph

import (
	"errors"
	"fmt"
	"image"

	"planb/tui/markdown/diagram/label"
)

var errTangled = errors.New("its lines are tangled in a way that cannot be laid out")

// maxSlots is the greatest number of slots in a sheet.
const maxSlots = 6000

// sheet is one unit of layout: a diagram, or the inside of a group that no line from
// outside enters. The layout has two axes, "along" and "across", as if every diagram
// led downwards. Layers follow each other along; the slots of a layer follow each
// other across. The picture turns both axes to the screen.
//
// The layout has five stages, each in a file of its own: the layers (layers.go), their
// order (order.go), the ports at which lines meet boxes (ports.go), the places across
// (place.go), and the lines between layers (route.go).
type sheet struct {
	g       *Graph
	group   int     // the group whose inside it is, or None
	written Heading // where the source says that it leads
	heading Heading // where it leads now
	items   []item
	links   []link
	frames  []groupFrame // outer ones before inner ones
	slots   []slot
	segs    []seg
	netSegs [][]int // the segments of each net
	layers  [][]int
	gaps    []gap // gaps[i] is before layer i; the last one is behind all layers

	sp            spacing
	across, along int // its size, once it is placed
}

// item stands in a layer: a node, a group with an inner sheet, or the border of a
// framed group at which lines end.
type item struct {
	node   int    // the node, or None
	inner  *sheet // the inside of a group, or nil
	border int    // the frame whose border it is, or None
	last   bool   // it is the frame's last border along, not the first one
	group  int    // the group of inner or border
	frame  int    // the innermost frame around it, or None
	loops  []int  // edges from it to itself
	layer  int

	outline outline // of a node or an inner sheet, on the screen
	words   label.Label
}

// link is an edge that leads from an earlier layer to a later one. turned says that
// this is against the edge's own direction.
type link struct {
	edge     int
	from, to int // items
	turned   bool
	labelAt  int   // the layer of its label, or None
	segs     []int // from the first layer to the last one
	words    label.Label
}

// groupFrame is a group whose nodes share layers with nodes outside it.
type groupFrame struct {
	group, parent int // parent is a frame, or None
	first, last   int // layers
	outerFirst    int // how many frames around it begin in its first layer
	outerLast     int // how many frames around it end in its last layer
	low, high     int // its borders across
	start, end    int // its borders along
}

// slot is a place in a layer.
type slot struct {
	kind  slotKind
	item  int // of a solid slot
	link  int // of a bend or words
	frame int // the innermost frame around it, or None
	layer int
	pos   int   // its position in the layer
	up    []int // segments from the layer before
	down  []int // segments to the layer behind
	ports [2]portSide

	before, after int // its cells across, on both sides of its middle
	thick         int // its cells along
	inset         int // where its box begins along, within thick
	boxThick      int // the cells of its box along
	middle        int // its place across
	start         int // its place along
}

type slotKind uint8

const (
	solid  slotKind = iota // an item
	bend                   // a line that passes a layer
	words                  // a line that passes a layer with its label
	filler                 // keeps a frame open in a layer where it has nothing else
)

// seg is the part of a link from one layer to the next one.
type seg struct {
	a, b             int // slots
	link             int
	hidden           bool
	net              int // segments of one net run together; none if hidden
	aOffset, bOffset int // how far from the middles of a and b the segment meets them
	path             []image.Point
}

// newSheet makes the sheet for the inside of a group, or for the whole graph if group
// is None. It finds the sheet's layers, their order and the ports.
func newSheet(g *Graph, group int, h Heading) (*sheet, error) {
	s := &sheet{g: g, group: group, written: h, heading: h}
	inFrame := map[int]int{group: None}
	inItem := map[int]int{}
	for i, child := range g.Groups {
		outer, here := inFrame[child.Parent]
		if !here {
			continue
		}
		if g.crossed(i) {
			if len(child.Notes) > 0 {
				return nil, fmt.Errorf("a note at the state %q is not drawn, because lines lead into it", child.Name)
			}
			inFrame[i] = len(s.frames)
			s.frames = append(s.frames, groupFrame{group: i, parent: outer})
			continue
		}
		inner := child.Heading
		if inner == Unsaid {
			inner = h
		}
		sub, err := newSheet(g, i, inner)
		if err != nil {
			return nil, err
		}
		inItem[i] = len(s.items)
		s.items = append(s.items, item{node: None, inner: sub, border: None, group: i, frame: outer})
	}
	ofNode := make([]int, len(g.Nodes))
	for i, n := range g.Nodes {
		ofNode[i] = None
		if f, here := inFrame[n.Group]; here {
			ofNode[i] = len(s.items)
			s.items = append(s.items, item{node: i, border: None, group: None, frame: f})
			continue
		}
		for in := n.Group; in != None; in = g.Groups[in].Parent {
			if it, found := inItem[in]; found {
				ofNode[i] = it
			}
		}
	}
	if err := s.addEdges(inFrame, inItem, ofNode); err != nil {
		return nil, err
	}
	if err := s.assignLayers(); err != nil {
		return nil, err
	}
	s.order()
	s.assignPorts()
	return s, nil
}

// crossed reports whether a line crosses the border of a group.
func (g *Graph) crossed(group int) bool {
	for _, e := range g.Edges {
		if g.inside(e.From, e.FromGroup, group) != g.inside(e.To, e.ToGroup, group) {
			return true
		}
	}
	return false
}

// inside reports whether an end of an edge is inside a group. The group itself is not
// inside.
func (g *Graph) inside(end int, isGroup bool, group int) bool {
	if isGroup {
		return g.Within(g.Groups[end].Parent, group)
	}
	return g.Within(g.Nodes[end].Group, group)
}

// notesAt returns the notes beside an item.
func (s *sheet) notesAt(it *item) []Note {
	if it.node != None {
		return s.g.Nodes[it.node].Notes
	}
	return s.g.Groups[it.group].Notes
}

// addEdges adds the edges that are drawn in this sheet, as links or loops. inFrame and
// inItem hold the frames and items of groups, ofNode the items of nodes.
func (s *sheet) addEdges(inFrame, inItem map[int]int, ofNode []int) error {
	borders := map[int]int{}
	end := func(i int, isGroup bool) int {
		if !isGroup {
			return ofNode[i]
		}
		for in := i; in != None; in = s.g.Groups[in].Parent {
			if it, found := inItem[in]; found {
				return it
			}
		}
		f, found := inFrame[i]
		if !found || i == s.group {
			return None
		}
		if _, known := borders[i]; !known {
			borders[i] = len(s.items)
			s.items = append(s.items, item{node: None, border: f, group: i, frame: f})
		}
		return borders[i]
	}
	for i, e := range s.g.Edges {
		from, to := end(e.From, e.FromGroup), end(e.To, e.ToGroup)
		switch {
		case from == None, to == None, from == to && e.Hidden:
		case from != to:
			s.links = append(s.links, link{edge: i, from: from, to: to, labelAt: None})
		case s.items[from].inner != nil && !(e.FromGroup && e.From == s.items[from].group):
			// The inner sheet of the item draws it.
		case s.items[from].border != None:
			return fmt.Errorf("a line leads from a group back to itself, while others lead out of it")
		default:
			s.items[from].loops = append(s.items[from].loops, i)
		}
	}
	return nil
}

package graph

import (
	"slices"

	"planb/tui/markdown/diagram/canvas"
	"planb/tui/markdown/diagram/label"
)

// Heading is the direction in which the lines of a diagram lead.
type Heading uint8

// The headings. A group whose heading is Unsaid leads as the group around it.
const (
	Unsaid Heading = iota
	Downwards
	Upwards
	Rightwards
	Leftwards
)

// sideways reports whether the layers stand beside each other.
func (h Heading) sideways() bool { return h == Rightwards || h == Leftwards }

// Graph is a diagram of boxes and lines. Its nodes, edges and groups name each other by
// their indices.
type Graph struct {
	Heading Heading
	Nodes   []Node
	Edges   []Edge
	Groups  []Group // an outer group comes before the groups inside it
}

// None stands for the index of a node or a group if there is none.
const None = -1

// Node is one box.
type Node struct {
	Label label.Label
	Shape Shape
	Group int // the innermost group it is in, or None
	Notes []Note
}

// Note is words beside a node.
type Note struct {
	Label label.Label
	After bool // right of the node, or below it if the diagram leads sideways
}

// Edge is one line. Its ends are nodes, or groups if FromGroup and ToGroup say so.
type Edge struct {
	From, To           int
	FromGroup, ToGroup bool
	Label              label.Label
	Stroke             canvas.Stroke
	Tail, Head         canvas.Sign // the signs at From and at To
	Length             int         // the least number of layers that it spans
	Hidden             bool        // it keeps its ends together but is not drawn
}

// Group is a frame around nodes and other groups.
type Group struct {
	Name    string      // shown if lines need a title and there is none
	Title   label.Label // in the upper border of the frame
	Parent  int         // the group around it, or None
	Heading Heading
	Stroke  canvas.Stroke
	Round   bool
	Notes   []Note
}

// Within reports whether a group is outer or inside it. Every group is inside None.
func (g *Graph) Within(group, outer int) bool {
	for group != outer {
		if group == None {
			return false
		}
		group = g.Groups[group].Parent
	}
	return true
}

// withTitleNodes returns the graph without edges between a group and something inside
// that group. Each such edge leads to or from a node inside the group instead, which
// has the group's title. All edges that begin at the group share one node, and all that
// end at it share another one.
func (g *Graph) withTitleNodes() *Graph {
	g = &Graph{Heading: g.Heading, Nodes: slices.Clone(g.Nodes), Edges: slices.Clone(g.Edges), Groups: g.Groups}
	begins, ends := map[int]int{}, map[int]int{} // the nodes that stand for groups
	for i := range g.Edges {
		e := &g.Edges[i]
		switch {
		case g.contains(e.From, e.FromGroup, e.To, e.ToGroup):
			e.From, e.FromGroup = g.titleNode(e.From, begins), false
		case g.contains(e.To, e.ToGroup, e.From, e.FromGroup):
			e.To, e.ToGroup = g.titleNode(e.To, ends), false
		}
	}
	return g
}

// titleNode returns the node that stands for a group inside that group, and makes it
// if it is not in known.
func (g *Graph) titleNode(group int, known map[int]int) int {
	at, ok := known[group]
	if !ok {
		at = len(g.Nodes)
		known[group] = at
		title := g.Groups[group].Title
		if len(title) == 0 {
			title = label.Label{g.Groups[group].Name}
		}
		g.Nodes = append(g.Nodes, Node{Label: title, Shape: Bare, Group: group})
	}
	return at
}

// contains reports whether the end outer of an edge is a group and the end inner is
// inside it.
func (g *Graph) contains(outer int, isGroup bool, inner int, innerIsGroup bool) bool {
	if !isGroup || innerIsGroup && inner == outer {
		return false
	}
	if innerIsGroup {
		return g.Within(g.Groups[inner].Parent, outer)
	}
	return g.Within(g.Nodes[inner].Group, outer)
}

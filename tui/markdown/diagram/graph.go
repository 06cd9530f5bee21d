package diagram

import "slices"

// heading is the direction in which the lines of a diagram lead.
type heading uint8

const (
	unsaid heading = iota
	downwards
	upwards
	rightwards
	leftwards
)

// sideways reports whether the layers stand beside each other.
func (h heading) sideways() bool { return h == rightwards || h == leftwards }

// graph is a diagram of boxes and lines.
type graph struct {
	heading heading
	nodes   []node
	edges   []edge
	groups  []group // an outer group comes before the groups inside it
}

// none stands for the index of a node or group if there is none.
const none = -1

// node is one box.
type node struct {
	label label
	shape shape
	group int // the innermost group it is in, or none
	notes []note
}

// note is words beside a node.
type note struct {
	label label
	after bool // right of the node, or below it if the diagram leads sideways
}

// edge is one line. Its ends are nodes, or groups if fromGroup and toGroup say so.
type edge struct {
	from, to           int
	fromGroup, toGroup bool
	label              label
	stroke             stroke
	tail, head         mark // the marks at from and at to
	length             int  // the least number of layers that it spans
	hidden             bool // it keeps its ends together but is not drawn
}

// group is a frame around nodes and other groups.
type group struct {
	name    string
	title   label
	parent  int // the group around it, or none
	heading heading
	stroke  stroke
	round   bool
	notes   []note
}

// within reports whether a group is outer or inside it. Every group is inside none.
func (g *graph) within(group, outer int) bool {
	for group != outer {
		if group == none {
			return false
		}
		group = g.groups[group].parent
	}
	return true
}

// withTitleNodes returns the graph with every edge between a group and something inside
// that group replaced: such an edge leads to a node inside the group instead, with the
// group's title. There is one node for all edges that begin there, and another one for
// those that end there.
func (g *graph) withTitleNodes() *graph {
	g = &graph{heading: g.heading, nodes: slices.Clone(g.nodes), edges: slices.Clone(g.edges), groups: g.groups}
	begins, ends := map[int]int{}, map[int]int{} // the nodes that stand for groups
	for i := range g.edges {
		e := &g.edges[i]
		switch {
		case g.contains(e.from, e.fromGroup, e.to, e.toGroup):
			e.from, e.fromGroup = g.titleNode(e.from, begins), false
		case g.contains(e.to, e.toGroup, e.from, e.fromGroup):
			e.to, e.toGroup = g.titleNode(e.to, ends), false
		}
	}
	return g
}

// titleNode returns the node that stands for a group inside that group, and makes it
// if it is not in known.
func (g *graph) titleNode(group int, known map[int]int) int {
	at, ok := known[group]
	if !ok {
		at = len(g.nodes)
		known[group] = at
		title := g.groups[group].title
		if len(title) == 0 {
			title = label{g.groups[group].name}
		}
		g.nodes = append(g.nodes, node{label: title, shape: bare, group: group})
	}
	return at
}

// contains reports whether the end outer of an edge is a group and the end inner is
// inside it.
func (g *graph) contains(outer int, isGroup bool, inner int, innerIsGroup bool) bool {
	if !isGroup || innerIsGroup && inner == outer {
		return false
	}
	if innerIsGroup {
		return g.within(g.groups[inner].parent, outer)
	}
	return g.within(g.nodes[inner].group, outer)
}

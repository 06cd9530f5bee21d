package diagram

import (
	"fmt"
	"strings"
)

// The limits of one diagram of boxes and lines.
const (
	maxNodes   = 500
	maxEdges   = 1000
	maxGroups  = 100
	maxNesting = 12
)

// heading is the direction in which the lines of a diagram lead.
type heading uint8

const (
	unsaid heading = iota
	downwards
	upwards
	rightwards
	leftwards
)

// readHeading reads TB, TD, BT, LR and RL in upper or lower case, and the characters
// that stand for them.
func readHeading(s string) (heading, bool) {
	switch strings.ToUpper(s) {
	case "TB", "TD", "V":
		return downwards, true
	case "BT", "^":
		return upwards, true
	case "LR", ">":
		return rightwards, true
	case "RL", "<":
		return leftwards, true
	}
	return unsaid, false
}

// sideways reports whether the layers stand beside each other.
func (h heading) sideways() bool { return h == rightwards || h == leftwards }

// graph is a diagram of boxes and lines as the source describes it, without layout.
type graph struct {
	heading heading
	nodes   []node
	edges   []edge
	groups  []group        // an outer group comes before the groups inside it
	byID    map[string]int // nodes by name
	inGroup map[string]int // groups by name
}

// none stands for the index of a node or group if there is none.
const none = -1

// node is one box.
type node struct {
	id    string
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
	id      string
	title   label
	parent  int
	heading heading
	stroke  stroke
	round   bool
	notes   []note
}

func newGraph() *graph {
	return &graph{byID: map[string]int{}, inGroup: map[string]int{}}
}

// node returns the index of the node with a name, and makes the node if it is new. The
// node belongs to the group in which it is named; if there are several, to the
// innermost.
func (g *graph) node(id string, in int) (int, error) {
	if i, found := g.byID[id]; found {
		if g.within(in, g.nodes[i].group) {
			g.nodes[i].group = in
		}
		return i, nil
	}
	if len(g.nodes) == maxNodes {
		return none, fmt.Errorf("there are more than %d boxes", maxNodes)
	}
	if len(id) > maxLabel {
		return none, fmt.Errorf("a name has %d bytes; at most %d are drawn", len(id), maxLabel)
	}
	g.byID[id] = len(g.nodes)
	g.nodes = append(g.nodes, node{id: id, label: label{printable(id)}, group: in})
	return len(g.nodes) - 1, nil
}

func (g *graph) addEdge(e edge) error {
	if len(g.edges) == maxEdges {
		return fmt.Errorf("there are more than %d lines between boxes", maxEdges)
	}
	g.edges = append(g.edges, e)
	return nil
}

// addGroup adds a group. Its parent must exist.
func (g *graph) addGroup(group group) (int, error) {
	depth := 1
	for p := group.parent; p != none; p = g.groups[p].parent {
		depth++
	}
	switch {
	case len(g.groups) == maxGroups:
		return none, fmt.Errorf("there are more than %d groups", maxGroups)
	case depth > maxNesting:
		return none, fmt.Errorf("groups are nested deeper than %d", maxNesting)
	}
	g.groups = append(g.groups, group)
	if _, known := g.inGroup[group.id]; !known {
		g.inGroup[group.id] = len(g.groups) - 1
	}
	return len(g.groups) - 1, nil
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

// resolveGroups makes edges that name a group lead to the group. This is possible only
// after reading, because a group may be named before it begins. An edge between a
// group and something inside it gets a node inside the group instead, with the
// group's title: one node for all lines that begin there, another for those that end.
func (g *graph) resolveGroups() {
	index := make([]int, len(g.nodes))
	kept := g.nodes[:0:0]
	for i, n := range g.nodes {
		if in, ok := g.inGroup[n.id]; ok && n.shape == unshaped {
			index[i] = -2 - in
			g.groups[in].notes = n.notes
			continue
		}
		index[i] = len(kept)
		kept = append(kept, n)
	}
	g.nodes = kept
	begins, ends := map[int]int{}, map[int]int{} // the nodes that stand for groups
	for i := range g.edges {
		e := &g.edges[i]
		e.from, e.fromGroup = resolved(index[e.from])
		e.to, e.toGroup = resolved(index[e.to])
		switch {
		case g.contains(e.from, e.fromGroup, e.to, e.toGroup):
			e.from, e.fromGroup = g.titleNode(e.from, begins), false
		case g.contains(e.to, e.toGroup, e.from, e.fromGroup):
			e.to, e.toGroup = g.titleNode(e.to, ends), false
		}
	}
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
			title = label{printable(g.groups[group].id)}
		}
		g.nodes = append(g.nodes, node{label: title, shape: bare, group: group})
	}
	return at
}

// resolved turns an index of resolveGroups into the index of a node, or of a group if
// isGroup is true. There a group i is written as -2 - i.
func resolved(index int) (resolved int, isGroup bool) {
	if index < none {
		return -2 - index, true
	}
	return index, false
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

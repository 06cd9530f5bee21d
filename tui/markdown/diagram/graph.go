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

// heading is where the lines of a diagram lead.
type heading uint8

const (
	unsaid heading = iota
	downwards
	upwards
	rightwards
	leftwards
)

// readHeading reads TB, TD, BT, LR and RL in any case, and the arrows that stand
// for them.
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

// graph is a diagram of boxes and lines as it is meant, before any layout.
type graph struct {
	kind    string
	title   label
	heading heading
	nodes   []node
	edges   []edge
	groups  []group // a group stands behind the one it is in
	byID    map[string]int
	inGroup map[string]int
}

// none is the index of no node or group.
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
	after bool // right of it, or below where the diagram leads sideways
}

// edge is one line. Its ends are nodes, or groups where toGroup and fromGroup
// say so.
type edge struct {
	from, to           int
	fromGroup, toGroup bool
	label              label
	stroke             stroke
	tail, head         mark // at from and at to
	length             int  // how many layers it leads on, at least
	hidden             bool // holds its ends together and is not drawn
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

func newGraph(src source) *graph {
	return &graph{kind: src.kind, title: readText(src.title), byID: map[string]int{}, inGroup: map[string]int{}}
}

// node finds a node by its name, or makes it. It is in the group that names it,
// and of several in the innermost one.
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

// addGroup opens a group inside another one.
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

// within reports whether a group is another one or inside it; everything is in none.
func (g *graph) within(group, outer int) bool {
	for group != outer {
		if group == none {
			return false
		}
		group = g.groups[group].parent
	}
	return true
}

// settle makes edges that name a group lead to it: its name is only known to be
// one when everything was read. Where one leads between a group and what is in it,
// words in the group stand for it, others where lines begin than where they end.
func (g *graph) settle() {
	index := make([]int, len(g.nodes))
	kept := g.nodes[:0:0]
	for i, n := range g.nodes {
		if in, is := g.inGroup[n.id]; is && n.shape == unshaped {
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
		e.from, e.fromGroup = settled(index[e.from])
		e.to, e.toGroup = settled(index[e.to])
		switch {
		case g.holds(e.from, e.fromGroup, e.to, e.toGroup):
			e.from, e.fromGroup = g.wordsFor(e.from, begins), false
		case g.holds(e.to, e.toGroup, e.from, e.fromGroup):
			e.to, e.toGroup = g.wordsFor(e.to, ends), false
		}
	}
}

// wordsFor is the node that stands for a group inside of it: its title.
func (g *graph) wordsFor(group int, words map[int]int) int {
	at, known := words[group]
	if !known {
		at = len(g.nodes)
		words[group] = at
		said := g.groups[group].title
		if len(said) == 0 {
			said = label{printable(g.groups[group].id)}
		}
		g.nodes = append(g.nodes, node{label: said, shape: bare, group: group})
	}
	return at
}

func settled(index int) (int, bool) {
	if index < none {
		return -2 - index, true
	}
	return index, false
}

// holds reports whether an end of an edge is a group and the other one is inside it.
func (g *graph) holds(outer int, isGroup bool, inner int, innerIsGroup bool) bool {
	if !isGroup || innerIsGroup && inner == outer {
		return false
	}
	if innerIsGroup {
		return g.within(g.groups[inner].parent, outer)
	}
	return g.within(g.nodes[inner].group, outer)
}

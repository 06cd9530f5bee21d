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

// builder makes a graph of named nodes and groups.
type builder struct {
	graph
	ids     []string       // the name of each node
	byID    map[string]int // nodes by name
	inGroup map[string]int // groups by name
}

func newBuilder() *builder {
	return &builder{graph: graph{heading: downwards}, byID: map[string]int{}, inGroup: map[string]int{}}
}

// node returns the index of the node with a name, and makes the node if it is new. The
// node belongs to the group in which it is named; if there are several, to the
// innermost.
func (b *builder) node(id string, in int) (int, error) {
	if i, found := b.byID[id]; found {
		if b.within(in, b.nodes[i].group) {
			b.nodes[i].group = in
		}
		return i, nil
	}
	if len(b.nodes) == maxNodes {
		return none, fmt.Errorf("there are more than %d boxes", maxNodes)
	}
	if len(id) > maxLabel {
		return none, fmt.Errorf("a name has %d bytes; at most %d are drawn", len(id), maxLabel)
	}
	b.byID[id] = len(b.nodes)
	b.ids = append(b.ids, id)
	b.nodes = append(b.nodes, node{label: label{printable(id)}, group: in})
	return len(b.nodes) - 1, nil
}

func (b *builder) addEdge(e edge) error {
	if len(b.edges) == maxEdges {
		return fmt.Errorf("there are more than %d lines between boxes", maxEdges)
	}
	b.edges = append(b.edges, e)
	return nil
}

// addGroup adds a group. Its parent must exist.
func (b *builder) addGroup(group group) (int, error) {
	depth := 1
	for p := group.parent; p != none; p = b.groups[p].parent {
		depth++
	}
	switch {
	case len(b.groups) == maxGroups:
		return none, fmt.Errorf("there are more than %d groups", maxGroups)
	case depth > maxNesting:
		return none, fmt.Errorf("groups are nested deeper than %d", maxNesting)
	}
	b.groups = append(b.groups, group)
	if _, known := b.inGroup[group.name]; !known {
		b.inGroup[group.name] = len(b.groups) - 1
	}
	return len(b.groups) - 1, nil
}

// resolveGroups makes edges that name a group lead to the group. This is possible only
// after reading, because a group may be named before it begins.
func (b *builder) resolveGroups() {
	index := make([]int, len(b.nodes)) // in kept; a group i is written as -2 - i
	kept := b.nodes[:0:0]
	for i, n := range b.nodes {
		if in, ok := b.inGroup[b.ids[i]]; ok && n.shape == unshaped {
			index[i] = -2 - in
			b.groups[in].notes = n.notes
			continue
		}
		index[i] = len(kept)
		kept = append(kept, n)
	}
	b.nodes = kept
	for i := range b.edges {
		e := &b.edges[i]
		e.from, e.fromGroup = resolved(index[e.from])
		e.to, e.toGroup = resolved(index[e.to])
	}
}

// resolved turns an index of resolveGroups into the index of a node, or of a group if
// isGroup is true.
func resolved(index int) (resolved int, isGroup bool) {
	if index < none {
		return -2 - index, true
	}
	return index, false
}

package mermaid

import (
	"fmt"
	"strings"

	"planb/tui/markdown/diagram/graph"
	"planb/tui/markdown/diagram/label"
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
func readHeading(s string) (graph.Heading, bool) {
	switch strings.ToUpper(s) {
	case "TB", "TD", "V":
		return graph.Downwards, true
	case "BT", "^":
		return graph.Upwards, true
	case "LR", ">":
		return graph.Rightwards, true
	case "RL", "<":
		return graph.Leftwards, true
	}
	return graph.Unsaid, false
}

// builder makes a graph of named nodes and groups.
type builder struct {
	graph.Graph
	ids     []string       // the name of each node
	byID    map[string]int // nodes by name
	inGroup map[string]int // groups by name
}

func newBuilder() *builder {
	return &builder{Graph: graph.Graph{Heading: graph.Downwards}, byID: map[string]int{}, inGroup: map[string]int{}}
}

// node returns the index of the node with a name, and makes the node if it is new. The
// node belongs to the group in which it is named; if there are several, to the
// innermost.
func (b *builder) node(id string, in int) (int, error) {
	if i, found := b.byID[id]; found {
		if b.Within(in, b.Nodes[i].Group) {
			b.Nodes[i].Group = in
		}
		return i, nil
	}
	if len(b.Nodes) == maxNodes {
		return graph.None, fmt.Errorf("there are more than %d boxes", maxNodes)
	}
	if len(id) > maxLabel {
		return graph.None, fmt.Errorf("a name has %d bytes; at most %d are drawn", len(id), maxLabel)
	}
	b.byID[id] = len(b.Nodes)
	b.ids = append(b.ids, id)
	b.Nodes = append(b.Nodes, graph.Node{Label: label.Label{printable(id)}, Group: in})
	return len(b.Nodes) - 1, nil
}

func (b *builder) addEdge(e graph.Edge) error {
	if len(b.Edges) == maxEdges {
		return fmt.Errorf("there are more than %d lines between boxes", maxEdges)
	}
	b.Edges = append(b.Edges, e)
	return nil
}

// addGroup adds a group. Its parent must exist.
func (b *builder) addGroup(group graph.Group) (int, error) {
	depth := 1
	for p := group.Parent; p != graph.None; p = b.Groups[p].Parent {
		depth++
	}
	switch {
	case len(b.Groups) == maxGroups:
		return graph.None, fmt.Errorf("there are more than %d groups", maxGroups)
	case depth > maxNesting:
		return graph.None, fmt.Errorf("groups are nested deeper than %d", maxNesting)
	}
	if _, known := b.inGroup[group.Name]; !known {
		b.inGroup[group.Name] = len(b.Groups)
	}
	group.Name = printable(group.Name)
	b.Groups = append(b.Groups, group)
	return len(b.Groups) - 1, nil
}

// resolveGroups makes edges that name a group lead to the group. This is possible only
// after reading, because a group may be named before it begins.
func (b *builder) resolveGroups() {
	index := make([]int, len(b.Nodes)) // in kept; a group i is written as -2 - i
	kept := b.Nodes[:0:0]
	for i, n := range b.Nodes {
		if in, ok := b.inGroup[b.ids[i]]; ok && n.Shape == graph.Unshaped {
			index[i] = -2 - in
			b.Groups[in].Notes = n.Notes
			continue
		}
		index[i] = len(kept)
		kept = append(kept, n)
	}
	b.Nodes = kept
	for i := range b.Edges {
		e := &b.Edges[i]
		e.From, e.FromGroup = resolved(index[e.From])
		e.To, e.ToGroup = resolved(index[e.To])
	}
}

// resolved turns an index of resolveGroups into the index of a node, or of a group if
// isGroup is true.
func resolved(index int) (resolved int, isGroup bool) {
	if index < graph.None {
		return -2 - index, true
	}
	return index, false
}

package tasks

import "planb/questions/safe"

// Canonical is what a seed's hash covers.
func (s Seed) Canonical() []byte {
	var c canonical
	c.seed(s)
	return c
}

// CanonicalString is a text as it is hashed.
func CanonicalString(text string) []byte {
	var c canonical
	c.string(text)
	return c
}

// Numbers returns the order of the graph.
func (g *Graph) Numbers() []int {
	order := make([]int, len(g.order))
	for i, n := range g.order {
		order[i] = int(n)
	}
	return order
}

// Texts wraps each text.
func Texts(raws ...string) (list []safe.Text) {
	for _, raw := range raws {
		list = append(list, safe.New(raw))
	}
	return list
}

// ClosesCycle reports whether task n would close a cycle if it depended on another.
func ClosesCycle(g *Graph, n, on int) bool {
	_, cycle := g.orderWith(n, on)
	return cycle != nil
}

// TidyDescription is a description as it is kept.
func TidyDescription(text string) safe.Text { return tidyDescription(text) }

// MostBytes is the bound by which CheckReview spares itself the rendering.
func MostBytes(p Proposal) int { return p.mostBytes() }

// ReadCanonicalLeaf reads a leaf as long as it is in the form that Leaves writes.
func ReadCanonicalLeaf(data []byte) ([]Task, bool) { return readLeaf(data) }

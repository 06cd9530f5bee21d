package tasks

import (
	"slices"
	"sync"

	"planb/questions/safe"
)

// Graph is a plan without its long texts: what decides which task comes next, who
// may see it, and what was approved. It never changes; With and Without return
// another one. Several goroutines may use it at once.
type Graph struct {
	title, description safe.Text
	nodes              []node    // task n at n-1
	edges              adjacency // from each task to those it refers to
	waiting            adjacency // from each task to those that depend on it
	order              []uint16  // numbers of all tasks; each after those that it depends on
	place              []uint16  // the index in order of task n, at n-1
	hash               func() Hash
}

// newGraph returns a graph without edges and order. Its hash is made once: to sort the keys of
// thousands of tasks takes longer than all else that a short command does.
func newGraph(title, description safe.Text, nodes []node) *Graph {
	return &Graph{title: title, description: description, nodes: nodes, hash: sync.OnceValue(func() Hash { return hashPlan(title, description, nodes) })}
}

type node struct {
	key     string
	hash    Hash
	files   []string
	minutes uint16
	flags   nodeFlags
}

type nodeFlags uint8

const (
	dropped nodeFlags = 1 << iota
	human
	withFiles
	knownFlags = dropped | human | withFiles
)

// EdgeKind says what an edge means.
type EdgeKind uint8

// The kinds of an edge. Required and Added edges are hard: the task waits.
const (
	Required EdgeKind = iota // Edges.DependsOn
	Added                    // Edges.AlsoAfter
	Soft                     // Edges.Soft
)

// Hard reports whether a task waits for another because of such an edge.
func (k EdgeKind) Hard() bool { return k != Soft }

// Edge leads from a task to one that it refers to.
type Edge struct {
	On   int // the number of that task
	Kind EdgeKind
}

// adjacency holds the edges of all tasks in one slice: those of task n are
// list[start[n-1]:start[n]].
type adjacency struct {
	start []uint32
	list  []Edge
}

func (a adjacency) of(n int) []Edge { return a.list[a.start[n-1]:a.start[n]] }

// Len returns the number of tasks, dropped ones included.
func (g *Graph) Len() int { return len(g.nodes) }

// Title returns the plan's title.
func (g *Graph) Title() safe.Text { return g.title }

// Description returns the plan's description.
func (g *Graph) Description() safe.Text { return g.description }

// Key returns the nodeKey of task n.
func (g *Graph) Key(n int) string { return g.nodes[n-1].key }

// Of reports whether the graph is that of the tasks: it has the hash of each.
func (g *Graph) Of(list []Task) bool {
	var buffer canonical
	for i, t := range list {
		if i >= g.Len() || t.Number != i+1 || t.Dropped != g.Dropped(i+1) || !t.Dropped && t.hash(&buffer) != g.nodes[i].hash {
			return false
		}
	}
	return len(list) == g.Len()
}

// TaskHash returns the hash of task n.
func (g *Graph) TaskHash(n int) Hash { return g.nodes[n-1].hash }

// Minutes returns the estimate of task n.
func (g *Graph) Minutes(n int) int { return int(g.nodes[n-1].minutes) }

// Files returns the files of task n's execution contract.
func (g *Graph) Files(n int) []string { return g.nodes[n-1].files }

// Human reports whether only a person can do task n.
func (g *Graph) Human(n int) bool { return g.nodes[n-1].flags&human != 0 }

// Dropped reports whether an amendment took task n out of the plan.
func (g *Graph) Dropped(n int) bool { return g.nodes[n-1].flags&dropped != 0 }

// Edges returns the edges from task n, in ascending order of the other task. The
// caller must not change them.
func (g *Graph) Edges(n int) []Edge { return g.edges.of(n) }

// Dependents returns the hard edges that lead to task n; On is the task that
// waits. The caller must not change them.
func (g *Graph) Dependents(n int) []Edge { return g.waiting.of(n) }

// Find returns the number of the task with a nodeKey.
func (g *Graph) Find(key string) (n int, ok bool) {
	at := slices.IndexFunc(g.nodes, func(x node) bool { return x.key == key && x.flags&dropped == 0 })
	return at + 1, at >= 0
}

// Keys returns the numbers of all tasks by nodeKey, without those that were
// dropped.
func (g *Graph) Keys() map[string]int {
	keys := make(map[string]int, len(g.nodes))
	for i, x := range g.nodes {
		if x.flags&dropped == 0 {
			keys[x.key] = i + 1
		}
	}
	return keys
}

// Layers returns the kept tasks in layers, by the length of the longest chain that each
// waits for. The tasks of the first layer wait for none.
func (g *Graph) Layers() (layers [][]int) {
	layer := make([]int, len(g.nodes))
	for _, at := range g.order {
		n := int(at)
		for _, e := range g.Edges(n) {
			if e.Kind.Hard() {
				layer[n-1] = max(layer[n-1], layer[e.On-1]+1)
			}
		}
	}
	for i, l := range layer {
		if g.Dropped(i + 1) {
			continue
		}
		for len(layers) <= l {
			layers = append(layers, nil)
		}
		layers[l] = append(layers[l], i+1)
	}
	return layers
}

// Hash covers all that a person approves of the plan.
func (g *Graph) Hash() Hash { return g.hash() }

// Unlocked says of each task, task n at n-1, whether it is one that the person
// approved: the same task has the same hash in the approved graph, and the person
// did not hold it back. approved is nil if nothing was approved yet.
func (g *Graph) Unlocked(approved *Graph, held []int) []bool {
	unlocked := make([]bool, len(g.nodes))
	if approved == nil {
		return unlocked
	}
	for i := range min(len(g.nodes), len(approved.nodes)) {
		unlocked[i] = g == approved || g.nodes[i].hash == approved.nodes[i].hash
	}
	for _, n := range held {
		if n >= 1 && n <= len(unlocked) {
			unlocked[n-1] = false
		}
	}
	return unlocked
}

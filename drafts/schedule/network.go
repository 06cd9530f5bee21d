package schedule

import "math"

// network is the plan as a graph. Its first nodes are the leaves in the order of
// their ids. Gates follow: nodes without length that stand for "all leaves of this
// task, or of this phase, have ended". With gates the number of edges grows with
// the leaves and not with their square.
type network struct {
	leaves int
	nodes  []node
	order  []int // every node after its predecessors
}

type node struct {
	preds, succs []edge
	wait         bool
	from         int // the node starts on this day or later
	until        int // the node ends on this day or earlier
}

// edge leads to a predecessor or to a successor.
type edge struct {
	node     int
	relation Relation
	lag      int
}

const never = math.MaxInt / 4

func (n *network) add(x node) int {
	n.nodes = append(n.nodes, x)
	return len(n.nodes) - 1
}

func (n *network) connect(before, after int, relation Relation, lag int) {
	n.nodes[before].succs = append(n.nodes[before].succs, edge{after, relation, lag})
	n.nodes[after].preds = append(n.nodes[after].preds, edge{before, relation, lag})
}

// sort finds the order. If there is a cycle, it returns the leaves on it.
func (n *network) sort() (cycle []int) {
	open := make([]int, len(n.nodes))
	for i, x := range n.nodes {
		if open[i] = len(x.preds); open[i] == 0 {
			n.order = append(n.order, i)
		}
	}
	for at := 0; at < len(n.order); at++ {
		for _, e := range n.nodes[n.order[at]].succs {
			if open[e.node]--; open[e.node] == 0 {
				n.order = append(n.order, e.node)
			}
		}
	}
	if len(n.order) == len(n.nodes) {
		return nil
	}
	return n.cycle(open)
}

// cycle walks back from a node that still has open predecessors, until it comes
// to a node for the second time.
func (n *network) cycle(open []int) (leaves []int) {
	at := 0
	for open[at] == 0 {
		at++
	}
	step := map[int]int{}
	var path []int
	for {
		if first, found := step[at]; found {
			path = path[first:]
			break
		}
		step[at] = len(path)
		path = append(path, at)
		for _, e := range n.nodes[at].preds {
			if open[e.node] > 0 {
				at = e.node
				break
			}
		}
	}
	for i := len(path) - 1; i >= 0; i-- {
		if path[i] < n.leaves {
			leaves = append(leaves, path[i])
		}
	}
	return leaves
}

// bound returns the first day on which node i may start, given the starts of its
// predecessors.
func (n *network) bound(i int, days, start []int) int {
	at := max(0, n.nodes[i].from)
	for _, e := range n.nodes[i].preds {
		p := e.node
		switch e.relation {
		case FinishStart:
			at = max(at, start[p]+days[p]+e.lag)
		case StartStart:
			at = max(at, start[p]+e.lag)
		case FinishFinish:
			at = max(at, start[p]+days[p]+e.lag-days[i])
		case StartFinish:
			at = max(at, start[p]+e.lag-days[i])
		}
	}
	return at
}

// earliest returns the earliest start of each node.
func (n *network) earliest(days []int) []int {
	start := make([]int, len(n.nodes))
	for _, i := range n.order {
		start[i] = n.bound(i, days, start)
	}
	return start
}

// latest returns the latest start of each node that keeps the end of the earliest
// starts, and the days by which leaves must have ended.
func (n *network) latest(days, earliest []int) []int {
	end := n.end(days, earliest)
	late := make([]int, len(n.nodes))
	for at := len(n.order) - 1; at >= 0; at-- {
		i := n.order[at]
		x := n.nodes[i]
		late[i] = min(end, x.until) - days[i]
		for _, e := range x.succs {
			s := e.node
			switch e.relation {
			case FinishStart:
				late[i] = min(late[i], late[s]-e.lag-days[i])
			case StartStart:
				late[i] = min(late[i], late[s]-e.lag)
			case FinishFinish:
				late[i] = min(late[i], late[s]+days[s]-e.lag-days[i])
			case StartFinish:
				late[i] = min(late[i], late[s]+days[s]-e.lag)
			}
		}
	}
	return late
}

// end returns the first day after all leaves.
func (n *network) end(days, start []int) (end int) {
	for i := range n.leaves {
		end = max(end, start[i]+days[i])
	}
	return end
}

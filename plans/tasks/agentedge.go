package tasks

import "fmt"

// AgentEdge returns the graph after an agent has added an edge from task n, or made one
// soft or hard. An agent can only make a task wait; it cannot soften an edge that the
// person approved. The error is a *Error. The graph is the same one if nothing changes.
func (g *Graph) AgentEdge(n, on int, hard bool) (*Graph, error) {
	kind, exists := g.Edge(n, on)
	wanted := Soft
	if hard {
		wanted = Added
	}
	switch {
	case exists && (kind == wanted || kind == Required && hard):
		return g, nil
	case exists && kind == Required:
		return nil, approvedEdge("soften", g.Key(n), g.Key(on))
	case !exists && len(g.Edges(n)) == MaxDependsOn:
		return nil, InvalidBecause("dependsOn", fmt.Sprintf("%q refers to %d tasks already; at most %d are allowed", g.Key(n), MaxDependsOn, MaxDependsOn))
	}
	return g.With(n, Edge{on, wanted})
}

// AgentRemoves returns the graph after an agent has taken back an edge from task n that an
// agent added. The error is a *Error if the person approved the edge. Without such an edge
// it returns the same graph.
func (g *Graph) AgentRemoves(n, on int) (*Graph, error) {
	kind, exists := g.Edge(n, on)
	switch {
	case !exists:
		return g, nil
	case kind == Required:
		return nil, approvedEdge("remove", g.Key(n), g.Key(on))
	}
	return g.Without(n, on), nil
}

package tasks

import (
	"context"

	rules "planb/plans/tasks"
	"planb/store"
	kept "planb/store/tasks"
)

// Propose proposes a plan of tasks in a session, in the project of this directory. raw is the JSON
// of the proposal, as an agent would give it. If the session has a plan with exactly these tasks
// that nobody cancelled, Propose writes nothing: id is that of this plan, and there is how it
// stands. there is empty for a new plan.
func (c Commands) Propose(ctx context.Context, st *store.Store, session string, raw []byte) (id string, there rules.Status, err error) {
	proposal, err := rules.ReadProposal(raw, nil)
	if err != nil {
		return "", "", err
	}
	d, err := c.desk(st, false)
	if err != nil {
		return "", "", err
	}
	if id, there, err = d.same(ctx, session, proposal); err != nil || id != "" {
		return id, there, err
	}
	project, err := d.project(ctx)
	if err != nil {
		return "", "", err
	}
	made, err := d.Tasks().Propose(ctx, d.by, kept.Proposal{Proposal: proposal, Project: project, Session: session})
	return made.ID, "", err
}

// same finds the plan of a session that has exactly the tasks of a proposal; id is empty if there is
// none.
func (d desk) same(ctx context.Context, session string, p rules.Proposal) (id string, status rules.Status, err error) {
	graph, err := rules.Build(p.Plan())
	if err != nil {
		return "", "", nil // Propose says what is wrong
	}
	plans, err := d.Tasks().Plans(ctx, d.by)
	if err != nil {
		return "", "", err
	}
	for _, plan := range plans {
		if plan.Err != nil || plan.Session != session || plan.Status == rules.PlanCancelled {
			continue
		}
		whole, err := d.Tasks().Plan(ctx, d.by, plan.ID)
		if err != nil {
			return "", "", err
		}
		if whole.Graph.Hash() == graph.Hash() {
			return whole.ID, whole.Status, nil
		}
	}
	return "", "", nil
}

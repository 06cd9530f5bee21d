package tasks

import (
	"context"

	rules "planb/plans/tasks"
	"planb/store"
	kept "planb/store/tasks"
)

// Propose proposes a plan of tasks in a session, in the project of this directory. raw is
// the JSON of the proposal, as an agent would give it.
func (c Commands) Propose(ctx context.Context, st *store.Store, session string, raw []byte) (id string, err error) {
	proposal, err := rules.ReadProposal(raw, nil)
	if err != nil {
		return "", err
	}
	d, err := c.desk(st, false)
	if err != nil {
		return "", err
	}
	project, err := d.project(ctx)
	if err != nil {
		return "", err
	}
	made, err := d.Tasks().Propose(ctx, d.by, kept.Proposal{Proposal: proposal, Project: project, Session: session})
	return made.ID, err
}

package tasks

import (
	"context"

	"planb/plans/tasks"
	"planb/questions/safe"
	"planb/store/ledger"
)

// WaitingChange is a change of an active plan that was proposed as a whole, by an amendment, and
// that waits for the person's approval.
type WaitingChange struct {
	Number int        `json:"-"` // of the task; 0 for one that would be added
	Key    string     `json:"nodeKey"`
	Title  safe.Text  `json:"title"` // as it would be
	Kind   ChangeKind `json:"change"`
}

// ChangeKind says what would become of a task.
type ChangeKind string

// The kinds of change.
const (
	ChangeAdds    ChangeKind = "new"
	ChangeRewords ChangeKind = "reworded"
	ChangeCancels ChangeKind = "cancelled"
)

// Waiting returns the changes of an active plan that wait for the person's approval. Tasks that
// wait for an approval themselves are not among them: view.Wants tells of those. Changes that no
// longer apply are left out. So is an amendment that cannot be read, because the plan goes on
// without it; the audit tells of that.
func (s *Store) Waiting(ctx context.Context, w Whole, view *tasks.View) ([]WaitingChange, error) {
	if w.Status != tasks.PlanActive || w.Amended.IsZero() {
		return nil, nil
	}
	r, err := s.revise(ctx, Caller{}, w.ID)
	if tasks.CodeOf(err) != "" {
		return nil, nil // it was decided or cancelled meanwhile
	}
	if err != nil {
		return nil, ledgerFault(err)
	}
	next, g, _, err := r.amended(ctx)
	if err != nil {
		return nil, ledgerFault(err)
	}
	changes := tasks.Compare(r.graph, g)
	var list []WaitingChange
	add := func(kind ChangeKind, numbers []int) {
		for _, n := range numbers {
			change := WaitingChange{Number: n, Key: g.Key(n), Title: next.Tasks[n-1].Title, Kind: kind}
			switch {
			case n > r.graph.Len():
				change.Number = 0
			case n <= w.Graph.Len() && view.Wants(n) == tasks.WantsApproval:
				continue
			}
			list = append(list, change)
		}
	}
	add(ChangeAdds, changes.Added)
	add(ChangeRewords, changes.Reworded)
	add(ChangeCancels, changes.Cancelled)
	return list, nil
}

// ledgerFault returns an error of the store, but nil for a fault of one record.
func ledgerFault(err error) error {
	if ledger.AboutOne(err) {
		return nil
	}
	return err
}

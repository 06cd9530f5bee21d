package tasks

import (
	"context"
	"maps"
	"slices"

	"planb/plans/tasks"
	"planb/store/kv"
	"planb/store/ledger"
)

// elsewhere returns tasks of the other active plans in the same project: those that are
// in work and name files. If the plan itself names no files, it returns none. It leaves
// out a plan that cannot be read; the list of plans reports that one.
func (s *Store) elsewhere(ctx context.Context, w Whole) ([]tasks.Elsewhere, error) {
	if w.Status != tasks.PlanActive || !w.Graph.HasFiles() {
		return nil, nil
	}
	var keys []kv.Key
	err := s.ledger.Each(ctx, plansOf(w.Project), func(f ledger.Found) error {
		if id := ledger.LastPart(f.Key); id != w.ID {
			keys = append(keys, planKey(id))
		}
		return nil
	})
	if err != nil || len(keys) == 0 {
		return nil, err
	}
	found, err := s.ledger.GetEach(ctx, keys...)
	if err != nil {
		return nil, err
	}
	var list []tasks.Elsewhere
	for _, f := range found {
		err := ledger.Beside(f, func(r kv.Record) error {
			record, err := s.decodePlan(r)
			if err != nil || record.Status != tasks.PlanActive {
				return err
			}
			some, err := s.inWork(ctx, record)
			list = append(list, some...)
			return err
		})
		if err != nil && !ledger.AboutOne(err) {
			return nil, err
		}
	}
	return list, nil
}

// inWork returns the tasks in work of a plan that name files.
func (s *Store) inWork(ctx context.Context, record planRecord) ([]tasks.Elsewhere, error) {
	m, err := s.moment(ctx, record.ID)
	if err != nil || len(m.claims) == 0 {
		return nil, err
	}
	w, err := s.whole(ctx, record, m)
	if err != nil {
		return nil, err
	}
	names, now := s.titles(ctx, w), s.ledger.Clock()
	var list []tasks.Elsewhere
	for _, n := range slices.Sorted(maps.Keys(w.Claims)) {
		claim := w.Claims[n].Claim
		if files := w.Graph.Files(n); len(files) > 0 && !claim.Lapsed(now, s.options.Grace) {
			list = append(list, tasks.Elsewhere{Plan: w.Title, Title: names.of(n), Files: files, Claim: claim})
		}
	}
	return list, names.err
}

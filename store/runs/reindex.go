package runs

import (
	"context"
	"maps"
	"slices"

	"planb/store/kv"
	"planb/store/ledger"
)

// Reindex puts the indexes of a damaged store in order. A plan whose run is lost gets a
// new one, which is stopped. Records whose plan is lost are deleted, because they are
// useless without its prompt. No other process may use the store meanwhile.
func (s *Store) Reindex(ctx context.Context) error {
	v, err := s.newSurvey(ctx, func(kv.Key, error) {}, func(string, ledger.Ref) {})
	if err != nil {
		return err
	}
	var puts []kv.Put
	put := func(key kv.Key, value any) error {
		data, err := ledger.Encode(value)
		puts = append(puts, kv.Put{Key: key, Value: data})
		return err
	}
	for _, id := range slices.Sorted(maps.Keys(v.plans)) {
		if _, there := v.runs[id]; there || v.unread[id] {
			continue
		}
		run, err := v.recovered(ctx, id)
		if err != nil {
			return err
		}
		v.runs[id] = run
		if err := put(runKey(id), run); err != nil {
			return err
		}
	}
	deletes, err := v.exchange(ctx, put)
	if err != nil {
		return err
	}
	if err := s.ledger.DropAll(ctx, deletes); err != nil {
		return err
	}
	return s.ledger.PutAll(ctx, puts)
}

// recovered is a run for a plan whose own was lost. Its number and generation are higher
// than any that there can have been, so that answers from before are refused.
func (v *survey) recovered(ctx context.Context, id string) (runRecord, error) {
	now := v.s.ledger.Clock()
	run := Run{State: Stopped, Mode: ByAgent, Ended: now, Of: v.plans[id].steps(), Stop: &Stop{Planb, "the record of its run was lost, and it was made anew", now}}
	err := v.s.ledger.Each(ctx, eventsOf(id), func(f ledger.Found) error {
		e, err := ledger.DecodeFound[eventRecord](v.s.ledger, f)
		if err == nil {
			run.Cursor, run.Done = e.Cursor, e.Done
		}
		if ledger.AboutOne(err) {
			return nil
		}
		return err
	})
	run.Number = run.Cursor + 1
	run.Generation = run.Cursor + 1
	return runRecord{Header: ledger.NewHeader(), Run: run}, err
}

// exchange puts the entries that are missing or wrong, and returns those that lead
// nowhere, with the records whose plan is lost.
func (v *survey) exchange(ctx context.Context, put func(kv.Key, any) error) (deletes []kv.Key, err error) {
	want := v.indexes()
	for _, family := range indexKeys() {
		err := v.s.ledger.Each(ctx, family, func(f ledger.Found) error {
			right, err := v.right(want, f)
			if err != nil {
				return err
			}
			if right {
				delete(want, f.Key)
				return nil
			}
			id, err := v.ofPlan(f.Record)
			if _, wanted := want[f.Key]; !wanted && err == nil && !v.unread[id] {
				deletes = append(deletes, f.Key)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	for id := range v.runs {
		if v.orphan(id) {
			deletes = append(deletes, runKey(id))
		}
	}
	for key := range v.parts {
		if v.orphan(ledger.Parent(key)) {
			deletes = append(deletes, key)
		}
	}
	slices.Sort(deletes)
	for _, key := range slices.Sorted(maps.Keys(want)) {
		if err := put(key, want[key]); err != nil {
			return nil, err
		}
	}
	return deletes, nil
}

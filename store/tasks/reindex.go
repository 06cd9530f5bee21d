package tasks

import (
	"bytes"
	"context"
	"maps"
	"slices"

	"planb/plans/tasks"
	"planb/store/kv"
	"planb/store/ledger"
)

// Reindex puts the indexes and counters of a damaged store in order. Plans whose
// project is lost get a new one. A plan whose states of tasks are lost gets new ones: a
// proposed plan as it began; in another one a person must look at every task of which
// neither a claim nor its past tells where it stood. No other process may use the
// store meanwhile.
func (s *Store) Reindex(ctx context.Context) error {
	v, err := s.newSurvey(ctx, func(kv.Key, error) {})
	if err != nil {
		return err
	}
	created, counted := v.created()
	var puts []kv.Put
	put := func(key kv.Key, value any) error {
		data, err := ledger.Encode(value)
		puts = append(puts, kv.Put{Key: key, Value: data})
		return err
	}
	for _, id := range slices.Sorted(maps.Keys(v.plans)) {
		plan := v.plans[id]
		if _, there := v.projects[plan.Project]; there || v.unread[plan.Project] {
			continue
		}
		project := recovered(plan.Project, plan)
		project.Tasks = created[plan.Project]
		v.projects[plan.Project] = project
		if err := put(projectKey(plan.Project), project); err != nil {
			return err
		}
	}
	for _, id := range slices.Sorted(maps.Keys(v.plans)) {
		if _, there := v.marks[id]; there {
			continue
		}
		marks, err := v.newMarks(ctx, v.plans[id])
		if ledger.AboutOne(err) {
			continue // its tasks are lost as well
		}
		if err == nil {
			err = put(marksKey(id), marksRecord{ledger.NewHeader(), string(marks)})
		}
		if err != nil {
			return err
		}
	}
	if counted {
		if err := v.recount(ctx, created); err != nil {
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

func (v *survey) newMarks(ctx context.Context, plan planRecord) (tasks.Marks, error) {
	g, err := v.s.graph(ctx, plan.Content)
	if err != nil {
		return nil, err
	}
	list, err := v.s.tasks(ctx, plan.Content, g, nil)
	if err != nil {
		return nil, err
	}
	marks := tasks.NewMarks(list)
	for n := 1; n <= marks.Len() && plan.Status != tasks.PlanProposed; n++ {
		if marks.State(n) == tasks.Open {
			marks.Set(n, v.lastKnown(plan.ID, n))
		}
	}
	return marks, nil
}

// lastKnown returns the state that a task's claim and past show. If they show none, a
// person must look at the task.
func (v *survey) lastKnown(plan string, n int) tasks.State {
	if _, claimed := v.claims[claimKey(plan, n)]; claimed {
		return tasks.Open
	}
	past := v.pasts[attemptsKey(plan, n)]
	if last := past.last(); last != nil {
		switch last.End {
		case EndedDone, EndedAccepted, EndedByFinish:
			return tasks.Done
		case EndedByCancel:
			return tasks.Cancelled
		}
	}
	return tasks.NeedsReview
}

// recount corrects the counters of projects and of their number.
func (v *survey) recount(ctx context.Context, created map[string]int) error {
	for _, id := range slices.Sorted(maps.Keys(v.projects)) {
		err := v.correct(ctx, projectKey(id), "tasks", created[id], func(r kv.Record) (int, error) {
			project, err := ledger.Decode[projectRecord](v.s.ledger, r)
			return project.Tasks, err
		})
		if err != nil {
			return err
		}
	}
	return v.correct(ctx, projectsKey, "used", len(v.projects), func(r kv.Record) (int, error) {
		quota, err := ledger.Decode[quotaRecord](v.s.ledger, r)
		return quota.Used, err
	})
}

// correct sets a counter in a record, unless it is right. It makes a lost record of a
// quota anew, and no project.
func (v *survey) correct(ctx context.Context, key kv.Key, field string, want int, read func(kv.Record) (int, error)) error {
	return v.s.ledger.Commit(ctx, func(c *ledger.Change) error {
		c.Quiet = true
		found, err := v.s.ledger.GetEach(ctx, key)
		if err != nil {
			return err
		}
		return ledger.Beside(found[0], func(r kv.Record) error {
			switch {
			case r.Exists():
			case want == 0 || key != projectsKey:
				return nil
			default:
				c.Check(r)
				return c.Put(key, quotaRecord{ledger.NewHeader(), want})
			}
			if got, err := read(r); err != nil || got == want {
				return err
			}
			return v.s.ledger.Rewrite(c, r, field, want)
		})
	})
}

// exchange puts the entries that are missing or wrong, and returns those that lead
// nowhere, with states of tasks whose plan is lost.
func (v *survey) exchange(ctx context.Context, put func(kv.Key, any) error) (deletes []kv.Key, err error) {
	want := v.indexes()
	for _, family := range indexKeys() {
		err := v.s.ledger.Each(ctx, family, func(f ledger.Found) error {
			data, err := ledger.Encode(want[f.Key])
			if err != nil {
				return err
			}
			_, wanted := want[f.Key]
			if wanted && f.Err == nil && bytes.Equal(f.Value, data) {
				delete(want, f.Key)
				return nil
			}
			to, err := v.leadsTo(f.Record)
			if !wanted && err == nil && !v.unread[to] {
				deletes = append(deletes, f.Key)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	for id := range v.marks {
		if _, there := v.plans[id]; !there && !v.unread[id] {
			deletes = append(deletes, marksKey(id))
		}
	}
	deletes = append(deletes, v.strayWork()...)
	for _, key := range slices.Sorted(maps.Keys(want)) {
		if err := put(key, want[key]); err != nil {
			return nil, err
		}
	}
	return deletes, nil
}

// strayWork lists claims that no task has, and pasts of plans that are lost.
func (v *survey) strayWork() (keys []kv.Key) {
	for key := range v.claims {
		plan, there := v.plans[planOf(key)]
		if !there && !v.unread[planOf(key)] || there && (plan.Status != tasks.PlanActive || !v.fits(plan, key)) {
			keys = append(keys, key)
		}
	}
	for key := range v.pasts {
		if _, there := v.plans[planOf(key)]; !there && !v.unread[planOf(key)] {
			keys = append(keys, key)
		}
	}
	return keys
}

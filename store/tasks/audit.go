package tasks

import (
	"context"
	"maps"
	"slices"

	"planb/plans/tasks"
	"planb/store/kv"
	"planb/store/ledger"
)

// Findings are the functions that an Audit calls with what it finds.
type Findings struct {
	Plan       func() // is called for each plan
	Problem    func(format string, values ...any)
	Unreadable func(key kv.Key, err error)
	Text       func(what string, ref ledger.Ref) // checks that the text ref is kept; what names it in a problem
	// Session reports whether a session is there: a person may delete one with open plans.
	Session func(id string) bool
}

// Audit looks through every record of the family, of all owners, in a store that no
// process writes to. It changes nothing.
func (s *Store) Audit(ctx context.Context, found Findings) error {
	v, err := s.newSurvey(ctx, found.Unreadable)
	if err != nil {
		return err
	}
	v.auditPlans(found)
	v.auditWork(found)
	v.auditCounts(found)
	if err := v.auditIndexes(ctx, found); err != nil {
		return err
	}
	err = eachRecord(ctx, s.ledger, rowKeys, found.Unreadable, func(r kv.Record) error {
		_, err := ledger.Decode[rowRecord](s.ledger, r)
		return err
	})
	if err != nil {
		return err
	}
	return eachRecord(ctx, s.ledger, quotaKeys, found.Unreadable, func(r kv.Record) error {
		_, err := ledger.Decode[quotaRecord](s.ledger, r)
		return err
	})
}

func (v *survey) auditPlans(found Findings) {
	for _, id := range slices.Sorted(maps.Keys(v.plans)) {
		plan := v.plans[id]
		found.Plan()
		if _, there := v.projects[plan.Project]; !there && !v.unread[plan.Project] {
			found.Problem("the plan of tasks %s is part of the project %s, which is missing", id, plan.Project)
		}
		if _, there := v.marks[id]; !there {
			found.Problem("the record %s with the states of tasks is missing", marksKey(id))
		}
		refs := plan.Content.refs()
		if plan.Approved != nil {
			refs = append(refs, plan.Approved.refs()...)
		}
		if plan.Amendment != nil {
			refs = append(refs, plan.Amendment.Change)
		}
		for _, ref := range slices.CompactFunc(refs, func(a, b ledger.Ref) bool { return a.Digest == b.Digest }) {
			found.Text("a text of the plan of tasks "+id, ref)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(v.marks)) {
		if _, there := v.plans[id]; !there && !v.unread[id] {
			found.Problem("the record %s belongs to a plan of tasks that is missing", marksKey(id))
		}
	}
}

// auditWork looks at who has which task, and what is kept of the work on tasks.
func (v *survey) auditWork(found Findings) {
	for _, key := range slices.Sorted(maps.Keys(v.claims)) {
		plan, there := v.plans[planOf(key)]
		switch {
		case !there && !v.unread[planOf(key)]:
			found.Problem("the claim %s is of a plan of tasks that is missing", key)
		case there && plan.Status != tasks.PlanActive:
			found.Problem("the claim %s is of a plan of tasks that is %s", key, plan.Status)
		case there && !v.fits(plan, key):
			found.Problem("the claim %s is of a task that is missing or was decided", key)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(v.pasts)) {
		if _, there := v.plans[planOf(key)]; !there && !v.unread[planOf(key)] {
			found.Problem("the record %s is of a plan of tasks that is missing", key)
		}
		for _, ref := range v.pasts[key].refs() {
			found.Text("a report of "+string(key), ref)
		}
	}
}

// fits reports whether the plan has the claim's task and that task is open. If the states
// of the tasks cannot be read, it returns true.
func (v *survey) fits(plan planRecord, claim kv.Key) bool {
	record, err := ledger.Decode[marksRecord](v.s.ledger, v.marks[plan.ID])
	if err != nil {
		return true
	}
	n, marks := numberOf(claim), tasks.Marks(record.Marks)
	return n >= 1 && n <= marks.Len() && marks.State(n) == tasks.Open
}

func (v *survey) auditCounts(found Findings) {
	created, ok := v.created()
	for _, id := range slices.Sorted(maps.Keys(v.projects)) {
		if p := v.projects[id]; ok && p.Tasks != created[id] {
			found.Problem("the project %s says it has %d tasks, but its plans have %d", id, p.Tasks, created[id])
		}
	}
}

func (v *survey) auditIndexes(ctx context.Context, found Findings) error {
	want, unread := v.indexes(), map[kv.Key]bool{}
	unreadable := func(key kv.Key, err error) {
		unread[key] = true
		found.Unreadable(key, err)
	}
	for _, family := range indexKeys() {
		err := eachRecord(ctx, v.s.ledger, family, unreadable, func(r kv.Record) error {
			to, err := v.leadsTo(r)
			if err != nil {
				return err
			}
			wanted, there := want[r.Key]
			if p, ok := wanted.(pointer); !v.unread[to] && (!there || ok && p.Project != to) {
				found.Problem("the entry %s contradicts the records of tasks", r.Key)
			}
			delete(want, r.Key)
			return nil
		})
		if err != nil {
			return err
		}
	}
	for _, key := range slices.Sorted(maps.Keys(want)) {
		deleted := ledger.Family(key) == OpenKeys && !found.Session(ledger.Parent(key))
		if !unread[key] && !deleted {
			found.Problem("the entry %s is missing", key)
		}
	}
	return nil
}

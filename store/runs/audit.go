package runs

import (
	"bytes"
	"context"
	"maps"
	"slices"
	"strings"

	"planb/store/kv"
	"planb/store/ledger"
)

// Findings are the functions that an Audit calls with what it finds.
type Findings struct {
	Draft      func() // is called for each draft
	Problem    func(format string, values ...any)
	Unreadable func(key kv.Key, err error)
	Text       func(what string, ref ledger.Ref) // checks that the text ref is kept; what names it in a problem
	Gone       func(session string) bool         // reports whether the session is being deleted
}

// survey is every plan of a store that nobody else uses, of all owners.
type survey struct {
	s      *Store
	plans  map[string]planRecord
	runs   map[string]runRecord
	unread map[string]bool // plans of which a record cannot be read
	parts  map[kv.Key]bool // records of steps and events
	failed func(kv.Key, error)
}

func (s *Store) newSurvey(ctx context.Context, failed func(kv.Key, error), text func(string, ledger.Ref)) (*survey, error) {
	v := &survey{s, map[string]planRecord{}, map[string]runRecord{}, map[string]bool{}, map[kv.Key]bool{}, failed}
	err := v.each(ctx, planKeys, func(id string, r kv.Record) (err error) {
		p, err := ledger.Decode[planRecord](s.ledger, r)
		if err == nil {
			v.plans[id] = p
			text("the prompt of the draft "+id, p.Prompt)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	err = v.each(ctx, runKeys, func(id string, r kv.Record) (err error) {
		run, err := ledger.Decode[runRecord](s.ledger, r)
		if err == nil {
			v.runs[id] = run
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	err = v.each(ctx, stepKeys, func(id string, r kv.Record) error {
		v.parts[r.Key] = true
		step, err := ledger.Decode[stepRecord](s.ledger, r)
		if err != nil {
			return err
		}
		if step.Output != nil {
			text("the output "+string(r.Key), *step.Output)
		}
		for _, version := range step.History {
			text("an earlier output of "+string(r.Key), version.Output)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return v, v.each(ctx, eventKeys, func(id string, r kv.Record) error {
		v.parts[r.Key] = true
		_, err := ledger.Decode[eventRecord](s.ledger, r)
		return err
	})
}

// each calls do with the records of a family and the plan that each belongs to.
func (v *survey) each(ctx context.Context, family kv.Key, do func(plan string, r kv.Record) error) error {
	return v.s.ledger.Each(ctx, family, func(f ledger.Found) error {
		id, err := PlanOf(f.Key), f.Err
		if err == nil {
			err = do(id, f.Record)
		}
		if !ledger.AboutOne(err) {
			return err
		}
		if family == planKeys || family == runKeys {
			v.unread[id] = true
		} else {
			v.parts[f.Key] = true
		}
		v.failed(f.Key, err)
		return nil
	})
}

// indexKeys are the families that lead to plans.
func indexKeys() []kv.Key { return []kv.Key{listKeys, sameKeys, requestKeys, OfKeys, OpenKeys} }

// indexes returns the index entries that the plans must have.
func (v *survey) indexes() map[kv.Key]any {
	want := map[kv.Key]any{}
	h := ledger.NewHeader()
	newest := slices.SortedFunc(maps.Keys(v.plans), func(a, b string) int {
		if c := v.plans[a].Created.Compare(v.plans[b].Created); c != 0 {
			return c
		}
		return strings.Compare(a, b)
	})
	for _, id := range newest {
		p := v.plans[id]
		want[listKey(p.Created, id)] = listRecord{h, p.Owner, p.Dir}
		want[sameKey(p.Same)] = pointer{h, id}
		if p.Request != "" {
			want[requestKey(p.Request)] = pointer{h, id}
		}
		want[ofKey(p.Session, id)] = mark{}
		if v.runs[id].State != Completed {
			want[openKey(p.Session, id)] = mark{}
		}
	}
	return want
}

// ofPlan is the plan that an index entry leads to.
func (v *survey) ofPlan(r kv.Record) (string, error) {
	switch ledger.Family(r.Key) {
	case sameKeys, requestKeys:
		to, err := ledger.Decode[pointer](v.s.ledger, r)
		return to.Plan, err
	}
	return ledger.LastPart(r.Key), nil
}

// Audit looks through every record of the family, of all owners, in a store that no
// process writes to. It changes nothing.
func (s *Store) Audit(ctx context.Context, found Findings) error {
	v, err := s.newSurvey(ctx, found.Unreadable, found.Text)
	if err != nil {
		return err
	}
	going := map[string]bool{} // plans that are being swept away
	err = s.ledger.Each(ctx, OfKeys, func(f ledger.Found) error {
		if found.Gone(ledger.Parent(f.Key)) {
			going[ledger.LastPart(f.Key)] = true
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, id := range slices.Sorted(maps.Keys(v.plans)) {
		if !going[id] {
			found.Draft()
		}
		if _, there := v.runs[id]; !there && !v.unread[id] {
			found.Problem("the record %s of a draft's run is missing", runKey(id))
		}
	}
	for _, id := range slices.Sorted(maps.Keys(v.runs)) {
		if v.orphan(id) && !going[id] {
			found.Problem("the record %s belongs to a draft that is missing", runKey(id))
		}
	}
	for _, key := range slices.Sorted(maps.Keys(v.parts)) {
		if id := ledger.Parent(key); v.orphan(id) && !going[id] {
			found.Problem("the record %s belongs to a draft that is missing", key)
		}
	}
	return v.auditIndexes(ctx, found, going)
}

// orphan reports whether no plan has that id.
func (v *survey) orphan(id string) bool {
	_, there := v.plans[id]
	return !there && !v.unread[id]
}

func (v *survey) auditIndexes(ctx context.Context, found Findings, going map[string]bool) error {
	want, unread := v.indexes(), map[kv.Key]bool{}
	for _, family := range indexKeys() {
		err := v.s.ledger.Each(ctx, family, func(f ledger.Found) error {
			err := f.Err
			id := ""
			if err == nil {
				id, err = v.ofPlan(f.Record)
			}
			if ledger.AboutOne(err) {
				unread[f.Key] = true
				found.Unreadable(f.Key, err)
				return nil
			}
			if err != nil {
				return err
			}
			right, err := v.right(want, f)
			if err != nil {
				return err
			}
			if !right && !v.unread[id] && !going[id] {
				found.Problem("the entry %s contradicts the records of drafts", f.Key)
			}
			delete(want, f.Key)
			return nil
		})
		if err != nil {
			return err
		}
	}
	for _, key := range slices.Sorted(maps.Keys(want)) {
		// The newest of equal plans may have gone, and its entry with it.
		optional := ledger.Family(key) == sameKeys
		if id := ledger.LastPart(key); !unread[key] && !v.unread[id] && !optional {
			found.Problem("the entry %s is missing", key)
		}
	}
	return nil
}

// right reports whether an entry is as it should be.
func (v *survey) right(want map[kv.Key]any, f ledger.Found) (bool, error) {
	value, wanted := want[f.Key]
	if !wanted || f.Err != nil {
		return false, nil
	}
	data, err := ledger.Encode(value)
	return bytes.Equal(f.Value, data), err
}

package tasks

import (
	"context"
	"fmt"
	"strings"

	"planb/plans/tasks"
	"planb/questions/safe"
	"planb/store/kv"
	"planb/store/ledger"
)

// survey is every project and plan of a store that nobody else uses, of all owners.
type survey struct {
	s        *Store
	projects map[string]projectRecord
	plans    map[string]planRecord
	marks    map[string]kv.Record  // by plan
	claims   map[kv.Key]int        // the attempt that each claim is of; 0 if it cannot be read
	pasts    map[kv.Key]pastRecord // of tasks
	unread   map[string]bool       // projects and plans that cannot be read, by id
}

// newSurvey reads every project and plan. unreadable is told of records that cannot be
// read.
func (s *Store) newSurvey(ctx context.Context, unreadable func(kv.Key, error)) (*survey, error) {
	v := &survey{
		s, map[string]projectRecord{}, map[string]planRecord{}, map[string]kv.Record{},
		map[kv.Key]int{}, map[kv.Key]pastRecord{}, map[string]bool{},
	}
	err := eachRecord(ctx, s.ledger, attemptKeys, unreadable, func(r kv.Record) (err error) {
		v.pasts[r.Key], err = ledger.Decode[pastRecord](s.ledger, r)
		return err
	})
	if err != nil {
		return nil, err
	}
	err = eachRecord(ctx, s.ledger, projectKeys, v.failed(unreadable), func(r kv.Record) (err error) {
		v.projects[ledger.LastPart(r.Key)], err = ledger.Decode[projectRecord](s.ledger, r)
		return err
	})
	if err != nil {
		return nil, err
	}
	return v, eachRecord(ctx, s.ledger, planKeys, v.failed(unreadable), func(r kv.Record) (err error) {
		switch partOf(r.Key) {
		case planMarks:
			v.marks[ledger.Parent(r.Key)] = r
			_, err = ledger.Decode[marksRecord](s.ledger, r)
			return err
		case planClaim:
			record, err := ledger.Decode[claimRecord](s.ledger, r)
			v.claims[r.Key], _ = tasks.AttemptOf(record.ID)
			return err
		}
		v.plans[ledger.LastPart(r.Key)], err = ledger.Decode[planRecord](s.ledger, r)
		return err
	})
}

// planPart is one of the records that a plan has.
type planPart int

const (
	planItself planPart = iota
	planMarks
	planClaim
)

func partOf(key kv.Key) planPart {
	switch strings.Count(string(key), "/") {
	case 2:
		return planMarks
	case 3:
		return planClaim
	}
	return planItself
}

// planOf is the id of the plan that a claim or a past is of.
func planOf(key kv.Key) string { return strings.Split(string(key), "/")[1] }

// eachRecord calls do with the records of a family, and failed with those that cannot
// be read.
func eachRecord(ctx context.Context, l *ledger.Ledger, prefix kv.Key, failed func(kv.Key, error), do func(kv.Record) error) error {
	return l.Each(ctx, prefix, func(f ledger.Found) error {
		err := f.Err
		if err == nil {
			err = do(f.Record)
		}
		if !ledger.AboutOne(err) {
			return err
		}
		failed(f.Key, err)
		return nil
	})
}

// failed returns a function that notes a record that cannot be read, and then calls
// unreadable.
func (v *survey) failed(unreadable func(kv.Key, error)) func(kv.Key, error) {
	return func(key kv.Key, err error) {
		switch id := ledger.LastPart(key); partOf(key) {
		case planMarks:
			v.marks[ledger.Parent(key)] = kv.Record{Key: key}
		case planClaim:
			v.claims[key] = 0
		default:
			delete(v.projects, id)
			delete(v.plans, id)
			v.unread[id] = true
		}
		unreadable(key, err)
	}
}

// indexKeys are the families that lead to projects and plans.
func indexKeys() []kv.Key { return []kv.Key{nameKeys, slugKeys, listKeys, OpenKeys} }

// indexes returns the index entries that the projects and plans must have.
func (v *survey) indexes() map[kv.Key]any {
	want := map[kv.Key]any{}
	for id, p := range v.projects {
		want[nameKey(p.Owner, p.Name.Raw())] = pointer{ledger.NewHeader(), id}
		want[slugKey(p.Owner, p.Slug)] = pointer{ledger.NewHeader(), id}
	}
	for id, p := range v.plans {
		want[listKey(p.Project, id)] = mark{}
		if p.Session != "" && !p.Status.Final() {
			want[openKey(p.Session, id)] = mark{}
		}
	}
	return want
}

// leadsTo returns the id of the project or plan that an index entry leads to.
func (v *survey) leadsTo(r kv.Record) (string, error) {
	switch ledger.Family(r.Key) {
	case nameKeys, slugKeys:
		to, err := ledger.Decode[pointer](v.s.ledger, r)
		return to.Project, err
	}
	return ledger.LastPart(r.Key), nil
}

// created is how many tasks the plans of each project have; ok is false if a plan
// cannot be read.
func (v *survey) created() (counts map[string]int, ok bool) {
	counts = map[string]int{}
	for _, p := range v.plans {
		counts[p.Project] += p.Tasks
	}
	return counts, len(v.unread) == 0
}

// recovered returns a project for plans whose project is lost.
func recovered(id string, plan planRecord) projectRecord {
	name := fmt.Sprintf("Recovered %s: its own record was lost", id)
	return projectRecord{ledger.NewHeader(), Project{
		Project: tasks.Project{ID: id, Name: safe.New(name), Slug: "recovered-" + id[len(id)-12:], Path: plan.Path},
		Created: ledger.TimeOf(id),
	}, plan.Owner}
}

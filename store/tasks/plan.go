package tasks

import (
	"context"
	"errors"
	"time"

	"planb/plans/tasks"
	"planb/questions/safe"
	"planb/store/kv"
	"planb/store/ledger"
)

// Plan is the record of a plan, without its tasks.
type Plan struct {
	ID       string       `json:"planId"`
	Project  string       `json:"projectId"`
	Session  string       `json:"sessionId,omitempty"`
	Title    safe.Text    `json:"title"`
	Status   tasks.Status `json:"status"`
	Paused   bool         `json:"paused,omitempty"`
	Tasks    int          `json:"tasks"`             // without dropped ones
	Held     []int        `json:"held,omitempty"`    // tasks that the person held back
	Approval *Approval    `json:"approval,omitzero"` // nil while the plan is proposed
	Created  time.Time    `json:"created"`
	Updated  time.Time    `json:"updated"` // the last change of anything but the states of tasks
	// Err is why the record cannot be read, in a list that names it nevertheless.
	// Then only ID is set.
	Err error `json:"-"`
}

// Approval says how a person approved a plan.
type Approval struct {
	Hash tasks.Hash `json:"hash"` // of the plan that was approved
	By   string     `json:"by"`   // user@host
	At   time.Time  `json:"at"`
	Ask  string     `json:"ask"` // the review
}

type planRecord struct {
	ledger.Header
	Plan
	Owner    string   `json:"owner"`
	Path     string   `json:"path,omitempty"` // of the project
	Content  content  `json:"content"`
	Approved *content `json:"approved,omitempty"` // what the person approved
}

type marksRecord struct {
	ledger.Header
	Marks string `json:"marks"` // tasks.Marks, which are ASCII
}

// Whole is a plan with all that decides about its tasks, at one moment.
type Whole struct {
	Plan
	Graph    *tasks.Graph
	Approved *tasks.Graph // nil if nothing was approved
	Marks    tasks.Marks
	content  content
}

// Situation is what the plan's tasks are judged by.
func (w Whole) Situation(now time.Time) tasks.Situation {
	return tasks.Situation{
		Graph: w.Graph, Marks: w.Marks, Unlocked: w.Graph.Unlocked(w.Approved, w.Held),
		Status: w.Status, Paused: w.Paused, Now: now,
	}
}

// Plan returns a plan. id is that of the plan or of one of its tasks. The error is a
// *tasks.Error, plan.not_found, if the caller finds no such plan.
func (s *Store) Plan(ctx context.Context, by Caller, id string) (Whole, error) {
	plan, err := s.planID(ctx, by, id)
	if err != nil {
		return Whole{}, err
	}
	for before := int64(0); ; {
		records, err := s.ledger.Get(ctx, planKey(plan), marksKey(plan))
		if err != nil {
			return Whole{}, err
		}
		record, err := s.readPlan(ctx, by, id, records[0])
		if err != nil {
			return Whole{}, err
		}
		whole, err := s.whole(ctx, record, records[1])
		if !ledger.AboutOne(err) || records[0].Rev == before {
			return whole, err
		}
		before = records[0].Rev // its chunks may have been replaced and swept away meanwhile
	}
}

func (s *Store) planID(ctx context.Context, by Caller, id string) (string, error) {
	if err := s.owned(); err != nil {
		return "", err
	}
	plan, _, ok := tasks.SplitID(id)
	if !ok {
		return "", s.noPlan(ctx, by, id)
	}
	return plan, nil
}

// readPlan decodes a plan that the caller finds. id is for the error.
func (s *Store) readPlan(ctx context.Context, by Caller, id string, r kv.Record) (planRecord, error) {
	if !r.Exists() {
		return planRecord{}, s.noPlan(ctx, by, id)
	}
	record, err := ledger.Decode[planRecord](s.ledger, r)
	if err != nil {
		return planRecord{}, err
	}
	if record.Owner != s.options.Owner || !s.sees(by, record.Path) {
		return planRecord{}, s.noPlan(ctx, by, id)
	}
	return record, nil
}

// noPlan says that there is no such plan, and which there are.
func (s *Store) noPlan(ctx context.Context, by Caller, id string) error {
	list, err := s.Plans(ctx, by)
	if err != nil {
		return err
	}
	var there []string
	for i := len(list) - 1; i >= 0 && len(there) < tasks.MaxListItems; i-- {
		there = append(there, list[i].ID)
	}
	return tasks.Missing("plan", id, there)
}

// whole reads what a plan's record refers to.
func (s *Store) whole(ctx context.Context, record planRecord, marks kv.Record) (Whole, error) {
	w := Whole{Plan: record.Plan, content: record.Content}
	var err error
	if w.Graph, err = s.graph(ctx, record.Content); err != nil {
		return Whole{}, err
	}
	switch {
	case record.Approved == nil:
	case record.Approved.Graph.Digest == record.Content.Graph.Digest:
		w.Approved = w.Graph
	default:
		if w.Approved, err = s.graph(ctx, *record.Approved); err != nil {
			return Whole{}, err
		}
	}
	w.Marks, err = s.marks(marks, w.Graph)
	return w, err
}

func (s *Store) marks(r kv.Record, g *tasks.Graph) (tasks.Marks, error) {
	if !r.Exists() {
		return nil, s.ledger.Damaged(r.Key, errors.New("it is missing"))
	}
	record, err := ledger.Decode[marksRecord](s.ledger, r)
	if err != nil {
		return nil, err
	}
	marks := tasks.Marks(record.Marks)
	if !marks.Valid(g.Len()) {
		return nil, s.ledger.Damaged(r.Key, errors.New("it is not that of the plan's tasks"))
	}
	return marks, nil
}

// Tasks returns the tasks of a plan with those numbers, in ascending order; all of
// them if no number is given.
func (s *Store) Tasks(ctx context.Context, w Whole, numbers ...int) ([]tasks.Task, error) {
	return s.tasks(ctx, w.content, w.Graph, numbers)
}

// Plans returns the plans that the caller finds, the oldest first. A plan that cannot
// be read is among them, with Err.
func (s *Store) Plans(ctx context.Context, by Caller) ([]Plan, error) {
	if err := s.owned(); err != nil {
		return nil, err
	}
	var keys []kv.Key
	err := s.ledger.Each(ctx, listKeys, func(f ledger.Found) error {
		keys = append(keys, planKey(ledger.LastPart(f.Key)))
		return nil
	})
	if err != nil {
		return nil, err
	}
	found, err := s.ledger.GetEach(ctx, keys...)
	if err != nil {
		return nil, err
	}
	var list []Plan
	for _, f := range found {
		if f.Err == nil && !f.Exists() {
			continue
		}
		record, err := ledger.DecodeFound[planRecord](s.ledger, f)
		switch {
		case ledger.AboutOne(err):
			list = append(list, Plan{ID: ledger.LastPart(f.Key), Err: err})
		case err != nil:
			return nil, err
		case record.Owner == s.options.Owner && s.sees(by, record.Path):
			list = append(list, record.Plan)
		}
	}
	oldestFirst(list)
	return list, nil
}

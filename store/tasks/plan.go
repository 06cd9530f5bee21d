package tasks

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"planb/plans/tasks"
	"planb/questions/safe"
	"planb/setup/known"
	"planb/store/kv"
	"planb/store/ledger"
)

// Plan is the record of a plan, without its tasks.
type Plan struct {
	ID      string       `json:"planId"`
	Project string       `json:"projectId"`
	Session string       `json:"sessionId,omitempty"`
	Title   safe.Text    `json:"title"`
	Status  tasks.Status `json:"status"`
	Paused  bool         `json:"paused,omitempty"`
	Tasks   int          `json:"tasks"`          // without dropped ones
	Held    []int        `json:"held,omitempty"` // tasks that are locked, although the approved plan has them
	// Unread are those of Held that no person has read as they are: they wait for an approval. The
	// person held back the others.
	Unread   []int     `json:"unread,omitempty"`
	Approval *Approval `json:"approval,omitzero"` // nil while the plan is proposed
	// Amended is when an amendment was proposed that waits for the person; zero for none.
	Amended time.Time `json:"-"`
	Created time.Time `json:"created"`
	Updated time.Time `json:"updated"` // the last change of anything but the states of tasks
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
	// Given says where the screen stood that it was given on.
	Given Given `json:"given,omitzero"`
}

// Given says where the screen of an approval stood. planb cannot keep a process of the same
// user from opening a screen, but it can show that one did.
type Given struct {
	Terminal string   `json:"terminal,omitempty"`
	Pane     string   `json:"pane,omitempty"`
	Above    []string `json:"above,omitempty"` // the names of the processes above the screen, its parent first
}

// StartedBy returns the title of the agent's client that started the terminal of an approval;
// empty if none is known to have.
func (a *Approval) StartedBy() string {
	if a == nil {
		return ""
	}
	for _, name := range a.Given.Above {
		if client, ok := known.ByName(strings.ToLower(name)); ok {
			return client.Title
		}
	}
	return ""
}

// HeldBack returns the tasks that the person held back.
func (p Plan) HeldBack() []int {
	if len(p.Unread) == 0 {
		return p.Held
	}
	return slices.DeleteFunc(slices.Clone(p.Held), func(n int) bool { return slices.Contains(p.Unread, n) })
}

type planRecord struct {
	ledger.Header
	Plan
	Owner    string   `json:"owner"`
	Path     string   `json:"path,omitempty"` // of the project
	Content  content  `json:"content"`
	Approved *content `json:"approved,omitempty"` // what the person approved
	// Amendment waits for the person.
	Amendment *amendment `json:"amendment,omitempty"`
	// Replaced are the last amendments whose place another connection's took before the
	// person decided them, so that those who proposed them can be told.
	Replaced []replacement `json:"replaced,omitempty"`
}

// known returns what callers see of the record.
func (r planRecord) known() Plan {
	if r.Amendment != nil {
		r.Amended = r.Amendment.At
	}
	return r.Plan
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
	Marks    tasks.Marks  // with the states of claimed tasks
	Claims   map[int]Claim
	content  content
	path     string // of the project
	grace    time.Duration
	rev      int64         // of the plan's record, if it was read
	far      time.Duration // see holders
	// elsewhere are the tasks in work of the project's other plans, if this one names files.
	elsewhere []tasks.Elsewhere
}

// Situation is what the plan's tasks are judged by.
func (w Whole) Situation(now time.Time) tasks.Situation {
	claims := make(map[int]tasks.Claim, len(w.Claims))
	for n, claim := range w.Claims {
		claims[n] = claim.Claim
	}
	return tasks.Situation{
		Graph: w.Graph, Marks: w.Marks, Unlocked: w.Graph.Unlocked(w.Approved, w.Held), HeldBack: w.HeldBack(),
		Status: w.Status, Paused: w.Paused, Claims: claims, Now: now, Grace: w.grace, Elsewhere: w.elsewhere,
	}
}

// lookAs looks at the plan for a connection.
func (w Whole) lookAs(agent string, now time.Time) *tasks.View {
	view := tasks.Look(w.Situation(now))
	w.owns(view, agent)
	return view
}

// owns notes in a view of the plan which claims are a connection's own.
func (w Whole) owns(view *tasks.View, agent string) {
	for n, claim := range w.Claims {
		claim.Own = agent != "" && claim.Agent == agent
		view.Claims[n] = claim.Claim
	}
}

// TaskID returns the id of task n.
func (w Whole) TaskID(n int) string { return taskID(w.ID, n) }

// taskID is the id of a task of a plan that is stored: both are valid.
func taskID(plan string, n int) string {
	id, err := tasks.TaskID(plan, n)
	if err != nil {
		return plan
	}
	return id
}

// Plan returns a plan. id is that of the plan or of one of its tasks. The error is a
// *tasks.Error, plan.not_found, if the caller finds no such plan.
func (s *Store) Plan(ctx context.Context, by Caller, id string) (Whole, error) {
	plan, err := s.planID(ctx, by, id)
	if err != nil {
		return Whole{}, err
	}
	for before := int64(0); ; {
		m, err := s.moment(ctx, plan)
		if err != nil {
			return Whole{}, err
		}
		record, err := s.readPlan(ctx, by, id, m.plan)
		if err != nil {
			return Whole{}, err
		}
		whole, err := s.whole(ctx, record, m)
		if err == nil {
			whole.elsewhere, err = s.elsewhere(ctx, whole)
		}
		if !ledger.AboutOne(err) || m.plan.Rev == before {
			return whole, err
		}
		before = m.plan.Rev // its chunks may have been replaced and swept away meanwhile
	}
}

// moment is what is kept of a plan at one moment.
type moment struct {
	plan, marks kv.Record // without a revision if they are missing
	claims      []ledger.Found
}

// moment reads a plan with its claims. The error is for a plan or states of tasks that
// cannot be read.
func (s *Store) moment(ctx context.Context, plan string) (moment, error) {
	m := moment{plan: kv.Record{Key: planKey(plan)}, marks: kv.Record{Key: marksKey(plan)}}
	err := s.ledger.Each(ctx, planKey(plan), func(f ledger.Found) error {
		switch {
		case strings.HasPrefix(string(f.Key), string(claimsOf(plan))):
			m.claims = append(m.claims, f)
			return nil
		case f.Key == planKey(plan):
			m.plan = f.Record
		case f.Key == marksKey(plan):
			m.marks = f.Record
		}
		return f.Err
	})
	return m, err
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
	record, err := s.decodePlan(r)
	if err != nil {
		return planRecord{}, err
	}
	if record.Owner != s.options.Owner || !s.sees(by, record.Path) {
		return planRecord{}, s.noPlan(ctx, by, id)
	}
	return record, nil
}

// decodePlan decodes a plan's record, which is as long as the plan has leaves.
func (s *Store) decodePlan(r kv.Record) (planRecord, error) {
	return decodeOnce(s, r, ledger.Decode[planRecord])
}

// decodeOnce decodes a record that grows with the plan and is read for each call. A revision
// never comes again, so the process decodes each once. Callers must not change the record.
func decodeOnce[T any](s *Store, r kv.Record, decode func(*ledger.Ledger, kv.Record) (T, error)) (T, error) {
	name := fmt.Sprintf("%s %d %s", r.Key, r.Rev, r.Op)
	if record, ok := s.cache.get(name).(T); ok {
		return record, nil
	}
	record, err := decode(s.ledger, r)
	if err == nil {
		s.cache.put(name, record, len(r.Value))
	}
	return record, err
}

// noPlan says that the plan does not exist, and lists the plans that do.
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

// recorded is what a plan's record says itself.
func (s *Store) recorded(record planRecord) Whole {
	return Whole{
		Plan: record.known(), Claims: map[int]Claim{},
		content: record.Content, path: record.Path, grace: s.options.Grace,
	}
}

// whole reads what a plan's record refers to.
func (s *Store) whole(ctx context.Context, record planRecord, m moment) (Whole, error) {
	w := s.recorded(record)
	w.rev = m.plan.Rev
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
	if w.Marks, err = s.marks(m.marks, w.Graph); err != nil {
		return Whole{}, err
	}
	return w, s.addClaims(&w, m.claims)
}

// addClaims adds the states of claimed tasks. A task whose claim cannot be read counts
// as claimed by somebody unknown, until a person releases it.
func (s *Store) addClaims(w *Whole, found []ledger.Found) error {
	for _, f := range found {
		n := numberOf(f.Key)
		if n < 1 || n > w.Marks.Len() || w.Marks.State(n) != tasks.Open {
			continue
		}
		record, err := ledger.DecodeFound[claimRecord](s.ledger, f)
		if err != nil && !ledger.AboutOne(err) {
			return err
		}
		w.Marks.Set(n, tasks.Claimed)
		if err == nil {
			w.Marks.Set(n, record.State)
			w.Claims[n] = record.Claim
		}
	}
	return nil
}

func (s *Store) marks(r kv.Record, g *tasks.Graph) (tasks.Marks, error) {
	if !r.Exists() {
		return nil, s.ledger.Damaged(r.Key, errors.New("it is missing"))
	}
	record, err := decodeOnce(s, r, ledger.Decode[marksRecord])
	if err != nil {
		return nil, err
	}
	marks := tasks.Marks(record.Marks)
	if !marks.Valid(g.Len()) {
		return nil, s.ledger.Damaged(r.Key, errors.New("it is not that of the plan's tasks"))
	}
	return marks, nil
}

// Tasks returns the tasks of a plan with those numbers, in ascending order, with the
// priorities that they have now; all of them if no number is given.
func (s *Store) Tasks(ctx context.Context, w Whole, numbers ...int) ([]tasks.Task, error) {
	list, err := s.tasks(ctx, w.content, w.Graph, numbers)
	for i := range list {
		list[i].Priority = w.Marks.Priority(list[i].Number)
	}
	return list, err
}

// seesList reports whether the caller finds the plans in whose project's list the key is. If the
// project cannot be read, everybody does.
func (s *Store) seesList(ctx context.Context, by Caller, key kv.Key) bool {
	id, _, _ := strings.Cut(strings.TrimPrefix(string(key), string(listKeys)), "/")
	project, err := s.project(ctx, id)
	return err != nil || project.Owner == s.options.Owner && s.sees(by, project.Path)
}

// Plans returns the plans that the caller finds, the oldest first. A plan that cannot
// be read is among them, with Err.
func (s *Store) Plans(ctx context.Context, by Caller) ([]Plan, error) {
	if err := s.owned(); err != nil {
		return nil, err
	}
	var keys, listed []kv.Key
	err := s.ledger.Each(ctx, listKeys, func(f ledger.Found) error {
		keys, listed = append(keys, planKey(ledger.LastPart(f.Key))), append(listed, f.Key)
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
	for i, f := range found {
		if f.Err == nil && !f.Exists() {
			continue
		}
		record, err := ledger.DecodeFound[planRecord](s.ledger, f)
		switch {
		case ledger.AboutOne(err):
			if s.seesList(ctx, by, listed[i]) {
				list = append(list, Plan{ID: ledger.LastPart(f.Key), Err: err})
			}
		case err != nil:
			return nil, err
		case record.Owner == s.options.Owner && s.sees(by, record.Path):
			list = append(list, record.known())
		}
	}
	oldestFirst(list)
	return list, nil
}

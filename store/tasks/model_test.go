package tasks_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"planb/plans"
	rules "planb/plans/tasks"
	"planb/questions/safe"
	"planb/store/kv"
	"planb/store/kv/kvtest"
	"planb/store/ledger"
	"planb/store/storetest"
	"planb/store/tasks"
)

// rapidTester makes a property's T a tester with the test's context, which outlives
// the property's.
type rapidTester struct {
	*rapid.T
	ctx context.Context
}

func (t rapidTester) Context() context.Context { return t.ctx }

// world is a store, and what it should hold: agents, a person and the clock act on it.
type world struct {
	ctx    context.Context
	engine kv.Engine
	clock  *clock
	texts  map[string]safe.Text // by ask
	edits  map[string]safe.Text // by digest
	plans  []*modelPlan
	used   map[string]int // tasks of each month
	rows   int
	step   int

	unlimited bool // no monthly limit
}

const modelLimit = 25 // tasks a month

// modelPlan is a plan as it should be.
type modelPlan struct {
	id     string
	status rules.Status
	keys   []string // each waits for the one before
	held   int      // the number of the task that is held back; 0 for none
	title  string
}

func newWorld(t *testing.T) *world { return newWorldOver(t, kvtest.NewMap()) }

func newWorldOver(t *testing.T, engine kv.Engine) *world {
	w := &world{
		ctx: t.Context(), engine: engine, clock: &clock{now: testDay()},
		texts: map[string]safe.Text{}, used: map[string]int{},
	}
	create(t, w.store(), agent(), "Shop", "")
	return w
}

// store opens the data once more, as another process would.
func (w *world) store() *tasks.Store { return w.storeOf(ledger.ClaimOptions{}) }

func (w *world) storeOf(claims ledger.ClaimOptions) *tasks.Store {
	l, limit := w.ledger(), modelLimit
	if w.unlimited {
		limit = 0
	}
	return tasks.New(l, owned(tasks.Options{
		Claims:       ledger.NewClaims(l, claims),
		MonthlyLimit: limit,
		Verdict: func(answer string) (v tasks.Verdict, err error) {
			return v, json.Unmarshal([]byte(answer), &v)
		},
		Reviewed: func(_ context.Context, ask, edited string) (tasks.Reviewed, error) {
			return tasks.Reviewed{Text: w.texts[ask], Edited: w.edits[edited]}, nil
		},
	}))
}

func testDay() time.Time { return time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC) }

func (w *world) ledger() *ledger.Ledger {
	return ledger.New(w.engine, ledger.Options{Now: w.clock.Now})
}

func (w *world) month() string { return w.clock.Now().Format("2006-01") }

func (w *world) draw(t *rapid.T) (tasks.Proposal, []string) {
	keys := make([]string, rapid.IntRange(1, 6).Draw(t, "tasks"))
	for i := range keys {
		keys[i] = fmt.Sprint("k", i)
	}
	w.step++
	p := proposal(keys...)
	p.Title = safe.New(fmt.Sprint("Plan ", w.step))
	return p, keys
}

func (w *world) pick(t *rapid.T) *modelPlan {
	if len(w.plans) == 0 {
		t.Skip("there is no plan yet")
	}
	return rapid.SampledFrom(w.plans).Draw(t, "plan")
}

// count notes tasks that were created, or reports that the month has no room.
func (w *world) count(t *rapid.T, added int, err error) (made bool) {
	if added > 0 && w.used[w.month()]+added > modelLimit {
		wantCode(rapidTester{t, w.ctx}, err, rules.CodeQuotaExceeded, w.month())
		return false
	}
	if err != nil {
		t.Fatal(err)
	}
	w.used[w.month()] += max(added, 0)
	w.rows++
	return true
}

func (w *world) Propose(t *rapid.T) {
	p, keys := w.draw(t)
	got, err := w.store().Propose(w.ctx, agent(), p)
	if w.count(t, len(keys), err) {
		w.plans = append(w.plans, &modelPlan{got.ID, rules.PlanProposed, keys, 0, p.Title.Raw()})
	}
}

func (w *world) ProposeAnew(t *rapid.T) {
	plan := w.pick(t)
	if plan.status != rules.PlanProposed {
		return
	}
	p, keys := w.draw(t)
	p.Replaces = plan.id
	_, err := w.store().Propose(w.ctx, agent(), p)
	if w.count(t, len(keys)-len(plan.keys), err) {
		plan.keys, plan.title = keys, p.Title.Raw()
	}
}

// Approve has the person approve a plan, perhaps without one task, perhaps as it was
// before it was proposed anew.
func (w *world) Approve(t *rapid.T) {
	plan := w.pick(t)
	s := w.store()
	seen, err := s.Plan(w.ctx, agent(), plan.id)
	if err != nil {
		t.Fatal(err)
	}
	text, err := s.Text(w.ctx, seen)
	if err != nil {
		t.Fatal(err)
	}
	if plan.status == rules.PlanProposed && rapid.Bool().Draw(t, "stale") {
		w.ProposeAnew(t)
	}
	now, err := s.Plan(w.ctx, agent(), plan.id)
	if err != nil {
		t.Fatal(err)
	}
	said := tasks.Verdict{Digest: plans.Digest(text), Approves: true}
	held := rapid.IntRange(0, len(plan.keys)).Draw(t, "held")
	if held > 0 {
		sections := plans.Outline(text)
		at := slices.IndexFunc(sections, func(s plans.Section) bool { return strings.Contains(s.Title.Raw(), fmt.Sprintf("{#k%d}", held-1)) })
		if at < 0 {
			held = 0 // it was not in the text that was read
		} else {
			said.Withheld = []int{sections[at].Line}
		}
	}
	err = w.settle(seen, text, said)
	switch {
	case plan.status != rules.PlanProposed:
		wantCode(rapidTester{t, w.ctx}, err, rules.CodeConflict, "cannot-approve-active")
	case now.Graph.Hash() != seen.Graph.Hash():
		if err == nil {
			t.Error("a plan was approved that nobody had read")
		}
	case err != nil:
		t.Error(err)
	default:
		plan.status, plan.held = rules.PlanActive, held
		w.rows++
	}
}

func (w *world) settle(seen tasks.Whole, text safe.Text, said tasks.Verdict) error {
	return w.settleSubject(tasks.SubjectOf(seen), text, said)
}

func toJSON(v any) (string, error) {
	data, err := json.Marshal(v)
	return string(data), err
}

func (w *world) RequestChanges(t *rapid.T) {
	plan := w.pick(t)
	seen, err := w.store().Plan(w.ctx, agent(), plan.id)
	if err == nil {
		err = w.settle(seen, safe.New("whatever"), tasks.Verdict{})
	}
	if err != nil {
		t.Error(err)
	}
}

func (w *world) Days(t *rapid.T) {
	w.clock.set(w.clock.Now().AddDate(0, 0, rapid.IntRange(1, 20).Draw(t, "days")))
}

func (w *world) Sweep(t *rapid.T) {
	if _, _, err := w.ledger().Sweep(w.ctx); err != nil {
		t.Error(err)
	}
}

// LoseAnswer has the engine give no answer to a commit.
func (w *world) LoseAnswer(t *rapid.T) {
	w.engine.(*kvtest.Map).UnclearNextCommit(rapid.Bool().Draw(t, "applied"))
	w.Propose(t)
}

// Check compares the store with the model.
func (w *world) Check(t *rapid.T) {
	s, on := w.store(), rapidTester{t, w.ctx}
	total := 0
	for _, plan := range w.plans {
		got, err := s.Plan(w.ctx, agent(), plan.id)
		if err != nil {
			t.Fatal(err)
		}
		total += len(plan.keys)
		if got.Status != plan.status || got.Title.Raw() != plan.title || got.Tasks != len(plan.keys) || (got.Approved != nil) != (plan.status == rules.PlanActive) {
			t.Errorf("the plan is %+v, want %+v", got.Plan, plan)
		}
		view := rules.Look(got.Situation(w.clock.Now()))
		for n := 1; n <= len(plan.keys); n++ {
			want := rules.Blocked
			if plan.status == rules.PlanActive && n == 1 && plan.held != 1 {
				want = rules.Ready
			}
			if state := view.State(n); state != want {
				t.Errorf("task %d of %+v is %s", n, plan, state)
			}
		}
		if list, err := s.Tasks(w.ctx, got); err != nil || len(list) != len(plan.keys) {
			t.Errorf("%d tasks, %v", len(list), err)
		}
	}
	projects, err := s.Projects(w.ctx, agent())
	if err != nil || projects[0].Tasks != total {
		t.Errorf("the project counts %d tasks of %d, %v", projects[0].Tasks, total, err)
	}
	if got := len(storetest.All(on, w.engine, "wv/")); got != w.rows+1 { // the project's
		t.Errorf("%d rows for %d writes", got, w.rows+1)
	}
	for month, used := range w.used {
		quota := struct{ Used int }{}
		records, err := w.engine.Get(w.ctx, kv.Key("wq/"+month))
		if err == nil && records[0].Exists() {
			err = json.Unmarshal(records[0].Value, &quota)
		}
		if err != nil || quota.Used != used {
			t.Errorf("%s counts %d, want %d, %v", month, quota.Used, used, errors.Unwrap(err))
		}
	}
	if found := audit(on, s); found != "" {
		t.Errorf("the audit finds: %s", found)
	}
}

// TestTasksAsAModel has agents, a person and the clock act at random, and compares the
// store with maps after each step.
func TestTasksAsAModel(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		w := newWorld(t)
		actions := rapid.StateMachineActions(w)
		actions[""] = w.Check
		r.Repeat(actions)
	})
}

// active proposes and approves a plan of tasks that each depend on the one before.
func (w *world) active(t storetest.Tester, keys ...string) string {
	t.Helper()
	return w.approved(t, proposal(keys...))
}

func (w *world) approved(t storetest.Tester, p tasks.Proposal) string {
	t.Helper()
	s, by := w.store(), agent()
	if len(p.Items) > rules.MaxSeeds {
		by = person() // agents propose no more
	}
	made, err := s.Propose(w.ctx, by, p)
	if err != nil {
		t.Fatal(err)
	}
	text, err := s.Text(w.ctx, made.Whole)
	if err == nil {
		err = w.settle(made.Whole, text, tasks.Verdict{Digest: plans.Digest(text), Approves: true})
	}
	if err != nil {
		t.Fatal(err)
	}
	return made.ID
}

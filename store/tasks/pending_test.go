package tasks_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"planb/plans"
	rules "planb/plans/tasks"
	"planb/questions/safe"
	"planb/store/kv/kvtest"
	"planb/store/storetest"
	"planb/store/tasks"
)

// changing is an active plan that agents and a person change at random: every way in
// which edges, tasks and an amendment can come into conflict.
type changing struct {
	*world
	plan   string
	worker *tasks.Connection
	made   int
}

func (m *changing) whole(t *rapid.T) tasks.Whole {
	w, err := m.store().Plan(m.ctx, person(), m.plan)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// some draws a kept task.
func (m *changing) some(t *rapid.T, w tasks.Whole) int {
	var kept []int
	for n := 1; n <= w.Graph.Len(); n++ {
		if !w.Graph.Dropped(n) {
			kept = append(kept, n)
		}
	}
	return rapid.SampledFrom(kept).Draw(t, "task")
}

// edges draws tasks of the plan, or of the proposal itself.
func (m *changing) edges(t *rapid.T, w tasks.Whole, more ...string) (keys []string) {
	for range rapid.IntRange(0, 2).Draw(t, "edges") {
		key := w.Graph.Key(m.some(t, w))
		if len(more) > 0 && rapid.Bool().Draw(t, "own") {
			key = rapid.SampledFrom(more).Draw(t, "key")
		}
		if !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	return keys
}

func (m *changing) key() string {
	m.made++
	return fmt.Sprint("k", m.made)
}

// Amend has an agent reword, split, cancel and add tasks.
func (m *changing) Amend(t *rapid.T) {
	w := m.whole(t)
	var change tasks.Proposal
	change.Replaces = m.plan
	var own []string
	for range rapid.IntRange(1, 4).Draw(t, "items") {
		key := w.Graph.Key(m.some(t, w))
		switch rapid.IntRange(0, 3).Draw(t, "what") {
		case 0:
			change.Items = append(change.Items, rules.Item{Seed: seedOf(key, m.edges(t, w, own...)...)})
		case 1:
			change.Items = append(change.Items, rules.Item{Seed: rules.Seed{Key: key}, Cancel: true})
		case 2:
			for range rapid.IntRange(1, 2).Draw(t, "parts") {
				part := m.key()
				change.Items = append(change.Items, rules.Item{Seed: seedOf(part, m.edges(t, w, own...)...), SplitFrom: key})
				own = append(own, part)
			}
		default:
			fresh := m.key()
			change.Items = append(change.Items, rules.Item{Seed: seedOf(fresh, m.edges(t, w, own...)...)})
			own = append(own, fresh)
		}
	}
	_, err := m.store().Propose(m.ctx, agent(), change)
	m.allowed(t, err)
}

// allowed fails unless the error, if there is one, is a refusal.
func (m *changing) allowed(t *rapid.T, err error) {
	if err != nil && rules.CodeOf(err) == "" {
		t.Fatal(err)
	}
}

func (m *changing) Add(t *rapid.T) {
	w := m.whole(t)
	_, err := m.store().Add(m.ctx, agent(), tasks.Addition{Plan: m.plan, Seed: seedOf(m.key(), m.edges(t, w)...)})
	m.allowed(t, err)
}

func (m *changing) Depend(t *rapid.T) {
	w := m.whole(t)
	_, err := m.store().SetDependency(m.ctx, agent(), tasks.Dependency{
		Task: w.TaskID(m.some(t, w)), DependsOn: w.TaskID(m.some(t, w)),
		Soft: rapid.Bool().Draw(t, "soft"), Remove: rapid.IntRange(0, 3).Draw(t, "remove") == 0,
	})
	m.allowed(t, err)
}

// Edit has the person reword a task on their screen.
func (m *changing) Edit(t *rapid.T) {
	w := m.whole(t)
	n := m.some(t, w)
	_, err := m.store().Edit(m.ctx, person(), w.TaskID(n), seedOf(w.Graph.Key(n), m.edges(t, w)...))
	m.allowed(t, err)
}

func (m *changing) Cancel(t *rapid.T) {
	if m.open(t) < 3 {
		return
	}
	w := m.whole(t)
	_, err := m.store().Cancel(m.ctx, person(), w.TaskID(m.some(t, w)))
	m.allowed(t, err)
}

// open is how many tasks are not final: a plan that is done changes no more.
func (m *changing) open(t *rapid.T) (count int) {
	w := m.whole(t)
	for n := 1; n <= w.Marks.Len(); n++ {
		if !w.Marks.State(n).Final() {
			count++
		}
	}
	return count
}

func (m *changing) Work(t *rapid.T) {
	if m.open(t) < 3 {
		return
	}
	got, err := m.worker.Claim(m.ctx, agent(), tasks.ClaimRequest{Plan: m.plan})
	m.allowed(t, err)
	if err == nil && rapid.Bool().Draw(t, "completed") {
		_, err = m.worker.Complete(m.ctx, agent(), tasks.Completion{Task: got.ID, ClaimID: got.ClaimID, Report: report("done")})
		m.allowed(t, err)
	}
}

// Decide has the person approve what waits, perhaps without some of it, perhaps with
// edges that they added.
func (m *changing) Decide(t *rapid.T) {
	p, err := m.store().Pending(m.ctx, agent(), m.plan)
	if err != nil {
		return // Check looks at it
	}
	said := tasks.Verdict{}
	for _, section := range plans.Outline(p.Text) {
		if section.Level == 2 && rapid.IntRange(0, 3).Draw(t, "held") == 0 {
			said.Withheld = append(said.Withheld, section.Line)
		}
	}
	edited := ""
	if rapid.IntRange(0, 3).Draw(t, "edited") == 0 {
		edited = strings.Replace(p.Text.Raw(), "}\n", fmt.Sprintf("}\n\nestimate: %dm\n", 31+m.made), 1)
	}
	err = m.verdict(rapidTester{t, m.ctx}, p, said, edited)
	if err != nil && edited == "" && len(said.Withheld) == 0 { // else it may make no plan
		t.Fatalf("what waits cannot be approved: %v\n%s", err, p.Text.Raw())
	}
}

func (m *changing) Check(t *rapid.T) {
	p, err := m.store().Pending(m.ctx, agent(), m.plan)
	if err != nil && rules.CodeOf(err) != rules.CodeConflict {
		t.Fatalf("what waits for the person cannot be shown: %v", err)
	}
	if err == nil && p.Changes.None() {
		t.Fatal("nothing waits, and a review is offered")
	}
	if found := audit(rapidTester{t, m.ctx}, m.store()); found != "" {
		t.Errorf("the audit finds: %s", found)
	}
}

// TestWhatWaitsCanAlwaysBeReviewed covers T17 and T25: whatever agents and the person do
// to a plan with an amendment, the person can read what waits for them.
func TestWhatWaitsCanAlwaysBeReviewed(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		m := &changing{world: newWorldOver(t, kvtest.NewMap())}
		m.unlimited = true
		m.plan = m.active(t, "a", "b", "c", "d", "e")
		m.worker = connect(t, m.store())
		r.Repeat(map[string]func(*rapid.T){
			"": m.Check, "amend": m.Amend, "add": m.Add, "depend": m.Depend, "edit": m.Edit, "cancel": m.Cancel, "work": m.Work, "decide": m.Decide,
		})
	})
}

// TestAnAgentClosesNoCycleWithAnAmendment covers T26: an edge of an agent is refused if
// the amendment that waits would not go with it; the person's edit goes before it.
func TestAnAgentClosesNoCycleWithAnAmendment(t *testing.T) {
	w := newWorld(t)
	id := w.approved(t, flat("a", "b", "c"))
	if _, err := w.store().Propose(w.ctx, agent(), amendment(id, rules.Item{Seed: seedOf("b", "a")}, rules.Item{Seed: seedOf("x")})); err != nil {
		t.Fatal(err)
	}
	_, err := w.store().SetDependency(w.ctx, agent(), tasks.Dependency{Task: w.task(t, id, "a"), DependsOn: w.task(t, id, "b")})
	wantCode(t, err, rules.CodeConflict, "it cannot be combined with the changes that wait for your user: b would close a cycle")
	if _, err := w.store().SetDependency(w.ctx, agent(), tasks.Dependency{Task: w.task(t, id, "b"), DependsOn: w.task(t, id, "c")}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.store().Edit(w.ctx, person(), w.task(t, id, "a"), seedOf("a", "b")); err != nil {
		t.Fatal(err)
	}
	p := w.pending(t, id)
	if text := p.Text.Raw(); !strings.Contains(text, "or would wait for each other: b.\n") || strings.Contains(text, "{#b}") || !strings.Contains(text, "{#x}") {
		t.Errorf("the review shows:\n%s", text)
	}
	if err := w.verdict(t, p, tasks.Verdict{}, ""); err != nil {
		t.Fatal(err)
	}
	if got := w.states(t, id); got != "a blocked, b blocked, c ready, x ready" {
		t.Errorf("%s", got)
	}
	w.sound(t)
}

// TestLimitsHoldInTheStore covers 2.2: what comes to the store without a reader of
// proposals meets the same limits, and nothing of it is kept.
func TestLimitsHoldInTheStore(t *testing.T) {
	w := newWorld(t)
	w.unlimited = true
	id := w.approved(t, flat("a", "b"))
	long := func(n int) safe.Text { return safe.New(strings.Repeat("x", n)) }
	var list, texts []safe.Text
	for range rules.MaxListItems + 1 {
		list = append(list, safe.New("x"))
	}
	texts = []safe.Text{long(rules.MaxItemBytes + 1)}
	for name, c := range map[string]struct {
		change func(*rules.Seed)
		want   string
	}{
		"title":          {func(s *rules.Seed) { s.Title = long(rules.MaxTitleBytes + 1) }, "title: got a text of 301 bytes; allowed: at most 300 bytes"},
		"no title":       {func(s *rules.Seed) { s.Title = safe.New(" ") }, "title: got"},
		"two lines":      {func(s *rules.Seed) { s.Title = safe.New("A\n## B {#b}") }, "allowed: one line of text"},
		"key":            {func(s *rules.Seed) { s.Key = "a b" }, "nodeKey: got"},
		"description":    {func(s *rules.Seed) { s.Description = long(rules.MaxDescriptionBytes + 1) }, "description: got a text of 16385 bytes"},
		"open code":      {func(s *rules.Seed) { s.Description = safe.New("```\ncode") }, "a code block that is left open"},
		"parted":         {func(s *rules.Seed) { s.Description = safe.New("A\n\n<!-- The tasks of this plan -->\n\nB") }, "separates a plan from its tasks"},
		"files":          {func(s *rules.Seed) { s.Execution.Files = list }, "executionContract.files: got a list of 21"},
		"a file":         {func(s *rules.Seed) { s.Execution.Files = texts }, "executionContract.files[0]: got a text of 501 bytes"},
		"inputs":         {func(s *rules.Seed) { s.Execution.Inputs = list }, "executionContract.inputs"},
		"constraints":    {func(s *rules.Seed) { s.Execution.Constraints = texts }, "executionContract.constraints[0]"},
		"output":         {func(s *rules.Seed) { s.Execution.Output = texts[0] }, "executionContract.output"},
		"execution":      {func(s *rules.Seed) { s.Execution.Kind = "robot" }, "executionContract.kind"},
		"verification":   {func(s *rules.Seed) { s.Verification.Kind = "trust" }, "verificationContract.kind"},
		"no criteria":    {func(s *rules.Seed) { s.Verification.Kind = rules.Evidence }, "verificationContract.criteria: got 0"},
		"criteria":       {func(s *rules.Seed) { s.Verification = rules.Verification{Kind: rules.Manual, Criteria: list} }, "verificationContract.criteria: got"},
		"commands":       {func(s *rules.Seed) { s.Verification = rules.Verification{Kind: rules.Command, Commands: texts} }, "verificationContract.commands[0]"},
		"priority":       {func(s *rules.Seed) { s.Priority = -1 }, "priority: got -1"},
		"too low":        {func(s *rules.Seed) { s.Priority = rules.MaxPriority + 1 }, "priority: got 5"},
		"no time":        {func(s *rules.Seed) { s.Minutes = 0 }, "estimateMinutes: got 0"},
		"too much time":  {func(s *rules.Seed) { s.Minutes = rules.MaxMinutes + 1 }, "estimateMinutes: got 10081"},
		"too many edges": {func(s *rules.Seed) { s.DependsOn = make([]string, rules.MaxDependsOn+1) }, "dependsOn"},
	} {
		t.Run(name, func(t *testing.T) {
			s := seedOf("x")
			c.change(&s)
			before := storetest.Dump(t, w.engine)
			fresh := proposal("y")
			fresh.Items = append(fresh.Items, rules.Item{Seed: s})
			_, err := w.store().Propose(w.ctx, agent(), fresh)
			wantCode(t, err, rules.CodeValidationInvalidInput, c.want)
			_, err = w.store().Propose(w.ctx, agent(), amendment(id, rules.Item{Seed: s}))
			wantCode(t, err, rules.CodeValidationInvalidInput, c.want)
			_, err = w.store().Add(w.ctx, agent(), tasks.Addition{Plan: id, Seed: s})
			wantCode(t, err, rules.CodeValidationInvalidInput, c.want)
			if name != "key" { // a person's edit keeps it
				_, err = w.store().Edit(w.ctx, person(), w.task(t, id, "a"), s)
				wantCode(t, err, rules.CodeValidationInvalidInput, c.want)
			}
			if storetest.Dump(t, w.engine) != before {
				t.Error("something was written")
			}
		})
	}
	seeds := many(rules.MaxSeeds+1, 0)
	_, err := w.store().Propose(w.ctx, agent(), seeds)
	wantCode(t, err, rules.CodeValidationInvalidInput, "tasks: got a list of 501")
	if _, err := w.store().Propose(w.ctx, person(), seeds); err != nil {
		t.Errorf("an import has more: %v", err)
	}
	_, err = w.store().Propose(w.ctx, agent(), many(100, 12_000))
	wantCode(t, err, rules.CodeValidationInvalidInput, "your user can review at most 1048576")
	w.sound(t)
}

// TestAdditionsCanBeReviewed covers T20 and T25: additions that nobody approved gather
// only as far as one review can show them.
func TestAdditionsCanBeReviewed(t *testing.T) {
	w := newWorld(t)
	w.unlimited = true
	id := w.active(t, "a")
	gathered := many(60, 16_000)
	gathered.Replaces = id
	if _, err := w.store().Propose(w.ctx, agent(), gathered); err != nil {
		t.Fatal(err)
	}
	var err error
	added := 0
	for ; err == nil && added < 20; added++ {
		seed := seedOf(fmt.Sprint("x", added))
		seed.Description = safe.New(strings.Repeat("x", rules.MaxDescriptionBytes))
		_, err = w.store().Add(w.ctx, agent(), tasks.Addition{Plan: id, Seed: seed})
	}
	wantCode(t, err, rules.CodeValidationInvalidInput, "your user can review at most 1048576")
	if p := w.pending(t, id); len(p.Changes.Added) != 60+added-1 || added < 3 {
		t.Errorf("%d tasks wait, and %d additions were taken", len(p.Changes.Added), added-1)
	}
	w.sound(t)
}

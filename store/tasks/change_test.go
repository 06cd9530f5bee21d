package tasks_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"planb/plans"
	rules "planb/plans/tasks"
	"planb/questions"
	"planb/questions/safe"
	"planb/store/ledger"
	"planb/store/storetest"
	"planb/store/tasks"
)

// person decides, from anywhere.
func person() tasks.Caller { return tasks.Caller{Actor: rules.User, Name: "person@desk"} }

// states are the states of a plan's tasks, by nodeKey, dropped ones in brackets.
func (w *world) states(t storetest.Tester, id string) string {
	t.Helper()
	got, err := w.store().Plan(w.ctx, person(), id)
	if err != nil {
		t.Fatal(err)
	}
	view, list := rules.Look(got.Situation(w.clock.Now())), []string{}
	for n := 1; n <= got.Graph.Len(); n++ {
		if !got.Graph.Dropped(n) {
			list = append(list, got.Graph.Key(n)+" "+string(view.State(n)))
		}
	}
	return strings.Join(list, ", ")
}

// claim claims a task by its nodeKey; empty for the best one.
func (w *world) claim(t storetest.Tester, c *tasks.Connection, plan, key string) tasks.Claimed {
	t.Helper()
	r := tasks.ClaimRequest{Plan: plan}
	if key != "" {
		r.Task = w.task(t, plan, key)
	}
	got, err := c.Claim(w.ctx, agent(), r)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func (w *world) task(t storetest.Tester, plan, key string) string {
	t.Helper()
	got, err := w.store().Plan(w.ctx, person(), plan)
	if err != nil {
		t.Fatal(err)
	}
	n, ok := got.Graph.Find(key)
	if !ok {
		t.Fatalf("no task %s", key)
	}
	return got.TaskID(n)
}

func report(summary string) rules.Report { return rules.Report{Summary: safe.New(summary)} }

// verdict has the person settle what is pending in a plan.
func (w *world) verdict(t storetest.Tester, pending tasks.Pending, said tasks.Verdict, edited string) error {
	t.Helper()
	said.Approves, said.Digest = true, plans.Digest(pending.Text)
	w.edits = map[string]safe.Text{}
	if edited != "" {
		said.Edited = plans.Digest(safe.New(edited))
		w.edits[said.Edited] = safe.New(edited)
	}
	return w.settleSubject(pending.Subject, pending.Text, said)
}

func (w *world) pending(t storetest.Tester, id string) tasks.Pending {
	t.Helper()
	p, err := w.store().Pending(w.ctx, agent(), id)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// headings are the lines of the headings of some tasks.
func headings(text safe.Text, keys ...string) (lines []int) {
	for _, s := range plans.Outline(text) {
		if slices.ContainsFunc(keys, func(key string) bool { return strings.Contains(s.Title.Raw(), "{#"+key+"}") }) {
			lines = append(lines, s.Line)
		}
	}
	return lines
}

func (w *world) sound(t storetest.Tester) {
	t.Helper()
	if found := audit(t, w.store()); found != "" {
		t.Errorf("the audit finds: %s", found)
	}
}

func seedOf(key string, on ...string) rules.Seed {
	s := proposal(key).Items[0].Seed
	s.DependsOn = on
	return s
}

func amendment(plan string, items ...rules.Item) tasks.Proposal {
	return tasks.Proposal{Replaces: plan, Proposal: rules.Proposal{Items: items}}
}

// TestAReviewOfChangesKnowsWhatWasApproved covers T17: the review shows only what changed.
func TestAReviewOfChangesKnowsWhatWasApproved(t *testing.T) {
	reworded := seedOf("b", "a")
	reworded.Title = safe.New("Write b well")
	for _, test := range []struct {
		name  string
		items []rules.Item
		hold  []string
		want  []string // the headings of what was approved; nil: nothing to compare with
	}{
		{"a task is reworded", []rules.Item{{Seed: reworded}}, nil, []string{"Write b {#b}"}},
		{"one is cancelled", []rules.Item{{Seed: rules.Seed{Key: "c"}, Cancel: true}}, nil, []string{"Write c {#c}"}},
		{"one is split", []rules.Item{{Seed: seedOf("c1", "b"), SplitFrom: "c"}, {Seed: seedOf("c2", "c1"), SplitFrom: "c"}}, nil, []string{"Write c {#c}"}},
		{"one is reworded, one added", []rules.Item{{Seed: reworded}, {Seed: seedOf("d", "b")}}, nil, []string{"Write b {#b}"}},
		{"one is added", []rules.Item{{Seed: seedOf("d", "b")}}, nil, nil},
		{"nothing but what was held back", nil, []string{"b"}, nil},
		{"one is reworded, one was held back", []rules.Item{{Seed: reworded}}, []string{"c"}, []string{"Write b {#b}", "Write c {#c}"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			id := propose(t, w.store(), proposal("a", "b", "c")).ID
			whole := w.pending(t, id)
			if err := w.verdict(t, whole, tasks.Verdict{Withheld: headings(whole.Text, test.hold...)}, ""); err != nil {
				t.Fatal(err)
			}
			if test.items != nil {
				if _, err := w.store().Propose(w.ctx, agent(), amendment(id, test.items...)); err != nil {
					t.Fatal(err)
				}
			}
			pending := w.pending(t, id)
			before, when, err := w.store().AsApproved(w.ctx, id, pending.Text)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, heading := range regexp.MustCompile(`(?m)^## (.*)$`).FindAllStringSubmatch(before.Raw(), -1) {
				got = append(got, heading[1])
			}
			if !slices.Equal(got, test.want) || when.IsZero() != (test.want == nil) {
				t.Errorf("approved %v was %q, not %q; the review is\n%s", when, got, test.want, pending.Text.Raw())
			}
		})
	}
}

// TestAnAmendmentWaitsForItsVerdict covers T17: the plan goes on as approved until the
// verdict, and held claims go on after it.
func TestAnAmendmentWaitsForItsVerdict(t *testing.T) {
	w := newWorld(t)
	id := w.active(t, "a", "b", "c")
	c := connect(t, w.store())
	held := w.claim(t, c, id, "a")
	reworded := seedOf("a")
	reworded.Title = safe.New("Write a well")
	got, err := w.store().Propose(w.ctx, agent(), amendment(id,
		rules.Item{Seed: reworded},
		rules.Item{Seed: seedOf("b1"), SplitFrom: "b"}, rules.Item{Seed: seedOf("b2", "b1"), SplitFrom: "b"},
		rules.Item{Seed: seedOf("d", "c")},
	))
	if err != nil || got.Changes == nil || got.Status != rules.PlanActive {
		t.Fatalf("%+v, %v", got, err)
	}
	if again, err := w.store().Propose(w.ctx, agent(), amendment(id,
		rules.Item{Seed: reworded},
		rules.Item{Seed: seedOf("b1"), SplitFrom: "b"}, rules.Item{Seed: seedOf("b2", "b1"), SplitFrom: "b"},
		rules.Item{Seed: seedOf("d", "c")},
	)); err != nil || !again.Unchanged {
		t.Errorf("the same again: %v, %v", again.Unchanged, err)
	}
	if got := w.states(t, id); got != "a claimed, b blocked, c blocked" {
		t.Errorf("before the verdict: %s", got)
	}
	p := w.pending(t, id)
	for _, want := range []string{"## Write a well {#a}", "{#b1}", "split from: b", "{#d}"} {
		if !strings.Contains(p.Text.Raw(), want) {
			t.Errorf("the review lacks %q:\n%s", want, p.Text.Raw())
		}
	}
	if err := w.verdict(t, p, tasks.Verdict{}, ""); err != nil {
		t.Fatal(err)
	}
	if got := w.states(t, id); got != "a claimed, c blocked, b1 blocked, b2 blocked, d blocked" {
		t.Errorf("after the verdict: %s", got)
	}
	w.sound(t)
	news, err := w.hears(c)
	if err != nil || len(news) != 1 || news[0].What != tasks.NewsReworded {
		t.Errorf("the holder is told %+v, %v", news, err)
	}
	if _, err := c.Complete(w.ctx, agent(), tasks.Completion{Task: held.ID, ClaimID: held.ClaimID, Report: report("done")}); err != nil {
		t.Fatal(err)
	}
	if got := w.states(t, id); got != "a done, c blocked, b1 ready, b2 blocked, d blocked" {
		t.Errorf("after a: %s", got)
	}
	if _, err := w.store().Pending(w.ctx, agent(), id); rules.CodeOf(err) != rules.CodeConflict {
		t.Errorf("still pending: %v", err)
	}
}

// TestWhatAnAmendmentMayNot covers T17 and T27: what was begun is not taken away.
func TestWhatAnAmendmentMayNot(t *testing.T) {
	w := newWorld(t)
	id := w.active(t, "a", "b")
	c := connect(t, w.store())
	w.claim(t, c, id, "a")
	_, err := w.store().Propose(w.ctx, agent(), amendment(id, rules.Item{Seed: rules.Seed{Key: "a"}, Cancel: true}))
	wantCode(t, err, rules.CodeValidationInvalidInput, "only your user can cancel what was begun")
	_, err = w.store().Propose(w.ctx, agent(), amendment(id, rules.Item{Seed: seedOf("a", "b")}, rules.Item{Seed: seedOf("b", "a")}))
	wantCode(t, err, rules.CodeDependencyCycle, "cycle")
	w.sound(t)
}

// TestAReviewOfChangesIsBoundToWhatWasRead covers T17 and T25: what came later waits on;
// what was changed since is not approved.
func TestAReviewOfChangesIsBoundToWhatWasRead(t *testing.T) {
	w := newWorld(t)
	id := w.active(t, "a", "b")
	add := func(key string) {
		t.Helper()
		got, err := w.store().Add(w.ctx, agent(), tasks.Addition{Plan: id, Seed: seedOf(key)})
		if err != nil || !got.Locked || got.State != rules.Blocked {
			t.Fatalf("%+v, %v", got, err)
		}
	}
	add("x")
	read := w.pending(t, id)
	add("y")
	if got := w.states(t, id); got != "a ready, b blocked, x blocked, y blocked" {
		t.Errorf("additions: %s", got)
	}
	if err := w.verdict(t, read, tasks.Verdict{}, ""); err != nil {
		t.Fatal(err)
	}
	if got := w.states(t, id); got != "a ready, b blocked, x ready, y blocked" {
		t.Errorf("x was approved: %s", got)
	}
	if err := w.verdict(t, read, tasks.Verdict{}, ""); err == nil {
		t.Error("the same review approved twice")
	}
	read = w.pending(t, id)
	reworded := seedOf("y")
	reworded.Title = safe.New("Delete everything")
	if _, err := w.store().Propose(w.ctx, agent(), amendment(id, rules.Item{Seed: reworded})); err != nil {
		t.Fatal(err)
	}
	if err := w.verdict(t, read, tasks.Verdict{}, ""); err == nil || !strings.Contains(err.Error(), "changed since you opened") {
		t.Errorf("a sneaked change: %v", err)
	}
	w.sound(t)
	if got := w.states(t, id); got != "a ready, b blocked, x ready, y blocked" {
		t.Errorf("nothing was approved: %s", got)
	}
}

// TestHeldBackChanges covers T22 for changes: what is held back stays as it was, or
// locked, and is asked about again.
func TestHeldBackChanges(t *testing.T) {
	w := newWorld(t)
	id := w.active(t, "a", "b")
	reworded := seedOf("b", "a")
	reworded.Title = safe.New("Write b well")
	if _, err := w.store().Propose(w.ctx, agent(), amendment(id, rules.Item{Seed: reworded}, rules.Item{Seed: seedOf("x")}, rules.Item{Seed: seedOf("y")})); err != nil {
		t.Fatal(err)
	}
	p := w.pending(t, id)
	if err := w.verdict(t, p, tasks.Verdict{Withheld: headings(p.Text, "b", "x")}, ""); err != nil {
		t.Fatal(err)
	}
	if got := w.states(t, id); got != "a ready, b blocked, x blocked, y ready" {
		t.Errorf("%s", got)
	}
	got, err := w.store().Plan(w.ctx, person(), id)
	list, _ := w.store().Tasks(w.ctx, got, 2)
	if err != nil || list[0].Title.Raw() != "Write b" || !slices.Equal(got.Held, []int{3}) {
		t.Errorf("%v, held %v, %v", list[0].Title, got.Held, err)
	}
	if p := w.pending(t, id); strings.Contains(p.Text.Raw(), "{#y}") || !strings.Contains(p.Text.Raw(), "{#x}") {
		t.Errorf("what waits still:\n%s", p.Text.Raw())
	}
	w.sound(t)
}

// TestAPersonsEditOfChanges approves additions as the person edited them.
func TestAPersonsEditOfChanges(t *testing.T) {
	w := newWorld(t)
	id := w.active(t, "a")
	if _, err := w.store().Add(w.ctx, agent(), tasks.Addition{Plan: id, Seed: seedOf("x"), DiscoveredFrom: "a"}); err != nil {
		t.Fatal(err)
	}
	p := w.pending(t, id)
	if err := w.verdict(t, p, tasks.Verdict{}, strings.Replace(p.Text.Raw(), "Write x", "Write x later", 1)); err != nil {
		t.Fatal(err)
	}
	got, err := w.store().Plan(w.ctx, person(), id)
	list, _ := w.store().Tasks(w.ctx, got, 2)
	if err != nil || list[0].Title.Raw() != "Write x later" || w.states(t, id) != "a ready, x ready" || !slices.Equal(list[0].Soft, []string{"a"}) {
		t.Errorf("%+v, %s, %v", list, w.states(t, id), err)
	}
	w.sound(t)
}

// TestAPersonsEditOfAProposalIsCounted holds that the project counts the tasks that a person
// adds to a proposed plan, or takes out of it, while they approve it.
func TestAPersonsEditOfAProposalIsCounted(t *testing.T) {
	for name, edit := range map[string]func(text string) string{
		"one is added":     func(text string) string { return text + "\n## Write c {#c}\n" },
		"one is taken out": func(text string) string { return text[:strings.Index(text, "## Write b")] },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			p := w.pending(t, propose(t, w.store(), proposal("a", "b")).ID)
			if err := w.verdict(t, p, tasks.Verdict{}, edit(p.Text.Raw())); err != nil {
				t.Fatal(err)
			}
			w.sound(t)
		})
	}
}

// TestOnlyAPersonPrioritizes covers T27: an amendment leaves priorities as they are, and
// a person's edit of it does not.
func TestOnlyAPersonPrioritizes(t *testing.T) {
	w := newWorld(t)
	id := w.approved(t, flat("a", "b"))
	priorities := func() string {
		t.Helper()
		got, err := w.store().Plan(w.ctx, person(), id)
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(got.Marks.Priority(1), got.Marks.Priority(2))
	}
	if _, err := w.store().SetPriority(w.ctx, person(), w.task(t, id, "a"), 0); err != nil {
		t.Fatal(err)
	}
	a, b := seedOf("a"), seedOf("b")
	a.Title, a.Priority = safe.New("Write a well"), 4
	b.Title, b.Priority = safe.New("Write b well"), 0
	if _, err := w.store().Propose(w.ctx, agent(), amendment(id, rules.Item{Seed: a}, rules.Item{Seed: b})); err != nil {
		t.Fatal(err)
	}
	p := w.pending(t, id)
	if _, err := w.store().SetPriority(w.ctx, person(), w.task(t, id, "a"), 1); err != nil {
		t.Fatal(err)
	}
	edited := strings.Replace(p.Text.Raw(), "## Write b well {#b}\n", "## Write b well {#b}\n\npriority: 3\n", 1)
	if err := w.verdict(t, p, tasks.Verdict{}, edited); err != nil {
		t.Fatal(err)
	}
	if got := priorities(); got != "1 3" {
		t.Errorf("the priorities are %s", got)
	}
	w.sound(t)
}

// TestAnAmendmentOutlivesWhatItChanges covers T17: changes of tasks that were decided
// or begun since are left out and named, and the rest is approved.
func TestAnAmendmentOutlivesWhatItChanges(t *testing.T) {
	w := newWorld(t)
	id := w.approved(t, flat("docs", "api", "ui", "old"))
	docs, api := seedOf("docs"), seedOf("api")
	docs.Title, api.Title = safe.New("Write docs well"), safe.New("Write api well")
	change := amendment(id, rules.Item{Seed: docs}, rules.Item{Seed: api},
		rules.Item{Seed: seedOf("ui1"), SplitFrom: "ui"}, rules.Item{Seed: seedOf("ui2", "ui1"), SplitFrom: "ui"},
		rules.Item{Seed: rules.Seed{Key: "old"}, Cancel: true}, rules.Item{Seed: seedOf("x", "docs", "ui2", "ui1")})
	if _, err := w.store().Propose(w.ctx, agent(), change); err != nil {
		t.Fatal(err)
	}
	if _, err := w.store().Add(w.ctx, agent(), tasks.Addition{Plan: id, Seed: seedOf("y")}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.store().Cancel(w.ctx, person(), w.task(t, id, "docs")); err != nil {
		t.Fatal(err)
	}
	c := connect(t, w.store())
	done := w.claim(t, c, id, "api")
	if _, err := c.Complete(w.ctx, agent(), tasks.Completion{Task: done.ID, ClaimID: done.ClaimID, Report: report("done")}); err != nil {
		t.Fatal(err)
	}
	w.claim(t, c, id, "ui")
	w.claim(t, c, id, "old")
	p := w.pending(t, id)
	if text := p.Text.Raw(); !strings.HasPrefix(text, "These proposed changes are left out, because their tasks were begun, done or cancelled since, or would wait for each other: docs, api, ui1, ui2, old.\n") ||
		strings.Contains(text, "well") || !strings.Contains(text, "{#x}\n\nafter: docs, ui\n") || !strings.Contains(text, "{#y}") {
		t.Errorf("the review shows:\n%s", text)
	}
	above, err := p.Below(safe.New("# The plan\n"))
	if err != nil || strings.Count(above.Raw(), "<!-- The tasks of this plan -->") != 1 {
		t.Errorf("with a plan: %v\n%s", err, above.Raw())
	}
	_, err = w.store().Propose(w.ctx, agent(), change)
	wantCode(t, err, rules.CodeValidationInvalidInput, "stays as it is")
	if err := w.verdict(t, p, tasks.Verdict{}, ""); err != nil {
		t.Fatal(err)
	}
	if got := w.states(t, id); got != "docs cancelled, api done, ui claimed, old claimed, y ready, x blocked" {
		t.Errorf("after the verdict: %s", got)
	}
	if got, err := w.store().Plan(w.ctx, person(), id); err != nil || !got.Amended.IsZero() {
		t.Errorf("the amendment waits still: %v", err)
	}
	w.sound(t)
}

// TestAnAmendmentWithoutItsTasksKeepsNoPlanOpen covers T17: once every task has ended, an
// amendment that adds none no longer applies.
func TestAnAmendmentWithoutItsTasksKeepsNoPlanOpen(t *testing.T) {
	w := newWorld(t)
	id := w.active(t, "a")
	a := seedOf("a")
	a.Title = safe.New("Write a well")
	if _, err := w.store().Propose(w.ctx, agent(), amendment(id, rules.Item{Seed: a})); err != nil {
		t.Fatal(err)
	}
	if _, err := w.store().Cancel(w.ctx, person(), w.task(t, id, "a")); err != nil {
		t.Fatal(err)
	}
	if got, err := w.store().Plan(w.ctx, person(), id); err != nil || got.Status != rules.PlanDone || !got.Amended.IsZero() {
		t.Errorf("%+v, %v", got.Plan, err)
	}
	w.sound(t)
}

// TestAnAmendmentThatAppliesNoMoreKeepsNoPlanOpen: a split adds tasks only as long as nobody has
// done the whole one. Nobody could decide about what is left of it.
func TestAnAmendmentThatAppliesNoMoreKeepsNoPlanOpen(t *testing.T) {
	w := newWorld(t)
	id := w.active(t, "a")
	part := func(key string) rules.Item { return rules.Item{Seed: seedOf(key), SplitFrom: "a"} }
	if _, err := w.store().Propose(w.ctx, agent(), amendment(id, part("a1"), part("a2"))); err != nil {
		t.Fatal(err)
	}
	c := connect(t, w.store())
	got := w.claim(t, c, id, "a")
	done, err := c.Complete(w.ctx, agent(), tasks.Completion{Task: got.ID, ClaimID: got.ClaimID, Report: report("done")})
	if err != nil || done.Plan.Status != rules.PlanDone {
		t.Errorf("after the last task: %+v, %v", done, err)
	}
	plan, err := w.store().Plan(w.ctx, person(), id)
	if err != nil || plan.Status != rules.PlanDone || !plan.Amended.IsZero() {
		t.Errorf("%+v, %v", plan.Plan, err)
	}
	w.sound(t)
}

// TestARejectedAmendment covers T17: an amendment keeps its plan open until the verdict,
// and a rejection drops it.
func TestARejectedAmendment(t *testing.T) {
	w := newWorld(t)
	id := w.active(t, "a")
	if _, err := w.store().Propose(w.ctx, agent(), amendment(id, rules.Item{Seed: seedOf("x")})); err != nil {
		t.Fatal(err)
	}
	c := connect(t, w.store())
	got := w.claim(t, c, id, "a")
	if _, err := c.Complete(w.ctx, agent(), tasks.Completion{Task: got.ID, ClaimID: got.ClaimID, Report: report("done")}); err != nil {
		t.Fatal(err)
	}
	p := w.pending(t, id)
	if p.Status != rules.PlanActive || p.Amended.IsZero() {
		t.Errorf("%+v", p.Plan)
	}
	if err := w.settleSubject(p.Subject, p.Text, tasks.Verdict{Digest: plans.Digest(p.Text)}); err != nil {
		t.Fatal(err)
	}
	if p := w.pending(t, id); p.Amended.IsZero() {
		t.Error("changes were asked for, and the amendment is gone")
	}
	if err := w.settleSubject(p.Subject, p.Text, tasks.Verdict{Digest: plans.Digest(p.Text), Rejects: true}); err != nil {
		t.Fatal(err)
	}
	plan, err := w.store().Plan(w.ctx, person(), id)
	if err != nil || plan.Status != rules.PlanDone || !plan.Amended.IsZero() || w.states(t, id) != "a done" {
		t.Errorf("%+v, %v", plan.Plan, err)
	}
	w.sound(t)
}

// TestARejectionDropsWhatWasRead covers T17: a rejection drops the amendment if the person
// read all of it, and leaves one that took its place since to its own review.
func TestARejectionDropsWhatWasRead(t *testing.T) {
	reworded := seedOf("x")
	reworded.Title = safe.New("Write x well")
	for name, c := range map[string]struct {
		since func(w *world, id string) error
		waits string // the tasks that wait after it
	}{
		"another amendment since": {func(w *world, id string) error {
			_, err := w.store().Propose(w.ctx, agent(), amendment(id, rules.Item{Seed: seedOf("x")}, rules.Item{Seed: seedOf("y")}))
			return err
		}, "{#x} {#y}"},
		"other words since": {func(w *world, id string) error {
			_, err := w.store().Propose(w.ctx, agent(), amendment(id, rules.Item{Seed: reworded}))
			return err
		}, "{#x}"},
		"an addition since": {func(w *world, id string) error {
			_, err := w.store().Add(w.ctx, agent(), tasks.Addition{Plan: id, Seed: seedOf("y")})
			return err
		}, "{#y}"},
		"less since": {func(w *world, id string) error {
			_, err := w.store().Propose(w.ctx, agent(), amendment(id, rules.Item{Seed: seedOf("z")}))
			return err
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			id := w.active(t, "a")
			if _, err := w.store().Propose(w.ctx, agent(), amendment(id, rules.Item{Seed: seedOf("x")}, rules.Item{Seed: seedOf("z")})); err != nil {
				t.Fatal(err)
			}
			read := w.pending(t, id)
			if err := c.since(w, id); err != nil {
				t.Fatal(err)
			}
			if err := w.settleSubject(read.Subject, read.Text, tasks.Verdict{Digest: plans.Digest(read.Text), Rejects: true}); err != nil {
				t.Fatal(err)
			}
			waiting := ""
			if p, err := w.store().Pending(w.ctx, agent(), id); err == nil {
				waiting = strings.Join(regexp.MustCompile(`\{#\w+\}`).FindAllString(p.Text.Raw(), -1), " ")
			} else if rules.CodeOf(err) != rules.CodeConflict {
				t.Fatal(err)
			}
			if waiting != c.waits {
				t.Errorf("%q waits, want %q", waiting, c.waits)
			}
			w.sound(t)
		})
	}
}

// TestARejectionAfterTheEndOfThePlan covers T17: a cancelled plan has no amendment, and the
// review of one that it had can be rejected.
func TestARejectionAfterTheEndOfThePlan(t *testing.T) {
	w := newWorld(t)
	id := w.active(t, "a")
	if _, err := w.store().Propose(w.ctx, agent(), amendment(id, rules.Item{Seed: seedOf("x")})); err != nil {
		t.Fatal(err)
	}
	read := w.pending(t, id)
	if err := w.store().CancelPlan(w.ctx, person(), id); err != nil {
		t.Fatal(err)
	}
	if err := w.settleSubject(read.Subject, read.Text, tasks.Verdict{Digest: plans.Digest(read.Text), Rejects: true}); err != nil {
		t.Errorf("the rejection is refused: %v", err)
	}
	got, err := w.store().Plan(w.ctx, person(), id)
	if err != nil || got.Status != rules.PlanCancelled || !got.Amended.IsZero() {
		t.Errorf("%+v, %v", got.Plan, err)
	}
	w.sound(t)
}

// TestAnAmendmentSaysWhatItReplaces covers T17: changes that wait for the person are not
// replaced without a word to the one who proposes others and to the one whose they were.
func TestAnAmendmentSaysWhatItReplaces(t *testing.T) {
	w := newWorld(t)
	id := w.active(t, "a")
	first, second := connect(t, w.store()), connect(t, w.store())
	one := amendment(id, rules.Item{Seed: seedOf("x")}, rules.Item{Seed: seedOf("y")})
	two := amendment(id, rules.Item{Seed: seedOf("z")})
	propose := func(c *tasks.Connection, p tasks.Proposal, want *tasks.Replaced) {
		t.Helper()
		got, err := c.Propose(w.ctx, agent(), p)
		if err != nil || (got.Replaced == nil) != (want == nil) || want != nil && *got.Replaced != *want {
			t.Errorf("it replaces %+v, want %+v, %v", got.Replaced, want, err)
		}
	}
	told := func(c *tasks.Connection, want int) {
		t.Helper()
		news, err := w.hears(c)
		if err != nil || len(news) != want || want > 0 && (news[0].What != tasks.NewsReplaced || news[0].TaskID != id || news[0].By != "Claude Code") {
			t.Errorf("told %+v, want %d, %v", news, want, err)
		}
	}
	propose(first, two, nil)
	propose(first, one, &tasks.Replaced{By: "Claude Code", Changes: 1, Own: true})
	propose(first, one, nil)
	told(first, 0)
	propose(second, two, &tasks.Replaced{By: "Claude Code", Changes: 2})
	told(second, 0)
	if err := w.verdict(t, w.pending(t, id), tasks.Verdict{}, ""); err != nil { // before the first one calls
		t.Fatal(err)
	}
	told(first, 1)
	told(first, 0)
	propose(first, one, nil)
	if err := w.verdict(t, w.pending(t, id), tasks.Verdict{}, ""); err != nil {
		t.Fatal(err)
	}
	told(first, 0) // it was decided, not replaced
	w.sound(t)
}

// TestNoAgentReplacesThePersonsAmendment covers T17: what the person proposed waits for
// their verdict, or for other changes of theirs.
func TestNoAgentReplacesThePersonsAmendment(t *testing.T) {
	w := newWorld(t)
	id := w.active(t, "a")
	if _, err := w.store().Propose(w.ctx, person(), amendment(id, rules.Item{Seed: seedOf("x")})); err != nil {
		t.Fatal(err)
	}
	other := amendment(id, rules.Item{Seed: seedOf("y")})
	_, err := w.store().Propose(w.ctx, agent(), other)
	wantCode(t, err, rules.CodeConflict, "your user proposed changes of this plan themselves")
	if got, err := w.store().Propose(w.ctx, person(), other); err != nil || got.Replaced == nil || !got.Replaced.Own {
		t.Errorf("%+v, %v", got.Replaced, err)
	}
	if err := w.verdict(t, w.pending(t, id), tasks.Verdict{}, ""); err != nil {
		t.Fatal(err)
	}
	if _, err := w.store().Propose(w.ctx, agent(), amendment(id, rules.Item{Seed: seedOf("z")})); err != nil {
		t.Error(err)
	}
	w.sound(t)
}

// TestPlanAndTasksInOneReview covers T20: withPlan shows a plan's text above the tasks.
func TestPlanAndTasksInOneReview(t *testing.T) {
	w := newWorld(t)
	made := propose(t, w.store(), proposal("a", "b"))
	p := w.pending(t, made.ID)
	text, err := p.Below(safe.New("# The plan\n\n## Why\n\nBecause.\n"))
	if err != nil {
		t.Fatal(err)
	}
	p.Text = text
	if err := w.verdict(t, p, tasks.Verdict{Withheld: headings(text, "b")}, ""); err != nil {
		t.Fatal(err)
	}
	got, err := w.store().Plan(w.ctx, person(), made.ID)
	if err != nil || got.Status != rules.PlanActive || !slices.Equal(got.Held, []int{2}) {
		t.Errorf("%+v, %v", got.Plan, err)
	}
	if _, err := p.Below(text); rules.CodeOf(err) != rules.CodeValidationInvalidInput {
		t.Errorf("twice: %v", err)
	}
}

// TestDependenciesOfAgents covers T26.
func TestDependenciesOfAgents(t *testing.T) {
	w := newWorld(t)
	id := w.approved(t, flat("a", "b", "c"))
	other := w.approved(t, flat("z"))
	s := w.store()
	at := func(key string) string { return w.task(t, id, key) }
	set := func(e tasks.Dependency) error { _, err := s.SetDependency(w.ctx, agent(), e); return err }
	if err := set(tasks.Dependency{Task: at("b"), DependsOn: at("a")}); err != nil {
		t.Fatal(err)
	}
	if got := w.states(t, id); got != "a ready, b blocked, c ready" {
		t.Errorf("b waits: %s", got)
	}
	wantCode(t, set(tasks.Dependency{Task: at("a"), DependsOn: at("b")}), rules.CodeDependencyCycle, "cycle")
	wantCode(t, set(tasks.Dependency{Task: at("a"), DependsOn: w.task(t, other, "z")}), rules.CodeDependencyCrossPlan, "another plan")
	if err := set(tasks.Dependency{Task: at("b"), DependsOn: at("a"), Remove: true}); err != nil {
		t.Fatal(err)
	}
	if err := set(tasks.Dependency{Task: at("b"), DependsOn: at("a"), Soft: true}); err != nil {
		t.Fatal(err)
	}
	if got := w.states(t, id); got != "a ready, b ready, c ready" {
		t.Errorf("none waits: %s", got)
	}
	chain := w.active(t, "p", "q")
	wantCode(t, set(tasks.Dependency{Task: w.task(t, chain, "q"), DependsOn: w.task(t, chain, "p"), Remove: true}), rules.CodeConflict, "your user approved")
	wantCode(t, set(tasks.Dependency{Task: w.task(t, chain, "q"), DependsOn: w.task(t, chain, "p"), Soft: true}), rules.CodeConflict, "your user approved")
	proposed := propose(t, s, proposal("m", "n"))
	wantCode(t, set(tasks.Dependency{Task: proposed.TaskID(1), DependsOn: proposed.TaskID(2)}), rules.CodePlanRequiresApproval, "sealed")
	_, err := s.Add(w.ctx, agent(), tasks.Addition{Plan: proposed.ID, Seed: seedOf("x")})
	wantCode(t, err, rules.CodePlanRequiresApproval, "sealed")
	w.sound(t)
}

// flat is a proposal of tasks that depend on nothing.
func flat(keys ...string) tasks.Proposal {
	p := proposal(keys...)
	for i := range p.Items {
		p.Items[i].DependsOn = nil
	}
	return p
}

// settleSubject has the person settle the review of a text.
func (w *world) settleSubject(subject string, text safe.Text, said tasks.Verdict) error {
	data, err := toJSON(said)
	if err != nil {
		return err
	}
	w.step++
	ask := fmt.Sprint("ask ", w.step)
	w.texts[ask] = text
	outcome := questions.Outcome{State: questions.Answered, By: "person@desk", Reply: questions.Reply{
		Answers: map[string]questions.Value{questions.ReviewID: questions.TextValue(data)},
	}}
	return w.ledger().Commit(w.ctx, func(c *ledger.Change) error {
		return w.store().Settle(w.ctx, c, ask, subject, outcome)
	})
}

// T17, T25: what waits for an approval beside locked tasks is told with its titles: what an amendment
// adds, rewords and cancels. A locked task that it rewords waits once.
func TestT25WhatOfAnAmendmentWaits(t *testing.T) {
	w := newWorld(t)
	s, id := w.store(), w.approved(t, proposal("a", "b", "c"))
	waits := func() (list []string) {
		t.Helper()
		plan, err := s.Plan(w.ctx, person(), id)
		if err != nil {
			t.Fatal(err)
		}
		changes, err := s.Waiting(w.ctx, plan, rules.Look(plan.Situation(w.clock.Now())))
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range changes {
			list = append(list, fmt.Sprintf("%d %s %s %s", c.Number, c.Key, c.Title.Raw(), c.Kind))
		}
		return list
	}
	if got := waits(); got != nil {
		t.Errorf("of nothing there waits %q", got)
	}
	if _, err := s.Add(w.ctx, agent(), tasks.Addition{Plan: id, Seed: seedOf("locked")}); err != nil {
		t.Fatal(err)
	}
	if got := waits(); got != nil {
		t.Errorf("beside a locked task there waits %q", got)
	}
	b, locked := seedOf("b"), seedOf("locked")
	b.Title, locked.Title = safe.New("B anew"), safe.New("Locked anew")
	_, err := s.Propose(w.ctx, agent(), amendment(id, rules.Item{Seed: b}, rules.Item{Seed: locked}, rules.Item{Seed: seedOf("d")}, rules.Item{Seed: rules.Seed{Key: "c"}, Cancel: true}))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := waits(), []string{"0 d " + seedOf("d").Title.Raw() + " new", "2 b B anew reworded", "3 c " + seedOf("c").Title.Raw() + " cancelled"}; !slices.Equal(got, want) {
		t.Errorf("there waits %q, want %q", got, want)
	}
	if err := w.verdict(t, w.pending(t, id), tasks.Verdict{}, ""); err != nil {
		t.Fatal(err)
	}
	if got := waits(); got != nil {
		t.Errorf("after the approval there waits %q", got)
	}
}

// T25: what no person has read goes on waiting for them. Neither an approval of other changes nor the
// person's edit of another task makes it one that they held back.
func TestT25WhatWasNotReadGoesOnWaiting(t *testing.T) {
	w := newWorld(t)
	s := w.store()
	id := propose(t, s, proposal("a", "b", "c")).ID
	whole := w.pending(t, id)
	if err := w.verdict(t, whole, tasks.Verdict{Withheld: headings(whole.Text, "c")}, ""); err != nil {
		t.Fatal(err)
	}
	add := func(key string) {
		t.Helper()
		if _, err := s.Add(w.ctx, agent(), tasks.Addition{Plan: id, Seed: seedOf(key)}); err != nil {
			t.Fatal(err)
		}
	}
	waits := func(when string, want ...string) {
		t.Helper()
		plan, err := s.Plan(w.ctx, person(), id)
		if err != nil {
			t.Fatal(err)
		}
		view, got := rules.Look(plan.Situation(w.clock.Now())), []string(nil)
		for n := 1; n <= plan.Graph.Len(); n++ {
			if view.Wants(n) == rules.WantsApproval {
				got = append(got, plan.Graph.Key(n))
			}
		}
		if !slices.Equal(got, want) || view.Unlocked[2] {
			t.Errorf("%s %v wait for an approval, want %v; held are %v", when, got, want, plan.Held)
		}
	}
	add("x")
	waits("after an addition", "x")
	reworded := seedOf("a")
	reworded.Title = safe.New("A anew")
	if _, err := s.Edit(w.ctx, person(), w.task(t, id, "a"), reworded); err != nil {
		t.Fatal(err)
	}
	waits("after the person's edit", "x")
	read := w.pending(t, id)
	add("y")
	if err := w.verdict(t, read, tasks.Verdict{Withheld: headings(read.Text, "c")}, ""); err != nil {
		t.Fatal(err)
	}
	waits("after an approval during which another was added", "y")
	read = w.pending(t, id)
	if err := w.verdict(t, read, tasks.Verdict{Withheld: headings(read.Text, "c", "y")}, ""); err != nil {
		t.Fatal(err)
	}
	waits("after y was held back")
	w.sound(t)
}

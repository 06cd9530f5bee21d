package store_test

import (
	"slices"
	"strings"
	"testing"

	"planb/plans"
	"planb/plans/review"
	rules "planb/plans/tasks"
	"planb/questions/safe"
	"planb/store"
	"planb/store/kv/kvtest"
	"planb/store/tasks"
	"planb/store/timeline"
)

// TestTheReviewOfTasks opens the review of a plan without a session twice, around another
// version in the session, and after the plan has changed.
func TestTheReviewOfTasks(t *testing.T) {
	ctx := t.Context()
	s := approvingStore(kvtest.NewMap())
	by, session := agentOf("/p"), newSession(t, s, "/p")
	plan := proposeTasks(t, s, "", "", "a", "b")
	open := func(w string) (store.Ask, bool) {
		t.Helper()
		asked, err := s.ReviewTasks(ctx, by, w, store.TaskReview{Session: session.ID})
		if err != nil {
			t.Fatal(err)
		}
		ask, attached, err := s.OpenAsk(ctx, asked)
		if err != nil {
			t.Fatal(err)
		}
		return ask, attached
	}
	first, _ := open(plan.ID)
	if _, _, err := s.SavePlan(ctx, session.ID, "", "Another text."); err != nil {
		t.Fatal(err)
	}
	if again, attached := open(plan.ID); again.ID != first.ID || !attached {
		t.Errorf("the same plan is asked about as %s and %s", first.ID, again.ID)
	}
	if whole, err := s.Tasks().Plan(ctx, by, plan.ID); err != nil || whole.Session != session.ID || whole.Status != rules.PlanProposed {
		t.Errorf("the plan is of session %q, and %s, %v", whole.Session, whole.Status, err)
	}
	text, err := s.PlanText(ctx, session.ID, first.Spec.Plan.Number)
	if err != nil || plans.Digest(text) != first.Spec.Plan.Digest || !strings.Contains(text.Raw(), "## Write b {#b}") {
		t.Errorf("the person reads %q, %v", text.Raw(), err)
	}

	changed := proposeTasks(t, s, session.ID, plan.ID, "a", "b", "c")
	second, _ := open(changed.ID)
	if got, err := s.Ask(ctx, first.ID); err != nil || got.Outcome.Next != second.ID {
		t.Errorf("the review of the earlier content is %+v, %v", got.Outcome, err)
	}
	if audit, err := s.Audit(ctx); err != nil || len(audit.Problems) > 0 {
		t.Errorf("the records: %q, %v", audit.Problems, err)
	}
}

// TestAReviewWithThePlanGoesOn asks for the tasks alone while the person is shown the plan above
// them: they go on with what is open. Other tasks are another review.
func TestAReviewWithThePlanGoesOn(t *testing.T) {
	ctx := t.Context()
	s := approvingStore(kvtest.NewMap())
	by, session := agentOf("/p"), newSession(t, s, "/p")
	plan := proposeTasks(t, s, session.ID, "", "a", "b")
	save := func(text string) {
		t.Helper()
		if _, _, err := s.SavePlan(ctx, session.ID, "", text); err != nil {
			t.Fatal(err)
		}
	}
	open := func(withPlan bool) (store.Ask, bool) {
		t.Helper()
		asked, err := s.ReviewTasks(ctx, by, plan.ID, store.TaskReview{Session: session.ID, WithPlan: withPlan})
		if err != nil {
			t.Fatal(err)
		}
		ask, attached, err := s.OpenAsk(ctx, asked)
		if err != nil {
			t.Fatal(err)
		}
		return ask, attached
	}
	save("# Why all this")
	first, _ := open(true)
	if alone, attached := open(false); alone.ID != first.ID || !attached {
		t.Errorf("the review with the plan is %s, without it %s, attached %t", first.ID, alone.ID, attached)
	}
	save("# Why all this, and when")
	if alone, attached := open(false); alone.ID != first.ID || !attached {
		t.Errorf("after another version of the plan %s, attached %t", alone.ID, attached)
	}
	second, attached := open(true)
	if second.ID == first.ID || attached {
		t.Errorf("with the newer version of the plan %s", second.ID)
	}
	proposeTasks(t, s, session.ID, plan.ID, "a", "b", "c")
	third, _ := open(false)
	text, err := s.PlanText(ctx, session.ID, third.Spec.Plan.Number)
	if third.ID == second.ID || err != nil || strings.Contains(text.Raw(), "Why all this") {
		t.Errorf("other tasks are reviewed as %q, %v", text.Raw(), err)
	}
}

// TestAReviewThatIsOvertakenDoesNotOpen has two connections prepare the same review. What
// becomes of the plan after that stands in the way of the second one.
func TestAReviewThatIsOvertakenDoesNotOpen(t *testing.T) {
	verdict := func(v review.Verdict) func(*testing.T, *store.Store, store.Ask) string {
		return func(t *testing.T, s *store.Store, prepared store.Ask) string {
			t.Helper()
			ask, _, err := s.OpenAsk(t.Context(), prepared)
			if err != nil {
				t.Fatal(err)
			}
			text, err := s.PlanText(t.Context(), ask.Session, ask.Spec.Plan.Number)
			if err == nil {
				_, err = s.Settle(t.Context(), ask.ID, says(t, review.Review{Verdict: v}, text, safe.Text{}))
			}
			if err == nil {
				err = s.Deliver(t.Context(), ask.ID)
			}
			if err != nil {
				t.Fatal(err)
			}
			return ask.ID
		}
	}
	proposes := func(keys ...string) func(*testing.T, *store.Store, store.Ask) string {
		return func(t *testing.T, s *store.Store, prepared store.Ask) string {
			t.Helper()
			id, _, _ := strings.Cut(prepared.Subject.ID, "/")
			proposeTasks(t, s, prepared.Session, id, keys...)
			return ""
		}
	}
	cancels := func(t *testing.T, s *store.Store, prepared store.Ask) string {
		t.Helper()
		id, _, _ := strings.Cut(prepared.Subject.ID, "/")
		if err := s.Tasks().CancelPlan(t.Context(), tasks.Caller{Actor: rules.User, Name: "person"}, id); err != nil {
			t.Fatal(err)
		}
		return ""
	}
	adds := func(t *testing.T, s *store.Store, prepared store.Ask) string {
		t.Helper()
		id, _, _ := strings.Cut(prepared.Subject.ID, "/")
		if _, err := s.Tasks().Add(t.Context(), agentOf("/p"), tasks.Addition{Plan: id, Seed: taskSeed("late")}); err != nil {
			t.Fatal(err)
		}
		return ""
	}
	approvesElsewhere := func(t *testing.T, s *store.Store, prepared store.Ask) string {
		prepared.Session = newSession(t, s, "/p").ID
		id, _, _ := strings.Cut(prepared.Subject.ID, "/")
		whole, err := s.Tasks().Plan(t.Context(), agentOf("/p"), id)
		if err != nil {
			t.Fatal(err)
		}
		whole.Session = prepared.Session
		approve(t, s, tasks.Proposed{Whole: whole})
		return ""
	}
	for _, test := range []struct {
		name     string
		amends   bool // the review is one of changes of an active plan
		overtake func(*testing.T, *store.Store, store.Ask) (told string)
		want     string // the error; empty: what overtook it is told
	}{
		{"approved", false, verdict(review.Approve), ""},
		{"changes requested", false, verdict(review.RequestChanges), ""},
		{"approved in another session", false, approvesElsewhere, "cannot-approve-active: "},
		{"proposed anew", false, proposes("a", "c"), "cannot-approve-changed: "},
		{"cancelled", false, cancels, "cannot-approve-cancelled: "},
		{"changes approved", true, verdict(review.Approve), ""},
		{"changes proposed anew", true, proposes("a", "c", "d"), "cannot-approve-changed: "},
		{"a task added", true, adds, "cannot-approve-changed: "},
		{"an active plan cancelled", true, cancels, "cannot-approve-cancelled: "},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			ctx, engine := t.Context(), kvtest.NewMap()
			s, other := approvingStore(engine), approvingStore(engine)
			plan := proposeTasks(t, s, newSession(t, s, "/p").ID, "", "a", "b")
			if test.amends {
				if err := s.Deliver(ctx, approve(t, s, plan).ID); err != nil {
					t.Fatal(err)
				}
				proposeTasks(t, s, plan.Session, plan.ID, "c")
			}
			prepared, err := s.ReviewTasks(ctx, agentOf("/p"), plan.ID, store.TaskReview{})
			if err != nil {
				t.Fatal(err)
			}
			told := test.overtake(t, other, prepared)
			got, _, err := s.OpenAsk(ctx, prepared)
			switch {
			case test.want == "" && (err != nil || got.ID != told || got.Open()):
				t.Errorf("opened %s, %s, %v; the verdict is that of %s", got.ID, got.Outcome.State, err, told)
			case test.want != "" && (rules.CodeOf(err) != rules.CodeConflict || !strings.HasPrefix(err.Error(), test.want)):
				t.Errorf("opened %s: %v", got.ID, err)
			}
			if open, err := s.Waiting(ctx); err != nil || len(open) != 0 {
				t.Errorf("%d reviews are open, %v", len(open), err)
			}
		})
	}
}

// A later version of a plan of tasks has only what changes. It is compared with the same tasks as
// the person approved them, or with what they sent back last.
func TestWhatAVersionOfTasksIsComparedWith(t *testing.T) {
	ctx := t.Context()
	s := approvingStore(kvtest.NewMap())
	by := agentOf("/p")
	plan := proposeTasks(t, s, newSession(t, s, "/p").ID, "", "a", "b")
	reviewed := func(verdict review.Verdict, edit func(string) string) (number int, text string) {
		t.Helper()
		asked, err := s.ReviewTasks(ctx, by, plan.ID, store.TaskReview{})
		if err != nil {
			t.Fatal(err)
		}
		ask, _, err := s.OpenAsk(ctx, asked)
		if err != nil {
			t.Fatal(err)
		}
		number = ask.Spec.Plan.Number
		read, err := s.PlanText(ctx, ask.Session, number)
		if err != nil {
			t.Fatal(err)
		}
		var edited safe.Text
		if edit != nil {
			edited = safe.New(edit(read.Raw()))
			if _, _, err := s.SavePlanEdit(ctx, store.PlanID{Session: ask.Session, Number: number}, edited.Raw()); err != nil {
				t.Fatal(err)
			}
		}
		said := review.Review{Verdict: verdict}
		if verdict == review.RequestChanges {
			said.Note = safe.New("Not yet.")
		}
		if _, err := s.Settle(ctx, ask.ID, says(t, said, read, edited)); err != nil {
			t.Fatal(err)
		}
		if err := s.Deliver(ctx, ask.ID); err != nil {
			t.Fatal(err)
		}
		return number, read.Raw()
	}
	rewords := func(title string, added ...string) {
		t.Helper()
		b := taskSeed("b")
		b.Title, b.DependsOn = safe.New(title), []string{"a"}
		p := tasks.Proposal{Replaces: plan.ID, Proposal: rules.Proposal{Title: safe.New("Auth"), Items: []rules.Item{{Seed: b}}}}
		for _, key := range added {
			p.Items = append(p.Items, rules.Item{Seed: taskSeed(key)})
		}
		if _, err := s.Tasks().Propose(ctx, by, p); err != nil {
			t.Fatal(err)
		}
	}
	headings := func(text string) (list []string) {
		for line := range strings.Lines(text) {
			if heading, found := strings.CutPrefix(line, "## "); found {
				list = append(list, strings.TrimSpace(heading))
			}
		}
		return list
	}
	compared := func(number int, want ...string) {
		t.Helper()
		versions, err := s.Plans(ctx, plan.Session)
		if err != nil {
			t.Fatal(err)
		}
		before, _ := store.PlanBefore(versions, number)
		text, err := s.PlanAsBefore(ctx, plan.Session, before, number)
		if got := headings(text.Raw()); err != nil || !slices.Equal(got, want) || !strings.HasPrefix(text.Raw(), "# Auth\n") {
			t.Errorf("v%d is compared with v%d as %q, %v", number, before, text.Raw(), err)
		}
	}
	reviewed(review.Approve, func(text string) string { return strings.Replace(text, "Write b", "Write b well", 1) })
	compared(2, "Write a {#a}", "Write b {#b}") // the edit, with what was edited
	rewords("Write b fast", "c")
	sentBack, text := reviewed(review.RequestChanges, nil)
	if got := headings(text); !slices.Equal(got, []string{"Write b fast {#b}", "Write c {#c}"}) {
		t.Fatalf("the review of the changes has %q", got)
	}
	compared(sentBack, "Write b well {#b}")
	rewords("Write b slowly", "c")
	number, _ := reviewed(review.Approve, nil)
	compared(number, "Write b fast {#b}", "Write c {#c}")
	rewords("Write b at night")
	number, _ = reviewed(review.Approve, nil)
	compared(number, "Write b slowly {#b}")

	// A story counts the same lines.
	story, err := timeline.Read(ctx, s, plan.Session)
	if err != nil {
		t.Fatal(err)
	}
	for detail, err := range story.Details(ctx, s, number) {
		if err != nil || !detail.Counted || detail.Added != 1 || detail.Removed != 1 {
			t.Errorf("the story counts %+v, %v", detail, err)
		}
	}
}

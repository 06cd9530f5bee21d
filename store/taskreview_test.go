package store_test

import (
	"strings"
	"testing"

	"planb/plans"
	rules "planb/plans/tasks"
	"planb/store"
	"planb/store/kv/kvtest"
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

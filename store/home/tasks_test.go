package home_test

import (
	"slices"
	"testing"

	"planb/plans"
	"planb/plans/review"
	rules "planb/plans/tasks"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/store/home"
	"planb/store/machine"
	"planb/store/tasks"
)

// TestAReviewApprovesTasks holds that a store as it is opened can read the review that
// approves a plan of tasks, and that it keeps where the screen stood (T21).
func TestAReviewApprovesTasks(t *testing.T) {
	ctx := t.Context()
	st, err := home.At(t.TempDir(), home.Options{By: "person@desk", Env: func(name string) string { return map[string]string{"TMUX_PANE": "%7"}[name] }}).Open(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	agent := tasks.Caller{Actor: rules.Agent, Name: "Claude Code"}
	_, err = st.Tasks().CreateProject(ctx, agent, "Shop", "")
	must(err)
	proposal, err := rules.ReadProposal([]byte(`{"title":"Auth","tasks":[{"title":"Write it"}]}`), nil)
	must(err)
	plan, err := st.Tasks().Propose(ctx, agent, tasks.Proposal{Proposal: proposal})
	must(err)
	text, err := st.Tasks().Text(ctx, plan.Whole)
	must(err)
	session, err := st.CreateSession(ctx, store.Session{})
	must(err)
	version, _, err := st.SavePlan(ctx, session.ID, "", text.Raw())
	must(err)
	ask, _, err := st.OpenAsk(ctx, store.Ask{
		Session: session.ID, Subject: store.Subject{Kind: tasks.SubjectKind, ID: tasks.SubjectOf(plan.Whole)},
		Spec: questions.ReviewOf(plan.Title, questions.PlanRef{Number: version.Number, Digest: version.Digest}),
	})
	must(err)
	said, err := review.Brief(plans.Digest(text), review.Approve, safe.Text{}).JSON()
	must(err)
	_, err = st.Settle(ctx, ask.ID, questions.Outcome{State: questions.Answered, Reply: questions.Reply{
		Answers: map[string]questions.Value{questions.ReviewID: questions.TextValue(string(said))},
	}})
	must(err)
	got, err := st.Tasks().Plan(ctx, agent, plan.ID)
	if err != nil || got.Status != rules.PlanActive {
		t.Fatalf("the plan is %s, %v", got.Status, err)
	}
	if given := got.Approval.Given; given.Pane != "%7" || !slices.Equal(given.Above, machine.Above()) {
		t.Errorf("it was given in %+v", given)
	}
}

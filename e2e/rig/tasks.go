package rig

import (
	"context"
	"testing"

	"planb/plans"
	"planb/plans/review"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/store/tasks"
)

// ApprovePlan approves a proposed plan in the program's store, without a screen and in a
// session of its own, so that no agent is told of it.
func ApprovePlan(t testing.TB, dataDir, plan string) {
	t.Helper()
	st, closed := storeUntil(t, dataDir, person(t))
	defer closed()
	session, err := st.CreateSession(t.Context(), store.Session{})
	if err != nil {
		t.Fatal(err)
	}
	whole, err := st.Tasks().Plan(t.Context(), tasks.Caller{}, plan)
	if err == nil {
		err = ApproveTasks(t.Context(), st, session.ID, whole)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// ApproveTasks settles the review of a proposed plan as a person's screen does.
func ApproveTasks(ctx context.Context, st *store.Store, session string, plan tasks.Whole) error {
	text, err := st.Tasks().Text(ctx, plan)
	if err != nil {
		return err
	}
	version, _, err := st.SavePlan(ctx, session, "", text.Raw())
	if err != nil {
		return err
	}
	ask, _, err := st.OpenAsk(ctx, store.Ask{
		Session: session, Subject: store.Subject{Kind: tasks.SubjectKind, ID: tasks.SubjectOf(plan)},
		Spec: questions.ReviewOf(plan.Title, questions.PlanRef{Number: version.Number, Digest: version.Digest}),
	})
	if err != nil {
		return err
	}
	outcome, err := Approval(text)
	if err != nil {
		return err
	}
	_, err = st.Settle(ctx, ask.ID, outcome)
	return err
}

// Approval is what a person says who approves a text as they read it.
func Approval(text safe.Text) (questions.Outcome, error) {
	said, err := review.Brief(plans.Digest(text), review.Approve, safe.Text{}).JSON()
	return questions.Outcome{State: questions.Answered, Reply: questions.Reply{
		Answers: map[string]questions.Value{questions.ReviewID: questions.TextValue(string(said))},
	}}, err
}

package planning

import (
	"planb/mcp/wait/dialog"
	"planb/plans/review"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
)

// The fields of a review's dialog, and what they may hold. Clients that can show plans know
// them by these names.
const (
	decisionField = "decision"
	feedbackField = "feedback"
	approveChoice = "approve"
	denyChoice    = "deny"
)

// newReviewDialog is a review as a client's own dialog, with the fields that clients that
// can show plans know. It has no comments on single lines.
func newReviewDialog(ask store.Ask) dialog.Form {
	plan := *ask.Spec.Plan
	named := plan.Path
	if named == "" {
		named = ask.Spec.Title.Line()
	}
	options := []questions.Option{{Value: safe.New(approveChoice)}, {Value: safe.New(denyChoice)}}
	return dialog.Form{
		Spec: questions.Spec{Title: ask.Spec.Title, Questions: []questions.Question{
			{ID: decisionField, Kind: questions.Single, Options: options, Required: true},
			{ID: feedbackField, Kind: questions.LongText},
		}},
		Message: "Approve plan " + dialog.Shortened(safe.New(named).Line(), dialog.MaxTitle) + "? Review the markdown and choose approve or deny.\n" +
			"To read it with comments line by line, cancel this and run in a terminal:  planb tui ask " + store.ShortID(ask.ID),
		Fields: []dialog.Field{
			{ID: decisionField, Name: decisionField, Label: "Decision", Choices: []string{approveChoice, denyChoice}, Values: []string{approveChoice, denyChoice}, Required: true},
			{ID: feedbackField, Name: feedbackField, Label: "Feedback", Beside: "what should change, if you deny it"},
		},
		Meta: map[string]any{
			"ui": "planReview", "planPath": plan.Path, "title": "Review " + safe.New(named).Line(),
		},
		Answer: func(entered questions.Reply) (questions.Reply, error) { return dialogReview(plan, entered) },
	}
}

// dialogReview turns the fields of the dialog into a review.
func dialogReview(plan questions.PlanRef, entered questions.Reply) (questions.Reply, error) {
	decision, _ := entered.Answers[decisionField].Text()
	feedback, _ := entered.Answers[feedbackField].Text()
	verdict := review.Verdict("")
	switch decision {
	case approveChoice:
		verdict = review.Approve
	case denyChoice:
		verdict = review.RequestChanges
	}
	said, err := review.Brief(plan.Digest, verdict, safe.New(feedback)).JSON()
	if err != nil {
		return questions.Reply{}, err
	}
	return questions.Reply{Answers: map[string]questions.Value{questions.ReviewID: questions.TextValue(string(said))}}, nil
}

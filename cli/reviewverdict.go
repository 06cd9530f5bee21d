package cli

import (
	"context"
	"planb/plans"
	"planb/plans/review"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"

	sdk "github.com/mark3labs/mcp-go/mcp"
)

// reviewTitle returns the title that a person knows the plan by: its heading,
// else the file's name.
func reviewTitle(text safe.Text, file string) safe.Text {
	if heading := plans.Heading(text); !heading.Blank() && len(heading.Raw()) <= questions.MaxTitleBytes {
		return heading
	}
	if file == "-" {
		file = "The plan"
	}
	return safe.New(file)
}

// undeliveredReview returns the review of this version that the person finished after
// its caller had stopped waiting; the zero Ask if there is none.
func undeliveredReview(ctx context.Context, st *store.Store, plan store.Plan, client sdk.Implementation) (store.Ask, error) {
	due, err := st.Due(ctx, plan.Session)
	if err != nil {
		return store.Ask{}, err
	}
	for _, ask := range due {
		of := ask.Spec.Plan
		if of != nil && of.Number == plan.Number && ask.Undelivered() && ask.Client.Name.Raw() == client.Name {
			return ask, nil
		}
	}
	return store.Ask{}, nil
}

// noVerdict says how a review without a verdict ended.
func noVerdict(ask store.Ask) string {
	message := ask.Outcome.Message.Line()
	said := ""
	if message != "" {
		said = ": " + message
	}
	switch ask.Outcome.State {
	case questions.Declined:
		return "declined" + said
	case questions.Discuss:
		return "not finished" + said
	case questions.Withdrawn:
		if ask.Outcome.Next != "" {
			return "the plan was submitted again; the new version is under review now"
		}
		return "the review was withdrawn" + said
	}
	return "left without a verdict; the review is kept, finish it with  planb tui ask " + store.ShortID(ask.ID)
}

// reviewIn parses the person's words out of an answered review.
func reviewIn(ask store.Ask) (review.Review, error) {
	text, _ := ask.Outcome.Reply.Answers[questions.ReviewID].Text()
	return review.Parse([]byte(text))
}

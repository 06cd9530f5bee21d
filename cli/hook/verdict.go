package hook

import (
	"context"

	sdk "github.com/mark3labs/mcp-go/mcp"

	"planb/plans"
	"planb/plans/review"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
)

// Title returns the title that a person knows the plan by: its heading,
// else the file's name.
func Title(text safe.Text, file string) safe.Text {
	if heading := plans.Heading(text); !heading.Blank() && len(heading.Raw()) <= questions.MaxTitleBytes {
		return heading
	}
	if file == "-" {
		file = "The plan"
	}
	return safe.New(file)
}

// Undelivered returns the review of this version that the person finished after
// its caller had stopped waiting; the zero Ask if there is none.
func Undelivered(ctx context.Context, st *store.Store, plan store.Plan, client sdk.Implementation) (store.Ask, error) {
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

// WithoutVerdict says how a review without a verdict ended.
func WithoutVerdict(ask store.Ask) string {
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

// Said parses the person's words out of an answered review.
func Said(ask store.Ask) (review.Review, error) {
	text, _ := ask.Outcome.Reply.Answers[questions.ReviewID].Text()
	return review.Parse([]byte(text))
}

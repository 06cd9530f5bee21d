package hook

import (
	"context"
	"encoding/json"
	"errors"

	sdk "github.com/mark3labs/mcp-go/mcp"

	"planb/plainjson"
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

// hookOutput turns the review's outcome into the hook's output. The error says why
// there is no decision.
func hookOutput(ctx context.Context, st *store.Store, ask store.Ask, event claudeEvent, input map[string]json.RawMessage, text safe.Text) ([]byte, error) {
	var out claudeAnswer
	out.Output.Event = event.Event
	decision := &out.Output.Decision
	switch ask.Outcome.State {
	case questions.Answered:
		said, err := Said(ask)
		if err != nil {
			return nil, err
		}
		if !said.Approved() {
			decision.Behavior, decision.Message = "deny", said.Plain().Raw()
			break
		}
		approved, err := approvedText(ctx, st, ask, said, text)
		if err != nil {
			return nil, err
		}
		decision.Behavior = "allow"
		if decision.Input, err = inputWith(event, input, text, approved); err != nil {
			return nil, err
		}
	case questions.Discuss:
		decision.Behavior = "deny"
		decision.Message = "The user has not decided on the plan yet, and says: " + ask.Outcome.Message.Raw() + "\n\nReply to that first; the plan is not approved."
		text, _ := ask.Outcome.Reply.Answers[questions.ReviewID].Text()
		if words := review.InWords(text); text != "" && !words.Feedback.Blank() {
			decision.Message += " What they have said of it so far is unfinished:\n\n" + words.Feedback.Raw()
		}
	default:
		return nil, errors.New(WithoutVerdict(ask))
	}
	line, err := plainjson.Marshal(out)
	return append(line, '\n'), err
}

package hook

import (
	"planb/plans/review"
	"planb/questions"
	"planb/store"
)

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

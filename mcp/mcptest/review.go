package mcptest

import (
	"testing"

	"planb/mcp"
	"planb/plans"
	"planb/plans/review"
	"planb/questions"
	"planb/questions/safe"
)

// ReviewedPlan is the plan of Planned.
const ReviewedPlan = "# Harbour\n\n1. Dig.\n2. Fill with water.\n"

// WithReviews offers the tools of reviews, too.
func WithReviews(cfg *mcp.Config) { cfg.Toolsets = []string{"session", "review"} }

// Planned is a session with a plan, and a client that may submit it.
func Planned(t testing.TB, change func(*mcp.Config)) (*World, *Client, string) {
	t.Helper()
	w := NewWorld(t, func(cfg *mcp.Config) {
		WithReviews(cfg)
		if change != nil {
			change(cfg)
		}
	})
	c := Connect(t, w.Server)
	c.Initialize("test")
	session := c.Session()
	c.Tool("save_plan", map[string]any{"sessionId": session, "plan": ReviewedPlan})
	return w, c, session
}

// Says is the outcome of a person who has reviewed the plan.
func Says(t testing.TB, text string, said review.Review) questions.Outcome {
	t.Helper()
	return SaysOfEdit(t, text, "", said)
}

// SaysOfEdit is Says of a person who has edited the plan in the review.
func SaysOfEdit(t testing.TB, text, edited string, said review.Review) questions.Outcome {
	t.Helper()
	said.Digest = plans.Digest(safe.New(text))
	whole, err := said.Complete(safe.New(text), safe.New(edited))
	if err != nil {
		t.Fatal(err)
	}
	data, err := whole.JSON()
	if err != nil {
		t.Fatal(err)
	}
	return questions.Outcome{State: questions.Answered, By: "you@example", Reply: questions.Reply{
		Answers: map[string]questions.Value{questions.ReviewID: questions.TextValue(string(data))},
	}}
}

// Comment is a remark on a line of the text.
func Comment(t testing.TB, text string, line int, says string) review.Comment {
	t.Helper()
	c, err := review.CommentOn(safe.New(text), line, line)
	if err != nil {
		t.Fatal(err)
	}
	c.ID, c.Kind, c.Text = "c1", review.Remark, safe.New(says)
	return c
}

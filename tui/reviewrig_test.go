package tui

import (
	"crypto/rand"
	"errors"
	"testing"
	"time"

	"planb/plans"
	"planb/plans/review"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/tui/ask"
)

// reviewedPlan has everything a plan has.
const reviewedPlan = `# Orders leave every night

Orders leave as **CSV**, once a night. The bank reads them
before six in the morning.

## Why

- nobody types them any more
- the bank asked for it
  twice

## How

1. Read the orders.
2. Write the file.
3. Send it.

` + "```go\nfunc main() {\n\tfmt.Println(\"orders\")\n}\n```" + `

| file | rows |
|---|---:|
| orders | 1200 |
| totals | 1 |

## Risks

> The bank may change its mind.

Nobody owns the key.
`

// reviewAsk saves a text as the next version of a session's plan and asks for its
// review.
func (w *baseWorld) reviewAsk(session store.Session, text, since string) store.Ask {
	w.t.Helper()
	return w.reviewAt("", session, text, since)
}

// reviewAt is reviewAsk for a place.
func (w *world) reviewAt(place string, session store.Session, text, since string) store.Ask {
	w.t.Helper()
	plan, _, err := w.store.SavePlan(w.t.Context(), session.ID, "", text)
	if err != nil {
		w.t.Fatal(err)
	}
	ask, attached, err := w.store.OpenAsk(w.t.Context(), store.Ask{
		Session: session.ID, Place: place, Client: session.Client, Timeout: time.Hour,
		Spec: questions.ReviewOf(safe.New("Orders leave every night"), questions.PlanRef{
			Number: plan.Number, Digest: plan.Digest, Since: since, Path: "/home/you/shop/docs/planb/plans/orders-plan.md",
		}),
	})
	if err != nil || attached {
		w.t.Fatal(err, attached)
	}
	w.hold(store.WaitClaim(ask.ID, "server"))
	return ask
}

// reviewInput is what an askScreen gives the form of a review.
func (w *world) reviewInput(review store.Ask) formInput { return w.opened(review.ID, false) }

// opened is what an askScreen gives the form of an ask.
func (w *world) opened(id string, readOnly bool) formInput {
	w.t.Helper()
	host := ask.NewHost(w.store, ask.Options{ID: id, ReadOnly: readOnly, By: "you@desk"})
	opened, err := host.Start()
	if err = errors.Join(err, host.Close(w.t.Context(), ask.Left)); err != nil {
		w.t.Fatal(err)
	}
	return formInput{Input: opened.Input, Now: w.clock}
}

// reviewRig is a form that reviews a text.
func reviewRig(t *testing.T, text string, width, height int) *formRig {
	t.Helper()
	w := newWorld(t)
	return rig(t, w.reviewInput(w.reviewAsk(w.session("Nightly export", "/home/you/shop"), text, "")), width, height)
}

// reviewed settles an ask with a review of its plan.
func (w *baseWorld) reviewed(ask store.Ask, text string, verdict review.Verdict, comments ...review.Comment) {
	w.t.Helper()
	r := review.Review{Digest: plans.Digest(safe.New(text)), Verdict: verdict, Comments: comments}
	done := must(r.Complete(safe.New(text), safe.Text{}))
	if _, err := w.store.Settle(w.t.Context(), ask.ID, questions.Outcome{State: questions.Answered, At: w.now, By: "you@desk", Reply: questions.Reply{
		Answers: map[string]questions.Value{questions.ReviewID: questions.TextValue(string(must(done.JSON())))},
	}}); err != nil {
		w.t.Fatal(err)
	}
}

// on is a comment on lines of a text.
func on(t *testing.T, text string, from, to int, kind review.Kind, said string) review.Comment {
	t.Helper()
	c := must(review.On(safe.New(text), from, to))
	c.ID, c.Kind, c.Text = rand.Text(), kind, safe.New(said)
	return c
}

// reviewVerdict is the verdict of an outcome; false if that is no review.
func reviewVerdict(o questions.Outcome) (review.Verdict, bool) {
	text, ok := o.Reply.Answers[questions.ReviewID].Text()
	if !ok || o.State != questions.Answered {
		return "", false
	}
	r, err := review.Parse([]byte(text))
	return r.Verdict, err == nil && r.Verdict != ""
}

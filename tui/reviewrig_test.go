package tui

import (
	"errors"
	"testing"

	"planb/plans/review"
	"planb/questions"
	"planb/store"
	"planb/themes"
	"planb/tui/ask"
)

// reviewed is a form with the plan that it is about.
type reviewed struct {
	formInput
	Plan *review.Subject
}

// rigReview is a form that reviews a plan.
func rigReview(t testing.TB, in reviewed, width, height int) *formRig {
	t.Helper()
	return rigReviewIn(t, in, width, height, themes.Default(true))
}

func rigReviewIn(t testing.TB, in reviewed, width, height int, theme themes.Theme) *formRig {
	t.Helper()
	about := func(h host) body { return newReviewBody(h, reviewInput{Subject: *in.Plan}) }
	return rigAbout(t, in.formInput, about, width, height, theme)
}

// reviewInput is what an askScreen gives the form of a review.
func (w *world) reviewInput(review store.Ask) reviewed { return w.opened(review.ID, false) }

// opened is what an askScreen gives the form of an ask.
func (w *world) opened(id string, readOnly bool) reviewed {
	w.T.Helper()
	opened := w.openedAsk(id, readOnly)
	in := inputOf(opened)
	in.Now = w.Clock
	return reviewed{in, opened.Plan}
}

func (w *world) openedAsk(id string, readOnly bool) ask.Input {
	w.T.Helper()
	host := ask.NewHost(w.Store, ask.Options{ID: id, ReadOnly: readOnly, By: "you@desk"})
	opened, err := host.Start()
	if err = errors.Join(err, host.Close(w.T.Context(), ask.Left)); err != nil {
		w.T.Fatal(err)
	}
	return opened.Input
}

// reviewRig is a form that reviews a text.
func reviewRig(t *testing.T, text string, width, height int) *formRig {
	t.Helper()
	w := newWorld(t)
	return rigReview(t, w.reviewInput(w.ReviewAsk(w.Session("Nightly export", "/home/you/shop"), text, "")), width, height)
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

// reviewOf is the review that a form has in place of questions.
func reviewOf(f *form) *reviewBody { return f.body.(*reviewBody) }

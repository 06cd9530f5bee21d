package review

import (
	"strings"
	"testing"

	"planb/plans/review"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/tui/tuitest"
)

// A comment that the agent says it has carried out is settled unless the person insists. The
// others go back.
func TestReviewOfNotesThatAreDone(t *testing.T) {
	w := tuitest.NewWorld(t)
	session := w.Session("Nightly export", "/home/you/shop")
	first := w.ReviewAsk(session, tuitest.ReviewedPlan, "")
	done := tuitest.Comment(t, tuitest.ReviewedPlan, 8, 8, review.Remark, "Say so in the log, too.")
	open := tuitest.Comment(t, tuitest.ReviewedPlan, 14, 14, review.Remark, "In one transaction.")
	w.Reviewed(first, tuitest.ReviewedPlan, review.ApproveWithNotes, done, open)
	plan := *tuitest.Must(w.Store.Ask(t.Context(), first.ID)).Spec.Plan
	plan.Since, plan.Done = first.ID, []string{done.ID}
	ask, _, err := w.Store.OpenAsk(t.Context(), store.Ask{Session: session.ID, Client: session.Client, Spec: questions.ReviewOf(safe.New("Orders leave every night"), plan)})
	if err != nil {
		t.Fatal(err)
	}
	r := rigReview(t, reviewInput(w, ask), 100, 60)
	screen := r.screen()
	for _, want := range []string{"earlier comment   ✓ done, says the agent", "earlier comment   ↩ not addressed, sent again"} {
		if !strings.Contains(screen, want) {
			t.Errorf("it does not show %q:\n%s", want, screen)
		}
	}
	if got := r.body.State.Review.Comments; len(got) != 1 || got[0].ID != open.ID {
		t.Errorf("what goes back is %+v", got)
	}
}

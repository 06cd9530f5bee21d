package tui

import (
	"os"
	"strings"
	"testing"

	"planb/plans"
	"planb/plans/review"
	"planb/questions"
	"planb/questions/safe"
	"planb/tui/form"
	"planb/tui/tuitest"
)

func TestReviewIsSettledByKeys(t *testing.T) {
	w := newWorld(t)
	session := w.Session("Nightly export", "/home/you/shop")
	ask := w.ReviewAsk(session, tuitest.ReviewedPlan, "")
	d, h := w.host(askPlan{id: ask.ID})
	d.press("c", "H", "m", "ctrl+s")
	tuitest.Poll(t, "the comment to be saved", func() bool {
		entry, ok, err := w.Store.Entry(t.Context(), ask.ID)
		return err == nil && ok && strings.Contains(entry.Fields[questions.ReviewID].Text.Raw(), `"Hm"`)
	})
	d.press("r")
	d.ready(h)
	d.press("ctrl+s")
	parting := d.end()
	got := w.Stored(ask.ID).Outcome
	if v, ok := reviewVerdict(got); !ok || v != review.RequestChanges || got.By != "you@desk" {
		t.Errorf("the store holds %+v", got)
	}
	if want := "Changes requested: v1, sent to Claude Code · shop"; len(parting) != 1 || parting[0] != want {
		t.Errorf("printed %q, want %q", parting, want)
	}
}

// What a person makes of a plan in their editor goes with the review, and is a
// version before the review says that it is there.
func TestReviewWithAnEdit(t *testing.T) {
	w := newWorld(t)
	session := w.Session("Nightly export", "/home/you/shop")
	ask := w.ReviewAsk(session, tuitest.ReviewedPlan, "")
	r := w.rigReview(ask.ID, []string{"EDITOR=true"}, 80, 24).keys("e")
	ready, ok := tuitest.Last[form.EditorReady](r.Holder)
	if !ok || ready.Err != nil {
		t.Fatalf("e does not open the editor: %+v", ready)
	}
	if text, err := os.ReadFile(ready.Path); err != nil || string(text) != tuitest.ReviewedPlan || os.Remove(ready.Path) != nil {
		t.Fatalf("the editor gets %q, %v", text, err)
	}
	edited := strings.Replace(tuitest.ReviewedPlan, "Nobody owns", "Ada owns", 1)
	r.Send(ready.Return(edited, nil))
	again := r.form.Entry()
	if !strings.Contains(r.Text(), "Your edit goes with the review") || r.review.Entry().Edited.Raw() != edited {
		t.Fatalf("the edit is %q:\n%s", r.review.Entry().Edited.Raw(), r.Text())
	}
	r.keys("d")
	if !strings.Contains(r.Text(), "v1 → your edit") || !strings.Contains(r.Text(), "Ada owns") {
		t.Errorf("d does not show it:\n%s", r.Text())
	}
	r.keys("esc u")
	if !r.review.Entry().Edited.IsZero() {
		t.Error("u does not take it back")
	}

	w.Now = tuitest.Moment
	if err := w.Store.SaveEntry(t.Context(), ask.ID, again); err != nil {
		t.Fatal(err)
	}
	d, h := w.host(askPlan{id: ask.ID})
	d.press("a")
	d.ready(h)
	d.press("enter")
	d.end()
	text, _ := w.Stored(ask.ID).Outcome.Reply.Answers[questions.ReviewID].Text()
	got := tuitest.Must(review.Parse([]byte(text)))
	if got.Edited != plans.Digest(safe.New(edited)) || !strings.Contains(got.Feedback.Raw(), "+Ada owns the key.") {
		t.Errorf("the store holds %+v", got)
	}
	if text, err := w.Store.PlanText(t.Context(), session.ID, 2); err != nil || text.Raw() != edited {
		t.Errorf("v2 is %q, %v", text.Raw(), err)
	}
}

// A plan that is approved in part is not said to be approved.
func TestAPartlyApprovedPlanIsReadAsThat(t *testing.T) {
	w := newWorld(t)
	ask := w.ReviewAsk(w.Session("Nightly export", ""), tuitest.ReviewedPlan, "")
	d, h := w.host(askPlan{id: ask.ID})
	d.press("n", "n", "h", "a")
	d.ready(h)
	d.press("enter")
	d.end()
	if screen := seen(w.screenOf(ask.ID, 80)); !strings.Contains(screen, "Approved in part at 14:07 by you@desk") {
		t.Errorf("it is read as\n%s", screen)
	}
	if w.Stored(ask.ID).Outcome.State != questions.Answered {
		t.Error("it was not sent")
	}
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

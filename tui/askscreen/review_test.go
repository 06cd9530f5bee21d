package askscreen

import (
	"strings"
	"testing"
	"time"

	"planb/plans/review"
	"planb/questions"
	"planb/tui/tuitest"
)

func TestReviewIsSettledByKeys(t *testing.T) {
	t.Parallel()
	tuitest.InBubble(t, func(t *testing.T) {
		w := newWorld(t)
		session := w.Session("Nightly export", "/home/you/shop")
		ask := w.ReviewAsk(session, tuitest.PlainPlan, "")
		d, h := w.host(Options{ID: ask.ID})
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
	})
}

// A plan that is approved in part is not called approved.
func TestAPartlyApprovedPlanIsReadAsThat(t *testing.T) {
	t.Parallel()
	tuitest.InBubble(t, func(t *testing.T) {
		w := newWorld(t)
		ask := w.ReviewAsk(w.Session("Nightly export", ""), tuitest.PlainPlan, "")
		d, h := w.host(Options{ID: ask.ID})
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
	})
}

// A review shows what the plan cites, in the plan and in what changed: an id says nothing to the
// person.
func TestReviewShowsTheAnswersThatThePlanCites(t *testing.T) {
	t.Parallel()
	tuitest.InBubble(t, func(t *testing.T) {
		w := newWorld(t)
		session := w.Session("Names", "")
		asked := w.Ask(session, "The new ship", "")
		w.Now = w.Now.Add(time.Minute)
		if _, err := w.Store.Settle(t.Context(), asked.ID, questions.Outcome{State: questions.Answered, Reply: tuitest.TextReply("Vega"), By: "you@desk", At: w.Now}); err != nil {
			t.Fatal(err)
		}
		w.Now = w.Now.Add(time.Minute)
		first := w.ReviewAsk(session, "# Ships\n\nThe first is Vega [q:name].\n", "")
		w.Reviewed(first, "# Ships\n\nThe first is Vega [q:name].\n", review.RequestChanges)
		again := w.ReviewAsk(session, "# Ships\n\nThe first is the Vega [q:name].\n", first.ID)
		d, _ := w.host(Options{ID: again.ID})
		d.press("m")
		d.shows("what changed", "(answer: Vega).")
		d.press("esc")
		d.shows("the plan", "The first is the Vega (answer: Vega).")
		d.press("esc", "l")
		d.end()
	})
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

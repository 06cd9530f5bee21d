package wording

import (
	"strings"
	"testing"
	"time"

	"planb/plans"
	"planb/plans/review"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/tui/tuitest"
)

func TestAskText(t *testing.T) {
	spec := questions.Spec{Title: safe.New("Storage"), Questions: []questions.Question{
		{ID: "db", Kind: questions.Single, Label: safe.New("Which?"), Options: []questions.Option{
			{Value: safe.New("s"), Label: safe.New("SQLite")}, {Value: safe.New("p")},
		}},
		{ID: "parts", Kind: questions.Multi, Label: safe.New("Parts?"), Options: []questions.Option{{Value: safe.New("a"), Label: safe.New("All")}}},
		{ID: "risk", Kind: questions.Scale, Label: safe.New("Risk?")},
		{ID: "why", Kind: questions.LongText, Label: safe.New("Why?")},
	}}
	at := tuitest.Moment.Add(5 * time.Minute)
	ask := store.Ask{
		Spec: spec, Created: tuitest.Moment, Client: store.Client{Title: safe.New("Codex")},
		Outcome: questions.Outcome{State: questions.Discuss, At: at, By: "ann@desk", Message: safe.New("More?"), Reply: questions.Reply{
			Answers: map[string]questions.Value{
				"db": questions.TextValue("s"), "parts": questions.ItemsValue("a", "their own"), "why": questions.TextValue("one\ntwo"),
			},
			Notes: map[string]safe.Text{"risk": safe.New("cannot tell")}, Note: safe.New("in a hurry"),
		}},
		TooLate: []questions.Outcome{{State: questions.Answered, At: at.Add(time.Minute), By: "bob@home", Reply: questions.Reply{
			Answers: map[string]questions.Value{"risk": questions.NumberValue(2.5)},
		}}},
	}
	const want = `Storage
asked 2026-11-20 14:07 by Codex
Replied to without finishing 2026-11-20 14:12 by ann@desk
No agent was told yet.

Which?
  SQLite

Parts?
  All, their own

Risk?
  (left open)
  Note: cannot tell

Why?
  one
  two

Note: in a hurry

Message: More?

Too late, answered 2026-11-20 14:13 by bob@home:

Risk?
  2.5
`
	if got := AskText(ask, tuitest.Moment.Location()).Raw(); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
	imported := store.Ask{Spec: questions.Spec{Title: safe.New("Odd"), Questions: spec.Questions[3:]}, Created: tuitest.Moment, Outcome: questions.Outcome{
		State: questions.Answered, Reply: questions.Reply{Answers: map[string]questions.Value{
			"why": questions.TextValue(""), "b": questions.NumberValue(1), "a\nb": questions.TextValue("one\ntwo"),
		}},
	}}
	const odd = "Odd\nasked 2026-11-20 14:07\nAnswered\nNo agent was told yet.\n\nWhy?\n  (left open)\n\na↵b (not in the form)\n  one\n  two\n\nb (not in the form)\n  1\n"
	if got := AskText(imported, tuitest.Moment.Location()).Raw(); got != odd {
		t.Errorf("got:\n%s\nwant:\n%s", got, odd)
	}
	for state, want := range map[questions.State]string{
		"": "not answered yet", questions.Pending: "not answered yet", questions.Expired: "not answered in time",
		questions.Withdrawn: "withdrawn", "postponed": "in the state postponed",
	} {
		if got := became(store.Ask{}, questions.Outcome{State: state}, time.UTC); got != want {
			t.Errorf("%q became %q", state, got)
		}
	}
}

// Wherever a review is told in words, nobody sees its JSON.
func TestReviewInWords(t *testing.T) {
	w := tuitest.NewWorld(t)
	ask := w.ReviewAsk(w.Session("Nightly export", ""), tuitest.ReviewedPlan, "")
	c := tuitest.Comment(t, tuitest.ReviewedPlan, 15, 15, review.Deletion, "It is written elsewhere.")
	half := review.Review{Digest: plans.Digest(safe.New(tuitest.ReviewedPlan)), Note: safe.New("Hm."), Comments: []review.Comment{c}}
	w.Reviewed(ask, tuitest.ReviewedPlan, review.RequestChanges, c)
	stored := w.Stored(ask.ID)
	stored.TooLate = []questions.Outcome{{State: questions.Discuss, Message: safe.New("Not sent."), Reply: questions.Reply{
		Answers: map[string]questions.Value{questions.ReviewID: questions.TextValue(string(tuitest.Must(half.JSON())))},
	}}}
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"printed": {AskText(stored, time.UTC).Raw(), []string{
			"v1 submitted 2026-", "\nReviewed 2026-", "\n  Changes requested\n\n  ## How\n\n  ### Line 15: to be deleted\n\n", "\n\n  It is written elsewhere.\n", "No verdict\n\n  Hm.\n",
		}},
		"what came too late": {TooLateText(stored, tuitest.Moment).Raw(), []string{"\n  No verdict\n\n  Hm.\n", "\n  It is written elsewhere.\n"}},
		"in a line":          {TooLateLine(stored, stored.TooLate[0], ""), []string{"Too late: No verdict · Not sent."}},
	} {
		for _, want := range c.want {
			if !strings.Contains(c.text, want) || strings.Contains(c.text, "digest") {
				t.Errorf("%s it is\n%s\nwithout %q", name, c.text, want)
			}
		}
	}
	// An ordinary question may have the same id.
	stored.Spec = questions.Spec{Title: safe.New("Plain"), Questions: []questions.Question{{ID: questions.ReviewID, Kind: questions.Text, Label: safe.New("?")}}}
	if text := TooLateText(stored, tuitest.Moment).Raw(); !strings.Contains(text, `{"digest":`) {
		t.Errorf("an answer that is no review is\n%s", text)
	}
}

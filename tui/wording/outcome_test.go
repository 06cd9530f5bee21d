package wording

import (
	"errors"
	"strings"
	"testing"

	"planb/plans/review"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/tui/tuitest"
)

// TestAllThatWasEnteredIsPrinted holds that a message begun and not sent is
// given back as the answers are.
func TestAllThatWasEnteredIsPrinted(t *testing.T) {
	w := tuitest.NewWorld(t)
	ask := w.Ask(w.Session("Names", ""), "The new ship", "")
	entry := questions.Entry{
		Fields:  map[string]questions.Field{"name": {Text: safe.New("Vega")}},
		Message: safe.New("Which dock?"),
	}
	for name, printed := range map[string]string{
		"a lost entry":     strings.Join(LostEntry(ask, entry, errors.New("the disk is full")), "\n"),
		"an overtaken one": Overtaken(ask, entry),
	} {
		for _, want := range []string{`"name":"Vega"`, "Your message was: Which dock?"} {
			if !strings.Contains(printed, want) {
				t.Errorf("%s: printed %q, which does not say %q", name, printed, want)
			}
		}
	}
	entry.Message = safe.Text{}
	if printed := Overtaken(ask, entry); strings.Contains(printed, "message") {
		t.Errorf("printed %q of no message", printed)
	}
}

// A review is spoken of as one, wherever an ask is named in a line, and what was
// written into it comes back as words.
func TestAReviewIsNamedAsOne(t *testing.T) {
	w := tuitest.NewWorld(t)
	session := w.Session("Nightly export", "/home/you/shop")
	ask := w.ReviewAsk(session, tuitest.ReviewedPlan, "")
	c := tuitest.Comment(t, tuitest.ReviewedPlan, 15, 15, review.Question, "In which order?")
	said := review.Review{Digest: ask.Spec.Plan.Digest, Comments: []review.Comment{c}}
	entry := questions.Entry{Fields: map[string]questions.Field{questions.ReviewID: {Text: safe.New(string(tuitest.Must(said.JSON())))}}}
	printed := strings.Join(LostEntry(ask, entry, errors.New("the disk is full")), "\n")
	if !strings.Contains(printed, "It was:\nNo verdict\n\n### Line 15: question") || !strings.Contains(printed, "\n\nIn which order?") || strings.Contains(printed, "digest") {
		t.Errorf("a lost entry is printed as\n%s", printed)
	}
	ask.Outcome.State = questions.Answered
	for want, r := range map[string]review.Review{
		"Approved in part: v1, sent to Claude Code · shop":  {Verdict: review.Approve, Withheld: []int{6}},
		"Changes requested: v1, sent to Claude Code · shop": {Verdict: review.RequestChanges},
	} {
		ask.Outcome.Reply.Answers = map[string]questions.Value{questions.ReviewID: questions.TextValue(string(tuitest.Must(r.JSON())))}
		if got := Receipt(ask, session, true, 1, store.ApprovedTasks{}); got != want {
			t.Errorf("the receipt is %q, want %q", got, want)
		}
	}
}

// TestNobodyIsSaidToAskAgain holds that the receipt of a decline promises
// nothing of a client that has ended.
func TestNobodyIsSaidToAskAgain(t *testing.T) {
	ask := store.Ask{Client: store.Client{Name: safe.New("planb ask")}, Outcome: questions.Outcome{State: questions.Declined}}
	if got, want := Receipt(ask, store.Session{}, false, 1, store.ApprovedTasks{}), "Declined; kept for planb ask, which is not waiting"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

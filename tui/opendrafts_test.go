package tui

import (
	"testing"

	"planb/questions"
	"planb/questions/safe"
	"planb/tui/tuitest"
)

// A person who replies to the form of a draft, and opens it again before an agent has read the
// reply, finds their words in it.
func TestAReplyThatNoAgentReadIsInTheNextForm(t *testing.T) {
	t.Parallel()
	w := tuitest.NewWorld(t)
	draft := w.Draft(w.Session("Bicycles", "/home/you/shop"), "choose")
	o := DraftsOptions{Store: w.Store, By: "you@desk"}
	step := draft.Draft.ReadySteps()[0]
	first := tuitest.Must(o.gate(t.Context(), draft, step))
	reply := questions.Reply{Answers: map[string]questions.Value{}, Note: safe.New("No loans.")}
	for _, q := range first.Spec.Questions {
		if q.Kind == questions.Single {
			reply.Answers[q.ID] = questions.TextValue(q.Options[0].Value.Raw())
		}
	}
	tuitest.Must(w.Store.Settle(t.Context(), first.ID, questions.Outcome{State: questions.Discuss, Message: safe.New("Why three ways?"), Reply: reply, By: o.By}))
	again := tuitest.Must(o.gate(t.Context(), draft, step))
	entry, kept, err := w.Store.Entry(t.Context(), again.ID)
	if err != nil || !kept || again.ID == first.ID || !again.Open() {
		t.Fatalf("the form again is %s after %s, its entry is kept: %v, %v", again.ID, first.ID, kept, err)
	}
	if got := entry.Note.Raw(); got != "No loans.\n\nWhy three ways?" {
		t.Errorf("the note is %q", got)
	}
	if got := entry.Reply(again.Spec).Answers; len(got) == 0 || len(got) != len(reply.Answers) {
		t.Errorf("taken over are %v of %v", got, reply.Answers)
	}
	if joined := tuitest.Must(o.gate(t.Context(), draft, step)); joined.ID != again.ID {
		t.Error("the open form is not joined")
	}
}

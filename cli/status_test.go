package cli

import (
	"strings"
	"testing"

	"planb/cli/ink"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/store/runs"
	"planb/tui/tuitest"
)

// A draft whose gate waits for the person is counted and listed, once, as the inbox does it: by
// itself, or as its form. After a reply it is the agent's turn.
func TestStatusCountsDrafts(t *testing.T) {
	t.Parallel()
	w := tuitest.NewWorld(t)
	draft := w.Draft(w.Session("Workshop", "/home/you/shop"), "choose")
	says := func(count, listed string) {
		t.Helper()
		if got := tuitest.Must(countWaiting(t.Context(), w.Store, w.Clock())); got != count {
			t.Errorf("counted is %q, want %q", got, count)
		}
		if got := tuitest.Must(listWaiting(t.Context(), w.Store, ink.Ink{Width: 160, Terminal: true}, w.Clock())); !strings.Contains(got, listed) {
			t.Errorf("listed is\n%s\nwithout %q", got, listed)
		}
	}
	says("1 waiting\n", "planb tui drafts "+store.ShortID(draft.ID))
	gate := draft.Draft.ReadySteps()[0]
	ask, _, err := w.Store.OpenAsk(t.Context(), store.Ask{
		Session: draft.Session, Spec: tuitest.Must(draft.Form(gate)), Subject: store.Subject{Kind: runs.SubjectKind, ID: draft.Gate(gate).Subject()},
	})
	if err != nil {
		t.Fatal(err)
	}
	says("1 waiting\n", "planb tui ask "+store.ShortID(ask.ID))
	tuitest.Must(w.Store.Settle(t.Context(), ask.ID, questions.Outcome{State: questions.Discuss, Message: safe.New("Is there a cheaper one?")}))
	says("", "Nothing waits for you.")
}

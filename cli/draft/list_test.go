package draft

import (
	"strings"
	"testing"

	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/store/runs"
	"planb/tui/tuitest"
)

// A draft waits for the person until they replied to its form; then it is the agent's turn.
func TestWhoseTurnItIs(t *testing.T) {
	t.Parallel()
	w := tuitest.NewWorld(t)
	draft := w.Draft(w.Session("Workshop", "/home/you/shop"), "choose")
	var c Commands
	says := func(want string) {
		t.Helper()
		form := tuitest.Must(formOf(t.Context(), w.Store, draft, w.Clock()))
		if got := c.next(draft, form); !strings.HasPrefix(got, want) {
			t.Errorf("said is %q, want %q", got, want)
		}
	}
	says("It waits for you; `planb tui` shows the form once an agent or ")
	gate := draft.Draft.ReadySteps()[0]
	ask, _, err := w.Store.OpenAsk(t.Context(), store.Ask{
		Session: draft.Session, Spec: tuitest.Must(draft.Form(gate)), Subject: store.Subject{Kind: runs.SubjectKind, ID: draft.Gate(gate).Subject()},
	})
	if err != nil {
		t.Fatal(err)
	}
	says("It waits for you: `planb tui ask ")
	tuitest.Must(w.Store.Settle(t.Context(), ask.ID, questions.Outcome{State: questions.Discuss, Message: safe.New("Is there a cheaper one?")}))
	says("You replied, and it is your agent's turn. ")
}

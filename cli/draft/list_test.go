package draft

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

// The head of a draft says the same as the line below its steps: for whom it waits, and whether
// somebody writes it.
func TestTheHeadOfADraft(t *testing.T) {
	t.Parallel()
	w := tuitest.NewWorld(t)
	var c Commands
	session := w.Session("Workshop", "/home/you/shop")
	for name, test := range map[string]struct {
		until   string
		form    gateForm
		writers []string
		want    []string
	}{
		"a form waits":       {"choose", gateForm{id: "019a0000-0000-7000-8000-000000000001"}, nil, []string{"\n● waits for you · ", "\nIt waits for you: "}},
		"the person replied": {"choose", gateForm{replied: true}, nil, []string{"\n◐ you replied · ", "\nYou replied, "}},
		"somebody writes it": {"scenarios", gateForm{}, []string{"scenarios"}, []string{"\n◐ being written · ", "◐  Scenarios              being written    Codex\n", "\nIt is being written; `planb draft stop "}},
		"nobody writes it":   {"scenarios", gateForm{}, nil, []string{"\n○ to be written · ", "\nYour agent writes it, or "}},
	} {
		draft := w.Draft(session, test.until)
		draft.LastProgress = w.Clock()
		claimed := map[string]runs.Writer{}
		for _, step := range test.writers {
			claimed[step] = runs.Writer{Name: "Codex"}
		}
		got := c.standing(ink.Ink{Width: 80}, draft, claimed, test.form, w.Clock())
		for _, want := range test.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s: no %q in\n%s", name, want, got)
			}
		}
	}
}

// A name stays as it is where the sentence about a stop becomes part of another.
func TestWhoStoppedADraft(t *testing.T) {
	t.Parallel()
	var c Commands
	for stop, want := range map[runs.Stop]string{
		{By: "Beta", Why: "Enough."}:              "it was stopped by Beta: Enough. Go on",
		{By: c.caller().Name, Why: "No time."}:    "you stopped it: No time. Go on",
		{By: c.caller().Name, Why: toldByDefault}: "you stopped it. Go on",
	} {
		w := runs.Whole{}
		w.State, w.Stop = runs.Stopped, &stop
		if got := lower(c.next(w, gateForm{})); !strings.HasPrefix(got, want) {
			t.Errorf("said is %q, want %q", got, want)
		}
	}
}

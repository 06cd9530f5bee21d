package cli

import (
	"context"
	"testing"

	"planb/cli/ownagent"
	"planb/questions"
	"planb/store"
	"planb/tui/tuitest"
)

// A demo shows its form only once its agent waits for the answer: a form that is shown sooner
// says that no agent is waiting. If the agent's call ends without a form, none is waited for.
func TestADemoShowsTheFormThatItsAgentWaitsFor(t *testing.T) {
	t.Parallel()
	w := tuitest.NewWorld(t)
	session := w.Session("Names", "/home/you/ships")
	earlier := w.Ask(session, "Which ship?", "") // its outcome need not be delivered yet
	tuitest.Must(w.Store.Settle(t.Context(), earlier.ID, questions.Outcome{State: questions.Declined}))
	ask := w.Ask(session, "Which port?", "")
	if _, there, err := awaitedNow(t.Context(), w.Store, session.ID); there || err != nil {
		t.Errorf("a form that no agent waits for yet is shown, %v", err)
	}
	w.Hold(store.WaitClaim(ask.ID, "server"))
	if got, there, err := awaited(t.Context(), w.Store, session.ID); got.ID != ask.ID || !there || err != nil {
		t.Errorf("got %q %v %v, want the open form", got.ID, there, err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if _, there, err := awaited(ended, w.Store, w.Session("Other", "/home/you/ships").ID); there || err != nil {
		t.Errorf("after the call: %v %v", there, err)
	}
}

// The plan that the demo saves says the answers as a person would read them.
func TestTheDemosPlanIsInWords(t *testing.T) {
	const form = `{"title":"Names","questions":[
		{"id":"kind","kind":"single","label":"Which ship?","options":[{"value":"h","label":"Heron"},"swan"]},
		{"id":"with","kind":"multi","label":"With what?","options":[{"value":"s","label":"Sails"},{"value":"o","label":"Oars"}]},
		{"id":"days","kind":"scale","label":"How long?","min":1,"max":9},
		{"id":"why","kind":"longtext","label":"Why?"},
		{"id":"open","kind":"text","label":"What else?"}]}`
	plan, answered := planFrom(form, ownagent.Answer{Text: `{"kind":"h","with":["s","a flag"],"days":4,"why":"Wind.\n\nAnd time."}` + "\nmore"})
	want := "# What was decided\n\n- Which ship? Heron\n- With what? Sails, a flag\n- How long? 4\n- Why? Wind. And time.\n"
	if plan != want || !answered {
		t.Errorf("got\n%s\nwant\n%s", plan, want)
	}
	if _, answered := planFrom(form, ownagent.Answer{Text: "User cancelled."}); answered {
		t.Error("a refusal is taken for answers")
	}
}

// The demo of drafts takes no result for an answer that says that the person has not answered.
func TestTheDemoOfDraftsKnowsAnAnswer(t *testing.T) {
	t.Parallel()
	for says, want := range map[string]bool{
		"STOPPED by the user at Chosen scenario: they declined the form.": true,
		"NOT FINISHED. The user writes: \"Why?\"":                         true,
		"WAITING FOR THE USER. No answer was submitted within 4 seconds.": true,
		"The user answered \"Which scenario?\".\nStep 5 of 12":            false,
	} {
		if got := undecided(says); got != want {
			t.Errorf("%q: %v", says, got)
		}
	}
}

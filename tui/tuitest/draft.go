package tuitest

import (
	"planb/drafts"
	"planb/drafts/draftstest"
	"planb/store"
	"planb/store/runs"
)

// Draft puts a brief draft into the store, of which an agent wrote the steps before one. Steps
// that a person writes are not answered.
func (w *World) Draft(session store.Session, upTo string) runs.Whole {
	w.T.Helper()
	agent, empty := runs.Caller{Name: "Codex"}, draftstest.Empty(w.T)
	made, _, err := w.Store.Drafts().Create(w.T.Context(), agent, runs.Request{
		Session: session.ID, Prompt: empty.Prompt, Detail: empty.Detail, Start: empty.Start,
	})
	if err != nil {
		w.T.Fatal(err)
	}
	whole := Must(w.Store.Drafts().Plan(w.T.Context(), made.ID))
	for _, step := range whole.Draft.Steps() {
		if step.ID == upTo {
			break
		}
		if step.Author != drafts.Model {
			w.T.Fatalf("nobody answers %s before %s", step.ID, upTo)
		}
		whole = Must(w.Store.Drafts().Accept(w.T.Context(), agent, runs.Answer{
			Plan: whole.ID, Step: step.ID, Output: draftstest.Answer(w.T, whole.Draft, step), Inputs: whole.Draft.Inputs(step), Generation: whole.Generation,
		}))
	}
	return whole
}

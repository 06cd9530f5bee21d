package search_test

import (
	"errors"
	"strings"
	"testing"

	"planb/drafts"
	"planb/drafts/draftstest"
	"planb/store"
	"planb/store/runs"
	"planb/store/search"
)

// draft is a draft of the workshop in a session, with all steps that an agent can write before the
// person decides something.
func (w *world) draft(session string) runs.Whole {
	w.t.Helper()
	agent, empty := runs.Caller{Name: "Codex"}, draftstest.Empty(w.t)
	made, _, err := w.Drafts().Create(w.t.Context(), agent, runs.Request{Session: session, Prompt: empty.Prompt, Detail: empty.Detail, Start: empty.Start})
	if err != nil {
		w.t.Fatal(err)
	}
	whole, err := w.Drafts().Plan(w.t.Context(), made.ID)
	for err == nil {
		step := whole.Draft.ReadySteps()[0]
		if step.Author != drafts.Model {
			return whole
		}
		whole, err = w.Drafts().Accept(w.t.Context(), agent, runs.Answer{
			Plan: whole.ID, Step: step.ID, Output: draftstest.Answer(w.t, whole.Draft, step), Inputs: whole.Draft.Inputs(step), Generation: whole.Generation,
		})
	}
	w.t.Fatal(err)
	return runs.Whole{}
}

// Drafts are found by their title, their prompt and their sections, the newest first.
func TestDraftsAreSearched(t *testing.T) {
	w := newWorld(t)
	session := w.session("Bicycles", "/work/shop", "claude-code")
	older, draft := w.draft(session), w.draft(w.session("Repairs", "/work/bikes", "opencode"))
	lever := draft.Draft.Output("scenarios").Records("levers")[0].Text("tension")
	prompt, _, _ := strings.Cut(strings.TrimSpace(draft.Draft.Prompt), "\n")
	for text, want := range map[string]struct {
		ids   []string
		field search.Field
	}{
		`"` + draft.Title.Raw() + `"`:           {[]string{draft.ID, older.ID}, search.FieldTitle},
		`"` + prompt + `"`:                      {[]string{draft.ID, older.ID}, search.FieldPrompt},
		`"` + lever + `"`:                       {[]string{draft.ID, older.ID}, search.FieldSection},
		`"` + lever + `" project:shop`:          {[]string{older.ID}, search.FieldSection},
		`"` + lever + `" client:opencode`:       {[]string{draft.ID}, search.FieldSection},
		`"` + lever + `" client:codex`:          {[]string{draft.ID, older.ID}, search.FieldSection},
		`"` + lever + `" kind:draft after:2026`: {[]string{draft.ID, older.ID}, search.FieldSection},
		"kind:draft":                            {[]string{draft.ID, older.ID}, ""},
		"kind:draft before:2026-05":             {},
		`"` + lever + `" kind:plan`:             {},
		`"` + lever + `" status:answered`:       {},
		`"` + lever + `" submarine`:             {},
	} {
		query, err := search.Parse(text, w.now)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for step, err := range search.RunDrafts(t.Context(), w.Store, query) {
			if err != nil {
				t.Fatal(err)
			}
			for _, hit := range step.Hits {
				got = append(got, hit.Draft.ID)
				if len(hit.Excerpts) > search.MaxExcerpts {
					t.Errorf("%s: %d excerpts", text, len(hit.Excerpts))
				}
				if want.field != "" && hit.Excerpts[0].Field != want.field {
					t.Errorf("%s: found in %s", text, hit.Excerpts[0].Field)
				}
			}
		}
		if strings.Join(got, " ") != strings.Join(want.ids, " ") {
			t.Errorf("%s finds %v, want %v", text, got, want.ids)
		}
	}
}

// TestADraftOfADeletedSessionStopsNoSearch: what lies outside the store could not be removed yet, so
// the drafts of a deleted session are still there, until the next prune.
func TestADraftOfADeletedSessionStopsNoSearch(t *testing.T) {
	w := newWorld(t)
	there := w.draft(w.session("Bicycles", "/work/shop", "claude-code"))
	going, err := w.Session(t.Context(), w.draft(w.session("Repairs", "/work/bikes", "opencode")).Session)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Delete(t.Context(), going, func(store.Gone) error { return errors.New("the directory can't be written") }); err == nil {
		t.Fatal("it was removed whole")
	}
	query, err := search.Parse("kind:draft", w.now)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for step, err := range search.RunDrafts(t.Context(), w.Store, query) {
		if err != nil {
			t.Fatal(err)
		}
		for _, hit := range step.Hits {
			got = append(got, hit.Draft.ID)
		}
	}
	if len(got) != 1 || got[0] != there.ID {
		t.Errorf("found %v, want %s", got, there.ID)
	}
}

package store_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"planb/drafts"
	"planb/drafts/draftstest"
	"planb/questions"
	"planb/store"
	"planb/store/kv"
	"planb/store/kv/kvtest"
	"planb/store/runs"
	"planb/store/storetest"
)

var codex = runs.Caller{Name: "Codex"}

// beginDraft begins a draft in a session and accepts its brief.
func beginDraft(t *testing.T, s *store.Store, session, about string) runs.Whole {
	t.Helper()
	ctx, d := t.Context(), draftstest.Empty(t)
	p, _, err := s.Drafts().Create(ctx, codex, runs.Request{Prompt: d.Prompt + " It is about " + about + ".", Session: session, Detail: d.Detail, Start: d.Start, ID: about})
	if err != nil {
		t.Fatal(err)
	}
	return acceptNext(t, s, p.ID)
}

// acceptNext accepts a good answer to the first step that is ready.
func acceptNext(t *testing.T, s *store.Store, id string) runs.Whole {
	t.Helper()
	w, err := s.Drafts().Plan(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	step := w.Draft.ReadySteps()[0]
	w, err = s.Drafts().Accept(t.Context(), codex, runs.Answer{
		Plan: id, Step: step.ID, Output: draftstest.Answer(t, w.Draft, step), Inputs: w.Draft.Inputs(step), Generation: w.Generation,
	})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// TestASessionWithAnUnfinishedDraftIsNotPruned begins a draft before a Prune, and between
// its looking and its deleting.
func TestASessionWithAnUnfinishedDraftIsNotPruned(t *testing.T) {
	storetest.OverEngines(t, func(t *testing.T, open func() kv.Engine) {
		ctx := t.Context()
		engine := &meddler{Engine: open()}
		s := store.New(engine, store.Options{By: "person@desk"})
		before, between, without := newSession(t, s, "/p"), newSession(t, s, "/p"), newSession(t, s, "/p")
		draft := beginDraft(t, s, before.ID, "before")
		listed, err := s.Prunable(ctx, time.Now().Add(time.Hour))
		if err != nil || len(listed.Sessions) != 2 {
			t.Fatalf("to be pruned: %+v, %v", listed.Sessions, err)
		}
		other := store.New(open(), store.Options{By: "person@desk"})
		engine.beforeCommit(func() { beginDraft(t, other, between.ID, "between") })
		if done, err := s.Prune(ctx, listed, nil); err != nil || done.Sessions != 1 || done.Stayed != 1 {
			t.Errorf("pruned %+v, %v", done, err)
		}
		for id, want := range map[string]bool{before.ID: true, between.ID: true, without.ID: false} {
			if _, err := s.Session(ctx, id); (err == nil) != want {
				t.Errorf("%s: %v", id, err)
			}
		}
		session, err := s.Session(ctx, before.ID)
		if err == nil {
			err = s.Delete(ctx, session, nil)
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Drafts().Plan(ctx, draft.ID); err == nil {
			t.Error("the draft of a session that a person deleted is there")
		}
		if found, err := s.Audit(ctx); err != nil || len(found.Problems) > 0 {
			t.Errorf("%v, %v", found.Problems, err)
		}
	})
}

// TestWhatGoesWithASessionCountsItsDrafts deletes the session of a completed draft.
func TestWhatGoesWithASessionCountsItsDrafts(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	s := store.New(kvtest.NewMap(), store.Options{By: "person@desk"})
	session, other := newSession(t, s, "/p"), newSession(t, s, "/p")
	beginDraft(t, s, other.ID, "what goes on")
	empty := draftstest.Empty(t)
	p, _, err := s.Drafts().Create(ctx, codex, runs.Request{Prompt: empty.Prompt, Session: session.ID, Detail: drafts.Ping, Start: empty.Start})
	if err != nil {
		t.Fatal(err)
	}
	acceptNext(t, s, p.ID)
	if d, err := s.Deletable(ctx, session.ID); err != nil || d.Drafts != 1 {
		t.Errorf("to be deleted: %+v, %v", d, err)
	}
	listed, err := s.Prunable(ctx, time.Now().Add(time.Hour))
	if err != nil || len(listed.Sessions) != 1 || len(listed.Drafts) != 1 || listed.Drafts[session.ID] != 1 {
		t.Fatalf("to be pruned: %+v, %v", listed, err)
	}
	if done, err := s.Prune(ctx, listed, nil); err != nil || done.Chunks != listed.Chunks || done.Chunks == 0 {
		t.Errorf("pruned %+v, %v; listed were %d chunks", done, err, listed.Chunks)
	}
}

// TestAGateIsSettledWithItsAsk answers the form of a gate as a screen does.
func TestAGateIsSettledWithItsAsk(t *testing.T) {
	ctx := t.Context()
	s := store.New(kvtest.NewMap(), store.Options{By: "person@desk"})
	session := newSession(t, s, "/p")
	draft := beginDraft(t, s, session.ID, "gates")
	for range 2 { // the sketch, and the scenarios
		draft = acceptNext(t, s, draft.ID)
	}
	gate := draftstest.Step(t, draft.Draft, "choose")
	form, err := draft.Form(gate)
	if err != nil {
		t.Fatal(err)
	}
	ask, _, err := s.OpenAsk(ctx, store.Ask{Session: session.ID, Spec: form, Subject: store.Subject{Kind: runs.SubjectKind, ID: draft.Gate(gate).Subject()}})
	if err != nil {
		t.Fatal(err)
	}
	reply := questions.Reply{Answers: map[string]questions.Value{"scenario": questions.TextValue("S1")}}
	if _, err := s.Settle(ctx, ask.ID, questions.Outcome{State: questions.Answered, Reply: reply}); err != nil {
		t.Fatal(err)
	}
	got, err := s.Drafts().Plan(ctx, draft.ID)
	if err != nil || got.Draft.Output("choose").Record("scenario").Text("id") != "S1" || got.Draft.Output("choose").Text("by") != "person@desk" {
		t.Errorf("the person's choice is %v, %v", got.Draft.Output("choose"), err)
	}
	if got.Draft.Standings()["choose"] != drafts.Clean {
		t.Errorf("the gate is %s", got.Draft.Standings()["choose"])
	}
	late := questions.Outcome{State: questions.Answered, Reply: questions.Reply{Answers: map[string]questions.Value{"scenario": questions.TextValue("S2")}}}
	if _, err := s.Settle(ctx, ask.ID, late); !errors.As(err, new(*questions.SettledError)) {
		t.Errorf("a second answer: %v", err)
	}
	if err := s.Deliver(ctx, ask.ID); err != nil {
		t.Fatal(err)
	}
	again := store.Ask{Session: session.ID, Spec: form, Subject: ask.Subject}
	if _, _, err := s.OpenAsk(ctx, again); !errors.Is(err, runs.ErrDecided) {
		t.Errorf("what is decided was asked again: %v", err)
	}
	events, err := s.Drafts().Events(ctx, got.Summary, -1, 1)
	if err != nil || len(events) != 1 || events[0].Answer != ask.ID || !strings.HasPrefix(events[0].By, "person@") {
		t.Errorf("the event is %+v, %v", events, err)
	}
}

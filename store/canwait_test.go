package store_test

import (
	"context"
	"crypto/rand"
	"sync/atomic"
	"testing"

	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/store/kv"
	"planb/store/kv/kvtest"
)

// sorter counts the commits that can wait and those that cannot.
type sorter struct {
	kv.Engine
	canWait, cannot atomic.Int64 // a held claim is renewed beside the test
}

func (s *sorter) Commit(ctx context.Context, b kv.Batch) error {
	if b.CanWait {
		s.canWait.Add(1)
	} else {
		s.cannot.Add(1)
	}
	return s.Engine.Commit(ctx, b)
}

// Commits with which an agent begins something can wait for room on the disk. Commits of
// a person's answer, and those that bring it to the agent, cannot. The same holds for
// texts that are written ahead.
func TestWhatAnAgentBeginsCanWait(t *testing.T) {
	engine := &sorter{Engine: kvtest.NewMap()}
	s := newStore(t, engine)
	if err := s.Prepare(t.Context()); err != nil {
		t.Fatal(err)
	}
	long := func() string { // longer than what rides in a commit
		var text []byte
		for len(text) < 600<<10 {
			text = append(text, rand.Text()...)
			text = append(text, ' ')
		}
		return string(text)
	}
	var session store.Session
	var ask store.Ask
	var held *store.Held
	for _, step := range []struct {
		name    string
		canWait bool
		do      func() error
	}{
		{"a session", true, func() (err error) {
			session, err = s.CreateSession(t.Context(), store.Session{Title: safe.New("One")})
			return err
		}},
		{"an ask", true, func() (err error) {
			spec := form("Tell")
			spec.Intro = safe.New(long())
			ask, _, err = s.OpenAsk(t.Context(), store.Ask{Session: session.ID, Spec: spec})
			return err
		}},
		{"a plan", true, func() error {
			_, _, err := s.SavePlan(t.Context(), session.ID, "", long())
			return err
		}},
		{"a plan's file", true, func() error {
			_, _, err := s.SaveFilePlan(t.Context(), store.FilePlan{Path: planFile, Name: "a", Text: long()})
			return err
		}},
		{"a claim", false, func() (err error) {
			held, err = s.Hold(t.Context(), store.ShowClaim(ask.ID, "me"), "")
			return err
		}},
		{"an entry", false, func() error {
			return s.SaveEntry(t.Context(), ask.ID, questions.Entry{Note: safe.New(long())})
		}},
		{"a person's version", false, func() error {
			_, _, err := s.SavePlanEdit(t.Context(), store.PlanID{Session: session.ID, Number: 1}, long())
			return err
		}},
		{"an answer", false, func() error {
			_, err := s.Settle(t.Context(), ask.ID, answered(long()))
			return err
		}},
		{"a late answer", false, func() error {
			if _, err := s.Settle(t.Context(), ask.ID, answered(long())); err == nil {
				t.Error("the second answer was no late one")
			}
			return nil
		}},
		{"a delivery", false, func() error { return s.Deliver(t.Context(), ask.ID) }},
		{"a claim's end", false, func() error { return held.Release(t.Context()) }},
	} {
		engine.canWait.Store(0)
		engine.cannot.Store(0)
		if err := step.do(); err != nil {
			t.Fatalf("%s: %v", step.name, err)
		}
		if canWait, cannot := engine.canWait.Load(), engine.cannot.Load(); canWait > 0 != step.canWait || cannot > 0 == step.canWait {
			t.Errorf("%s: %d commits can wait, %d cannot", step.name, canWait, cannot)
		}
	}
}

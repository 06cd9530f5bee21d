package store_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"planb/questions"
	"planb/store"
	"planb/store/kv"
	"planb/store/kv/kvtest"
	"planb/store/ledger"
	"planb/store/storetest"
)

// gates is a room that keeps records of what asks are about: gates, which an answer
// opens once.
type gates struct {
	ledger *ledger.Ledger
	calls  int
	err    error // what the settler says, if it refuses
}

type gateRecord struct {
	ledger.Header
	Opened int    `json:"opened"`
	By     string `json:"by"`
}

func gateKey(id string) kv.Key { return "gate/" + kv.Key(id) }

func (g *gates) settle(ctx context.Context, c *ledger.Change, ask, id string, outcome questions.Outcome) error {
	g.calls++
	if g.err != nil {
		return g.err
	}
	records, err := g.ledger.Get(ctx, gateKey(id))
	if err != nil {
		return err
	}
	gate := gateRecord{Header: ledger.NewHeader()}
	if records[0].Exists() {
		if gate, err = ledger.Decode[gateRecord](g.ledger, records[0]); err != nil {
			return err
		}
	}
	if outcome.State == questions.Answered {
		gate.Opened++
	}
	gate.By = ask
	c.Check(records[0])
	return c.Put(gateKey(id), gate)
}

func (g *gates) gate(t *testing.T, id string) gateRecord {
	t.Helper()
	records, err := g.ledger.Get(t.Context(), gateKey(id))
	if err != nil {
		t.Fatal(err)
	}
	if !records[0].Exists() {
		return gateRecord{}
	}
	gate, err := ledger.Decode[gateRecord](g.ledger, records[0])
	if err != nil {
		t.Fatal(err)
	}
	return gate
}

func newGates(engine kv.Engine) (*store.Store, *gates) {
	g := &gates{ledger: ledger.New(engine, ledger.Options{})}
	return store.New(engine, store.Options{By: "person@desk", Settlers: map[string]store.Settler{"gate": g.settle}}), g
}

func openGate(t *testing.T, s *store.Store, session, id string) store.Ask {
	t.Helper()
	ask, attached, err := s.OpenAsk(t.Context(), store.Ask{Session: session, Spec: form("one"), Subject: store.Subject{Kind: "gate", ID: id}, Place: "here"})
	if err != nil || attached {
		t.Fatalf("attached %v, %v", attached, err)
	}
	return ask
}

// TestSettlingTheSubject holds that an outcome and what follows from it are one commit,
// and happen once.
func TestSettlingTheSubject(t *testing.T) {
	storetest.OverEngines(t, func(t *testing.T, open func() kv.Engine) {
		ctx := t.Context()
		s, g := newGates(open())
		session := newSession(t, s, "/p")
		one, two := openGate(t, s, session.ID, "1"), openGate(t, s, session.ID, "2")
		if again, attached, err := s.OpenAsk(ctx, one); err != nil || !attached || again.ID != one.ID || again.Subject != one.Subject {
			t.Errorf("the same ask gave %+v, attached %v, %v", again, attached, err)
		}
		if got, err := s.Settle(ctx, one.ID, answered("yes")); err != nil || got.Subject.ID != "1" || got.About() != "gate" {
			t.Errorf("settled is %+v, %v", got, err)
		}
		if _, err := s.Settle(ctx, two.ID, questions.Outcome{State: questions.Declined}); err != nil {
			t.Error(err)
		}
		if first, second := g.gate(t, "1"), g.gate(t, "2"); first.Opened != 1 || first.By != one.ID || second.Opened != 0 || second.By != two.ID {
			t.Errorf("the gates are %+v and %+v", first, second)
		}
		records, err := open().Get(ctx, gateKey("1"), store.AskKey(one.ID))
		if err != nil || records[0].Op != records[1].Op {
			t.Errorf("the gate and the outcome were written by %v and %v, %v", records[0].Op, records[1].Op, err)
		}
		calls := g.calls
		if _, err := s.Settle(ctx, one.ID, answered("too late")); !errors.As(err, new(*questions.SettledError)) || g.calls != calls || g.gate(t, "1").Opened != 1 {
			t.Errorf("a second answer: %v, the gate is %+v", err, g.gate(t, "1"))
		}
		three := openGate(t, s, session.ID, "3")
		if _, err := s.Expire(ctx, three.ID, three.Asked); err != nil || g.gate(t, "3").By != "" {
			t.Errorf("an expired ask settled its gate %+v, %v", g.gate(t, "3"), err)
		}
		if found, err := s.EarlierAnswers(ctx, three); err != nil || len(found) != 0 {
			t.Errorf("the answer to a gate is offered for another: %v, %v", found, err)
		}
		if err := s.Reindex(ctx); err != nil {
			t.Fatal(err)
		}
		if audit, err := s.Audit(ctx); err != nil || len(audit.Problems) > 0 {
			t.Errorf("problems: %q, %v", audit.Problems, err)
		}
	})
}

// TestASettlerRefuses holds that an outcome that the subject's room refuses writes
// nothing.
func TestASettlerRefuses(t *testing.T) {
	ctx := t.Context()
	engine := kvtest.NewMap()
	s, g := newGates(engine)
	ask := openGate(t, s, newSession(t, s, "").ID, "1")
	before := storetest.Dump(t, engine)
	g.err = errors.New("the gate has changed since")
	if _, err := s.Settle(ctx, ask.ID, answered("yes")); !errors.Is(err, g.err) {
		t.Errorf("got %v", err)
	}
	if now := storetest.Dump(t, engine); now != before {
		t.Errorf("something was written:\n%s", now)
	}
}

// TestAnUnclearSettling settles with commits whose outcome is unclear, and with the gate
// changed between reading and writing.
func TestAnUnclearSettling(t *testing.T) {
	for _, applied := range []bool{true, false} {
		t.Run(fmt.Sprint("applied ", applied), func(t *testing.T) {
			engine := kvtest.NewMap()
			s, g := newGates(engine)
			ask := openGate(t, s, newSession(t, s, "").ID, "1")
			engine.UnclearNextCommit(applied)
			if _, err := s.Settle(t.Context(), ask.ID, answered("yes")); err != nil || g.gate(t, "1").Opened != 1 {
				t.Errorf("the gate is %+v, %v", g.gate(t, "1"), err)
			}
		})
	}
	engine := &meddler{Engine: kvtest.NewMap()}
	s, g := newGates(engine)
	ask := openGate(t, s, newSession(t, s, "").ID, "1")
	engine.beforeCommit(func() { storetest.PutRecord(t, engine, gateKey("1"), map[string]any{"v": 1, "opened": 5}) })
	if _, err := s.Settle(t.Context(), ask.ID, answered("yes")); err != nil || g.gate(t, "1").Opened != 6 {
		t.Errorf("a gate that was opened five times meanwhile is %+v, %v", g.gate(t, "1"), err)
	}
}

// TestAnUnknownSubject holds that a planb that does not know a subject writes no
// outcome without what follows from it.
func TestAnUnknownSubject(t *testing.T) {
	ctx := t.Context()
	engine := kvtest.NewMap()
	newer, _ := newGates(engine)
	ask := openGate(t, newer, newSession(t, newer, "").ID, "1")
	s := newStore(t, engine)
	if read, err := s.Ask(ctx, ask.ID); err != nil || read.About() != "gate" {
		t.Errorf("it is read as %+v, %v", read, err)
	}
	before := storetest.Dump(t, engine)
	for _, outcome := range []questions.Outcome{answered("yes"), {State: questions.Declined}, {State: questions.Withdrawn}} {
		if _, err := s.Settle(ctx, ask.ID, outcome); !errors.As(err, new(*store.SubjectError)) {
			t.Errorf("%s: %v", outcome.State, err)
		}
	}
	if _, _, err := s.OpenAsk(ctx, store.Ask{Session: ask.Session, Spec: form("two"), Subject: ask.Subject}); !errors.As(err, new(*store.SubjectError)) {
		t.Errorf("to ask: %v", err)
	}
	if now := storetest.Dump(t, engine); now != before {
		t.Errorf("something was written:\n%s", now)
	}
}

func TestWhatAnAskIsAbout(t *testing.T) {
	review := form("plan")
	review.Plan = &questions.PlanRef{Number: 1}
	for want, ask := range map[string]store.Ask{
		store.AboutQuestions: {Spec: form("one")},
		store.AboutPlan:      {Spec: review},
		"gate":               {Spec: form("one"), Subject: store.Subject{Kind: "gate", ID: "1"}},
	} {
		if got := ask.About(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

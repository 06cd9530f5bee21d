package store_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"planb/questions"
	"planb/store"
	"planb/store/kv"
	"planb/store/kv/kvtest"
)

// If a commit happens and its outcome is unclear, the change is made once, and its caller
// gets no error. That holds if the store can read the commit back, if its first attempt to
// do so fails, if others have rewritten all its records meanwhile, and if the commit
// happens only after the attempt.
func TestACommitNobodyHeardOf(t *testing.T) {
	type scene struct {
		s, other *store.Store
		session  store.Session
		ask      store.Ask
	}
	for _, test := range []struct {
		name  string
		do    func(t *testing.T, sc *scene)
		after func(t *testing.T, sc *scene) // what others do before it is read back
		check func(t *testing.T, sc *scene)
	}{
		{
			name: "create a session",
			do: func(t *testing.T, sc *scene) {
				made, err := sc.s.CreateSession(t.Context(), store.Session{ID: nobody})
				if err != nil || made.ID != nobody {
					t.Errorf("%+v, %v", made, err)
				}
			},
			after: func(t *testing.T, sc *scene) {
				if _, _, err := sc.other.SavePlan(t.Context(), nobody, "", "x"); err != nil {
					t.Error(err)
				}
			},
			check: func(t *testing.T, sc *scene) {
				if _, err := sc.s.Session(t.Context(), nobody); err != nil {
					t.Error(err)
				}
			},
		},
		{
			name: "open an ask",
			do: func(t *testing.T, sc *scene) {
				made, attached, err := sc.s.OpenAsk(t.Context(), store.Ask{Session: sc.session.ID, Spec: form("two"), Place: "here"})
				if err != nil || attached || made.Spec.Title.Raw() != "two" {
					t.Errorf("%+v, attached %v, %v", made, attached, err)
				}
			},
			after: func(t *testing.T, sc *scene) { openAsk(t, sc.other, sc.session.ID, "three", "here") },
			check: func(t *testing.T, sc *scene) {
				asks, err := sc.s.Asks(t.Context(), sc.session.ID)
				if err != nil || len(asks) < 2 || len(asks) > 3 {
					t.Errorf("%q, %v", titles(asks), err)
				}
			},
		},
		{
			name: "settle an ask",
			do: func(t *testing.T, sc *scene) {
				got, err := sc.s.Settle(t.Context(), sc.ask.ID, answered("mine"))
				if err != nil || said(got.Outcome) != "mine" {
					t.Errorf("%+v, %v", got, err)
				}
			},
			after: func(t *testing.T, sc *scene) {
				if err := sc.other.Deliver(t.Context(), sc.ask.ID); err != nil {
					t.Error(err)
				}
				openAsk(t, sc.other, sc.session.ID, "three", "here")
			},
			check: func(t *testing.T, sc *scene) {
				got, err := sc.s.Ask(t.Context(), sc.ask.ID)
				if err != nil || said(got.Outcome) != "mine" || len(got.TooLate) != 0 {
					t.Errorf("%+v, %v", got, err)
				}
			},
		},
		{
			name: "settle a settled ask",
			do: func(t *testing.T, sc *scene) {
				if _, err := sc.other.Settle(t.Context(), sc.ask.ID, answered("theirs")); err != nil {
					t.Fatal(err)
				}
				got, err := sc.s.Settle(t.Context(), sc.ask.ID, answered("mine"))
				if !errors.As(err, new(*questions.SettledError)) || said(got.Outcome) != "theirs" || len(got.TooLate) != 1 {
					t.Errorf("%+v, %v", got, err)
				}
			},
			after: func(t *testing.T, sc *scene) {
				if err := sc.other.Deliver(t.Context(), sc.ask.ID); err != nil {
					t.Error(err)
				}
			},
			check: func(t *testing.T, sc *scene) {
				got, err := sc.s.Ask(t.Context(), sc.ask.ID)
				if err != nil || said(got.Outcome) != "theirs" || len(got.TooLate) != 1 {
					t.Errorf("%+v, %v", got, err)
				}
			},
		},
		{
			name: "expire an ask",
			do: func(t *testing.T, sc *scene) {
				if _, err := sc.s.Expire(t.Context(), sc.ask.ID, sc.ask.Asked); err != nil {
					t.Error(err)
				}
			},
			after: func(t *testing.T, sc *scene) {
				if _, err := sc.other.Settle(t.Context(), sc.ask.ID, answered("late")); err != nil {
					t.Error(err)
				}
			},
			check: func(t *testing.T, sc *scene) {
				if got, err := sc.s.Ask(t.Context(), sc.ask.ID); err != nil || got.Outcome.State == questions.Pending {
					t.Errorf("%+v, %v", got, err)
				}
			},
		},
		{
			name: "save a plan",
			do: func(t *testing.T, sc *scene) {
				plan, unchanged, err := sc.s.SavePlan(t.Context(), sc.session.ID, "", "mine")
				if err != nil || unchanged || plan.Number != 1 {
					t.Errorf("%+v, unchanged %v, %v", plan, unchanged, err)
				}
			},
			after: func(t *testing.T, sc *scene) { openAsk(t, sc.other, sc.session.ID, "three", "here") },
			check: func(t *testing.T, sc *scene) {
				if plans, err := sc.s.Plans(t.Context(), sc.session.ID); err != nil || len(plans) != 1 {
					t.Errorf("%+v, %v", plans, err)
				}
			},
		},
		{
			name: "hold and release a claim",
			do: func(t *testing.T, sc *scene) {
				held, err := sc.s.Hold(t.Context(), store.ShowClaim("x", "pane"), "")
				if err != nil {
					t.Fatal(err)
				}
				if err := held.Release(t.Context()); err != nil {
					t.Error(err)
				}
			},
			after: func(*testing.T, *scene) {},
			check: func(t *testing.T, sc *scene) {
				if _, alive, err := sc.s.Alive(t.Context(), store.ShowClaim("x", "pane")); err != nil || alive {
					t.Errorf("%v, %v", alive, err)
				}
			},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, mode := range []struct {
				badGets int
				others  bool
				late    bool
			}{{}, {badGets: 1}, {others: true}, {badGets: 1, others: true}, {late: true}} {
				data := kvtest.NewMap()
				engine := &meddler{Engine: data}
				sc := &scene{s: newStore(t, engine), other: newStore(t, data)}
				sc.session = newSession(t, sc.other, "/p")
				sc.ask = openAsk(t, sc.other, sc.session.ID, "one", "here")
				if err := sc.s.Prepare(t.Context()); err != nil {
					t.Fatal(err)
				}
				if mode.late {
					engine.lateCommit()
				} else {
					engine.unheardCommit(mode.badGets, func() {
						if mode.others {
							test.after(t, sc)
						}
					})
				}
				test.do(t, sc)
				test.check(t, sc)
			}
		})
	}
}

func TestWhatStaysUnclearIsSaid(t *testing.T) {
	data := kvtest.NewMap()
	s := newStore(t, data)
	session := newSession(t, s, "")
	for range 20 {
		data.UnclearNextCommit(false)
	}
	for range 4 { // each save gives up after five tries
		if _, _, err := s.SavePlan(t.Context(), session.ID, "", "x"); !errors.Is(err, kv.ErrUnclear) {
			t.Errorf("%v", err)
		}
	}
	if _, _, err := s.SavePlan(t.Context(), session.ID, "", "x"); err != nil {
		t.Error(err)
	}
}

func TestWriting(t *testing.T) {
	t.Run("ends with its context", func(t *testing.T) {
		data := kvtest.NewMap()
		s := newStore(t, data)
		session := newSession(t, s, "")
		for range 10_000 {
			data.FailNextCommit(kv.ErrConflict)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
		defer cancel()
		if _, _, err := s.SavePlan(ctx, session.ID, "", "x"); !errors.Is(err, ctx.Err()) || err == nil {
			t.Errorf("%v", err)
		}
	})
	t.Run("tells a disk's fault as it is", func(t *testing.T) {
		data := kvtest.NewMap()
		s := newStore(t, data)
		session := newSession(t, s, "")
		data.FullNextCommit()
		var fault *kv.Fault
		if _, _, err := s.SavePlan(t.Context(), session.ID, "", "x"); !errors.As(err, &fault) || fault.Kind != kv.FaultFull {
			t.Errorf("%v", err)
		}
	})
}

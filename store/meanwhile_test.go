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
	"planb/store/storetest"
)

// meanwhile is an engine that calls a function right before one of its calls.
type meanwhile struct {
	kv.Engine
	left int // calls until then
	do   func()
}

func (m *meanwhile) step() {
	if m.left--; m.left == 0 {
		m.do()
	}
}

func (m *meanwhile) Get(ctx context.Context, keys ...kv.Key) ([]kv.Record, error) {
	m.step()
	return m.Engine.Get(ctx, keys...)
}

func (m *meanwhile) Scan(ctx context.Context, prefix, after kv.Key, limit int) (kv.Page, error) {
	m.step()
	return m.Engine.Scan(ctx, prefix, after, limit)
}

func (m *meanwhile) Commit(ctx context.Context, batch kv.Batch) error {
	m.step()
	return m.Engine.Commit(ctx, batch)
}

// atAnyMoment does one thing, and does another right before each engine call of the first,
// one call after the other. Begin makes a new store, and returns the two things and what
// must hold afterwards.
func atAnyMoment(t *testing.T, begin func(t *testing.T, s *store.Store, engine kv.Engine) (one func(*store.Store), other, after func())) {
	t.Helper()
	for at := 1; ; at++ {
		engine := kvtest.NewMap()
		s := newStore(t, engine)
		one, other, after := begin(t, s, engine)
		m := &meanwhile{Engine: engine, left: at, do: other}
		one(newStore(t, m))
		after()
		if t.Failed() {
			t.Fatalf("when it came before call %d", at)
		}
		if m.left > 0 {
			return
		}
	}
}

// A verdict stays, whenever the next version is submitted.
func TestAVerdictAtAnyMomentWinsOverGivingWay(t *testing.T) {
	atAnyMoment(t, func(t *testing.T, s *store.Store, _ kv.Engine) (one func(*store.Store), other, after func()) {
		session := newSession(t, s, "")
		first := openReview(t, s, session.ID, "a", "", 1)
		taken := false
		one = func(s *store.Store) { openReview(t, s, session.ID, "a", "", 2) }
		other = func() {
			_, err := s.Settle(t.Context(), first.ID, answerReview())
			if taken = err == nil; !taken && !errors.As(err, new(*questions.SettledError)) {
				t.Error(err)
			}
		}
		after = func() {
			want := questions.Withdrawn
			if taken {
				want = questions.Answered
			}
			if got := stateOf(t, s, first.ID); got.State != want {
				t.Errorf("taken: %v, the review is %s", taken, got.State)
			}
		}
		return one, other, after
	})
}

// A review that is shown in the moment in which it is replaced counts as shown.
func TestAReviewShownAtAnyMomentWasShown(t *testing.T) {
	atAnyMoment(t, func(t *testing.T, s *store.Store, _ kv.Engine) (one func(*store.Store), other, after func()) {
		session := newSession(t, s, "")
		first := openReview(t, s, session.ID, "a", "", 1)
		shown := false
		one = func(s *store.Store) { openReview(t, s, session.ID, "a", "", 2) }
		other = func() {
			shown = stateOf(t, s, first.ID).State == questions.Pending
			if err := s.MarkShown(t.Context(), first.ID); err != nil {
				t.Error(err)
			}
		}
		after = func() {
			if got, err := s.Ask(t.Context(), first.ID); err != nil || shown && got.Shown.IsZero() || got.Outcome.State != questions.Withdrawn {
				t.Errorf("shown: %v, the ask says %v, %s, %v", shown, got.Shown, got.Outcome.State, err)
			}
		}
		return one, other, after
	})
}

// If SavePlan says that a plan is kept, it is kept. That holds whenever the session with the
// same text as its latest version is removed, and while that session is swept away.
func TestAPlanFileSavedWhileItsSessionGoes(t *testing.T) {
	for _, stops := range []error{nil, errors.New("the sweep ends here")} {
		savesWhileItsSessionGoes(t, stops)
	}
}

func savesWhileItsSessionGoes(t *testing.T, stops error) {
	t.Helper()
	atAnyMoment(t, func(t *testing.T, s *store.Store, _ kv.Engine) (one func(*store.Store), other, after func()) {
		first, _ := saveFile(t, s, store.FilePlan{Text: "# One"})
		if _, _, err := s.SavePlanEdit(t.Context(), store.PlanID{Session: first.Session, Number: 1}, "# Two"); err != nil {
			t.Fatal(err)
		}
		var saved store.Plan
		one = func(s *store.Store) { saved, _ = saveFile(t, s, store.FilePlan{Text: "# Two"}) }
		other = func() { deleteSession(t, s, first.Session, stops) }
		after = func() {
			if text, err := s.PlanText(t.Context(), saved.Session, saved.Number); err != nil || text.Raw() != "# Two" {
				t.Errorf("what was saved reads %q, %v", text.Raw(), err)
			}
		}
		return one, other, after
	})
}

// A version is never overwritten, even if the session's record does not count it.
func TestAPlanFileWritesOverNoVersion(t *testing.T) {
	engine := kvtest.NewMap()
	s := newStore(t, engine)
	session := newSession(t, s, "")
	put := kv.Put{Key: store.PlanKey(session.ID, 1), Value: []byte(`{"v":1}`)}
	if err := engine.Commit(t.Context(), kv.Batch{Op: kv.OpID{1}, Puts: []kv.Put{put}}); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond) // it is tried again and again
	defer cancel()
	if plan, _, err := s.SaveFilePlan(ctx, store.FilePlan{Path: planFile, Name: "a", Text: "# One", Session: session.ID}); err == nil {
		t.Errorf("saved as v%d", plan.Number)
	}
	if there := storetest.All(t, engine, put.Key); len(there) != 1 || string(there[0].Value) != string(put.Value) {
		t.Errorf("now it says %.200s", there[0].Value)
	}
}

// deleteSession deletes a session, or ends early: when the session is gone and nothing is
// swept away yet.
func deleteSession(t *testing.T, s *store.Store, id string, stops error) {
	t.Helper()
	session, err := s.Session(t.Context(), id)
	if err == nil {
		err = s.Delete(t.Context(), session, func(store.Gone) error { return stops })
	}
	if !errors.Is(err, stops) {
		t.Error(err)
	}
}

// The last review is the one that was answered last, by the clocks of the people who
// answered. Of two with the same time it is the one that was asked later.
func TestLastReviewIsTheOneAnsweredLast(t *testing.T) {
	noon := time.Date(2030, 1, 1, 12, 0, 0, 0, time.UTC)
	for name, test := range map[string]struct {
		at   []time.Duration
		last int
	}{
		"in their order":        {[]time.Duration{0, time.Hour}, 1},
		"by a clock behind":     {[]time.Duration{time.Hour, 0}, 0},
		"in the same moment":    {[]time.Duration{0, 0}, 1},
		"the one in the middle": {[]time.Duration{0, 2 * time.Hour, time.Hour}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			engine := kvtest.NewMap()
			s := newStore(t, engine)
			session := newSession(t, s, "")
			var reviews []store.Ask
			for i, at := range test.at {
				review := openReview(t, s, session.ID, "a", "", i+1)
				person := store.New(engine, store.Options{Now: func() time.Time { return noon.Add(at) }})
				if _, err := person.Settle(t.Context(), review.ID, answerReview()); err != nil {
					t.Fatal(err)
				}
				reviews = append(reviews, review)
			}
			if last, err := s.LastReview(t.Context(), session.ID, "a"); err != nil || last.ID != reviews[test.last].ID {
				t.Errorf("the last is v%d, %v", last.Spec.Plan.Number, err)
			}
		})
	}
}

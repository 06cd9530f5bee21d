package store_test

import (
	"errors"
	"strings"
	"sync"
	"testing"

	"planb/plans"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/store/kv"
	"planb/store/kv/kvtest"
	"planb/store/storetest"
)

// openReview submits a version of the session's plan of that name.
func openReview(t *testing.T, s *store.Store, session, name, place string, number int, done ...string) store.Ask {
	t.Helper()
	ask, _, err := s.OpenAsk(t.Context(), store.Ask{Session: session, Place: place, Spec: reviewSpec(name, number, done...)})
	if err != nil {
		t.Fatal(err)
	}
	return ask
}

func reviewSpec(name string, number int, done ...string) questions.Spec {
	return questions.ReviewOf(safe.New("The plan"), questions.PlanRef{
		Name: name, Number: number, Digest: plans.Digest(safe.New(strings.Repeat("x", number))), Done: done,
	})
}

func reviewEntry(text string) questions.Entry {
	return questions.Entry{Message: safe.New("begun"), Fields: map[string]questions.Field{questions.ReviewID: {Text: safe.New(text)}}}
}

func answerReview() questions.Outcome {
	return questions.Outcome{State: questions.Answered, Reply: questions.Reply{
		Answers: map[string]questions.Value{questions.ReviewID: questions.TextValue("{}")},
	}}
}

// The review of a newer version replaces a review that waits, and so does one of the same
// version with other notes done. The replaced review is withdrawn, names the new one and
// is in no queue, and the new one has its entry.
func TestAReviewGivesWayToTheNextOfItsPlan(t *testing.T) {
	t.Parallel()
	storetest.OverEngines(t, func(t *testing.T, open func() kv.Engine) {
		s := newStore(t, open())
		session := newSession(t, s, "")
		for _, long := range []string{`{"note":"short"}`, `{"note":"` + strings.Repeat("long ", 100_000) + `"}`} {
			for _, places := range [][2]string{{"here", "here"}, {"here", "there"}, {"", "here"}} {
				first := openReview(t, s, session.ID, "a", places[0], 1)
				if err := s.SaveEntry(t.Context(), first.ID, reviewEntry(long)); err != nil {
					t.Fatal(err)
				}
				beside := openReview(t, s, session.ID, "b", places[0], 1)
				saved := openReview(t, s, session.ID, "", places[0], 1)
				form := openAsk(t, s, session.ID, "one", places[0])
				second := openReview(t, s, session.ID, "a", places[1], 2)
				third := openReview(t, s, session.ID, "a", places[1], 2, "note")
				for from, to := range map[string]string{first.ID: second.ID, second.ID: third.ID} {
					got, err := s.Ask(t.Context(), from)
					if err != nil || got.Outcome.State != questions.Withdrawn || got.Outcome.Next != to || got.Outcome.By != "" || got.Undelivered() {
						t.Errorf("%+v, %v", got.Outcome, err)
					}
					if _, entered, err := s.Entry(t.Context(), from); entered || err != nil {
						t.Errorf("the entry stayed: %v", err)
					}
				}
				entry, entered, err := s.Entry(t.Context(), third.ID)
				if err != nil || !entered || entry.Message.Raw() != "begun" || entry.Fields[questions.ReviewID].Text.Raw() != long {
					t.Errorf("the entry has %d bytes, %v", len(entry.Fields[questions.ReviewID].Text.Raw()), err)
				}
				waiting, err := s.Waiting(t.Context())
				if got := idsOf(waiting); err != nil || got != idsOf([]store.Ask{beside, saved, form, third}) {
					t.Errorf("open are %s, %v", got, err)
				}
				for _, place := range places {
					queue, err := s.Queue(t.Context(), place)
					if err != nil || strings.Contains(idsOf(queue), first.ID) || strings.Contains(idsOf(queue), second.ID) ||
						(place == places[1]) != strings.Contains(idsOf(queue), third.ID) && place != "" {
						t.Errorf("at %q wait %s, %v", place, idsOf(queue), err)
					}
				}
				for _, ask := range waiting {
					if _, err := s.Settle(t.Context(), ask.ID, questions.Outcome{State: questions.Withdrawn}); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
	})
}

func idsOf(asks []store.Ask) string {
	ids := ""
	for _, ask := range asks {
		ids += ask.ID + "\n"
	}
	return ids
}

// The same submission attaches. An older version of a file joins the review of the newer
// one, which another process submitted first.
func TestNoReviewGivesWayToAnOlderOne(t *testing.T) {
	s := newStore(t, kvtest.NewMap())
	session := newSession(t, s, "")
	ask := openReview(t, s, session.ID, "a", "", 2)
	for _, number := range []int{2, 1} {
		joined, attached, err := s.OpenAsk(t.Context(), store.Ask{Session: session.ID, Spec: reviewSpec("a", number)})
		if err != nil || !attached || joined.ID != ask.ID || joined.Spec.Plan.Number != 2 || !joined.Open() {
			t.Errorf("v%d: %+v, %v", number, joined, err)
		}
	}
	// Which saved version is submitted is for the agent to choose.
	saved := openReview(t, s, session.ID, "", "", 2)
	older := openReview(t, s, session.ID, "", "", 1)
	if got := stateOf(t, s, saved.ID); got.Next != older.ID {
		t.Errorf("got %+v", got)
	}
}

func stateOf(t *testing.T, s *store.Store, id string) questions.Outcome {
	t.Helper()
	ask, err := s.Ask(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return ask.Outcome
}

// If several processes submit at once, one review is left, and all others lead to it. A
// verdict that comes at the same moment is either the outcome or too late, and no entry
// is lost.
func TestReviewsGiveWayAtOnce(t *testing.T) {
	t.Parallel()
	storetest.OverEngines(t, func(t *testing.T, open func() kv.Engine) {
		s := newStore(t, open())
		for round := range 10 {
			session := newSession(t, s, "")
			first := openReview(t, s, session.ID, "a", "here", 1)
			var all sync.WaitGroup
			var verdict error
			opened := make([]store.Ask, 3)
			for i := range opened {
				own := newStore(t, open())
				all.Go(func() {
					var err error
					if opened[i], _, err = own.OpenAsk(t.Context(), store.Ask{Session: session.ID, Place: "here", Spec: reviewSpec("a", i+2)}); err != nil {
						t.Error(err)
					}
				})
			}
			if round%2 == 0 {
				all.Go(func() { _, verdict = s.Settle(t.Context(), first.ID, answerReview()) })
			} else {
				all.Go(func() { verdict = s.SaveEntry(t.Context(), first.ID, reviewEntry("{}")) })
			}
			all.Wait()
			queue, err := s.Queue(t.Context(), "here")
			if err != nil || len(queue) != 1 || queue[0].Spec.Plan.Number != 4 {
				t.Fatalf("there wait %s, %v", idsOf(queue), err)
			}
			last := queue[0].ID
			for _, ask := range append(opened, first) {
				id := ask.ID
				for state := stateOf(t, s, id); state.State == questions.Withdrawn; state = stateOf(t, s, id) {
					id = state.Next
				}
				if id != last && !(id == first.ID && round%2 == 0 && verdict == nil) {
					t.Errorf("%s leads to %s", ask.ID, id)
				}
			}
			if tooLate := new(questions.SettledError); verdict != nil && (!errors.As(verdict, &tooLate) || tooLate.Winner.Next == "") {
				t.Errorf("the verdict, or the entry, came to %v", verdict)
			}
			if _, entered, err := s.Entry(t.Context(), last); round%2 == 1 && verdict == nil && !entered {
				t.Errorf("the entry is gone: %v", err)
			}
			if _, err := s.Settle(t.Context(), last, questions.Outcome{State: questions.Withdrawn}); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// What the person entered, and had not sent when the agent took the question back, is there
// when the agent asks the same again. What they took back themselves, or decided elsewhere, is
// not, and neither is what an answer came after.
func TestWhatWasEnteredOutlivesAWithdrawal(t *testing.T) {
	t.Parallel()
	storetest.OverEngines(t, func(t *testing.T, open func() kv.Engine) {
		s := newStore(t, open())
		ctx := t.Context()
		agent := store.Client{Name: safe.New("codex-mcp-client"), Title: safe.New("Codex")}
		for what, spec := range map[string]func(number int) questions.Spec{
			"a review": func(number int) questions.Spec { return reviewSpec("a", number) },
			"a form":   func(int) questions.Spec { return form("one") },
		} {
			for ended, test := range map[string]struct {
				outcome questions.Outcome
				comes   bool
			}{
				"taken back by the agent":  {questions.Outcome{State: questions.Withdrawn, By: "Codex"}, true},
				"taken back by the person": {questions.Outcome{State: questions.Withdrawn, Message: safe.New("not now")}, false},
				"decided elsewhere":        {questions.Outcome{State: questions.Withdrawn}, false},
				"declined":                 {questions.Outcome{State: questions.Declined}, false},
			} {
				session := newSession(t, s, "")
				ask := func(number int) store.Ask {
					t.Helper()
					asked, _, err := s.OpenAsk(ctx, store.Ask{Session: session.ID, Client: agent, Spec: spec(number)})
					if err != nil {
						t.Fatal(err)
					}
					return asked
				}
				first := ask(1)
				if err := s.SaveEntry(ctx, first.ID, reviewEntry("Why?")); err != nil {
					t.Fatal(err)
				}
				if _, err := s.Settle(ctx, first.ID, test.outcome); err != nil {
					t.Fatal(err)
				}
				if err := s.Deliver(ctx, first.ID); err != nil {
					t.Fatal(err)
				}
				second := ask(2)
				begun, ok, err := s.BegunBefore(ctx, second)
				if err != nil || ok != test.comes {
					t.Errorf("%s, %s: %v, %v", what, ended, ok, err)
				}
				if ok && begun.In(second.Spec).Fields[questions.ReviewID].Text.Raw() != "Why?" {
					t.Errorf("%s begins with %+v", what, begun.In(second.Spec))
				}
				if _, err := s.Settle(ctx, second.ID, questions.Outcome{State: questions.Declined}); err != nil {
					t.Fatal(err)
				}
				if err := s.Deliver(ctx, second.ID); err != nil {
					t.Fatal(err)
				}
				if _, ok, err := s.BegunBefore(ctx, ask(3)); ok || err != nil {
					t.Errorf("%s, %s, and asked once more: %v, %v", what, ended, ok, err)
				}
			}
		}
	})
}

package store_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/store/kv"
	"planb/store/kv/kvtest"
)

// form is a small form of every kind; its title makes it another form.
func form(title string) questions.Spec {
	return questions.Spec{
		Title: safe.New(title),
		Questions: []questions.Question{
			{ID: "why", Kind: questions.LongText, Label: safe.New("Why?"), Tab: safe.New("Questions")},
			{ID: "how", Kind: questions.Multi, Label: safe.New("How?"), Tab: safe.New("Questions"), Required: true, Options: []questions.Option{
				{Value: safe.New("by hand")}, {Value: safe.New("by machine")},
			}},
		},
	}
}

// answered is a reply to form that is in no order.
func answered(text string) questions.Outcome {
	return questions.Outcome{State: questions.Answered, By: "person@desk", Reply: questions.Reply{
		Answers: map[string]questions.Value{
			"why": questions.TextValue(text),
			"how": questions.ItemsValue("by machine", "by hand"),
		},
	}}
}

func newStore(t *testing.T, engine kv.Engine) *store.Store {
	t.Helper()
	return store.New(engine, store.Options{By: "person@desk"})
}

func newSession(t *testing.T, s *store.Store, project string) store.Session {
	t.Helper()
	session, err := s.CreateSession(t.Context(), store.Session{Title: safe.New("a session"), Project: safe.New(project)})
	if err != nil {
		t.Fatal(err)
	}
	return session
}

func openAsk(t *testing.T, s *store.Store, session, title, place string) store.Ask {
	t.Helper()
	ask, attached, err := s.OpenAsk(t.Context(), store.Ask{
		Session: session, Spec: form(title), Place: place, Timeout: time.Hour,
	})
	if err != nil {
		t.Fatal(err)
	}
	if attached {
		t.Fatalf("the ask %q was attached to another", title)
	}
	return ask
}

func titles(asks []store.Ask) []string {
	var list []string
	for _, a := range asks {
		list = append(list, a.Spec.Title.Raw())
	}
	return list
}

func TestAnAnswerReachesTheAgentOnce(t *testing.T) {
	ctx := t.Context()
	s := newStore(t, kvtest.NewMap())
	session := newSession(t, s, "/p")
	ask := openAsk(t, s, session.ID, "one", "place")

	if got := ask.Outcome.State; got != questions.Pending {
		t.Errorf("a new ask is %q", got)
	}
	got, err := s.Settle(ctx, ask.ID, answered("because"))
	if err != nil {
		t.Fatal(err)
	}
	if items, _ := got.Outcome.Reply.Answers["how"].Items(); !slices.Equal(items, []string{"by hand", "by machine"}) {
		t.Errorf("multi answers are %q, not in the options' order", items)
	}
	for range 2 {
		told, err := s.Undelivered(ctx, session.ID)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(titles(told), []string{"one"}) || len(told[0].Spec.Questions) != 2 {
			t.Errorf("undelivered are %q", titles(told))
		}
	}
	for range 2 {
		if err := s.Deliver(ctx, ask.ID); err != nil {
			t.Fatal(err)
		}
	}
	told, err := s.Undelivered(ctx, session.ID)
	if err != nil || len(told) != 0 {
		t.Errorf("after the delivery %q are undelivered, %v", titles(told), err)
	}
	now, err := s.Ask(ctx, ask.ID)
	if err != nil || now.Delivered.IsZero() {
		t.Errorf("the ask was delivered at %v, %v", now.Delivered, err)
	}
	if _, err := s.Settle(ctx, ask.ID, answered("on second thoughts")); !errors.As(err, new(*questions.SettledError)) {
		t.Errorf("a second answer gave %v", err)
	}
	now, err = s.Ask(ctx, ask.ID)
	if err != nil || len(now.TooLate) != 1 {
		t.Fatalf("late outcomes are %v, %v", now.TooLate, err)
	}
	if text, _ := now.TooLate[0].Reply.Answers["why"].Text(); text != "on second thoughts" {
		t.Errorf("the loser's text is %q", text)
	}
}

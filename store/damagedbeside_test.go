package store_test

import (
	"errors"
	"fmt"
	"testing"

	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/store/kv"
)

// TestAnAnswerIsKeptWhateverElseIsDamaged damages each record that settling an ask also
// changes.
func TestAnAnswerIsKeptWhateverElseIsDamaged(t *testing.T) {
	t.Parallel()
	for name, over := range damages() {
		for what, key := range map[string]func(store.Ask) kv.Key{
			"session": func(a store.Ask) kv.Key { return store.SessionKey(a.Session) },
			"queue":   func(a store.Ask) kv.Key { return store.QueueKey(a.Place) },
			"same":    func(a store.Ask) kv.Key { return store.SameKey(a.Session, a.Digest) },
			"entry":   func(a store.Ask) kv.Key { return store.EntryKey(a.ID) },
		} {
			for _, outcome := range []questions.Outcome{
				answered("x"),
				{State: questions.Discuss, Message: safe.New("why?")},
				{State: questions.Declined},
				{State: questions.Withdrawn},
			} {
				t.Run(fmt.Sprint(name, "/", what, "/", outcome.State), func(t *testing.T) {
					over(t, func(open func() kv.Engine, hurt func(kv.Key)) {
						ctx := t.Context()
						engine := open()
						s := newStore(t, engine)
						session := newSession(t, s, "/srv/project")
						ask := openAsk(t, s, session.ID, "Ask", "here")
						if err := s.SaveEntry(ctx, ask.ID, entryOf("half")); err != nil {
							t.Fatal(err)
						}
						hurtKey := key(ask)
						hurt(hurtKey)
						damaged := readRaw(t, engine, hurtKey)

						if err := s.MarkShown(ctx, ask.ID); err != nil {
							t.Errorf("to mark it shown: %v", err)
						}
						if got, err := s.Expire(ctx, ask.ID, ask.Asked); err != nil || got.Outcome.State != questions.Expired {
							t.Errorf("to end its time: %s, %v", got.Outcome.State, err)
						}
						if got, err := s.Settle(ctx, ask.ID, outcome); err != nil || got.Outcome.State != outcome.State {
							t.Fatalf("to settle it: %s, %v", got.Outcome.State, err)
						}
						wanted := 1
						if outcome.State == questions.Withdrawn {
							wanted = 0
						}
						told, err := undeliveredIn(ctx, s, "/srv/project")
						if err != nil || len(told) != wanted {
							t.Errorf("%d asks of the project are to be told, %v; want %d", len(told), err, wanted)
						}
						var late *questions.SettledError
						if _, err := s.Settle(ctx, ask.ID, answered("too late")); !errors.As(err, &late) {
							t.Errorf("a second outcome: %v", err)
						}
						if err := s.Deliver(ctx, ask.ID); err != nil {
							t.Errorf("to deliver it: %v", err)
						}
						if told, err = s.Undelivered(ctx, session.ID); err != nil || len(told) != 0 {
							t.Errorf("%d asks are to be told after it was, %v", len(told), err)
						}
						if waiting, err := s.Waiting(ctx); err != nil || len(waiting) != 0 {
							t.Errorf("%d asks wait, %v", len(waiting), err)
						}
						if now := readRaw(t, engine, hurtKey); now != damaged {
							t.Errorf("the damaged record was %s and is %s", damaged, now)
						}
					})
				})
			}
		}
	}
}

// readRaw describes a record, or why it cannot be read.
func readRaw(t *testing.T, engine kv.Engine, key kv.Key) string {
	t.Helper()
	records, err := engine.Get(t.Context(), key)
	if err != nil {
		return err.Error()
	}
	return fmt.Sprintf("%q at %d", records[0].Value, records[0].Rev)
}

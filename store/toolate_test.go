package store_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"planb/questions"
	"planb/store"
	"planb/store/kv"
	"planb/store/kv/kvtest"
	"planb/store/storetest"
)

// settledAsk is an ask with an outcome; a later reply is too late.
func settledAsk(t *testing.T, s *store.Store) store.Ask {
	t.Helper()
	ask := openAsk(t, s, newSession(t, s, "/p").ID, "one", "")
	settled, err := s.Settle(t.Context(), ask.ID, answered("in time"))
	if err != nil {
		t.Fatal(err)
	}
	return settled
}

func replyLate(t *testing.T, s *store.Store, ask, text string) {
	t.Helper()
	if _, err := s.Settle(t.Context(), ask, answered(text)); !errors.As(err, new(*questions.SettledError)) {
		t.Fatalf("a late reply: %v", err)
	}
}

func lateTexts(ask store.Ask) []string {
	var texts []string
	for _, late := range ask.TooLate {
		texts = append(texts, said(late))
	}
	return texts
}

// An ask keeps MaxTooLate replies, however long they are. The next one is refused with
// an error that another try does not change, and nothing of it is written.
func TestAnAskKeepsSoManyLateReplies(t *testing.T) {
	t.Parallel()
	storetest.OverEngines(t, func(t *testing.T, open func() kv.Engine) {
		engine := open()
		s := newStore(t, engine)
		ask := settledAsk(t, s)
		size := len(fmt.Sprint(rawRecord(t, engine, store.AskKey(ask.ID))))
		var want []string
		for i := range store.MaxTooLate {
			text := fmt.Sprint(i)
			if i%5 == 0 {
				text += longText
			}
			replyLate(t, s, ask.ID, text)
			want = append(want, text)
		}
		before := storetest.Dump(t, engine)
		for range 3 {
			got, err := s.Settle(t.Context(), ask.ID, answered("one too many"))
			late, refused := errors.AsType[*store.TooLateError](err)
			if !refused || said(late.Winner) != "in time" || errors.As(err, new(*questions.SettledError)) {
				t.Fatalf("one too many: %v", err)
			}
			if said(got.Outcome) != "in time" || len(got.TooLate) != store.MaxTooLate {
				t.Errorf("told with %+v", got)
			}
			if !strings.Contains(err.Error(), "copy it or save it to a file") || kv.Passing(err) {
				t.Errorf("%q, passing: %v", err, kv.Passing(err))
			}
		}
		if after := storetest.Dump(t, engine); after != before {
			t.Error("a refused reply wrote something")
		}
		if now := len(fmt.Sprint(rawRecord(t, engine, store.AskKey(ask.ID)))); now > size+20 {
			t.Errorf("the ask's record grew from %d to %d bytes", size, now)
		}
		if _, err := s.Settle(t.Context(), ask.ID, questions.Outcome{State: questions.Withdrawn}); !errors.As(err, new(*questions.SettledError)) {
			t.Errorf("withdrawing says nothing, and is told as before: %v", err)
		}
		reads := map[string]func() (store.Ask, error){
			"Ask": func() (store.Ask, error) { return s.Ask(t.Context(), ask.ID) },
			"AsksNow": func() (store.Ask, error) {
				asks, err := s.AsksNow(t.Context(), ask.ID)
				return asks[0], err
			},
			"Asks": func() (store.Ask, error) {
				asks, err := s.Asks(t.Context(), ask.Session)
				return asks[0], err
			},
			"WholeAsks": func() (whole store.Ask, err error) {
				for whole, err = range s.WholeAsks(t.Context(), ask.Session) {
				}
				return whole, err
			},
		}
		for name, read := range reads {
			if got, err := read(); err != nil || !slices.Equal(lateTexts(got), want) {
				t.Errorf("%s reads %d late replies, %v", name, len(got.TooLate), err)
			}
		}
		seen := false
		for _, err := range s.WholeAsksWhere(t.Context(), func(json ...[]byte) bool {
			return slices.ContainsFunc(json, func(j []byte) bool { return strings.Contains(string(j), `"why":"19"`) })
		}, ask.Session) {
			seen = err == nil
		}
		if !seen {
			t.Error("who looks for words is not given those of a late reply")
		}
		sound(t, s)
	})
}

// An older planb kept all late replies in the ask's record.
func TestLateRepliesOfAnOlderStore(t *testing.T) {
	t.Parallel()
	storetest.OverEngines(t, func(t *testing.T, open func() kv.Engine) {
		engine := open()
		s := newStore(t, engine)
		ask := settledAsk(t, s)
		age := func(n int) { // gives the ask's record n late replies of its own
			record := rawRecord(t, engine, store.AskKey(ask.ID))
			var old []any
			for i := range n {
				old = append(old, map[string]any{
					"state": "discuss", "message": fmt.Sprint("old ", i), "at": time.Now(), "op": fmt.Sprintf("%032d", i),
				})
			}
			record["late"] = old
			storetest.PutRecord(t, engine, store.AskKey(ask.ID), record)
		}
		age(2)
		replyLate(t, s, ask.ID, "new")
		got, err := s.Ask(t.Context(), ask.ID)
		if err != nil || !slices.Equal(lateTexts(got), []string{"old 0", "old 1", "new"}) {
			t.Errorf("read %q, %v", lateTexts(got), err)
		}
		sound(t, s)

		age(1000)
		got, err = s.Ask(t.Context(), ask.ID)
		if err != nil || len(got.TooLate) != 1001 {
			t.Errorf("read %d late replies, %v", len(got.TooLate), err)
		}
		if _, err := s.Settle(t.Context(), ask.ID, answered("no more")); !errors.As(err, new(*store.TooLateError)) {
			t.Errorf("with more than an ask keeps: %v", err)
		}
		sound(t, s)
	})
}

// Replies that came too late go with their ask, and a prune counts their texts as its session's.
func TestLateRepliesGoWithTheirAsk(t *testing.T) {
	t.Parallel()
	engine := kvtest.NewMap()
	s := newStore(t, engine)
	ask := settledAsk(t, s)
	replyLate(t, s, ask.ID, longText)
	if err := s.Deliver(t.Context(), ask.ID); err != nil {
		t.Fatal(err)
	}
	list, err := s.Prunable(t.Context(), time.Now().Add(time.Hour))
	if err != nil || list.Chunks != 2 || list.OrphanChunks != 0 { // the form, and the reply
		t.Errorf("would remove %+v, %v", list, err)
	}
	if _, err := s.Prune(t.Context(), list, nil); err != nil {
		t.Fatal(err)
	}
	if n := count(t, engine, store.LateKeys); n != 0 {
		t.Errorf("%d late replies are left", n)
	}
	sound(t, s)
}

// Whichever late reply a repair lost, the store reads the others in their order, keeps the
// next reply beside them, and the audit finds no gap.
func TestLateRepliesAfterOneWasLost(t *testing.T) {
	t.Parallel()
	for lost := range 3 {
		for _, repaired := range []bool{true, false} {
			engine := kvtest.NewMap()
			s := newStore(t, engine)
			ask := settledAsk(t, s)
			want := []string{"first", "second " + longText, "third"}
			for _, text := range want {
				replyLate(t, s, ask.ID, text)
			}
			drop := kv.Batch{Op: kv.OpID{1}, Deletes: []kv.Key{store.LateKey(ask.ID, lost+1)}}
			if err := engine.Commit(t.Context(), drop); err != nil {
				t.Fatal(err)
			}
			want = slices.Delete(want, lost, lost+1)
			if repaired {
				if err := s.Reindex(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			for i := len(want); i < store.MaxTooLate; i++ {
				text := fmt.Sprint("after ", i)
				replyLate(t, s, ask.ID, text)
				want = append(want, text)
				got, err := s.Ask(t.Context(), ask.ID)
				if err != nil || !slices.Equal(lateTexts(got), want) {
					t.Fatalf("without %d, repaired: %v: read %q, %v, want %q", lost+1, repaired, lateTexts(got), err, want)
				}
			}
			if _, err := s.Settle(t.Context(), ask.ID, answered("too many")); !errors.As(err, new(*store.TooLateError)) {
				t.Errorf("without %d, repaired: %v: one too many: %v", lost+1, repaired, err)
			}
			if audit, err := s.Audit(t.Context()); err != nil || repaired && len(audit.Problems) > 0 {
				t.Errorf("without %d, repaired: %v: %q, %v", lost+1, repaired, audit.Problems, err)
			}
		}
	}
}

// TestAnEmptyLateReplyIsNotKept: a form without an answer, sent after another one, says nothing.
func TestAnEmptyLateReplyIsNotKept(t *testing.T) {
	t.Parallel()
	s, spec := newStore(t, kvtest.NewMap()), form("one")
	for i := range spec.Questions {
		spec.Questions[i].Required = false
	}
	ask, _, err := s.OpenAsk(t.Context(), store.Ask{Session: newSession(t, s, "/p").ID, Spec: spec})
	if err == nil {
		_, err = s.Settle(t.Context(), ask.ID, answered("in time"))
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err = s.Settle(t.Context(), ask.ID, questions.Outcome{State: questions.Answered}); !errors.As(err, new(*questions.SettledError)) {
		t.Fatal(err)
	}
	if ask, err = s.Ask(t.Context(), ask.ID); err != nil || len(ask.TooLate) != 0 {
		t.Errorf("kept %+v, %v", ask.TooLate, err)
	}
}

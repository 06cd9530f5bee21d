package store_test

import (
	"errors"
	"testing"
	"time"

	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/store/kv"
	"planb/store/storetest"
)

func TestSnoozing(t *testing.T) {
	ctx := t.Context()
	storetest.OverEngines(t, func(t *testing.T, open func() kv.Engine) {
		s, other := store.New(open(), store.Options{By: "me@here"}), store.New(open(), store.Options{})
		session := newSession(t, s, "")
		ask := openAsk(t, s, session.ID, "one", "here")
		now := time.Now()
		asleep := func() bool {
			t.Helper()
			waiting, err := other.Waiting(ctx)
			if err != nil || len(waiting) != 1 {
				t.Fatalf("%d wait, %v", len(waiting), err)
			}
			awake, err := other.Awake(ctx, now)
			if err != nil || (awake == 0) != waiting[0].Asleep(now) {
				t.Errorf("%d are counted as awake, %v", awake, err)
			}
			return waiting[0].Asleep(now)
		}
		if asleep() {
			t.Error("it sleeps before anybody said so")
		}
		until := now.Add(time.Hour)
		if err := s.Snooze(ctx, ask.ID, until); err != nil || !asleep() {
			t.Fatalf("snoozed: %v, asleep %v", err, asleep())
		}
		if got, err := other.Ask(ctx, ask.ID); err != nil || !got.Snoozed.Equal(until) || got.Asleep(until) {
			t.Errorf("snoozed until %v, want %v, and not any longer; %v", got.Snoozed, until, err)
		}
		if queue, err := s.Queue(ctx, "here"); err != nil || len(queue) != 1 {
			t.Errorf("its place shows %d, %v", len(queue), err)
		}
		if err := s.Snooze(ctx, ask.ID, time.Time{}); err != nil || asleep() {
			t.Errorf("woken: %v, asleep %v", err, asleep())
		}
		if err := s.Snooze(ctx, ask.ID, until); err != nil {
			t.Fatal(err)
		}
		done, err := s.Settle(ctx, ask.ID, answered("x"))
		if awake, err := s.Awake(ctx, until.Add(time.Hour)); err != nil || awake != 0 {
			t.Errorf("once answered %d are awake, %v", awake, err)
		}
		if err != nil || done.Asleep(now) {
			t.Errorf("answered while it slept: %v, asleep %v", err, done.Asleep(now))
		}
		late := new(questions.SettledError)
		if err := s.Snooze(ctx, ask.ID, until); !errors.As(err, &late) || late.Winner.State != questions.Answered {
			t.Errorf("snoozed after it was answered: %v", err)
		}
		for _, id := range []string{nobody, "none"} {
			unknown := new(store.UnknownError)
			if err := s.Snooze(ctx, id, until); !errors.As(err, &unknown) {
				t.Errorf("snoozed %q: %v", id, err)
			}
		}
	})
}

// TestSnoozingRings holds that every list learns of it, and that the same call again does
// not ring.
func TestSnoozingRings(t *testing.T) {
	ctx := t.Context()
	storetest.OverEngines(t, func(t *testing.T, open func() kv.Engine) {
		s := store.New(open(), store.Options{})
		ask := openAsk(t, s, newSession(t, s, "").ID, "one", "")
		rings, err := store.New(open(), store.Options{}).Watch(ctx)
		if err != nil {
			t.Fatal(err)
		}
		rung := func() bool {
			select {
			case <-rings:
				return true
			default:
				return false
			}
		}
		until(t, "the first ring", rung)
		at := time.Now().Add(time.Hour)
		if err := s.Snooze(ctx, ask.ID, at); err != nil {
			t.Fatal(err)
		}
		until(t, "a ring", rung)
		before, err := s.AsksNow(ctx, ask.ID)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Snooze(ctx, ask.ID, at); err != nil {
			t.Fatal(err)
		}
		if after, err := s.AsksNow(ctx, ask.ID); err != nil || !after[0].Snoozed.Equal(before[0].Snoozed) {
			t.Errorf("snoozed twice until %v, then %v, %v", before[0].Snoozed, after[0].Snoozed, err)
		}
		if rung() {
			t.Error("snoozing until the same time rings again")
		}
	})
}

// TestTakingBackTooLateSaysNothing holds that a withdrawal of an answered question leaves
// no words on it.
func TestTakingBackTooLateSaysNothing(t *testing.T) {
	ctx := t.Context()
	storetest.OverEngines(t, func(t *testing.T, open func() kv.Engine) {
		s := store.New(open(), store.Options{})
		ask := openAsk(t, s, newSession(t, s, "").ID, "one", "")
		if _, err := s.Settle(ctx, ask.ID, answered("x")); err != nil {
			t.Fatal(err)
		}
		late := new(questions.SettledError)
		_, err := s.Settle(ctx, ask.ID, questions.Outcome{State: questions.Withdrawn, Message: safe.New("Not needed.")})
		if !errors.As(err, &late) {
			t.Fatal(err)
		}
		if got, err := s.Ask(ctx, ask.ID); err != nil || len(got.TooLate) != 0 || got.Outcome.State != questions.Answered {
			t.Errorf("%+v, %v", got, err)
		}
	})
}

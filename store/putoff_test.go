package store_test

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"planb/questions/safe"
	"planb/store"
	"planb/store/kv"
	"planb/store/kv/kvtest"
	"planb/store/storetest"
)

// popupStores are stores of several processes over the same data. They have one clock,
// which the test sets.
func popupStores(t *testing.T, n int, open func() kv.Engine) (stores []*store.Store, advance func(time.Duration)) {
	t.Helper()
	var offset atomic.Int64
	start := time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)
	for range n {
		stores = append(stores, store.New(open(), store.Options{
			By: "me@here", Now: func() time.Time { return start.Add(time.Duration(offset.Load())) },
		}))
	}
	return stores, func(d time.Duration) { offset.Add(int64(d)) }
}

func TestPanesComeUpAtMostSixTimesAMinute(t *testing.T) {
	ctx := t.Context()
	storetest.OverEngines(t, func(t *testing.T, open func() kv.Engine) {
		stores, advance := popupStores(t, 3, open)
		for i := range 6 {
			if err := stores[i%3].AllowPane(ctx, "here"); err != nil {
				t.Fatalf("pane %d: %v", i+1, err)
			}
			advance(5 * time.Second)
		}
		for _, s := range stores {
			if err := s.AllowPane(ctx, "here"); !errors.Is(err, store.ErrTooManyPanes) {
				t.Errorf("the seventh pane within a minute: %v", err)
			}
		}
		if err := stores[0].AllowPane(ctx, "there"); err != nil {
			t.Errorf("at another place: %v", err)
		}
		advance(30 * time.Second) // the first one is a minute old
		if err := stores[1].AllowPane(ctx, "here"); err != nil {
			t.Errorf("a minute after the first: %v", err)
		}
		if err := stores[2].AllowPane(ctx, "here"); !errors.Is(err, store.ErrTooManyPanes) {
			t.Errorf("a minute after the first, two: %v", err)
		}
		if err := stores[0].NoPane(ctx, "here"); err != nil {
			t.Fatal(err)
		}
		if err := stores[1].AllowPane(ctx, "here"); err != nil {
			t.Errorf("in place of one that did not come up: %v", err)
		}
		if err := stores[2].NoPane(ctx, "where no pane ever came up"); err != nil {
			t.Error(err)
		}
	})
}

func TestServersAtOncePassNoMorePanesThanOne(t *testing.T) {
	storetest.OverEngines(t, func(t *testing.T, open func() kv.Engine) {
		stores, _ := popupStores(t, 4, open)
		var all sync.WaitGroup
		var allowed atomic.Int32
		for _, s := range stores {
			for range 5 {
				all.Go(func() {
					switch err := s.AllowPane(t.Context(), "here"); {
					case err == nil:
						allowed.Add(1)
					case !errors.Is(err, store.ErrTooManyPanes):
						t.Error(err)
					}
				})
			}
		}
		if all.Wait(); allowed.Load() != 6 {
			t.Errorf("%d panes may come up", allowed.Load())
		}
	})
}

func TestAPlaceIsPutOffForTenMinutes(t *testing.T) {
	ctx := t.Context()
	storetest.OverEngines(t, func(t *testing.T, open func() kv.Engine) {
		stores, advance := popupStores(t, 2, open)
		person, server := stores[0], stores[1]
		wantPutOff := func(when string, want bool) {
			t.Helper()
			if got, err := server.PutOffs(ctx, "here"); err != nil || got.Place != want {
				t.Errorf("%s: put off is %v, %v", when, got, err)
			}
			if err := server.AllowPane(ctx, "here"); errors.Is(err, store.ErrPutOff) != want {
				t.Errorf("%s: a pane: %v", when, err)
			}
		}
		put := func() {
			t.Helper()
			if err := person.PutOff(ctx, "here"); err != nil {
				t.Fatal(err)
			}
		}
		wantPutOff("before", false)
		put()
		wantPutOff("at once", true)
		if err := server.AllowPane(ctx, "there"); err != nil {
			t.Errorf("another place: %v", err)
		}
		advance(store.PutOffTime - time.Second)
		wantPutOff("after nearly ten minutes", true)
		advance(time.Second)
		wantPutOff("after ten minutes", false)
		put()
		if err := person.EndPutOff(ctx, store.Ask{Place: "here"}); err != nil {
			t.Fatal(err)
		}
		wantPutOff("after the person opened something there", false)
		put()
		advance(-24 * time.Hour)
		wantPutOff("after the clock was put back a day", false)
	})
}

// One ask, or all of an agent, can be put off while the rest comes up.
func TestAnAskAndAnAgentArePutOffForTenMinutes(t *testing.T) {
	ctx := t.Context()
	storetest.OverEngines(t, func(t *testing.T, open func() kv.Engine) {
		stores, advance := popupStores(t, 2, open)
		person, server := stores[0], stores[1]
		session := newSession(t, person, "/p")
		asks := func(title, agent string) store.Ask {
			t.Helper()
			ask, _, err := person.OpenAsk(ctx, store.Ask{Session: session.ID, Spec: form(title), Place: "here", Timeout: time.Hour, Client: store.Client{Title: safe.New(agent)}})
			if err != nil {
				t.Fatal(err)
			}
			return ask
		}
		one, two, other := asks("one", "Codex"), asks("two", "Codex"), asks("three", "Gemini")
		wantOff := func(when string, want ...bool) {
			t.Helper()
			off, err := server.PutOffs(ctx, "here")
			if err != nil || off.Place {
				t.Fatalf("%s: all is put off: %v, %v", when, off.Place, err)
			}
			now, err := server.AsksNow(ctx, one.ID, two.ID, other.ID)
			if err != nil {
				t.Fatal(err)
			}
			for i, ask := range now {
				if off.Has(ask) != want[i] {
					t.Errorf("%s: ask %d is put off: %v", when, i+1, !want[i])
				}
			}
		}
		do := func(err error) {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
		}
		wantOff("before", false, false, false)
		do(person.PutOffAsk(ctx, one.ID))
		wantOff("with one put off", true, false, false)
		advance(store.PutOffTime - time.Second)
		do(person.PutOffAgent(ctx, "here", one.Client))
		wantOff("with its agent put off, too", true, true, false)
		advance(time.Second)
		wantOff("ten minutes after the first", true, true, false)
		advance(store.PutOffTime)
		wantOff("ten minutes after the agent", false, false, false)

		do(person.PutOffAsk(ctx, one.ID))
		do(person.PutOffAgent(ctx, "here", one.Client))
		now, err := person.Ask(ctx, one.ID)
		do(err)
		do(person.EndPutOff(ctx, now))
		wantOff("after the person opened it", false, false, false)
		do(person.PutOffAsk(ctx, one.ID))
		do(person.PutOffAgent(ctx, "here", one.Client))
		advance(-24 * time.Hour)
		wantOff("after the clock was put back a day", false, false, false)

		do(person.PutOffAsk(ctx, one.ID))
		do(person.MoveAsk(ctx, one.ID, "there"))
		wantOff("at another place", false, false, false)
		for i := range 30 {
			do(person.PutOffAgent(ctx, "here", store.Client{Title: safe.New(fmt.Sprint("Agent ", i))}))
		}
		do(person.PutOffAgent(ctx, "here", other.Client))
		wantOff("with many agents put off", false, false, true)
		off, err := server.PutOffs(ctx, "here")
		do(err)
		if off.Has(store.Ask{Client: store.Client{Title: safe.New("Agent 0")}}) {
			t.Error("the agents that are put off have no bound")
		}
		if report, err := person.Audit(ctx); err != nil || len(report.Problems) > 0 {
			t.Errorf("the deep check says %q, %v", report.Problems, err)
		}
		if _, err := person.Settle(ctx, one.ID, answered("x")); err != nil {
			t.Fatal(err)
		}
		do(person.PutOffAsk(ctx, one.ID)) // too late, and no error
		if ask, err := person.Ask(ctx, one.ID); err != nil || !ask.PutOff.IsZero() {
			t.Errorf("an answered ask is put off until %v, %v", ask.PutOff, err)
		}
		if err := person.PutOffAsk(ctx, "0190b6a2-0000-7000-8000-000000000000"); !isUnknown(err) {
			t.Errorf("an ask that is not there: %v", err)
		}
	})
}

// A plan that the person put off stays put off when the agent submits its next version.
func TestThePlanThatWasPutOffStaysSo(t *testing.T) {
	ctx := t.Context()
	s := newStore(t, kvtest.NewMap())
	session := newSession(t, s, "/p")
	if err := s.PutOffAsk(ctx, openReview(t, s, session.ID, "a", "here", 1).ID); err != nil {
		t.Fatal(err)
	}
	for i, next := range []struct {
		place string
		want  bool
	}{{"here", true}, {"there", false}} {
		ask := openReview(t, s, session.ID, "a", next.place, i+2)
		off, err := s.PutOffs(ctx, next.place)
		if err != nil || off.Has(ask) != next.want {
			t.Errorf("the next version, %s: put off is %v, %v", next.place, off.Has(ask), err)
		}
	}
}

// The record of a place is deleted when its times are past, also at a place that is not
// used again.
func TestNothingIsRememberedOfThePanesOfThePast(t *testing.T) {
	ctx, engine := t.Context(), kvtest.NewMap()
	stores, advance := popupStores(t, 1, func() kv.Engine { return engine })
	s := stores[0]
	for i := range 20 {
		if err := s.AllowPane(ctx, fmt.Sprint("window ", i)); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.PutOff(ctx, "window 3"); err != nil {
		t.Fatal(err)
	}
	advance(time.Minute)
	if err := s.AllowPane(ctx, "here"); err != nil {
		t.Fatal(err)
	}
	page, err := engine.Scan(ctx, store.PopupKeys, "", 100)
	if err != nil || len(page.Records) != 2 {
		t.Errorf("%d records are left, want those of here and of window 3; %v", len(page.Records), err)
	}
	advance(store.PutOffTime)
	if err := s.AllowPane(ctx, "there"); err != nil {
		t.Fatal(err)
	}
	if page, err := engine.Scan(ctx, store.PopupKeys, "", 100); err != nil || len(page.Records) != 1 {
		t.Errorf("%d records are left, want that of there; %v", len(page.Records), err)
	}
}

func TestPanesAreNotedQuietly(t *testing.T) {
	ctx := t.Context()
	s := newStore(t, kvtest.NewMap())
	ask := openAsk(t, s, newSession(t, s, "/p").ID, "one", "here")
	bell, err := s.Watch(ctx)
	if err != nil {
		t.Fatal(err)
	}
	<-bell
	for _, note := range []func() error{
		func() error { return s.AllowPane(ctx, "here") }, func() error { return s.PutOff(ctx, "here") },
		func() error { return s.PutOffAgent(ctx, "here", store.Client{}) }, func() error { return s.PutOffAsk(ctx, ask.ID) },
		func() error { return s.EndPutOff(ctx, store.Ask{Place: "here"}) },
	} {
		if err := note(); err != nil {
			t.Fatal(err)
		}
	}
	select {
	case <-bell:
		t.Error("it rang")
	default:
	}
}

func TestADamagedNoteOfPanesIsTold(t *testing.T) {
	engine := kvtest.NewMap()
	s := newStore(t, engine)
	storetest.PutBytes(t, engine, store.PopupKey("here"), []byte(`{"v":1,"putOff":7}`))
	if err := s.AllowPane(t.Context(), "here"); !store.AboutOneRecord(err) {
		t.Errorf("got %v", err)
	}
	storetest.PutBytes(t, engine, store.PopupKey("there"), []byte(`{"v":1,"place":"elsewhere","opened":["2026-11-22T09:00:00Z"]}`))
	report, err := s.Audit(t.Context())
	if err != nil || len(report.Problems) != 2 {
		t.Errorf("the deep check says %q, %v", report.Problems, err)
	}
}

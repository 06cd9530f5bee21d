package store_test

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"planb/store"
	"planb/store/storetest"
)

// popupStores are stores of several processes over the same data, on one clock
// that the test sets.
func popupStores(t *testing.T, n int, open func() store.Engine) (stores []*store.Store, advance func(time.Duration)) {
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
	overEngines(t, func(t *testing.T, open func() store.Engine) {
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
	})
}

func TestServersAtOncePassNoMorePanesThanOne(t *testing.T) {
	overEngines(t, func(t *testing.T, open func() store.Engine) {
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
	overEngines(t, func(t *testing.T, open func() store.Engine) {
		stores, advance := popupStores(t, 2, open)
		person, server := stores[0], stores[1]
		wantPutOff := func(when string, want bool) {
			t.Helper()
			if got, err := server.IsPutOff(ctx, "here"); err != nil || got != want {
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
		if err := person.EndPutOff(ctx, "here"); err != nil {
			t.Fatal(err)
		}
		wantPutOff("after the person opened something there", false)
		put()
		advance(-24 * time.Hour)
		wantPutOff("after the clock was put back a day", false)
	})
}

// What is remembered of a place goes when it is worth nothing, also at places
// that nobody comes back to.
func TestNothingIsRememberedOfThePanesOfThePast(t *testing.T) {
	ctx, engine := t.Context(), storetest.NewMap()
	stores, advance := popupStores(t, 1, func() store.Engine { return engine })
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
	s := newStore(t, storetest.NewMap())
	newSession(t, s, "/p")
	bell, err := s.Watch(ctx)
	if err != nil {
		t.Fatal(err)
	}
	<-bell
	for _, note := range []func() error{
		func() error { return s.AllowPane(ctx, "here") }, func() error { return s.PutOff(ctx, "here") }, func() error { return s.EndPutOff(ctx, "here") },
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
	engine := storetest.NewMap()
	s := newStore(t, engine)
	putBytes(t, engine, store.PopupKey("here"), []byte(`{"v":1,"putOff":7}`))
	if err := s.AllowPane(t.Context(), "here"); !store.AboutOneRecord(err) {
		t.Errorf("got %v", err)
	}
	putBytes(t, engine, store.PopupKey("there"), []byte(`{"v":1,"place":"elsewhere","opened":["2026-11-22T09:00:00Z"]}`))
	report, err := s.Audit(t.Context())
	if err != nil || len(report.Problems) != 2 {
		t.Errorf("the deep check says %q, %v", report.Problems, err)
	}
}

package store_test

import (
	"testing"
	"time"

	"planb/store"
	"planb/store/kv"
)

func TestStanding(t *testing.T) {
	ctx := t.Context()
	overEngines(t, func(t *testing.T, open func() kv.Engine) {
		server := store.New(open(), store.Options{By: "server", TTL: time.Hour})
		screen := store.New(open(), store.Options{By: "you@desk", TTL: time.Hour})
		session := newSession(t, server, "")
		waited, shown, neither := openAsk(t, server, session.ID, "one", ""), openAsk(t, server, session.ID, "two", ""), openAsk(t, server, session.ID, "three", "")
		hold := func(s *store.Store, key kv.Key, note string) *store.Held {
			t.Helper()
			held, err := s.Hold(ctx, key, note)
			if err != nil {
				t.Fatal(err)
			}
			return held
		}
		wait := hold(server, store.WaitClaim(waited.ID, "a"), "")
		hold(server, store.WaitClaim(waited.ID, "b"), "")
		hold(screen, store.ShowClaim(shown.ID, "x"), "you@desk")
		hold(screen, store.PlaceClaim("here"), "")
		look := func() store.Standing {
			t.Helper()
			standing, err := screen.Standing(ctx)
			if err != nil {
				t.Fatal(err)
			}
			return standing
		}
		got := look()
		if !got.Waited(waited.ID) || got.Waited(shown.ID) || got.Waited(neither.ID) {
			t.Error("waited for are", got.Waited(waited.ID), got.Waited(shown.ID), got.Waited(neither.ID))
		}
		if by := got.Shown(shown.ID); len(by) != 1 || by[0].Note != "you@desk" || got.Shown(waited.ID) != nil {
			t.Errorf("shown by %+v and %+v", by, got.Shown(waited.ID))
		}
		if err := wait.Release(ctx); err != nil {
			t.Fatal(err)
		}
		if !look().Waited(waited.ID) {
			t.Error("one of two who waited has gone, and nobody waits")
		}
	})
}

// TestStandingOfTheDead holds that a claim whose counter stands still counts no
// more.
func TestStandingOfTheDead(t *testing.T) {
	ctx := t.Context()
	overEngines(t, func(t *testing.T, open func() kv.Engine) {
		engine := open()
		s, sleep := claiming(t, engine, time.Second)
		ask := openAsk(t, s, newSession(t, s, "").ID, "one", "")
		putRecord(t, engine, store.WaitClaim(ask.ID, "far"), store.ClaimRecord(store.Claim{
			Owner: "far", Counter: 1, TTL: time.Second, Host: "elsewhere", Boot: "another",
		}))
		waited := func() bool {
			t.Helper()
			standing, err := s.Standing(ctx)
			if err != nil {
				t.Fatal(err)
			}
			return standing.Waited(ask.ID)
		}
		if !waited() {
			t.Fatal("a claim nobody has watched yet is held for dead")
		}
		for range 4 {
			sleep(400 * time.Millisecond)
			waited()
		}
		if waited() {
			t.Error("a claim that stood still for its time is held for alive")
		}
	})
}

// TestStandingBesideADamagedClaim holds that one that cannot be read hides no
// other.
func TestStandingBesideADamagedClaim(t *testing.T) {
	ctx := t.Context()
	overEngines(t, func(t *testing.T, open func() kv.Engine) {
		engine := open()
		s := store.New(engine, store.Options{})
		ask := openAsk(t, s, newSession(t, s, "").ID, "one", "")
		if _, err := s.Hold(ctx, store.WaitClaim(ask.ID, "a"), ""); err != nil {
			t.Fatal(err)
		}
		putRecord(t, engine, store.WaitClaim("another", "b"), map[string]any{"v": store.Format + 1})
		standing, err := s.Standing(ctx)
		if !store.AboutOneRecord(err) || !standing.Waited(ask.ID) || standing.Waited("another") {
			t.Errorf("waited for %v and %v, %v", standing.Waited(ask.ID), standing.Waited("another"), err)
		}
	})
}

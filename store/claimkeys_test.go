package store_test

import (
	"errors"
	"testing"
	"time"

	"planb/store"
	"planb/store/kv"
	"planb/store/storetest"
)

func TestStanding(t *testing.T) {
	ctx := t.Context()
	storetest.OverEngines(t, func(t *testing.T, open func() kv.Engine) {
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

// TestStandingOfTheDead holds that the claim of a process that has ended does not
// count.
func TestStandingOfTheDead(t *testing.T) {
	ctx := t.Context()
	storetest.OverEngines(t, func(t *testing.T, open func() kv.Engine) {
		engine := open()
		s := newStore(t, engine)
		ask := openAsk(t, s, newSession(t, s, "").ID, "one", "")
		storetest.PutRecord(t, engine, store.WaitClaim(ask.ID, "dead"), endedClaim(t, s))
		standing, err := s.Standing(ctx)
		if err != nil || standing.Waited(ask.ID) {
			t.Errorf("the claim of a process that has ended counts, %v", err)
		}
	})
}

// endedClaim is the claim of a process of this system that has ended, as a record has
// it.
func endedClaim(t *testing.T, s *store.Store) store.Claim {
	t.Helper()
	held, err := s.Hold(t.Context(), store.PlaceClaim("nowhere"), "")
	if err != nil {
		t.Fatal(err)
	}
	claim, _, err := s.Alive(t.Context(), held.Key())
	if err = errors.Join(err, held.Release(t.Context())); err != nil {
		t.Fatal(err)
	}
	if claim.Boot == "" {
		t.Skip("this system does not tell about its processes")
	}
	claim.PID, claim.Owner = 1<<30, "ended"
	return claim
}

// TestStandingBesideADamagedClaim holds that a claim that cannot be read hides no other.
func TestStandingBesideADamagedClaim(t *testing.T) {
	ctx := t.Context()
	storetest.OverEngines(t, func(t *testing.T, open func() kv.Engine) {
		engine := open()
		s := store.New(engine, store.Options{})
		ask := openAsk(t, s, newSession(t, s, "").ID, "one", "")
		if _, err := s.Hold(ctx, store.WaitClaim(ask.ID, "a"), ""); err != nil {
			t.Fatal(err)
		}
		storetest.PutRecord(t, engine, store.WaitClaim("another", "b"), map[string]any{"v": store.Format + 1})
		standing, err := s.Standing(ctx)
		if !store.AboutOneRecord(err) || !standing.Waited(ask.ID) || standing.Waited("another") {
			t.Errorf("waited for %v and %v, %v", standing.Waited(ask.ID), standing.Waited("another"), err)
		}
	})
}

func TestLeavingAPlace(t *testing.T) {
	ctx := t.Context()
	storetest.OverEngines(t, func(t *testing.T, open func() kv.Engine) {
		engine := &meddler{Engine: open()}
		pane := store.New(engine, store.Options{By: "person@desk", TTL: time.Hour})
		server := newStore(t, open())
		session := newSession(t, server, "")
		key := store.PlaceClaim("here")
		hold := func() *store.Held {
			t.Helper()
			held, err := pane.Hold(ctx, key, "")
			if err != nil {
				t.Fatal(err)
			}
			return held
		}
		leave := func(held *store.Held, want bool) {
			t.Helper()
			left, err := pane.LeavePlace(ctx, held, "here")
			if err != nil || left != want {
				t.Errorf("it left: %v, want %v, %v", left, want, err)
			}
			if _, alive, err := server.Alive(ctx, key); alive == want || err != nil {
				t.Errorf("its claim is alive: %v, %v", alive, err)
			}
		}
		leave(hold(), true)
		held := hold()
		ask := openAsk(t, server, session.ID, "one", "here")
		leave(held, false)
		if _, err := server.Expire(ctx, ask.ID, ask.Asked); err != nil {
			t.Fatal(err)
		}
		leave(held, false)
		openAsk(t, server, session.ID, "elsewhere", "there")
		if _, err := server.Settle(ctx, ask.ID, answered("x")); err != nil {
			t.Fatal(err)
		}
		leave(held, true)
		// An ask that comes between looking at the queue and leaving is seen.
		held = hold()
		engine.beforeCommit(func() { openAsk(t, server, session.ID, "two", "here") })
		leave(held, false)
		if err := held.Release(ctx); err != nil {
			t.Error(err)
		}
	})
}

package store_test

import (
	"testing"

	"planb/questions/safe"
	"planb/store"
	"planb/store/kv"
	"planb/store/storetest"
)

// beginOwn opens a form that a person began, in a session of its own.
func beginOwn(t *testing.T, s *store.Store) store.Ask {
	t.Helper()
	session, err := s.CreateSession(t.Context(), store.Session{Title: safe.New("one"), Project: safe.New("/p")})
	if err != nil {
		t.Fatal(err)
	}
	ask, _, err := s.OpenAsk(t.Context(), store.Ask{Session: session.ID, Spec: form("one"), Own: true})
	if err != nil {
		t.Fatal(err)
	}
	return ask
}

// A form of a damaged or missing session does not keep the other forms of that spec
// from being found.
func TestOwnFormBesideADamagedSession(t *testing.T) {
	for name, hurt := range map[string]func(t *testing.T, engine kv.Engine, ask store.Ask){
		"session damaged": func(t *testing.T, engine kv.Engine, ask store.Ask) {
			storetest.PutBytes(t, engine, store.SessionKey(ask.Session), []byte("x"))
		},
		"session missing": func(t *testing.T, engine kv.Engine, ask store.Ask) {
			if err := engine.Commit(t.Context(), kv.Batch{Deletes: []kv.Key{store.SessionKey(ask.Session)}}); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			storetest.OverEngines(t, func(t *testing.T, open func() kv.Engine) {
				ctx, engine := t.Context(), open()
				s := store.New(engine, store.Options{})
				scope, err := s.Scope(ctx, "/p")
				if err != nil {
					t.Fatal(err)
				}
				sound, hit := beginOwn(t, s), beginOwn(t, s)
				if found, err := s.OwnForm(ctx, scope, form("one")); err != nil || found.ID != hit.ID {
					t.Fatalf("found %q, %v; want the latest, %q", found.ID, err, hit.ID)
				}
				hurt(t, engine, hit)
				if found, err := s.OwnForm(ctx, scope, form("one")); err != nil || found.ID != sound.ID {
					t.Errorf("found %q, %v; want %q", found.ID, err, sound.ID)
				}
			})
		})
	}
}

// A form that a pane still shows is in use: another pane does not join it.
func TestOwnFormThatIsShown(t *testing.T) {
	storetest.OverEngines(t, func(t *testing.T, open func() kv.Engine) {
		ctx := t.Context()
		s := store.New(open(), store.Options{})
		scope, err := s.Scope(ctx, "/p")
		if err != nil {
			t.Fatal(err)
		}
		found := func() string {
			t.Helper()
			ask, err := s.OwnForm(ctx, scope, form("one"))
			if err != nil {
				t.Fatal(err)
			}
			return ask.ID
		}
		ask := beginOwn(t, s)
		held, err := s.Hold(ctx, store.ShowClaim(ask.ID, "pane"), "")
		if err != nil {
			t.Fatal(err)
		}
		if id := found(); id != "" {
			t.Errorf("found %q while a pane shows it", id)
		}
		if err := held.Release(ctx); err != nil {
			t.Fatal(err)
		}
		if id := found(); id != ask.ID {
			t.Errorf("found %q after the pane left it, want %q", id, ask.ID)
		}
	})
}

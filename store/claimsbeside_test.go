package store_test

import (
	"testing"
	"time"

	"planb/store"
	"planb/store/kv"
)

func TestManyPanesShowOneAsk(t *testing.T) {
	ctx := t.Context()
	overEngines(t, func(t *testing.T, open func() kv.Engine) {
		a, _ := claiming(t, open(), time.Hour)
		b, _ := claiming(t, open(), time.Hour)
		shown := func(s *store.Store, own *store.Held) bool {
			t.Helper()
			alive, err := s.AliveBeside(ctx, store.ShowClaims("ask"), own)
			if err != nil {
				t.Fatal(err)
			}
			return alive
		}
		if shown(a, nil) {
			t.Error("an ask that nobody shows is shown")
		}
		first, err := a.Hold(ctx, store.ShowClaim("ask", "one"), "")
		if err != nil {
			t.Fatal(err)
		}
		if shown(a, first) || !shown(b, nil) {
			t.Error("the only pane is not left out for itself, or is for others")
		}
		second, err := b.Hold(ctx, store.ShowClaim("ask", "two"), "")
		if err != nil {
			t.Fatalf("a second pane is refused: %v", err)
		}
		if !shown(a, first) || !shown(b, second) {
			t.Error("two panes do not know of each other")
		}
		if err := first.Release(ctx); err != nil {
			t.Fatal(err)
		}
		if shown(b, second) || !shown(a, nil) {
			t.Error("a pane that closed still counts, or took the other one with it")
		}
		if err := second.Release(ctx); err != nil {
			t.Fatal(err)
		}
	})
}

// TestDeadClaimsDoNotPileUp holds that what killed processes leave is cleared
// away by the next one, and nothing else is.
func TestDeadClaimsDoNotPileUp(t *testing.T) {
	ctx := t.Context()
	overEngines(t, func(t *testing.T, open func() kv.Engine) {
		engine := open()
		s, _ := claiming(t, engine, time.Hour)
		gone := s.ThisProcess()
		if gone.Boot == "" || gone.Start == "" {
			t.Skip("this system does not tell about its processes")
		}
		gone.Owner, gone.TTL, gone.Start = "killed", time.Hour, "1"
		lives := store.Claim{Owner: "lives", TTL: time.Hour, PID: 1, Host: "elsewhere", Boot: "b"}
		put := func(key kv.Key, c store.Claim) kv.Key {
			putRecord(t, engine, key, store.ClaimRecord(c))
			return key
		}
		cleared := []kv.Key{put(store.ShowClaim("ask", "a"), gone), put(store.ShowClaim("ask", "b"), gone)}
		kept := []kv.Key{
			put(store.ShowClaim("ask", "c"), lives),
			put(store.ShowClaim("another", "a"), gone),
			put(store.WaitClaim("ask", "a"), gone),
			put(store.PlaceClaim("here"), gone),
		}
		unread := store.ShowClaim("ask", "d")
		putRecord(t, engine, unread, map[string]any{"v": store.Format + 1, "owner": 7})
		held, err := s.Hold(ctx, store.ShowClaim("ask", "new"), "")
		if err != nil {
			t.Fatal(err)
		}
		exists := func(key kv.Key) bool {
			records, err := engine.Get(ctx, key)
			if err != nil {
				t.Fatal(err)
			}
			return records[0].Exists()
		}
		for _, key := range cleared {
			if exists(key) {
				t.Errorf("%s is still there", key)
			}
		}
		for _, key := range append(kept, unread, held.Key()) {
			if !exists(key) {
				t.Errorf("%s was cleared away", key)
			}
		}
		place, err := s.Hold(ctx, store.PlaceClaim("there"), "")
		if err != nil {
			t.Fatal(err)
		}
		if !exists(store.PlaceClaim("here")) {
			t.Error("taking one place cleared away another's claim")
		}
		for _, h := range []*store.Held{held, place} {
			if err := h.Release(ctx); err != nil {
				t.Error(err)
			}
		}
	})
}

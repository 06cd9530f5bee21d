package store_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"planb/store"
	"planb/store/kv"
	"planb/store/storetest"
)

// If the list of gone sessions is damaged, everything else goes on. Audit and Prune tell
// the damage.
func TestADamagedListOfPrunedSessions(t *testing.T) {
	for name, with := range damages() {
		t.Run(name, func(t *testing.T) {
			with(t, func(open func() kv.Engine, hurt func(key kv.Key)) {
				ctx, s := t.Context(), newStore(t, open())
				session := newSession(t, s, "/p")
				ask := openAsk(t, s, session.ID, "one", "here")
				storetest.PutRecord(t, open(), "gone", map[string]any{"v": 1, "sessions": []string{nobody}})
				hurt("gone")
				s = newStore(t, open())
				if _, err := s.Settle(ctx, ask.ID, answered("x")); err != nil {
					t.Error(err)
				}
				openAsk(t, s, newSession(t, s, "").ID, "two", "here")
				if a, err := s.Audit(ctx); err != nil || len(a.Problems) != 1 || !strings.Contains(a.Problems[0], "gone") {
					t.Errorf("%q, %v", a.Problems, err)
				}
				_, err := s.Prunable(ctx, time.Now())
				if err == nil || !store.AboutOneRecord(err) {
					t.Errorf("prunable: %v", err)
				}
				if _, err := s.Prune(ctx, store.Pruning{}, nil); err == nil {
					t.Error("it was pruned")
				}
			})
		})
	}
}

// A session that cannot be read stays. Any other record that cannot be read keeps all
// texts, because it may refer to any of them.
func TestPruneAmongDamagedRecords(t *testing.T) {
	for name, with := range damages() {
		t.Run(name, func(t *testing.T) {
			with(t, func(open func() kv.Engine, hurt func(key kv.Key)) {
				ctx, s := t.Context(), newStore(t, open())
				var sessions []store.Session
				var asks []store.Ask
				for i := range 3 {
					session := newSession(t, s, "/p")
					ask := openAsk(t, s, session.ID, fmt.Sprint(i), "")
					_, err := s.Settle(ctx, ask.ID, answered("x"))
					if err = errors.Join(err, s.Deliver(ctx, ask.ID)); err != nil {
						t.Fatal(err)
					}
					sessions, asks = append(sessions, session), append(asks, ask)
				}
				hurt(store.SessionKey(sessions[0].ID))
				hurt(store.AskKey(asks[1].ID))
				s = newStore(t, open())
				p, err := s.Prunable(ctx, time.Now().Add(time.Hour))
				if err != nil || len(p.Sessions) != 2 || len(p.Kept) == 0 || !strings.Contains(p.Kept[0], sessions[0].ID) {
					t.Fatalf("%+v, %v", p, err)
				}
				done, err := s.Prune(ctx, p, nil)
				if err != nil || done.Sessions != 2 {
					t.Errorf("%+v, %v", done, err)
				}
				var left []string
				for _, family := range []kv.Key{"a/", "sa/", "i/", "g/"} {
					for _, r := range storetest.All(t, open(), family) {
						left = append(left, string(r.Key))
					}
				}
				if len(left) != 4 || strings.Contains(strings.Join(left, " "), asks[1].ID) {
					t.Errorf("left: %q", left)
				}
				if a, err := s.Audit(ctx); err != nil || len(a.Problems) != 1 {
					t.Errorf("%q, %v", a.Problems, err)
				}
			})
		})
	}
}

package store_test

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"planb/questions/safe"
	"planb/store"
	"planb/store/storetest"
)

// benchHistory is 2000 sessions with an ask and a plan each.
func benchHistory(b *testing.B) *store.Store {
	b.Helper()
	ctx := b.Context()
	s := store.New(storetest.OpenBolt(b, filepath.Join(b.TempDir(), "planb.db")), store.Options{})
	for i := range 2000 {
		session, err := s.CreateSession(ctx, store.Session{Title: safe.New("a session")})
		if err != nil {
			b.Fatal(err)
		}
		ask, _, err := s.OpenAsk(ctx, store.Ask{Session: session.ID, Spec: form(fmt.Sprint(i))})
		if err == nil {
			_, err = s.Settle(ctx, ask.ID, answered("x"))
		}
		if err == nil {
			err = s.Deliver(ctx, ask.ID)
		}
		if err == nil {
			_, _, err = s.SavePlan(ctx, session.ID, "", fmt.Sprint("# Plan ", i))
		}
		if err != nil {
			b.Fatal(err)
		}
	}
	return s
}

func BenchmarkAudit(b *testing.B) {
	s := benchHistory(b)
	b.ReportAllocs()
	for b.Loop() {
		if a, err := s.Audit(b.Context()); err != nil || a.Asks != 2000 || len(a.Problems) > 0 {
			b.Fatal(a, err)
		}
	}
}

func BenchmarkPrunable(b *testing.B) {
	s := benchHistory(b)
	b.ReportAllocs()
	for b.Loop() {
		if p, err := s.Prunable(b.Context(), time.Now().Add(time.Hour)); err != nil || len(p.Sessions) != 2000 {
			b.Fatal(len(p.Sessions), err)
		}
	}
}

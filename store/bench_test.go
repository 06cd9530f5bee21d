package store_test

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/store/kv/kvtest"
	"planb/store/storetest"
)

// benchEngines gives a benchmark the engine in memory, whose time is the
// store's own, and the file.
func benchEngines(b *testing.B, bench func(b *testing.B, s *store.Store)) {
	b.Run("map", func(b *testing.B) {
		bench(b, store.New(kvtest.NewMap(), store.Options{}))
	})
	b.Run("bolt", func(b *testing.B) {
		bench(b, store.New(storetest.OpenBolt(b, filepath.Join(b.TempDir(), "planb.db")), store.Options{}))
	})
}

func benchSession(b *testing.B, s *store.Store) store.Session {
	b.Helper()
	session, err := s.CreateSession(b.Context(), store.Session{Title: safe.New("a session")})
	if err != nil {
		b.Fatal(err)
	}
	return session
}

// BenchmarkRound is an ask's whole life: three commits.
func BenchmarkRound(b *testing.B) {
	benchEngines(b, func(b *testing.B, s *store.Store) {
		ctx := b.Context()
		session := benchSession(b, s)
		for i := 0; b.Loop(); i++ {
			ask, _, err := s.OpenAsk(ctx, store.Ask{Session: session.ID, Spec: form(fmt.Sprint(i)), Place: "here", Timeout: time.Hour})
			if err != nil {
				b.Fatal(err)
			}
			if _, err := s.Settle(ctx, ask.ID, answered("x")); err != nil {
				b.Fatal(err)
			}
			if err := s.Deliver(ctx, ask.ID); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkSettle is what a person's submit waits for.
func BenchmarkSettle(b *testing.B) {
	benchEngines(b, func(b *testing.B, s *store.Store) {
		ctx := b.Context()
		session := benchSession(b, s)
		for i := 0; b.Loop(); i++ {
			b.StopTimer()
			ask, _, err := s.OpenAsk(ctx, store.Ask{Session: session.ID, Spec: form(fmt.Sprint(i)), Place: "here"})
			if err != nil {
				b.Fatal(err)
			}
			b.StartTimer()
			if _, err := s.Settle(ctx, ask.ID, answered("x")); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkAsksNow is what each ring of the bell costs a server with 300 asks
// waiting.
func BenchmarkAsksNow(b *testing.B) {
	benchEngines(b, func(b *testing.B, s *store.Store) {
		ctx := b.Context()
		var ids []string
		for i := range 300 {
			ask, _, err := s.OpenAsk(ctx, store.Ask{Session: benchSession(b, s).ID, Spec: form(fmt.Sprint(i)), Place: "here"})
			if err != nil {
				b.Fatal(err)
			}
			ids = append(ids, ask.ID)
		}
		for b.Loop() {
			if _, err := s.AsksNow(ctx, ids...); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkSessions is the first page of a long history.
func BenchmarkSessions(b *testing.B) {
	benchEngines(b, func(b *testing.B, s *store.Store) {
		ctx := b.Context()
		for range 10_000 {
			benchSession(b, s)
		}
		for b.Loop() {
			list, _, err := s.Sessions(ctx, "", 50)
			if err != nil || len(list) != 50 {
				b.Fatal(len(list), err)
			}
		}
	})
}

// BenchmarkSavePlan is a plan of 20 KB, a new one each time.
func BenchmarkSavePlan(b *testing.B) {
	benchEngines(b, func(b *testing.B, s *store.Store) {
		ctx := b.Context()
		session := benchSession(b, s)
		text := randomText(20 << 10)
		for i := 0; b.Loop(); i++ {
			if _, _, err := s.SavePlan(ctx, session.ID, "", fmt.Sprint(i, text)); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkEarlier is what a form of five questions, three of which were asked
// before, costs more in a project with a long history.
func BenchmarkEarlier(b *testing.B) {
	benchEngines(b, func(b *testing.B, s *store.Store) {
		ctx := b.Context()
		session := newSessionIn(b, s, "/p")
		for i := range 2000 {
			spec := asked(fmt.Sprint(i), "name", fmt.Sprintf("What is ship%d called?", i), "port", "Which port is it in?",
				fmt.Sprintf("q%d", i%10), fmt.Sprintf("What is topic%d about?", i))
			sayAll(b, s, session, spec, questions.Answered, fmt.Sprint(i))
		}
		now := asked("now", "name", "What is ship7 called?", "where", "Which port is it in?", "q3", "What is topic33 about?",
			"q4", "Something new?", "other", "And something else?")
		for b.Loop() {
			got, err := s.EarlierAnswers(ctx, store.Ask{Session: session, Spec: now})
			if err != nil || len(got) != 3 {
				b.Fatal(len(got), err)
			}
		}
	})
}

func newSessionIn(b *testing.B, s *store.Store, project string) string {
	b.Helper()
	session, err := s.CreateSession(b.Context(), store.Session{Project: safe.New(project)})
	if err != nil {
		b.Fatal(err)
	}
	return session.ID
}

package store_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"planb/store"
	"planb/store/kv"
	"planb/store/storetest"
)

// everyCommit calls f before each commit, except those that f makes.
type everyCommit struct {
	kv.Engine
	f func(n int)
	n int
}

func (e *everyCommit) Commit(ctx context.Context, batch kv.Batch) error {
	e.n++
	e.f(e.n)
	return e.Engine.Commit(ctx, batch)
}

// A text that is about to be deleted comes into use again, before each of the commits of
// a prune in turn.
func TestPruneLeavesTextsThatComeIntoUse(t *testing.T) {
	t.Parallel()
	for at := 1; ; at++ {
		h := newHistory(t)
		var saved []store.Plan
		engine := &everyCommit{Engine: h.engine, f: func(n int) {
			if n != at {
				return
			}
			s := h.open()
			plan, _, err := s.SavePlan(t.Context(), h.new.ID, "", "# old")
			if err != nil {
				t.Fatal(err)
			}
			saved = append(saved, plan)
			openAsk(t, s, h.new.ID, "old3", "")
		}}
		h.prune(t, h.over(engine))
		s := h.open()
		h.prune(t, s)
		a, err := s.Audit(t.Context())
		if err != nil || len(a.Problems) > 0 || a.OrphanChunks > 0 {
			t.Fatalf("used before commit %d: %+v, %v", at, a, err)
		}
		if len(saved) == 0 {
			return
		}
		if text, err := s.PlanText(t.Context(), h.new.ID, saved[0].Number); err != nil || text.Raw() != "# old" {
			t.Fatalf("used before commit %d: %q, %v", at, text.Raw(), err)
		}
	}
}

// A whole prune happens between the reading and the commit of a change that refers to a
// text.
func TestPruneBetweenLookingAndSaving(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{"short": "# old", "long": "# " + randomText(3*store.MaxChunk)} {
		t.Run(name, func(t *testing.T) {
			h := newHistory(t)
			if _, _, err := h.open().SavePlan(t.Context(), h.old.ID, "", text); err != nil {
				t.Fatal(err)
			}
			h.cut = h.now.Add(time.Second)
			for at := 1; at <= 6; at++ {
				pruned := false
				engine := &everyCommit{Engine: h.engine, f: func(n int) {
					if n == at {
						pruned = true
						h.prune(t, h.open())
					}
				}}
				session := newSession(t, h.open(), "")
				openAsk(t, h.open(), session.ID, "waits", "")
				if _, _, err := h.over(engine).SavePlan(t.Context(), session.ID, "", text); err != nil {
					t.Fatal(err)
				}
				if got, err := h.open().PlanText(t.Context(), session.ID, 1); err != nil || got.Raw() != text {
					t.Fatalf("before commit %d (pruned %v): %d bytes, %v", at, pruned, len(got.Raw()), err)
				}
			}
			a, err := h.open().Audit(t.Context())
			if err != nil || len(a.Problems) > 0 {
				t.Errorf("%q, %v", a.Problems, err)
			}
		})
	}
}

// Many save the same texts while others prune without a pause.
func TestPruneInACrowd(t *testing.T) {
	t.Parallel()
	storetest.OverEngines(t, func(t *testing.T, open func() kv.Engine) {
		ctx := t.Context()
		var pruning, saving sync.WaitGroup
		done := make(chan struct{})
		for range 2 {
			s := store.New(open(), store.Options{})
			pruning.Go(func() {
				for {
					select {
					case <-done:
						return
					default:
					}
					p, err := s.Prunable(ctx, time.Now().Add(time.Hour))
					if err == nil {
						_, err = s.Prune(ctx, p, nil)
					}
					if err != nil {
						t.Error(err)
						return
					}
				}
			})
		}
		kept := make([][]string, 3)
		for i := range kept {
			s := store.New(open(), store.Options{})
			saving.Go(func() {
				for n := range 12 {
					session, err := s.CreateSession(ctx, store.Session{})
					if err == nil {
						// What is open keeps the session.
						_, _, err = s.OpenAsk(ctx, store.Ask{Session: session.ID, Spec: form(fmt.Sprint(n % 2))})
					}
					if err == nil {
						_, _, err = s.SavePlan(ctx, session.ID, "", fmt.Sprint("# ", n%3))
					}
					if _, pruned := errors.AsType[*store.UnknownError](err); pruned {
						continue // before it had an ask
					}
					if err != nil {
						t.Error(err)
						return
					}
					kept[i] = append(kept[i], session.ID)
				}
			})
		}
		saving.Wait()
		close(done)
		pruning.Wait()
		s := store.New(open(), store.Options{})
		a, err := s.Audit(ctx)
		if err != nil || len(a.Problems) > 0 {
			t.Fatalf("%+v, %v", a, err)
		}
		for _, id := range slices.Concat(kept...) {
			if _, err := s.PlanText(ctx, id, 1); err != nil {
				t.Error(err)
			}
		}
	})
}

// Prune is one of the things that happen to a store. Whatever makes it end early, the next
// one finishes it.
func (m *machine) Prune(t *rapid.T) {
	if len(m.sessions) == 0 {
		t.Skip("no session yet")
	}
	s := m.store(t)
	last, err := s.Session(m.ctx, m.session(t).id)
	if err != nil {
		t.Fatal(err)
	}
	before := last.Updated.Add(time.Nanosecond)
	going := map[*modelSession]bool{}
	for _, session := range m.sessions {
		is, err := s.Session(m.ctx, session.id)
		if err != nil {
			t.Fatal(err)
		}
		going[session] = is.Updated.Before(before) && !slices.ContainsFunc(m.asks, func(a *modelAsk) bool {
			return a.session == session && (a.open() || a.undelivered())
		})
	}
	maps.DeleteFunc(going, func(_ *modelSession, goes bool) bool { return !goes })
	p, err := s.Prunable(m.ctx, before)
	if err != nil || len(p.Sessions) != len(going) {
		t.Fatalf("%d sessions can be pruned, want %d, %v", len(p.Sessions), len(going), err)
	}
	for range 100 {
		if _, err = s.Prune(m.ctx, p, nil); err == nil {
			break
		}
		failed(t, err)
		if a, err := s.Audit(m.ctx); err != nil || len(a.Problems) > 0 {
			t.Fatalf("cut off: %v, %q", err, a.Problems)
		}
		s = m.store(t)
	}
	if err != nil {
		t.Fatal(err)
	}
	m.sessions = slices.DeleteFunc(m.sessions, func(s *modelSession) bool { return going[s] })
	m.asks = slices.DeleteFunc(m.asks, func(a *modelAsk) bool { return going[a.session] })
	maps.DeleteFunc(m.files, func(_ string, f modelFile) bool { return going[f.session] })
	a, err := s.Audit(m.ctx)
	if err != nil || a.OrphanChunks != 0 || a.Remains != 0 {
		t.Fatalf("pruned: %+v, %v", a, err)
	}
}

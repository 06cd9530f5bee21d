package store_test

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"planb/questions"
	"planb/store"
	"planb/store/kv"
	"planb/store/storetest"
)

// crowd runs f at once for each of n stores over the same data.
func crowd(t *testing.T, n int, open func() kv.Engine, f func(i int, s *store.Store)) {
	t.Helper()
	var group sync.WaitGroup
	for i := range n {
		s := newStore(t, open())
		group.Go(func() { f(i, s) })
	}
	group.Wait()
}

func TestOneOfManyAnswersWins(t *testing.T) {
	const n = 8
	ctx := t.Context()
	storetest.OverEngines(t, func(t *testing.T, open func() kv.Engine) {
		s := newStore(t, open())
		ask := openAsk(t, s, newSession(t, s, "").ID, "one", "here")
		var won atomic.Int32
		crowd(t, n, open, func(i int, s *store.Store) {
			_, err := s.Settle(ctx, ask.ID, answered(fmt.Sprint(i)))
			var settled *questions.SettledError
			switch {
			case err == nil:
				won.Add(1)
			case !errors.As(err, &settled) || said(settled.Winner) == fmt.Sprint(i):
				t.Errorf("answer %d: %v", i, err)
			}
		})
		got, err := s.Ask(ctx, ask.ID)
		if err != nil || won.Load() != 1 || len(got.TooLate) != n-1 {
			t.Fatalf("%d won, %d are late, %v", won.Load(), len(got.TooLate), err)
		}
		texts := []string{said(got.Outcome)}
		for _, late := range got.TooLate {
			texts = append(texts, said(late))
		}
		slices.Sort(texts)
		for i, text := range texts {
			if text != fmt.Sprint(i) {
				t.Errorf("the texts kept are %q", texts)
				break
			}
		}
	})
}

func TestTheSameAskFromManyIsOne(t *testing.T) {
	ctx := t.Context()
	storetest.OverEngines(t, func(t *testing.T, open func() kv.Engine) {
		session := newSession(t, newStore(t, open()), "")
		var first atomic.Int32
		var ids sync.Map
		crowd(t, 8, open, func(i int, s *store.Store) {
			ask, attached, err := s.OpenAsk(ctx, store.Ask{Session: session.ID, Spec: form("one"), Place: fmt.Sprint(i % 3)})
			if err != nil {
				t.Error(err)
			}
			if !attached {
				first.Add(1)
			}
			ids.Store(ask.ID, true)
		})
		n := 0
		ids.Range(func(any, any) bool { n++; return true })
		if n != 1 || first.Load() != 1 {
			t.Errorf("%d asks, %d of them new", n, first.Load())
		}
		s, queued := newStore(t, open()), 0
		for place := range 3 {
			queue, err := s.Queue(ctx, fmt.Sprint(place))
			if err != nil {
				t.Fatal(err)
			}
			queued += len(queue)
		}
		if queued != 1 {
			t.Errorf("it is in %d queues", queued)
		}
	})
}

// A pane that leaves and a server that asks must not miss each other: if the pane did not
// see an ask, the server finds that the place has no pane.
func TestLeavingAndAskingAtOnce(t *testing.T) {
	t.Parallel()
	const rounds = 20
	ctx := t.Context()
	storetest.OverEngines(t, func(t *testing.T, open func() kv.Engine) {
		pane, server := newStore(t, open()), newStore(t, open())
		session := newSession(t, server, "")
		key := store.PlaceClaim("here")
		for i := range rounds {
			held, err := pane.Hold(ctx, key, "")
			if err != nil {
				t.Fatal(err)
			}
			var group sync.WaitGroup
			var left, served bool
			var ask store.Ask
			group.Go(func() {
				if left, err = pane.LeavePlace(ctx, held, "here"); err != nil {
					t.Error(err)
				}
			})
			group.Go(func() {
				ask = openAsk(t, server, session.ID, fmt.Sprint(i), "here")
				_, alive, err := server.Alive(ctx, key)
				if err != nil {
					t.Error(err)
				}
				served = alive
			})
			group.Wait()
			if left && served {
				// This must not happen: the server looked before the pane left, and the
				// pane left after the ask was there.
				t.Fatalf("round %d: the pane left an ask behind", i)
			}
			if _, err := server.Settle(ctx, ask.ID, answered("x")); err != nil {
				t.Fatal(err)
			}
			if err := held.Release(ctx); err != nil {
				t.Fatal(err)
			}
		}
	})
}

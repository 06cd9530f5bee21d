package store_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"planb/store"
	"planb/store/storetest"
)

func TestPlanVersions(t *testing.T) {
	ctx := t.Context()
	overEngines(t, func(t *testing.T, open func() store.Engine) {
		engine := open()
		s := newStore(t, engine)
		session := newSession(t, s, "")
		texts := []string{"", "one", randomText(3 << 20), "one", "\xff not UTF-8 \x00", strings.Repeat("a", 5<<20)}
		for i, text := range texts {
			for _, again := range []bool{false, true} {
				plan, unchanged, err := s.SavePlan(ctx, session.ID, "title", text)
				if err != nil {
					t.Fatal(err)
				}
				if plan.Number != i+1 || unchanged != again || plan.Bytes != len(text) || plan.Session != session.ID {
					t.Errorf("text %d, again %v: %+v, unchanged %v", i, again, plan, unchanged)
				}
			}
		}
		if plan, unchanged, err := s.SavePlan(ctx, session.ID, "another title", texts[5]); err != nil || unchanged || plan.Number != 7 {
			t.Errorf("the same text under another title: %+v, unchanged %v, %v", plan, unchanged, err)
		}
		other := newStore(t, open())
		for i, text := range texts {
			got, err := other.PlanText(ctx, session.ID, i+1)
			if err != nil || got.Raw() != text {
				t.Errorf("version %d has %d bytes, saved were %d, %v", i+1, len(got.Raw()), len(text), err)
			}
		}
		list, err := other.Plans(ctx, session.ID)
		if err != nil || len(list) != 7 || list[2].Number != 3 || list[2].Title.Raw() != "title" || list[6].Digest != list[5].Digest {
			t.Errorf("the versions are %+v, %v", list, err)
		}
		// Each distinct text is kept once: "", "one", 6 random pieces, one not
		// UTF-8, and one piece that the long text repeats ten times.
		if n := count(t, engine, store.ChunkKeys); n != 1+1+6+1+1 {
			t.Errorf("%d chunks", n)
		}
		for _, number := range []int{-1, 0, 8, 1 << 40} {
			var unknown *store.UnknownError
			if _, err := s.PlanText(ctx, session.ID, number); !errors.As(err, &unknown) {
				t.Errorf("version %d: %v", number, err)
			}
		}
	})
}

func TestTooLongAPlanSaysSo(t *testing.T) {
	s := newStore(t, storetest.NewMap())
	session := newSession(t, s, "")
	_, _, err := s.SavePlan(t.Context(), session.ID, "", strings.Repeat("x", store.MaxTextBytes+1))
	if err == nil || !strings.Contains(err.Error(), "the plan has 33554433 bytes; the store takes at most 33554432") {
		t.Errorf("%v", err)
	}
	if _, _, err := s.SavePlan(t.Context(), session.ID, "", randomText(store.MaxTextBytes)); err != nil {
		t.Errorf("the longest plan: %v", err)
	}
}

func TestManyWritersLeaveNoGap(t *testing.T) {
	const writers, each = 8, 5
	ctx := t.Context()
	overEngines(t, func(t *testing.T, open func() store.Engine) {
		session := newSession(t, newStore(t, open()), "")
		var group sync.WaitGroup
		numbers := make([][]int, writers)
		for w := range writers {
			s := newStore(t, open())
			group.Go(func() {
				for i := range each {
					plan, unchanged, err := s.SavePlan(ctx, session.ID, "", fmt.Sprintf("writer %d, plan %d", w, i))
					if err != nil || unchanged {
						t.Errorf("writer %d: unchanged %v, %v", w, unchanged, err)
						return
					}
					numbers[w] = append(numbers[w], plan.Number)
				}
			})
		}
		group.Wait()
		seen := map[int]bool{}
		for w, own := range numbers {
			for i, n := range own {
				if seen[n] || i > 0 && own[i-1] >= n {
					t.Errorf("writer %d has the versions %d", w, own)
				}
				seen[n] = true
			}
		}
		s := newStore(t, open())
		plans, err := s.Plans(ctx, session.ID)
		if err != nil || len(plans) != writers*each {
			t.Fatalf("%d versions, %v", len(plans), err)
		}
		for i, p := range plans {
			if p.Number != i+1 {
				t.Errorf("version %d has the number %d", i+1, p.Number)
			}
		}
		if owner, err := s.Session(ctx, session.ID); err != nil || owner.Plans != writers*each {
			t.Errorf("the session counts %d, %v", owner.Plans, err)
		}
	})
}

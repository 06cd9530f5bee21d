package store_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"planb/plans"
	"planb/store"
	"planb/store/kv"
	"planb/store/kv/kvtest"
	"planb/store/storetest"
)

func TestPlanVersions(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	storetest.OverEngines(t, func(t *testing.T, open func() kv.Engine) {
		engine := open()
		s := newStore(t, engine)
		session := newSession(t, s, "")
		texts := []string{" .\r\n", "one", randomText(3 << 20), "one", "\ufffd \x00 as it is\n", strings.Repeat("a", 5<<20)}
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
		// Each distinct text is kept once: the dot, "one", 6 random pieces, the
		// one with a NUL, and one piece that the long text repeats ten times.
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

func TestWhatIsNoPlanIsNotKept(t *testing.T) {
	t.Parallel()
	s := newStore(t, kvtest.NewMap())
	session := newSession(t, s, "")
	for _, c := range []struct{ name, title, text, want string }{
		{"too long", "", strings.Repeat("x", plans.MaxPlanBytes+1), "plan: got 16777217 bytes; allowed: at most 16777216 bytes"},
		{"blank", "", " \n\u200b", "plan: got a blank text; allowed: Markdown that says something"},
		{"not UTF-8", "", "\xff", "plan: got text that is not UTF-8: its byte 1 is 0xff; allowed: Markdown in UTF-8"},
		{"a title of two lines", "a\nb", "x", "title: got several lines; allowed: one line"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, _, err := s.SavePlan(t.Context(), session.ID, c.title, c.text)
			var problem *plans.Problem
			if !errors.As(err, &problem) || err.Error() != c.want {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
		})
	}
	longest := randomText(plans.MaxPlanBytes)
	if plan, _, err := s.SavePlan(t.Context(), session.ID, " ", longest); err != nil || plan.Number != 1 {
		t.Errorf("the longest plan: %+v, %v", plan, err)
	}
	if plan, unchanged, err := s.SavePlan(t.Context(), session.ID, "", longest); err != nil || !unchanged || !plan.Title.IsZero() {
		t.Errorf("without the blank title: %+v, unchanged %v, %v", plan, unchanged, err)
	}
}

func TestManyWritersLeaveNoGap(t *testing.T) {
	t.Parallel()
	const writers, each = 8, 5
	ctx := t.Context()
	storetest.OverEngines(t, func(t *testing.T, open func() kv.Engine) {
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
		list, err := s.Plans(ctx, session.ID)
		if err != nil || len(list) != writers*each {
			t.Fatalf("%d versions, %v", len(list), err)
		}
		for i, p := range list {
			if p.Number != i+1 {
				t.Errorf("version %d has the number %d", i+1, p.Number)
			}
		}
		if owner, err := s.Session(ctx, session.ID); err != nil || owner.Plans != writers*each {
			t.Errorf("the session counts %d, %v", owner.Plans, err)
		}
	})
}

func TestTheVersionBeforeIsOfTheSamePlan(t *testing.T) {
	t.Parallel()
	version := func(number int, name plans.Name, err error) store.Plan {
		return store.Plan{Version: plans.Version{Number: number, Name: name}, Err: err}
	}
	whole := []store.Plan{version(1, "a", nil), version(2, "b", nil), version(3, "", nil), version(4, "a", nil), version(5, "b", nil), version(6, "", nil)}
	damaged := slices.Clone(whole)
	damaged[2] = version(3, "", errors.New("damaged"))
	for _, test := range []struct {
		name     string
		versions []store.Plan
		number   int
		want     int
		known    bool
	}{
		{"the same plan, past others", whole, 4, 1, true},
		{"the session's own plan", whole, 6, 3, true},
		{"the first of its plan", whole, 2, 0, true},
		{"the first of all", whole, 1, 0, true},
		{"past one that is damaged", damaged, 5, 4, false},
		{"before the damaged one", damaged, 2, 0, true},
		{"the damaged one", damaged, 3, 2, false},
		{"past one that is missing", slices.Delete(slices.Clone(whole), 1, 2), 5, 4, false},
		{"the first of those that are left", whole[2:], 3, 0, false},
		{"what there is not", whole, 7, 0, false},
		{"no versions", nil, 1, 0, false},
	} {
		if got, known := store.PlanBefore(test.versions, test.number); got != test.want || known != test.known {
			t.Errorf("%s: v%d is before v%d, known is %v", test.name, got, test.number, known)
		}
	}
}

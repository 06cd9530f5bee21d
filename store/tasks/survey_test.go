package tasks_test

import (
	"fmt"
	"strings"
	"testing"

	rules "planb/plans/tasks"
	"planb/questions/safe"
	"planb/store/kv"
	"planb/store/kv/kvtest"
	"planb/store/ledger"
	"planb/store/storetest"
	"planb/store/tasks"
)

// audit returns what an audit finds, a line each.
func audit(t storetest.Tester, s *tasks.Store) string {
	t.Helper()
	var lines []string
	err := s.Audit(t.Context(), tasks.Findings{
		Plan:       func() {},
		Session:    func(string) bool { return true },
		Problem:    func(format string, values ...any) { lines = append(lines, fmt.Sprintf(format, values...)) },
		Unreadable: func(key kv.Key, _ error) { lines = append(lines, fmt.Sprintf("unreadable %s", key)) },
		Text: func(what string, ref ledger.Ref) {
			if ref.Size == 0 {
				lines = append(lines, "no size: "+what)
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(lines, "\n")
}

// TestAnyLossIsFoundAndMended removes each record of a store and damages it. An audit
// names it, and a reindex mends what other records tell.
func TestAnyLossIsFoundAndMended(t *testing.T) {
	ctx := t.Context()
	fill := func() (*kvtest.Map, *tasks.Store, tasks.Proposed) {
		engine := kvtest.NewMap()
		s := newStore(engine, tasks.Options{})
		create(t, s, agent(), "Shop", "")
		p := proposal("a", "b")
		p.Session = "019a0000-0000-7000-8000-000000000000"
		made := propose(t, s, p)
		w := &world{ctx: ctx, engine: engine, clock: &clock{now: testDay()}, texts: map[string]safe.Text{}, unlimited: true}
		worked := w.approved(t, flat("x", "y", "z"))
		for i, key := range []string{"x", "y"} {
			c := connect(t, w.store())
			got := w.claim(t, c, worked, key)
			if i == 0 {
				if _, err := c.Complete(ctx, agent(), tasks.Completion{Task: got.ID, ClaimID: got.ClaimID, Report: report("done")}); err != nil {
					t.Fatal(err)
				}
			}
		}
		return engine, s, made
	}
	first, s, _ := fill()
	if got := audit(t, s); got != "" {
		t.Fatalf("in a sound store: %s", got)
	}
	before := storetest.Dump(t, first)
	if err := s.Reindex(ctx); err != nil || storetest.Dump(t, first) == "" || audit(t, s) != "" {
		t.Fatalf("mending a sound store: %v, %s", err, audit(t, s))
	}
	if storetest.Dump(t, first) != before {
		t.Error("mending changed a sound store")
	}
	for i, r := range storetest.All(t, first, "w") {
		engine, s, made := fill()
		key := storetest.All(t, engine, "w")[i].Key
		family := ledger.Family(r.Key)
		err := engine.Commit(ctx, kv.Batch{Op: kv.OpID{1}, Deletes: []kv.Key{key}})
		if err != nil {
			t.Fatal(err)
		}
		if found := audit(t, s); family != "wv/" && family != "wq/" && family != "wr/" && !strings.Contains(string(key), "/c/") && found == "" {
			t.Errorf("%s is lost, and the audit finds nothing", key)
		}
		if err := s.Reindex(ctx); err != nil {
			t.Fatal(err)
		}
		if found := audit(t, s); found != "" {
			t.Errorf("%s was lost, and mended there is still: %s", key, found)
		}
		if lost, now := storetest.Dump(t, first), storetest.Dump(t, engine); family == "wq/" && strings.Count(lost, "wq/projects") != strings.Count(now, "wq/projects") {
			t.Errorf("%s was lost and not made anew", key)
		}
		if key != "wp/"+kv.Key(made.ID) {
			if w, err := s.Plan(ctx, agent(), made.ID); err != nil || w.Graph.Len() != 2 || w.Marks.State(1) != rules.Open {
				t.Errorf("%s was lost; the plan is %+v, %v", key, w.Plan, err)
			}
		}
		engine, s, _ = fill()
		key = storetest.All(t, engine, "w")[i].Key
		storetest.PutRecord(t, engine, key, "nonsense")
		entry := family == "wl/" || family == "wo/" // these say everything by their keys
		if found := audit(t, s); !entry && found != fmt.Sprint("unreadable ", key) {
			t.Errorf("%s is damaged, and the audit finds: %s", key, found)
		}
		if err := s.Reindex(ctx); err != nil {
			t.Fatal(err)
		}
	}
}

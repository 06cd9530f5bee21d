package tasks_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"planb/plans"
	"planb/questions/safe"
	"planb/store/bolt"
	"planb/store/kv"
	"planb/store/ledger"
	"planb/store/tasks"
)

// BenchmarkBudget measures what is promised of the speed of tasks. Each is paired with
// what it is compared with, in turns, so that a busy machine slows both.
func BenchmarkBudget(b *testing.B) {
	b.Run("propose", budgetPropose)
	b.Run("next", func(b *testing.B) { budgetNext(b, false) })
	b.Run("explain", func(b *testing.B) { budgetNext(b, true) })
	b.Run("verdict", budgetVerdict)
	b.Run("claim", budgetClaim)
	b.Run("dependents", budgetDependents)
	b.Run("crowd", budgetCrowd)
}

// benchWorld is a store in a file.
func benchWorld(b *testing.B) *world {
	b.Helper()
	engine, err := bolt.Open(b.Context(), filepath.Join(b.TempDir(), "planb.db"), bolt.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := engine.Close(); err != nil {
			b.Error(err)
		}
	})
	w := &world{ctx: b.Context(), engine: engine, clock: &clock{now: testDay()}, texts: map[string]safe.Text{}, used: map[string]int{}, unlimited: true}
	create(b, w.store(), agent(), "Shop", "")
	return w
}

// pair measures two things in turns. prepare goes before each of ours, unmeasured.
func pair(b *testing.B, prepare func(), ours, floor func() error) {
	b.Helper()
	timed := func(do func() error) func() float64 {
		return func() float64 {
			begin := time.Now()
			if err := do(); err != nil {
				b.Fatal(err)
			}
			return float64(time.Since(begin).Nanoseconds()) / 1000
		}
	}
	pairOf(b, prepare, timed(ours), timed(floor))
}

// pairOf is pair for what measures itself, in microseconds.
func pairOf(b *testing.B, prepare func(), ours, floor func() float64) {
	b.Helper()
	var times, floors, ratios []float64
	for i := 0; b.Loop(); i++ {
		prepare()
		var t, f float64
		if i%2 == 0 {
			t, f = ours(), floor()
		} else {
			f, t = floor(), ours()
		}
		times, floors, ratios = append(times, t), append(floors, f), append(ratios, t/f)
	}
	b.ReportMetric(0, "ns/op") // both together mean nothing
	for unit, list := range map[string][]float64{"µs": times, "µs/floor": floors, "ratio": ratios} {
		slices.Sort(list)
		b.ReportMetric(list[len(list)/2], unit)
	}
}

// write is one small write through the store.
func (w *world) write(l *ledger.Ledger, key kv.Key) error {
	return l.Commit(w.ctx, func(c *ledger.Change) error {
		records, err := l.Get(w.ctx, key)
		if err != nil {
			return err
		}
		c.Check(records[0])
		return c.Put(key, struct{ N int64 }{records[0].Rev})
	})
}

// prose is a proposal whose texts compress about four to one, as what models write does.
func prose(count, size int) tasks.Proposal {
	p := many(count, size/4)
	for i := range p.Items {
		text := p.Items[i].Description.Raw()
		p.Items[i].Description = safe.New(text + text + text + text)
	}
	return p
}

// budgetPropose proposes 500 tasks of a kilobyte each, beside a small write.
func budgetPropose(b *testing.B) {
	w := benchWorld(b)
	s, l, p, i := w.store(), w.ledger(), prose(500, 1000), 0
	pair(b, func() {
		i++
		for j := range p.Items {
			p.Items[j].Description = safe.New(fmt.Sprintf("%08d%s", i, p.Items[j].Description.Raw()[8:]))
		}
	}, func() error {
		_, err := s.Propose(w.ctx, agent(), p)
		return err
	}, func() error { return w.write(l, "t/x") })
}

// budgetVerdict settles the review of 500 tasks, beside a small write.
func budgetVerdict(b *testing.B) {
	w := benchWorld(b)
	s, l := w.store(), w.ledger()
	var made tasks.Proposed
	var text safe.Text
	pair(b, func() {
		made = propose(b, s, many(500, 200))
		var err error
		if text, err = s.Text(w.ctx, made.Whole); err != nil {
			b.Fatal(err)
		}
	}, func() error {
		return w.settle(made.Whole, text, tasks.Verdict{Digest: plans.Digest(text), Approves: true})
	}, func() error { return w.write(l, "t/x") })
}

// bigPlan makes an active plan of 10,000 tasks in a tree.
func bigPlan(b *testing.B, w *world) string {
	b.Helper()
	keys := make([]string, 10_000)
	for i := range keys {
		keys[i] = fmt.Sprint("t", i)
	}
	p := flat(keys...)
	for i := range p.Items {
		if i >= 40 {
			p.Items[i].DependsOn = []string{fmt.Sprint("t", i/40)}
		}
	}
	return w.approved(b, p)
}

// budgetNext asks what comes next among 10,000 tasks, beside the read that this needs.
func budgetNext(b *testing.B, explain bool) {
	w := benchWorld(b)
	id := bigPlan(b, w)
	s := w.store()
	next := func() error {
		_, err := s.Next(w.ctx, agent(), tasks.Query{Plan: id, Explain: explain})
		return err
	}
	if err := next(); err != nil { // the first reads the graph
		b.Fatal(err)
	}
	pair(b, func() {}, next, func() error {
		_, err := w.engine.Scan(w.ctx, kv.Key("wp/"+id), "", kv.MaxPageRecords)
		return err
	})
}

// budgetClaim claims a task of 500, beside a small write.
func budgetClaim(b *testing.B) {
	w := benchWorld(b)
	id := w.approved(b, many(500, 200))
	s, l, last := w.store(), w.ledger(), ""
	c, err := s.Connect(w.ctx)
	if err != nil {
		b.Fatal(err)
	}
	w.claim(b, c, w.approved(b, flat("held")), "")
	pair(b, func() {
		if last != "" {
			if _, err := s.Release(w.ctx, person(), last); err != nil {
				b.Fatal(err)
			}
		}
	}, func() error {
		got, err := c.Claim(w.ctx, agent(), tasks.ClaimRequest{Plan: id})
		last = got.ID
		return err
	}, func() error { return w.write(l, "t/x") })
}

// budgetDependents completes a task for which a thousand others wait, beside one for
// which none waits.
func budgetDependents(b *testing.B) {
	w := benchWorld(b)
	s := w.store()
	c, err := s.Connect(w.ctx)
	if err != nil {
		b.Fatal(err)
	}
	var with, without tasks.Claimed
	claimed := func(waiting int) tasks.Claimed {
		p := many(1001, 0)
		for i := range p.Items {
			p.Items[i].DependsOn = nil
			if i > 0 && i <= waiting {
				p.Items[i].DependsOn = []string{"t1"}
			}
		}
		return w.claim(b, c, w.approved(b, p), "t1")
	}
	complete := func(got *tasks.Claimed, readied int) func() error {
		return func() error {
			done, err := c.Complete(w.ctx, agent(), tasks.Completion{Task: got.ID, ClaimID: got.ClaimID, Report: report("done")})
			if err == nil && len(done.Readied) != readied {
				err = fmt.Errorf("%d became ready", len(done.Readied))
			}
			return err
		}
	}
	pair(b, func() { with, without = claimed(1000), claimed(0) }, complete(&with, 50), complete(&without, 0))
}

// budgetCrowd has 16 processes claim and complete the tasks of one plan, beside 16 processes
// that each write a record of their own. What counts is the 99th percentile of their calls.
// With far fewer tasks it would be the first call of each process, which reads the plan. With
// long chains it would be how often the others ask again while one of them works.
func budgetCrowd(b *testing.B) {
	var k *crew
	slowest := func(plan string) float64 {
		k.plan = plan
		for range processesOfCrowd {
			k.hire()
		}
		var took []int
		for working := processesOfCrowd; working > 0; {
			l := <-k.lines
			var micros int
			if _, err := fmt.Sscanf(l.text, "took %d", &micros); err == nil {
				took = append(took, micros)
			}
			if l.err != nil {
				b.Fatal(l.err)
			}
			if l.text == "" {
				working--
			}
		}
		slices.Sort(took)
		return float64(took[len(took)*99/100])
	}
	var plan string
	pairOf(b, func() { k = newCrew(b, tasksOfCrowd, apartInCrowd); plan = k.plan }, func() float64 { return slowest(plan) }, func() float64 { return slowest(smallWrites) })
}

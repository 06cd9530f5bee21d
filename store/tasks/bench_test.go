package tasks_test

import (
	"fmt"
	"path/filepath"
	"testing"

	rules "planb/plans/tasks"
	"planb/questions/safe"
	"planb/store/bolt"
	"planb/store/kv"
	"planb/store/tasks"
)

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

// BenchmarkWrite is the write that the budgets compare with.
func BenchmarkWrite(b *testing.B) {
	w := benchWorld(b)
	i := 0
	for b.Loop() {
		i++
		op := kv.OpID{byte(i), byte(i >> 8), byte(i >> 16), 1}
		if err := w.engine.Commit(w.ctx, kv.Batch{Op: op, Puts: []kv.Put{{Key: "t/x", Value: []byte(fmt.Sprint(i))}}}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkPropose proposes 500 tasks of a kilobyte each.
func BenchmarkPropose(b *testing.B) {
	w := benchWorld(b)
	s, p, i := w.store(), prose(500, 1000), 0
	for b.Loop() {
		i++
		p.Title = safe.New(fmt.Sprint("Plan ", i))
		p.Items[i%500].Description = safe.New(fmt.Sprint(p.Items[i%500].Description.Raw(), i))
		if _, err := s.Propose(w.ctx, agent(), p); err != nil {
			b.Fatal(err)
		}
	}
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

// bigPlan makes an active plan of 10,000 tasks, each depending on an earlier one in a
// tree: proposed in parts, because a proposal has at most 500.
func bigPlan(b *testing.B, w *world, count int) string {
	b.Helper()
	keys := make([]string, count)
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

func BenchmarkNext(b *testing.B) {
	for _, explain := range []bool{false, true} {
		b.Run(fmt.Sprint("explain ", explain), func(b *testing.B) {
			w := benchWorld(b)
			id := bigPlan(b, w, 10_000)
			s := w.store()
			for b.Loop() {
				if _, err := s.Next(w.ctx, agent(), tasks.Query{Plan: id, Explain: explain}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkRead reads what Next reads of the store.
func BenchmarkRead(b *testing.B) {
	w := benchWorld(b)
	id := bigPlan(b, w, 10_000)
	for b.Loop() {
		if _, err := w.engine.Scan(w.ctx, kv.Key("wp/"+id), "", kv.MaxPageRecords); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkWork claims tasks and completes them, one after the other.
func BenchmarkWork(b *testing.B) {
	w := benchWorld(b)
	id := w.approved(b, many(500, 200))
	s := w.store()
	c, err := s.Connect(w.ctx)
	if err != nil {
		b.Fatal(err)
	}
	left := 500
	b.Run("claim and give back", func(b *testing.B) {
		for b.Loop() {
			got, err := c.Claim(w.ctx, agent(), tasks.ClaimRequest{Plan: id})
			if err != nil {
				b.Fatal(err)
			}
			b.StopTimer()
			if _, err := s.Release(w.ctx, person(), got.ID); err != nil {
				b.Fatal(err)
			}
			b.StartTimer()
		}
	})
	b.Run("complete", func(b *testing.B) {
		for b.Loop() {
			b.StopTimer()
			if left--; left == 0 {
				id, left = w.approved(b, many(500, 200)), 499
			}
			got, err := c.Claim(w.ctx, agent(), tasks.ClaimRequest{Plan: id})
			if err != nil {
				b.Fatal(err)
			}
			b.StartTimer()
			if _, err := c.Complete(w.ctx, agent(), tasks.Completion{Task: got.ID, ClaimID: got.ClaimID, Report: report("done")}); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkDependents completes a task for which many others wait.
func BenchmarkDependents(b *testing.B) {
	for _, waiting := range []int{0, 1000} {
		b.Run(fmt.Sprint(waiting), func(b *testing.B) {
			w := benchWorld(b)
			c, err := w.store().Connect(w.ctx)
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				b.StopTimer()
				p := many(1001, 0)
				for i := range p.Items {
					p.Items[i].DependsOn = nil
					if i > 0 && i <= waiting {
						p.Items[i].DependsOn = []string{"t1"}
					}
				}
				id := w.approved(b, p)
				got := w.claim(b, c, id, "t1")
				b.StartTimer()
				done, err := c.Complete(w.ctx, agent(), tasks.Completion{Task: got.ID, ClaimID: got.ClaimID, Report: report("done")})
				if err != nil || len(done.Readied) != min(waiting, 50) || done.State != rules.Done {
					b.Fatal(done, err)
				}
			}
		})
	}
}

package tasks_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"planb/plans/tasks"
	"planb/questions/safe"
)

// big is a plan of 10,000 tasks with 20,000 edges.
func big(tb testing.TB) (*tasks.Graph, tasks.Situation) {
	tb.Helper()
	const count = tasks.MaxTasks
	random := rand.New(rand.NewPCG(1, 2))
	seeds := make([]tasks.Seed, count)
	for i := range seeds {
		seeds[i] = seed(fmt.Sprintf("task-%d", i))
		seeds[i].Priority, seeds[i].Minutes = random.IntN(5), 5+random.IntN(100)
		for range 2 {
			if i > 10 {
				if key := fmt.Sprintf("task-%d", random.IntN(i)); !slices.Contains(seeds[i].DependsOn, key) {
					seeds[i].DependsOn = append(seeds[i].DependsOn, key)
				}
			}
		}
	}
	g, err := tasks.Build(plan(seeds...))
	if err != nil {
		tb.Fatal(err)
	}
	s := situation(g, seeds)
	for _, n := range g.Numbers()[:count/2] {
		s.Marks.Set(n, tasks.Done)
	}
	return g, s
}

func BenchmarkNext(b *testing.B) {
	_, s := big(b)
	for b.Loop() {
		if len(tasks.Look(s).Next(16)) != 16 {
			b.Fatal("too few")
		}
	}
}

func BenchmarkExplain(b *testing.B) {
	_, s := big(b)
	title := safe.New("a task with a title of some length")
	for b.Loop() {
		if _, rest := tasks.Look(s).Explain(func(int) safe.Text { return title }, 8<<10); rest == 0 {
			b.Fatal("all fit")
		}
	}
}

func BenchmarkUnpack(b *testing.B) {
	g, _ := big(b)
	packed := g.Pack()
	for b.Loop() {
		if _, err := tasks.Unpack(packed); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(packed)), "packed-B")
}

func BenchmarkBuild(b *testing.B) {
	g, _ := big(b)
	p := tasks.Plan{Title: g.Title(), Tasks: make([]tasks.Task, g.Len())}
	for n := 1; n <= g.Len(); n++ {
		p.Tasks[n-1] = tasks.Task{Number: n, Seed: seed(g.Key(n))}
	}
	g.Complete(p.Tasks)
	for b.Loop() {
		if _, err := tasks.Build(p); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkUnlocked(b *testing.B) {
	g, _ := big(b)
	other, err := tasks.Unpack(g.Pack())
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		g.Unlocked(other, nil)
	}
}

// The order says at once that an edge closes no cycle; at worst the search goes
// through all tasks and edges.
func BenchmarkCycle(b *testing.B) {
	g, _ := big(b)
	order := g.Numbers()
	first, last := order[0], order[len(order)-1]
	b.Run("none", func(b *testing.B) {
		for b.Loop() {
			if tasks.ClosesCycle(g, last, first) {
				b.Fatal("a cycle")
			}
		}
	})
	b.Run("worst", func(b *testing.B) {
		chain := []tasks.Seed{seed("alone"), seed("c1")}
		for i := 2; i < tasks.MaxTasks; i++ {
			chain = append(chain, seed(fmt.Sprint("c", i), fmt.Sprint("c", i-1)))
			if i > 2 {
				chain[i].DependsOn = append(chain[i].DependsOn, fmt.Sprint("c", i-2))
			}
		}
		g, err := tasks.Build(plan(chain...))
		if err != nil {
			b.Fatal(err)
		}
		for b.Loop() {
			if tasks.ClosesCycle(g, 1, tasks.MaxTasks) {
				b.Fatal("a cycle")
			}
		}
	})
	b.Run("added", func(b *testing.B) {
		for b.Loop() {
			if _, err := g.With(last, tasks.Edge{On: first, Kind: tasks.Added}); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// One task with a thousand others that wait for it is settled as quickly as one
// with none (7).
func BenchmarkSettle(b *testing.B) {
	for _, waiting := range []int{0, 1000} {
		b.Run(fmt.Sprint(waiting), func(b *testing.B) {
			seeds := []tasks.Seed{seed("root")}
			for i := range 1000 {
				seeds = append(seeds, seed(fmt.Sprint("t", i)))
				if i < waiting {
					seeds[i+1].DependsOn = []string{"root"}
				}
			}
			g, err := tasks.Build(plan(seeds...))
			if err != nil {
				b.Fatal(err)
			}
			s := situation(g, seeds)
			for b.Loop() {
				b.StopTimer()
				s.Marks.Set(1, tasks.Claimed)
				v := tasks.Look(s)
				b.StartTimer()
				if len(v.Settle(1, tasks.Done)) != waiting {
					b.Fatal("others are ready")
				}
			}
		})
	}
}

func BenchmarkNextOf500(b *testing.B) {
	seeds := make([]tasks.Seed, 500)
	for i := range seeds {
		seeds[i] = seed(fmt.Sprint("t", i))
		for _, on := range []int{i / 2, i / 3} {
			if key := fmt.Sprint("t", on); on < i && !slices.Contains(seeds[i].DependsOn, key) {
				seeds[i].DependsOn = append(seeds[i].DependsOn, key)
			}
		}
	}
	g, err := tasks.Build(plan(seeds...))
	if err != nil {
		b.Fatal(err)
	}
	s := situation(g, seeds)
	for b.Loop() {
		tasks.Look(s).Next(16)
	}
}

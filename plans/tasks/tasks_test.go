package tasks_test

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"

	"planb/plans/tasks"
	"planb/questions/safe"
)

// seed is a task with defaults that depends on others.
func seed(key string, dependsOn ...string) tasks.Seed {
	return tasks.Seed{
		Key: key, Title: safe.New(strings.ToUpper(key)),
		Execution: tasks.Execution{Kind: tasks.Unblocked}, Verification: tasks.Verification{Kind: tasks.None},
		Priority: tasks.DefaultPriority, Minutes: tasks.DefaultMinutes,
		Edges: tasks.Edges{DependsOn: dependsOn},
	}
}

func plan(seeds ...tasks.Seed) tasks.Plan {
	p := tasks.Proposal{Title: safe.New("Plan")}
	for _, s := range seeds {
		p.Items = append(p.Items, item(s))
	}
	return p.Plan()
}

func item(s tasks.Seed) tasks.Item { return tasks.Item{Seed: s} }

func build(t interface {
	Helper()
	Fatal(...any)
}, seeds ...tasks.Seed) *tasks.Graph {
	t.Helper()
	g, err := tasks.Build(plan(seeds...))
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// drawSeeds draws a plan's seeds without cycles: each depends on earlier ones of a
// random order.
func drawSeeds(t *rapid.T, most int) []tasks.Seed {
	count := rapid.IntRange(1, most).Draw(t, "tasks")
	order := rapid.Permutation(numbers(count)).Draw(t, "order")
	seeds := make([]tasks.Seed, count)
	for at, i := range order {
		seeds[i] = seed(fmt.Sprint("t", i))
		s := &seeds[i]
		s.Title = safe.New(drawLine(t, "title", "T"))
		s.Description = safe.New(drawLine(t, "description", "D"))
		s.Priority = rapid.IntRange(0, tasks.MaxPriority).Draw(t, "priority")
		s.Minutes = rapid.IntRange(1, 100).Draw(t, "minutes")
		if rapid.IntRange(0, 5).Draw(t, "human") == 0 {
			s.Execution.Kind = tasks.Human
		}
		for _, file := range rapid.SliceOfN(rapid.SampledFrom([]string{"a/", "a/b.go", "c.go", "d/e/"}), 0, 2).Draw(t, "files") {
			s.Execution.Files = append(s.Execution.Files, safe.New(file))
		}
		others := rapid.SliceOfNDistinct(rapid.IntRange(0, max(0, at-1)), 0, min(at, 3), rapid.ID[int]).Draw(t, "edges")
		for _, other := range others {
			key := fmt.Sprint("t", order[other])
			switch rapid.IntRange(0, 3).Draw(t, "kind") {
			case 0:
				s.AlsoAfter = append(s.AlsoAfter, key)
			case 1:
				s.Soft = append(s.Soft, key)
			default:
				s.DependsOn = append(s.DependsOn, key)
			}
		}
	}
	return seeds
}

// drawLine draws a text of one line that begins with prefix.
func drawLine(t *rapid.T, label, prefix string) string {
	return prefix + strings.Join(strings.Fields(rapid.StringN(0, 12, 60).Draw(t, label)), " ")
}

func numbers(count int) []int {
	list := make([]int, count)
	for i := range list {
		list[i] = i
	}
	return list
}

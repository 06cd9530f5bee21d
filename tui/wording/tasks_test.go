package wording_test

import (
	"testing"
	"time"

	"planb/plans/tasks"
	"planb/questions/safe"
	"planb/tui/wording"
)

// TestAPersonIsToldWhyATaskIsNotReady holds one plan in which each task has another
// reason.
func TestAPersonIsToldWhyATaskIsNotReady(t *testing.T) {
	seed := func(key string, after ...string) tasks.Item {
		return tasks.Item{Seed: tasks.Seed{
			Key: key, Title: safe.New("Do " + key), Minutes: 30, Edges: tasks.Edges{DependsOn: after},
			Execution: tasks.Execution{Kind: tasks.Unblocked, Files: []safe.Text{safe.New(key[:1])}}, Verification: tasks.Verification{Kind: tasks.None},
		}}
	}
	human := seed("human")
	human.Execution.Kind = tasks.Human
	plan := tasks.Proposal{Title: safe.New("P"), Items: []tasks.Item{
		seed("work"), seed("waits", "work"), seed("review"), human, seed("gone"), seed("locked"), seed("free"), seed("w-touches"), seed("done"), seed("after", "gone"), seed("g-touches"),
	}}.Plan()
	graph, err := tasks.Build(plan)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	names := func(n int) safe.Text { return plan.Tasks[n-1].Title }
	marks := tasks.NewMarks(plan.Tasks)
	marks.Set(1, tasks.InProgress)
	marks.Set(3, tasks.NeedsReview)
	marks.Set(5, tasks.Claimed)
	marks.Set(9, tasks.Done)
	s := tasks.Situation{
		Graph: graph, Marks: marks, Unlocked: graph.Unlocked(graph, []int{6}), Status: tasks.PlanActive, Now: now, Grace: 2 * time.Minute,
		Claims: map[int]tasks.Claim{
			1: {Worker: "Claude \x1b[31mCode", At: now.Add(-5 * time.Minute)}, 5: {Worker: "Codex", At: now, Gone: now.Add(-time.Minute)},
		},
	}
	for n, want := range map[int]string{
		1: "in work, Claude ␛[31mCode, 5 min",
		2: "waits for “Do work” (in work, Claude ␛[31mCode, 5 min), touches w, as “Do work” does (in work, Claude ␛[31mCode, 5 min)",
		3: "waits for you to accept it", 4: "is for you to do", 5: "its agent is gone; free in 60 s", 6: "waits for your approval", 7: "", 9: "done",
		10: "waits for “Do gone” (its agent is gone; free in 60 s)", 11: "touches g, as “Do gone” does (its agent is gone; free in 60 s)",
	} {
		if got := wording.WhyNot(tasks.Look(s), n, names); got != want {
			t.Errorf("task %d: %s\nwant %s", n, got, want)
		}
	}
	s.Paused = true
	if got := wording.WhyNot(tasks.Look(s), 7, names); got != "its plan is paused" {
		t.Errorf("paused: %s", got)
	}
	s.Paused, s.Status, s.Unlocked, s.Claims = false, tasks.PlanProposed, graph.Unlocked(nil, nil), nil
	s.Marks = tasks.NewMarks(plan.Tasks)
	for n, want := range map[int]string{1: "waits for your approval", 2: "waits for “Do work” (blocked)"} {
		if got := wording.WhyNot(tasks.Look(s), n, names); got != want {
			t.Errorf("proposed, task %d: %s\nwant %s", n, got, want)
		}
	}
	s.Status = tasks.PlanCancelled
	if got := wording.WhyNot(tasks.Look(s), 7, names); got != "its plan is cancelled" {
		t.Errorf("cancelled: %s", got)
	}
}

package tasks_test

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"planb/e2e/rig"
)

// crowd is how many servers work off one plan.
const crowd = 16

// servers starts that many servers at once.
func servers(t *testing.T, data string, count int) []*rig.Agent {
	t.Helper()
	list := make([]*rig.Agent, count)
	var starting sync.WaitGroup
	for i := range list {
		starting.Go(func() { list[i] = rig.StartAgent(t, data, nil, "--toolsets", "work") })
	}
	starting.Wait()
	if t.Failed() {
		t.FailNow()
	}
	return list
}

// crowdWorker is an agent of the crowd. All agents send their calls at the same moments.
type crowdWorker struct {
	*rig.Agent
	name        int
	task, claim string // what it holds; empty: nothing
	wants       string // the task that it was told of last; empty: the best one
	call        *rig.Pending
	tool        string
}

// begins sends the worker's next call. A third of the workers ask what is ready and claim
// that by its id, so that many want one task; a third claim with their report.
func (w *crowdWorker) begins(plan string) {
	arguments := map[string]any{"planId": plan}
	switch {
	case w.claim != "":
		w.tool, arguments = "complete_task", map[string]any{"taskId": w.task, "claimId": w.claim, "summary": "Done", "claimNext": w.name%3 == 1}
	case w.wants != "":
		w.tool, arguments = "claim_task", map[string]any{"taskId": w.wants}
	case w.name%3 == 2:
		w.tool = "get_next_actionable"
	default:
		w.tool = "claim_task"
	}
	w.call = w.Start(w.tool, arguments)
}

// Sixteen servers claim and complete the tasks of one plan at once. Each task is given once,
// all are done, and the only refusals are those of agents that were too late.
// PLANB_WORK_TASKS=500 makes it that many tasks, which is the most that a call proposes.
func TestSixteenServersWorkOffOnePlan(t *testing.T) {
	t.Parallel()
	count := crowd + 4
	if text := os.Getenv("PLANB_WORK_TASKS"); text != "" {
		asked, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		count = max(crowd, min(asked, 500))
	}
	data := t.TempDir()
	planner := rig.StartAgent(t, data, nil, "--toolsets", "tasks")
	planner.Call("create_project", map[string]any{"name": "Shop"})
	var list []any
	for n := range count {
		seed := map[string]any{"nodeKey": fmt.Sprintf("t%d", n), "title": fmt.Sprintf("Task %d", n)}
		if n >= crowd {
			seed["dependsOn"] = []string{fmt.Sprintf("t%d", n-crowd)}
		}
		list = append(list, seed)
	}
	plan := said(t, planner.Call("propose_plan", map[string]any{"title": "Open the shop", "tasks": list}))["planId"].(string)
	rig.ApprovePlan(t, data, plan)

	var workers []*crowdWorker
	for i, agent := range servers(t, data, crowd-1) {
		workers = append(workers, &crowdWorker{Agent: agent, name: i})
	}
	workers = append(workers, &crowdWorker{Agent: planner, name: crowd - 1})

	given, done, late := map[string]string{}, map[string]bool{}, 0
	holds := func(w *crowdWorker, object map[string]any) {
		w.task, _ = object["taskId"].(string)
		if w.claim, _ = object["claimId"].(string); w.claim == "" {
			t.Fatalf("%s by worker %d names no claim: %v", w.tool, w.name, object)
		}
		if other := given[w.task]; other != "" {
			t.Errorf("%s is given as %s, and was given as %s", w.task, w.claim, other)
		}
		given[w.task] = w.claim
	}
	for rounds := 0; len(done) < count; rounds++ {
		if rounds > 20*count {
			t.Fatalf("after %d rounds %d of %d tasks are done", rounds, len(done), count)
		}
		for _, w := range workers {
			w.begins(plan)
		}
		for _, w := range workers {
			got := w.call.Reply()
			refused, object := code(t, got), said(t, got)
			switch {
			case refused != "":
				if tooLate := []string{"task.not_actionable", "task.already_claimed"}; w.tool != "claim_task" || !slices.Contains(tooLate, refused) {
					t.Errorf("%s by worker %d: %s", w.tool, w.name, got)
				}
				w.wants = ""
				late++
			case w.tool == "get_next_actionable":
				if next, _ := object["tasks"].([]any); len(next) > 0 {
					w.wants, _ = next[0].(map[string]any)["taskId"].(string)
				}
			case w.tool == "claim_task":
				w.wants = ""
				holds(w, object)
			default:
				if object["state"] != "done" || done[w.task] {
					t.Errorf("worker %d completes %s: %s", w.name, w.task, got)
				}
				done[w.task] = true
				w.task, w.claim = "", ""
				for _, text := range got.Texts[1:] {
					if strings.HasPrefix(text, "{") { // the claim of the next task
						holds(w, objectIn(t, text))
					}
				}
			}
		}
	}
	t.Logf("%d refusals", late)
	if len(given) != count {
		t.Errorf("%d of %d tasks were given", len(given), count)
	}
	counts := said(t, planner.Call("get_next_actionable", map[string]any{"planId": plan}))["counts"]
	if text := fmt.Sprint(counts); text != fmt.Sprintf("map[done:%d]", count) {
		t.Errorf("in the end the plan has %s", text)
	}
	rig.IsSound(t, data)
}

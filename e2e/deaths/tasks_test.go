package deaths_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"planb/e2e/rig"
)

// worked is a plan of tasks that a person has approved, and those who work on it.
type worked struct {
	t    *testing.T
	data string
	plan string
}

// newWorked has a person approve a plan of so many tasks. The grace is a second.
func newWorked(t *testing.T, count int) *worked {
	t.Helper()
	w := &worked{t: t, data: t.TempDir()}
	config := filepath.Join(w.data, ".config", "planb")
	if err := os.MkdirAll(config, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(config, "config.toml"), []byte("[tasks]\ngrace = \"1s\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	tm := rig.StartTmux(t, 200, 50)
	home := tm.FirstPane()
	a := rig.StartAgent(t, w.data, tm.Environment(home), "--toolsets", "tasks")
	a.Call("create_project", map[string]any{"name": "Shop"})
	var list []any
	for n := range count {
		list = append(list, map[string]any{"nodeKey": fmt.Sprintf("t%d", n+1), "title": fmt.Sprintf("Task %d", n+1)})
	}
	w.plan, _ = w.said(a.Call("propose_plan", map[string]any{"title": "Open the shop", "tasks": list}))["planId"].(string)
	call := a.Start("approve_plan", map[string]any{"planId": w.plan})
	pane := tm.NewPane(home)
	tm.Shows(pane, "Open the shop")
	tm.Ready(pane)
	tm.Keys(pane, "a")
	tm.ReadyDialog(pane, "Approve v")
	tm.Keys(pane, "Enter")
	if got := call.Reply(); w.said(got)["status"] != "active" {
		t.Fatal(got)
	}
	return w
}

func (w *worked) worker() *rig.Agent {
	w.t.Helper()
	return rig.StartAgent(w.t, w.data, nil, "--toolsets", "work")
}

// said reads the object in the first item of a result.
func (w *worked) said(got rig.Reply) map[string]any {
	w.t.Helper()
	var object map[string]any
	if len(got.Texts) == 0 || json.Unmarshal([]byte(got.Texts[0]), &object) != nil {
		w.t.Fatalf("the result begins with no object: %s", got)
	}
	return object
}

// task is the id of a task of the plan.
func (w *worked) task(n int) string { return fmt.Sprintf("%s%04x", w.plan[:32], n) }

// claims has the agent claim a task and returns its claimId.
func (w *worked) claims(a *rig.Agent, n int) string {
	w.t.Helper()
	got := a.Call("claim_task", map[string]any{"taskId": w.task(n)})
	claim, _ := w.said(got)["claimId"].(string)
	if claim == "" {
		w.t.Fatalf("task %d: %s", n, got)
	}
	return claim
}

// written is when the store was last written.
func (w *worked) written() time.Time {
	w.t.Helper()
	info, err := os.Stat(filepath.Join(w.data, "planb.db"))
	if err != nil {
		w.t.Fatal(err)
	}
	return info.ModTime()
}

// completes has the agent report a task.
func (w *worked) completes(a *rig.Agent, n int, claim string) rig.Reply {
	w.t.Helper()
	return a.Call("complete_task", map[string]any{"taskId": w.task(n), "claimId": claim, "summary": "Done"})
}

// claimedAgain waits until another agent may have the task, and returns its claimId.
func (w *worked) claimedAgain(a *rig.Agent, n int) (claim string) {
	w.t.Helper()
	rig.Until(w.t, "the grace is over", func() bool {
		got := a.Call("claim_task", map[string]any{"taskId": w.task(n)})
		claim, _ = w.said(got)["claimId"].(string)
		return claim != ""
	})
	return claim
}

// A server ends at each point between a claim and the report. The task is done once: by
// its claimId, or by another agent once the grace is over.
func TestATaskIsDoneOnceWhereverItsHolderEnds(t *testing.T) {
	t.Parallel()
	w := newWorked(t, 7)
	other := w.worker()
	killed := func(n int, before func(a *rig.Agent, claim string)) string {
		t.Helper()
		a := w.worker()
		claim := w.claims(a, n)
		before(a, claim)
		if err := a.Process.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		return claim
	}
	killedWriting := func(a *rig.Agent, tool string, args map[string]any) {
		t.Helper()
		before := w.written()
		a.Start(tool, args)
		for limit := time.Now().Add(rig.Patience); w.written() == before; {
			if time.Now().After(limit) {
				t.Fatalf("%s writes nothing", tool)
			}
		}
		if err := a.Process.Process.Kill(); err != nil {
			t.Fatal(err)
		}
	}
	nothing := func(*rig.Agent, string) {}
	begins := func(n int) func(*rig.Agent, string) {
		return func(a *rig.Agent, claim string) {
			a.Call("update_task_status", map[string]any{"taskId": w.task(n), "claimId": claim, "status": "in_progress", "note": "Half done."})
		}
	}

	// Killed right after the claim; another agent takes the task over, and a report under
	// the first claim comes too late.
	first := killed(1, nothing)
	second := w.claimedAgain(other, 1)
	late := w.completes(w.worker(), 1, first)
	if !late.IsError || !strings.Contains(late.String(), "task.lease_expired") {
		t.Errorf("a late report: %s", late)
	}
	if got := w.completes(other, 1, second); w.said(got)["state"] != "done" {
		t.Errorf("the second holder: %s", got)
	}

	// Killed while it works; the claimId goes on in another server, within the grace or
	// after it.
	claim := killed(2, begins(2))
	if got := w.completes(w.worker(), 2, claim); w.said(got)["state"] != "done" {
		t.Errorf("a report from another server: %s", got)
	}

	// The input of the server ends while it holds a task: the same.
	a := w.worker()
	claim = w.claims(a, 3)
	if err := a.Client.Close(); err != nil {
		t.Fatal(err)
	}
	again := w.worker()
	if got := w.said(again.Call("claim_task", map[string]any{"taskId": w.task(3), "claimId": claim})); got["attempt"] != 1.0 {
		t.Errorf("resumed: %v", got)
	}
	if got := w.completes(again, 3, claim); w.said(got)["state"] != "done" {
		t.Errorf("resumed and reported: %s", got)
	}

	// Killed after the report: it counts, and the same report again is told the same.
	claim = killed(4, func(a *rig.Agent, claim string) { w.completes(a, 4, claim) })
	if got := w.completes(other, 4, claim); got.IsError || w.said(got)["state"] != "done" {
		t.Errorf("the same report again: %s", got)
	}

	// Killed while it writes the claim: the task is free, at the latest when the grace is over.
	killedWriting(w.worker(), "claim_task", map[string]any{"taskId": w.task(6)})
	claim = w.claimedAgain(other, 6)
	if got := w.completes(other, 6, claim); w.said(got)["state"] != "done" {
		t.Errorf("claimed after a claim that was cut off: %s", got)
	}

	// Killed while it writes the report: the same report again counts, and counts once.
	reporter := w.worker()
	claim = w.claims(reporter, 7)
	killedWriting(reporter, "complete_task", map[string]any{"taskId": w.task(7), "claimId": claim, "summary": "Done"})
	if got := w.completes(w.worker(), 7, claim); w.said(got)["state"] != "done" {
		t.Errorf("the report that was cut off, again: %s", got)
	}

	// The call that claims is cancelled as it is made: the task is claimed or free, and
	// never lost.
	canceller := w.worker()
	canceller.Start("claim_task", map[string]any{"taskId": w.task(5)}).Stop()
	next := w.said(canceller.Call("get_next_actionable", map[string]any{"planId": w.plan}))
	if held, _ := next["heldByThisConnection"].([]any); len(held) == 1 {
		claim, _ = held[0].(map[string]any)["claimId"].(string)
	} else {
		claim = w.claims(canceller, 5)
	}
	if got := w.completes(canceller, 5, claim); w.said(got)["state"] != "done" || !strings.Contains(got.String(), `"plan":{"done":7,"of":7}`) {
		t.Errorf("the last one: %s", got)
	}
}

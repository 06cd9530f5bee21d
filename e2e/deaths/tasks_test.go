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
	rules "planb/plans/tasks"
	"planb/store/tasks"
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
	return newWorkedIn(t, t.TempDir(), count)
}

// newWorkedIn is newWorked with a store in that directory.
func newWorkedIn(t *testing.T, data string, count int) *worked {
	t.Helper()
	w := proposedIn(t, data, count)
	rig.ApprovePlan(t, w.data, w.plan)
	return w
}

// proposedIn is newWorkedIn without the approval.
func proposedIn(t *testing.T, data string, count int) *worked {
	t.Helper()
	w := &worked{t: t, data: data}
	config := filepath.Join(w.data, ".config", "planb")
	if err := os.MkdirAll(config, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(config, "config.toml"), []byte("[tasks]\ngrace = \"1s\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	a := rig.StartAgent(t, w.data, w.apart(), "--toolsets", "tasks")
	a.Call("create_project", map[string]any{"name": "Shop"})
	var list []any
	for n := range count {
		list = append(list, map[string]any{"nodeKey": fmt.Sprintf("t%d", n+1), "title": fmt.Sprintf("Task %d", n+1)})
	}
	w.plan, _ = w.said(a.Call("propose_plan", map[string]any{"title": "Open the shop", "tasks": list}))["planId"].(string)
	return w
}

// apart has a server keep its log elsewhere: it must not be what fills a small disk.
func (w *worked) apart() []string {
	w.t.Helper()
	return []string{"XDG_STATE_HOME=" + w.t.TempDir()}
}

func (w *worked) worker() *rig.Agent {
	w.t.Helper()
	return rig.StartAgent(w.t, w.data, nil, "--toolsets", "work")
}

// variedWorker is worker of that variant of planb.
func (w *worked) variedWorker(variant string) *rig.Agent {
	w.t.Helper()
	return rig.StartAgentAs(w.t, w.data, w.apart(), varied(w.t, variant, "mcp", "--toolsets", "work")...)
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
	return w.leases(a, n, 0)
}

// leases has the agent claim a task for no longer than so many seconds of silence, and
// returns its claimId.
func (w *worked) leases(a *rig.Agent, n, seconds int) string {
	w.t.Helper()
	arguments := map[string]any{"taskId": w.task(n)}
	if seconds > 0 {
		arguments["leaseSec"] = seconds
	}
	got := a.Call("claim_task", arguments)
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

// code is the code with which a result refuses the call; empty if it does not.
func (w *worked) code(got rig.Reply) string {
	w.t.Helper()
	refused, _ := w.said(got)["error"].(map[string]any)
	code, _ := refused["code"].(string)
	return code
}

// refuses has the agent claim a task that it must not get.
func (w *worked) refuses(a *rig.Agent, n int, code, when string) {
	w.t.Helper()
	if got := a.Call("claim_task", map[string]any{"taskId": w.task(n)}); w.code(got) != code {
		w.t.Errorf("task %d is claimed %s: %s", n, when, got)
	}
}

// isDone has the agent report a task, and the report must count.
func (w *worked) isDone(a *rig.Agent, n int, claim string) {
	w.t.Helper()
	if got := w.completes(a, n, claim); got.IsError || w.said(got)["state"] != "done" {
		w.t.Errorf("task %d is reported: %s", n, got)
	}
}

// tooLate has the agent report a task that another has meanwhile.
func (w *worked) tooLate(a *rig.Agent, n int, claim string) {
	w.t.Helper()
	if got := w.completes(a, n, claim); w.code(got) != "task.lease_expired" {
		w.t.Errorf("task %d is reported late: %s", n, got)
	}
}

// ends checks that all tasks of the plan are done, each once, and that the store is sound.
func (w *worked) ends(count int) {
	w.t.Helper()
	st := rig.OpenStoreAsUser(w.t, w.data).Tasks()
	plan, err := st.Plan(w.t.Context(), tasks.Caller{}, w.plan)
	if err != nil || plan.Status != rules.PlanDone || len(plan.Claims) > 0 {
		w.t.Errorf("the plan is %s with %d claims, %v", plan.Status, len(plan.Claims), err)
	}
	for n := 1; n <= count; n++ {
		past, err := st.Past(w.t.Context(), tasks.Caller{}, w.task(n))
		if err != nil {
			w.t.Fatal(err)
		}
		done := 0
		for _, attempt := range past.Attempts {
			if attempt.End == tasks.EndedDone {
				done++
			}
		}
		if done != 1 {
			w.t.Errorf("task %d is done %d times: %+v", n, done, past.Attempts)
		}
	}
	rig.IsSound(w.t, w.data)
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
	w.ends(7)
}

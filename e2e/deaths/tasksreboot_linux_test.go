package deaths_test

import (
	"strings"
	"testing"
)

// The machine reboots while an agent holds tasks. Its claimIds lead to them from the next
// server, and what nobody goes on with is another agent's once the grace is over.
func TestARebootLosesNoTask(t *testing.T) {
	t.Parallel()
	w := newWorked(t, 5)
	before := w.variedWorker(sleepy)
	reported, resumed, lost, done := w.claims(before, 1), w.claims(before, 2), w.claims(before, 3), w.claims(before, 4)
	before.Call("update_task_status", map[string]any{"taskId": w.task(2), "claimId": resumed, "status": "in_progress", "note": "Half done."})
	w.isDone(before, 4, done)
	if err := before.Process.Process.Kill(); err != nil {
		t.Fatal(err)
	}

	after, other := w.variedWorker(rebooted), w.variedWorker(rebooted)
	w.refuses(other, 3, "task.not_actionable", "right after the reboot")
	w.isDone(after, 1, reported)
	again := after.Call("claim_task", map[string]any{"taskId": w.task(2), "claimId": resumed})
	if said := w.said(again); said["attempt"] != 1.0 || said["claimId"] != resumed || said["state"] != "in_progress" {
		t.Errorf("resumed: %s", again)
	}
	second := w.claimedAgain(other, 3)
	w.refuses(other, 2, "task.already_claimed", "after it was resumed")
	w.tooLate(after, 3, lost)
	w.isDone(other, 3, second)
	w.isDone(after, 4, done) // the same report again
	w.isDone(other, 5, w.claims(other, 5))
	w.isDone(after, 2, resumed)
	if next := after.Call("get_next_actionable", map[string]any{"planId": w.plan}).String(); !strings.Contains(next, `"counts":{"done":5}`) {
		t.Errorf("in the end the agent reads %s", next)
	}
	w.ends(5)
}

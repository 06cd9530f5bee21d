package tasks_test

import (
	"testing"

	"planb/e2e/rig"
)

// A person follows a plan on the board while an agent works on it, and decides there: they
// approve it, send a report back, and accept the next one.
func TestTheBoardFollowsTheWork(t *testing.T) {
	t.Parallel()
	data, tm := t.TempDir(), rig.StartTmux(t, 120, 40)
	a := rig.StartAgent(t, data, []string{"ASK_NO_OPEN=1"}, "--toolsets", "tasks")
	a.Call("create_project", map[string]any{"name": "Shop"})
	manual := shop()
	manual[0].(map[string]any)["verificationContract"] = map[string]any{"kind": "manual"}
	plan := said(t, a.Call("propose_plan", map[string]any{"title": "Open the shop", "tasks": manual}))["planId"].(string)

	board := tm.Open(data, "tui", "tasks")
	tm.Shows(board, "Waiting for your approval", "Open the shop")
	tm.Keys(board, "Enter")
	tm.Shows(board, "nothing begins before you approve it", "Critical path", "Step 2 · 2 tasks")
	tm.Keys(board, "a")
	tm.Shows(board, "line 1 of")
	tm.Ready(board)
	tm.Keys(board, "a")
	tm.ReadyDialog(board, "Approve v1")
	tm.Keys(board, "Enter")
	tm.Shows(board, "active")
	tm.Keys(board, "Tab")
	tm.Shows(board, "Ready  1", "Blocked  2")

	for round, key := range []string{"s", "y"} {
		claimed := said(t, a.Call("claim_task", map[string]any{"planId": plan}))
		task, claim := claimed["taskId"], claimed["claimId"]
		tm.Shows(board, "In work  1", "Test Agent")
		reported := a.Call("complete_task", map[string]any{"taskId": task, "claimId": claim, "summary": "Three tables."})
		if said(t, reported)["state"] != "needs_review" {
			t.Fatalf("round %d: %s", round, reported)
		}
		tm.Shows(board, "Needs you  1")
		tm.Keys(board, "Enter")
		tm.Shows(board, "As reported", "Three tables.", "verified none of it")
		tm.Keys(board, "Space")
		tm.Shows(board, "Accept “Write the schema”?", "This makes ready", "send it back")
		tm.Keys(board, key)
		if key == "s" {
			tm.Shows(board, "What is missing?")
			tm.Text(board, "Which indexes?")
			tm.Keys(board, "C-s")
			tm.Shows(board, "Sent back")
			tm.Keys(board, "Escape")
			tm.Shows(board, "Ready  1")
			continue
		}
		tm.Shows(board, "Accepted", "you accepted it")
		tm.Keys(board, "Escape")
		tm.Shows(board, "Ready  2", "1/3 done")
	}
}

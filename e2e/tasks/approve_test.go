package tasks_test

import (
	"encoding/json"
	"strings"
	"testing"

	"planb/e2e/rig"
)

// said reads the object in the first item of a result.
func said(t *testing.T, got rig.Reply) map[string]any {
	t.Helper()
	if len(got.Texts) == 0 {
		t.Fatal("the result is empty")
	}
	return objectIn(t, got.Texts[0])
}

func objectIn(t *testing.T, text string) (object map[string]any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &object); err != nil {
		t.Fatalf("no object: %q", text)
	}
	return object
}

// code returns the code of a result that refuses a call.
func code(t *testing.T, got rig.Reply) string {
	t.Helper()
	object, _ := said(t, got)["error"].(map[string]any)
	text, _ := object["code"].(string)
	if (text != "") != got.IsError {
		t.Errorf("isError is %v, and the code %q: %s", got.IsError, text, got)
	}
	return text
}

// Three tasks: two wait for the first.
func shop() []any {
	return []any{
		map[string]any{"nodeKey": "schema", "title": "Write the schema"},
		map[string]any{"nodeKey": "api", "title": "Write the API", "dependsOn": []string{"schema"}},
		map[string]any{"nodeKey": "docs", "title": "Describe the API", "dependsOn": []string{"schema"}},
	}
}

// A person sends tasks back, reads what the agent proposes instead, and approves exactly
// that. The server, the client and the panes are real.
func TestTasksAreProposedSentBackAndApproved(t *testing.T) {
	t.Parallel()
	data, tm := t.TempDir(), rig.StartTmux(t, 200, 50)
	home := tm.FirstPane()
	a := rig.StartAgent(t, data, tm.Environment(home), "--toolsets", "tasks")

	if got := code(t, a.Call("propose_plan", map[string]any{"title": "Shop", "tasks": shop()})); got != "project.not_found" {
		t.Errorf("without a project: %s", got)
	}
	a.Call("create_project", map[string]any{"name": "Shop"})
	proposed := said(t, a.Call("propose_plan", map[string]any{"title": "Open the shop", "tasks": shop()}))
	plan := proposed["planId"].(string)
	if proposed["status"] != "proposed" || proposed["tasks"] != 3.0 {
		t.Errorf("proposed: %v", proposed)
	}

	call := a.Start("approve_plan", map[string]any{"planId": plan})
	pane := tm.NewPane(home)
	tm.Shows(pane, "Open the shop", "Write the schema", "Describe the API")
	tm.Ready(pane)
	tm.Keys(pane, "r")
	tm.ReadyDialog(pane, "Request changes to v1", "You have not said yet")
	tm.Keys(pane, "C-s")
	got := call.Reply()
	if object := said(t, got); object["approved"] != false || object["status"] != "proposed" || !strings.Contains(got.String(), "The plan is NOT approved: carry out none of it. ") {
		t.Errorf("sent back: %s", got)
	}
	tm.Gone(pane)

	changed := append(shop(), map[string]any{"title": "Sell a book", "dependsOn": []string{"api"}})
	again := said(t, a.Call("propose_plan", map[string]any{"title": "Open the shop", "tasks": changed, "planId": plan}))
	if again["planId"] != plan || again["hash"] == proposed["hash"] {
		t.Errorf("proposed again: %v", again)
	}
	call = a.Start("approve_plan", map[string]any{"planId": plan})
	pane = tm.NewPane(home)
	tm.Shows(pane, "Open the shop", "Sell a book")
	tm.Ready(pane)

	// A second connection joins the review, and cannot decide it.
	other := rig.StartAgent(t, data, nil, "--toolsets", "tasks")
	joined := other.Start("approve_plan", map[string]any{"planId": plan})
	tm.Keys(pane, "Escape")
	tm.Keys(pane, "a")
	tm.ReadyDialog(pane, "Approve v")
	tm.Keys(pane, "Enter")
	got = call.Reply()
	object := said(t, got)
	if object["status"] != "active" || object["approved"] != true || object["tasksReadied"] != 1.0 || !strings.Contains(got.String(), "Approved exactly as it is") {
		t.Errorf("approved: %s", got)
	}
	if object := said(t, joined.Reply()); object["status"] != "active" {
		t.Errorf("the second connection: %v", object)
	}
	if got := a.Call("approve_plan", map[string]any{"planId": plan}); code(t, got) != "conflict" || !strings.Contains(got.String(), "cannot-approve-active") {
		t.Errorf("approved twice: %s", got)
	}
}

// The whole way: an agent proposes, a person approves in a pane, another agent claims, fails
// the verification, mends its work and completes; a third connection ends while it holds a
// task, and its claimId brings it back.
func TestTheWholeWayOfAPlanOfTasks(t *testing.T) {
	t.Parallel()
	data, tm := t.TempDir(), rig.StartTmux(t, 200, 50)
	home := tm.FirstPane()
	a := rig.StartAgent(t, data, tm.Environment(home), "--toolsets", "all")
	a.Call("create_project", map[string]any{"name": "Shop"})
	list := shop()
	list[0].(map[string]any)["verificationContract"] = map[string]any{"kind": "command", "commands": []string{"go test ./..."}}
	plan := said(t, a.Call("propose_plan", map[string]any{"title": "Open the shop", "tasks": list}))["planId"].(string)
	if got := a.Call("claim_task", map[string]any{"planId": plan}); code(t, got) != "task.not_actionable" {
		t.Errorf("claimed before the approval: %s", got)
	}
	call := a.Start("approve_plan", map[string]any{"planId": plan})
	pane := tm.NewPane(home)
	tm.Shows(pane, "Open the shop", "Describe the API")
	tm.Ready(pane)
	tm.Keys(pane, "a")
	tm.ReadyDialog(pane, "Approve v")
	tm.Keys(pane, "Enter")
	ready, _ := said(t, call.Reply())["readiedTaskIds"].([]any)
	if len(ready) != 1 {
		t.Fatalf("ready are %v", ready)
	}

	worker := rig.StartAgent(t, data, nil, "--toolsets", "work")
	claim := said(t, worker.Call("claim_task", map[string]any{}))
	if claim["taskId"] != ready[0] {
		t.Fatalf("claimed %v, want %v", claim["taskId"], ready[0])
	}
	if got := a.Call("claim_task", map[string]any{"taskId": ready[0]}); code(t, got) != "task.already_claimed" {
		t.Errorf("claimed twice: %s", got)
	}
	report := func(exit int) map[string]any {
		return map[string]any{
			"taskId": claim["taskId"], "claimId": claim["claimId"], "summary": "Two tables", "claimNext": true,
			"evidence": []any{map[string]any{"command": "go test ./...", "exitCode": exit, "output": "…"}},
		}
	}
	if got := worker.Call("complete_task", report(1)); code(t, got) != "verification.unmet" || !strings.Contains(got.String(), "exited 1. You still hold it.") {
		t.Errorf("a failed command: %s", got)
	}
	got := worker.Call("complete_task", report(0))
	if object := said(t, got); object["state"] != "done" || len(object["readied"].([]any)) != 2 {
		t.Errorf("completed: %s", got)
	}
	var next map[string]any
	if got.Texts[1] != "Ready by it: api, docs." {
		t.Errorf("said after a task is done: %q", got.Texts[1])
	}
	if err := json.Unmarshal([]byte(got.Texts[2]), &next); err != nil || next["nodeKey"] == "schema" {
		t.Fatalf("no next task: %s", got)
	}
	if err := worker.Client.Close(); err != nil {
		t.Fatal(err)
	}
	later := rig.StartAgent(t, data, nil, "--toolsets", "work")
	if got := later.Call("claim_task", map[string]any{"taskId": next["taskId"]}); !got.IsError {
		t.Errorf("claimed within the grace of another: %s", got)
	}
	if again := said(t, later.Call("claim_task", map[string]any{"taskId": next["taskId"], "claimId": next["claimId"]})); again["attempt"] != 1.0 {
		t.Errorf("resumed: %v", again)
	}
	later.Call("complete_task", map[string]any{"taskId": next["taskId"], "claimId": next["claimId"], "summary": "It answers"})
	last := said(t, later.Call("claim_task", map[string]any{}))
	got = later.Call("complete_task", map[string]any{"taskId": last["taskId"], "claimId": last["claimId"], "summary": "Described"})
	if !strings.Contains(got.String(), `"plan":{"done":3,"of":3}`) || !strings.Contains(got.String(), "The plan is done.") {
		t.Errorf("the last one: %s", got)
	}
}

package tasks_test

import (
	"encoding/json"
	"strings"
	"testing"

	"planb/mcp/mcptest"
	"planb/plans/review"
	"planb/questions"
)

// Every tool, called with all that it can change, leaves what the person approved as it
// was: only the verdict of a review changes that.
func TestT19NoToolApproves(t *testing.T) {
	t.Parallel()
	s := newScene(t, nil)
	claimed(s)
	approved := s.whole()
	var list struct {
		Tools []struct{ Name string }
	}
	if err := json.Unmarshal(s.Request("tools/list", nil).Result, &list); err != nil {
		t.Fatal(err)
	}
	changed := shop()
	changed[1].(args)["title"] = "Write something else"
	given := map[string]args{
		"create_project":       {"name": "Other"},
		"list_projects":        {},
		"propose_plan":         {"planId": s.plan, "title": "Another title", "tasks": changed, "status": "active", "approved": true},
		"instantiate_template": {},
		"approve_plan":         {"planId": s.plan, "approved": true, "verdict": "approve"},
		"add_task":             {"planId": s.plan, "title": "Fix the lock", "priority": 0},
		"set_dependency":       {"taskId": s.task(3), "dependsOn": s.task(2)},
		"get_next_actionable":  {"planId": s.plan, "explain": true},
		"claim_task":           {"planId": s.plan},
		"update_task_status":   {"taskId": s.task(1), "claimId": s.claim, "status": "in_progress"},
		"complete_task":        s.report(),
		"get_answer":           {"waitSeconds": 0, "approved": true},
	}
	for _, tool := range list.Tools {
		if given[tool.Name] == nil {
			t.Errorf("%s is not tried", tool.Name)
		}
		s.Tool(tool.Name, given[tool.Name])
		delete(given[tool.Name], "status") // once more, as it is meant to be called
		delete(given[tool.Name], "approved")
		delete(given[tool.Name], "verdict")
		if tool.Name == "approve_plan" {
			id := s.StartTool(tool.Name, given[tool.Name])
			s.Opened(1)
			s.Cancel(id)
		} else {
			s.Tool(tool.Name, given[tool.Name])
		}
		now := s.whole()
		if now.Approved.Hash() != approved.Approved.Hash() || now.Approval.Ask != approved.Approval.Ask || now.Approval.Hash != approved.Approval.Hash {
			t.Errorf("%s changed what was approved", tool.Name)
		}
	}
	// The review of the changes is open. A verdict that another ask carries is none of it.
	ask := s.Opened(1)[0]
	if _, err := s.Store.Settle(t.Context(), ask.ID, mcptest.Says(t, "## Another text\n", review.Review{Verdict: review.Approve})); err == nil {
		t.Error("a verdict on another text was taken")
	}
	if got := s.Ask(ask.ID); got.Outcome.State != questions.Pending {
		t.Errorf("the review is %s", got.Outcome.State)
	}
}

// T3, T10: whoever gives a nodeKey where a taskId is wanted is told the taskId, if it is one of
// a plan that this connection finds. Of the plans of other projects they are told nothing.
func TestT3T10ANodeKeyLeadsToItsTaskID(t *testing.T) {
	t.Parallel()
	s := newScene(t, nil)
	claimed(s)
	const where = " A taskId is wanted; get_next_actionable lists them, with explain also those of tasks that are not ready."
	given := map[string]args{
		"get_next_actionable": {"taskId": "api"},
		"claim_task":          {"taskId": "api"},
		"update_task_status":  {"taskId": "api", "claimId": s.claim, "status": "ready"},
		"complete_task":       {"taskId": "api", "claimId": s.claim, "summary": "Done"},
		"set_dependency":      {"taskId": s.task(3), "dependsOn": "api"},
	}
	refused := func(which, tool string, given args, want string) {
		t.Helper()
		got := s.Tool(tool, given)
		said, _ := object(t, got)["error"].(map[string]any)
		if code(t, got) != "task.not_found" || said["message"] != want {
			t.Errorf("%s: %s: %s\nwant %s", which, tool, got.Text(), want)
		}
	}
	for tool, given := range given {
		refused("a nodeKey", tool, given, `There is no task "api". That is a nodeKey; its taskId is "`+s.task(2)+`".`)
	}
	refused("the id of a task that there is not", "claim_task", args{"taskId": s.task(9)}, `There is no task "`+s.task(9)+`".`+where)
	refused("the id of a plan", "claim_task", args{"taskId": s.plan}, `There is no task "`+s.plan+`".`+where)
	refused("another plan's task", "get_next_actionable", args{"planId": s.plan, "taskId": noID[:35] + "1"}, `There is no task "`+noID[:35]+`1".`+where)
	refused("a nodeKey in a plan", "get_next_actionable", args{"planId": s.plan, "taskId": "nothing"}, `There is no task "nothing".`+where)
	second, _ := s.said("propose_plan", args{"title": "Another shop", "tasks": shop()})["planId"].(string)
	refused("two have the nodeKey", "claim_task", args{"taskId": "api"},
		`There is no task "api". That is the nodeKey of more tasks than one; their taskIds are "`+s.task(2)+`", "`+second[:35]+`2".`)
	s.Client = mcptest.Connect(t, mcptest.WorldOver(t, s.Store, elsewhere).Server)
	s.Initialize("other")
	refused("from another directory", "claim_task", args{"taskId": "api"}, `There is no task "api".`+where)
	refused("from another directory", "claim_task", args{"taskId": s.task(2)}, `There is no task "`+s.task(2)+`".`+where)
}

// A plan that nobody approved gives no task to any agent, whatever it calls.
func TestT13AProposedPlanIsSealed(t *testing.T) {
	t.Parallel()
	s := newScene(t, nil)
	proposed(s)
	for n := 1; n <= 3; n++ {
		if got := code(t, s.Tool("claim_task", args{"taskId": s.task(n)})); got != "task.not_actionable" {
			t.Errorf("task %d: %q", n, got)
		}
	}
	for _, given := range []args{{"planId": s.plan}, {}} {
		if got := s.Tool("claim_task", given); code(t, got) != "task.not_actionable" {
			t.Errorf("%v: %s", given, got.Text())
		}
	}
}

// Resources tell of plans, and followers hear of each change.
func TestT6PlansOfTasksAreResources(t *testing.T) {
	t.Parallel()
	s := newScene(t, nil)
	proposed(s)
	list, _ := s.ReadResource("planb://tasks")
	if !strings.Contains(list, "planb://tasks/"+s.plan+" Open the shop · proposed · 3 tasks") {
		t.Errorf("the plans are %q", list)
	}
	text, _ := s.ReadResource("planb://tasks/" + s.plan)
	if !strings.Contains(text, "- [blocked] api: Write the API · locked until your user approves it · after schema · taskId "+s.task(2)) {
		t.Errorf("the plan is %q", text)
	}
	for _, uri := range []string{"planb://tasks", "planb://tasks/" + s.plan} {
		if r := s.Request("resources/subscribe", map[string]any{"uri": uri}); r.Error != nil {
			t.Fatalf("%s: %+v", uri, r.Error)
		}
	}
	call := s.StartTool("approve_plan", args{"planId": s.plan})
	s.approves(review.Review{Verdict: review.Approve})
	s.Answer(call)
	mcptest.Until(t, "both followers hear of it", func() bool {
		told := strings.Join(s.Updates(), " ")
		return strings.Contains(told, `"planb://tasks"`) && strings.Contains(told, s.plan)
	})
	text, _ = s.ReadResource("planb://tasks/" + s.plan)
	if !strings.Contains(text, "- [ready] schema: Write the schema · taskId") {
		t.Errorf("the plan is %q", text)
	}
	if r := s.Request("resources/read", map[string]any{"uri": "planb://tasks/" + noID}); r.Error == nil {
		t.Error("a plan that there is not is a resource")
	}
}

// A project of another directory is listed, but a plan in it would be found by nobody who
// proposes it: the agent is told to make one for its own repository.
func TestT10T11AProjectOfAnotherDirectoryTakesNoPlan(t *testing.T) {
	t.Parallel()
	s := newScene(t, nil)
	project(s)
	s.Client = mcptest.Connect(t, mcptest.WorldOver(t, s.Store, elsewhere).Server)
	s.Initialize("other")
	listed := s.Tool("list_projects", args{})
	if said := strings.Join(listed.Texts()[1:], "\n"); said != "None of these is this repository's: call create_project once for it, then propose_plan." {
		t.Errorf("the list says %q", said)
	}
	first := object(t, listed)["projects"].([]any)[0].(map[string]any)["projectId"]
	for tool, given := range map[string]args{
		"propose_plan":         {"title": "Open the shop", "tasks": shop(), "projectId": first},
		"instantiate_template": {"template": "release", "projectId": first},
	} {
		got := s.Tool(tool, given)
		if code(t, got) != "project.not_found" || !strings.Contains(got.Text(), "is another directory's") || !strings.Contains(got.Text(), `"recovery"`) {
			t.Errorf("%s: %s", tool, got.Text())
		}
	}
	s.said("create_project", args{"name": "Mill"})
	said := s.said("propose_plan", args{"title": "Build the mill", "tasks": shop()})
	call := s.StartTool("approve_plan", args{"planId": said["planId"]})
	s.Opened(1)
	s.Cancel(call)
	listed = s.Tool("list_projects", args{})
	if said := strings.Join(listed.Texts()[1:], "\n"); said != `"Mill" is this repository's, and the default.` {
		t.Errorf("the list says %q", said)
	}
}

// Two projects do not mix: an agent of another directory finds nothing of this one.
func TestT10AConnectionFindsThePlansOfItsDirectory(t *testing.T) {
	t.Parallel()
	s := newScene(t, nil)
	active(s)
	other := mcptest.WorldOver(t, s.Store, elsewhere)
	s.Client = mcptest.Connect(t, other.Server)
	s.Initialize("other")
	if got := code(t, s.Tool("claim_task", args{"taskId": s.task(1)})); got != "plan.not_found" && got != "task.not_found" {
		t.Errorf("claimed from another directory: %q", got)
	}
	if got := s.said("get_next_actionable", args{}); len(got["tasks"].([]any)) != 0 {
		t.Errorf("offered to another directory: %v", got)
	}
	if r := s.Request("resources/read", map[string]any{"uri": "planb://tasks/" + s.plan}); r.Error == nil {
		t.Error("read from another directory")
	}
	s.Client = mcptest.Connect(t, mcptest.WorldOver(t, s.Store, everywhere).Server)
	s.Initialize("all")
	if got := s.said("claim_task", args{"taskId": s.task(1)}); got["attempt"] != 1.0 {
		t.Errorf("with all projects: %v", got)
	}
}

package tasks_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"planb/mcp"
	"planb/mcp/mcptest"
	"planb/plans/review"
	rules "planb/plans/tasks"
	"planb/questions"
	"planb/store/tasks"
)

// Every tool of every toolset, called with all that it can change, leaves what the person
// approved as it was: only the verdict of a review changes that.
func TestT19NoToolApproves(t *testing.T) {
	t.Parallel()
	templates := withTemplates(t)
	s := newScene(t, func(cfg *mcp.Config) {
		templates(cfg)
		cfg.Toolsets = mcp.Toolsets()
	})
	claimed(s)
	unapproved := s.said("propose_plan", args{"title": "Not approved", "tasks": shop()})["planId"]
	session, text, tasksPlan := s.Session(), mcptest.ReviewedPlan, "tasks/"+s.plan
	s.Tool("write_plan", args{"sessionId": session, "planName": "shop", "content": text + "Even more.\n"})
	draft := s.said("plan_create", args{"sessionId": session, "prompt": "Sell bread in the harbour of a small town by the sea."})["plan_id"]
	var list struct {
		Tools []struct{ Name string }
	}
	if err := json.Unmarshal(s.Request("tools/list", nil).Result, &list); err != nil {
		t.Fatal(err)
	}
	slices.SortStableFunc(list.Tools, func(a, b struct{ Name string }) int { // the task is done last
		return cmp.Compare(strings.Count(a.Name, "complete_task"), strings.Count(b.Name, "complete_task"))
	})
	changed := shop()
	changed[1].(args)["title"] = "Write something else"
	ofDraft, ofOld, files := args{"plan_id": draft}, args{"task_id": draft}, t.TempDir()
	// Each tool's calls: first those that try to approve, then one as it is meant. A call that
	// waits for the person is last.
	given := map[string][]args{
		"create_project":       {{"name": "Other"}},
		"list_projects":        {{}},
		"propose_plan":         {{"planId": s.plan, "title": "Another title", "tasks": changed, "status": "active", "approved": true}, {"planId": s.plan, "title": "Another title", "tasks": changed}},
		"instantiate_template": {{"template": "release", "params": args{"version": "1"}, "status": "active"}, {"template": "release", "params": args{"version": "1"}}},
		"approve_plan":         {{"planId": s.plan, "approved": true, "verdict": "approve"}, {"planId": s.plan}},
		"add_task":             {{"planId": s.plan, "title": "Fix the lock", "priority": 0, "locked": false, "approved": true}, {"planId": s.plan, "title": "Fix the lock", "priority": 0}},
		"set_dependency":       {{"taskId": s.task(3), "dependsOn": s.task(2)}},
		"get_next_actionable":  {{"planId": s.plan, "explain": true}},
		"claim_task":           {{"planId": s.plan}, {"planId": unapproved}},
		"update_task_status":   {{"taskId": s.task(1), "claimId": s.claim, "status": "approved"}, {"taskId": s.task(1), "claimId": s.claim, "status": "in_progress"}},
		"complete_task":        {s.report()},
		"get_answer":           {{"waitSeconds": 0, "approved": true}, {"waitSeconds": 0}},
		"init_planb_session":   {{"title": "Another"}},
		"ask_user":             {mcptest.OneQuestion(session)},
		"save_plan":            {{"sessionId": session, "plan": text, "planName": tasksPlan, "approved": true}, {"sessionId": session, "plan": text + "More.\n"}},
		"write_plan":           {{"sessionId": session, "planName": tasksPlan, "content": text}, {"sessionId": session, "planName": "shop", "content": text + "Even more.\n"}},
		"edit_plan":            {{"sessionId": session, "planName": tasksPlan, "oldString": "schema", "newString": "x"}, {"sessionId": session, "planName": "shop", "oldString": "Even", "newString": "Much"}},
		"submit_plan":          {{"sessionId": session, "planName": tasksPlan}, {"sessionId": session, "planName": "shop"}},
		"plan_create":          {{"sessionId": session, "prompt": "Sell cakes in the harbour of a small town by the sea.", "approved": true}, {"sessionId": session, "prompt": "Sell cakes in the harbour of a small town by the sea."}},
		"plan_list":            {{}}, "example_plans": {{}}, "example_prompts": {{}}, "model_profiles": {{}},
		"plan_status": {ofDraft}, "plan_file_info": {ofDraft}, "plan_download": {{"plan_id": draft, "dir": files}}, "plan_logs": {ofDraft},
		"step_next": {ofDraft}, "step_submit": {{"plan_id": draft, "step": "prompt", "output": args{"approved": true}}},
		"step_edit": {{"plan_id": draft, "step": "prompt", "sha256": strings.Repeat("0", 64), "output": args{"approved": true}}},
		"plan_stop": {ofDraft}, "plan_resume": {ofDraft}, "plan_retry": {ofDraft},
		"prompt_examples": {{}}, "task_create": {{"prompt": "Sell tea in the harbour of a small town by the sea."}}, "task_list": {{}}, "task_get_latest": {{}},
		"task_status": {ofOld}, "task_wait": {{"task_id": draft, "timeout_sec": 0}}, "task_file_info": {ofOld}, "task_download": {ofOld}, "task_logs_tail": {ofOld},
		"task_stop": {ofOld},
	}
	waits := map[string]bool{"ask_user": true, "submit_plan": true, "approve_plan": true}
	// These have nothing to do here.
	mayFail := map[string]bool{
		"claim_task": true, "model_profiles": true, "step_submit": true, "step_edit": true,
		"plan_resume": true, "plan_retry": true, "plan_file_info": true, "plan_download": true, "task_file_info": true, "task_download": true,
	}
	approved, open := approvalsOf(s), 0
	for _, tool := range list.Tools {
		calls := given[tool.Name]
		if len(calls) == 0 {
			t.Errorf("%s is not tried", tool.Name)
		}
		for i, call := range calls {
			if waits[tool.Name] && i == len(calls)-1 {
				open++
				id := s.StartTool(tool.Name, call)
				s.Opened(open)
				s.Cancel(id)
			} else if got := s.Tool(tool.Name, call); i == len(calls)-1 && got.IsError && !mayFail[tool.Name] {
				t.Errorf("%s: %s", tool.Name, got.Text())
			}
			now := approvalsOf(s)
			for plan, is := range now { // of a new plan nothing is approved
				if is != approved[plan] {
					t.Errorf("%s %v changed what was approved of %s: %+v, was %+v", tool.Name, call, plan, is, approved[plan])
				}
			}
			approved = now
		}
	}
	// The review of the changes is open. A verdict that another ask carries is none of it.
	for _, ask := range s.Opened(open) {
		if ask.About() != tasks.SubjectKind {
			continue
		}
		if _, err := s.Store.Settle(t.Context(), ask.ID, mcptest.Says(t, "## Another text\n", review.Review{Verdict: review.Approve})); err == nil {
			t.Error("a verdict on another text was taken")
		}
		if got := s.Ask(ask.ID); got.Outcome.State != questions.Pending {
			t.Errorf("the review is %s", got.Outcome.State)
		}
	}
}

// approval is what was approved of a plan, and by what; zero if nothing was.
type approval struct {
	approved, hash rules.Hash
	ask            string
}

// approvalsOf are the approvals of all plans.
func approvalsOf(s *scene) map[string]approval {
	s.t.Helper()
	list, err := s.Store.Tasks().Plans(s.t.Context(), tasks.Caller{})
	if err != nil {
		s.t.Fatal(err)
	}
	found := map[string]approval{}
	for _, plan := range list {
		w, err := s.Store.Tasks().Plan(s.t.Context(), tasks.Caller{}, plan.ID)
		if err != nil {
			s.t.Fatal(err)
		}
		found[plan.ID] = approval{}
		if w.Approved != nil || w.Approval != nil || w.Status != rules.PlanProposed {
			found[plan.ID] = approval{w.Approved.Hash(), w.Approval.Hash, w.Approval.Ask}
		}
	}
	return found
}

// T3, T10: whoever gives a nodeKey where a taskId is wanted is told the taskId, if it is one of
// a plan that this connection finds. Of the plans of other projects they are told nothing.
func TestT3T10ANodeKeyLeadsToItsTaskID(t *testing.T) {
	t.Parallel()
	s := newScene(t, nil)
	claimed(s)
	const where = " Pass a taskId: get_next_actionable lists them, with explain also those of tasks that are not ready."
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
		`There is no task "api". Several tasks have that nodeKey; their taskIds are "`+s.task(2)+`", "`+second[:35]+`2".`)
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

// A server whose tools may not tell how tasks stand does not tell it by resources: it lists none of
// tasks, and nobody can read or follow them.
func TestT1ResourcesOfTasksNeedTheirScopeAndToolset(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*mcp.Config)
		offers bool
	}{
		"every scope":    {func(*mcp.Config) {}, true},
		"tasks:read":     {func(cfg *mcp.Config) { cfg.Scopes = []string{"tasks:read"} }, true},
		"the work tools": {func(cfg *mcp.Config) { cfg.Toolsets = []string{"work"} }, true},
		"other scopes":   {func(cfg *mcp.Config) { cfg.Scopes = []string{"plans:write", "plans:read", "tasks:write"} }, false},
		"other tools":    {func(cfg *mcp.Config) { cfg.Toolsets = []string{"session"} }, false},
	} {
		s := newScene(t, c.change)
		for _, method := range []string{"resources/read", "resources/subscribe"} {
			if r := s.Request(method, map[string]any{"uri": "planb://tasks"}); (r.Error == nil) != c.offers {
				t.Errorf("%s: %s: %+v", name, method, r.Error)
			}
		}
		for _, method := range []string{"resources/list", "resources/templates/list"} {
			if listed := strings.Contains(string(s.Request(method, nil).Result), "planb://tasks"); listed != c.offers {
				t.Errorf("%s: %s lists those of tasks: %v", name, method, listed)
			}
		}
	}
}

// Resources tell of plans, and followers hear of each change.
func TestT6PlansOfTasksAreResources(t *testing.T) {
	t.Parallel()
	s := newScene(t, nil)
	proposed(s)
	s.said("propose_plan", args{"title": "Close the shop", "tasks": []any{"Lock the door"}})
	list, _ := s.ReadResource("planb://tasks")
	for _, want := range []string{"planb://tasks/" + s.plan + " Open the shop · proposed · 3 tasks · ", " Close the shop · proposed · 1 task · "} {
		if !strings.Contains(list, want) {
			t.Errorf("the plans are %q, without %q", list, want)
		}
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
	// The name would lead back to the project that takes no plan.
	if got := s.Tool("create_project", args{"name": "SHOP"}); code(t, got) != "project.name_taken" || !strings.Contains(got.Text(), `There is a project \"Shop\" already. It is another directory's: choose another name.`) {
		t.Errorf("create_project with a name of another directory: %s", got.Text())
	}
	s.said("create_project", args{"name": "Mill"})
	if got := s.Tool("create_project", args{"name": "mill"}); code(t, got) != "project.name_taken" || strings.Contains(got.Text(), "another") {
		t.Errorf("create_project with a name of this directory: %s", got.Text())
	}
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

// An agent that lost its context between proposing and the approval finds its plan again, if it
// may propose. One that only works tasks off is sent to no tool that it does not have.
func TestAProposalIsFoundAgain(t *testing.T) {
	t.Parallel()
	s := newScene(t, nil)
	proposed(s)
	want := fmt.Sprintf("If you proposed it, have it approved, or wait for the review that is open: approve_plan {\"planId\":%q}.", s.plan)
	for _, given := range []args{{}, {"planId": s.plan}} {
		if got := s.another("again").Tool("get_next_actionable", given).Texts(); got[len(got)-1] != want {
			t.Errorf("get_next_actionable %v said %q", given, got)
		}
	}
	worker := mcptest.Connect(t, mcptest.WorldOver(t, s.Store, func(cfg *mcp.Config) { cfg.Toolsets = []string{"work"} }).Server)
	worker.Initialize("worker")
	if got := worker.Tool("get_next_actionable", args{}).Text(); strings.Contains(got, "approve_plan") || !strings.Contains(got, "waits until your user approves it") {
		t.Errorf("who only works is told %q", got)
	}
	call := s.StartTool("approve_plan", args{"planId": s.plan})
	s.approves(review.Review{Verdict: review.Approve})
	s.Answer(call)
	if got := s.Tool("get_next_actionable", args{}).Text(); strings.Contains(got, "If you proposed it") {
		t.Errorf("after the approval it said %q", got)
	}
}

package tasks_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"planb/mcp"
	"planb/mcp/mcptest"
	"planb/plans/review"
	"planb/store"
	"planb/store/kv/kvtest"
	"planb/store/tasks"
)

// nobodys is a store that names no user.
func nobodys() *store.Store { return store.New(kvtest.NewMap(), store.Options{}) }

// limited gives the server's store limits for tasks.
func limited(limits tasks.Options) func(*mcp.Config) {
	return func(cfg *mcp.Config) {
		options := mcptest.StoreOptions()
		limits.Verdict = options.Tasks.Verdict
		options.Tasks = limits
		cfg.Store = store.New(kvtest.NewMap(), options)
	}
}

const noID = "01a20000-0000-7000-8000-000000000000"

func TestT7T8T9CreateProject(t *testing.T) {
	t.Parallel()
	calls(t, "create_project", guarded("plans:write", `{"name":"Shop"}`, gives(args{"name": "My Shop"}), nil, []row{
		{"the name, in capitals", project, gives(args{"name": "SHOP"}), "project.name_taken", nil},
		{"the slug", project, gives(args{"name": "Other", "slug": "shop"}), "project.slug_taken", nil},
		{"a slug made free", func(s *scene) { s.said("create_project", args{"name": "Shop!"}) }, gives(args{"name": "Shop?"}), "", nil},
		{"no name", nil, gives(args{}), "validation.invalid_input", nil},
		{"a number as name", nil, gives(args{"name": 7}), "validation.invalid_input", nil},
		{"a slug that is none", nil, gives(args{"name": "Shop", "slug": "a/b"}), "validation.invalid_input", nil},
		{"one too many", project, gives(args{"name": "Other"}), "quota.exceeded", limitedProjects},
	}...))
}

func limitedProjects(cfg *mcp.Config) { limited(tasks.Options{ProjectsLimit: 1})(cfg) }

func TestT10ListProjects(t *testing.T) {
	t.Parallel()
	calls(t, "list_projects", guarded("plans:read", `{}`, gives(args{}), proposed, []row{
		{"none", nil, gives(args{}), "", nil},
		{"many", func(s *scene) {
			for n := range 40 {
				s.said("create_project", args{"name": strings.Repeat("long ", 17) + string(rune('A'+n%26)) + string(rune('A'+n/26))})
			}
		}, gives(args{}), "", nil},
	}...))
}

func TestT11ToT17ProposePlan(t *testing.T) {
	t.Parallel()
	plan := func(tasks ...any) args { return args{"title": "Open the shop", "tasks": tasks} }
	again := func(s *scene) any { return args{"title": "Open the shop", "planId": s.plan, "tasks": shop()} }
	calls(t, "propose_plan", guarded("plans:write", `{"title":"a","tasks":["b"]}`, gives(plan(shop()...)), project, []row{
		{"as a string", project, gives(json.RawMessage(`{"title":"Shop","tasks":"[{\"title\":\"Sell\"}]"}`)), "", nil},
		{"the same again", proposed, again, "", nil},
		{"another content", proposed, func(s *scene) any { return args{"title": "Shop", "planId": s.plan, "tasks": []any{"Sell"}} }, "", nil},
		{"no project", nil, gives(plan(shop()...)), "project.not_found", nil},
		{"an unknown project", project, gives(args{"title": "a", "tasks": []any{"b"}, "projectId": noID}), "project.not_found", nil},
		{"an unknown session", project, gives(args{"title": "a", "tasks": []any{"b"}, "sessionId": noID}), "not_found", nil},
		{"an unknown plan", proposed, gives(args{"title": "a", "tasks": []any{"b"}, "planId": noID}), "plan.not_found", nil},
		{"no tasks", project, gives(args{"title": "a"}), "validation.invalid_input", nil},
		{"wrong types", project, gives(args{"title": 1, "tasks": []any{args{"title": "x", "priority": "soon", "dependsOn": 4, "verificationContract": "yes"}}, "projectId": true}), "validation.invalid_input", nil},
		{"a cycle", project, gives(plan(args{"nodeKey": "a", "title": "A", "dependsOn": []string{"b"}}, args{"nodeKey": "b", "title": "B", "dependsOn": []string{"a"}})), "dependency.cycle", nil},
		{"itself", project, gives(plan(args{"nodeKey": "a", "title": "A", "dependsOn": []string{"a"}})), "dependency.cycle", nil},
		{"a near key", project, gives(plan(args{"nodeKey": "schema", "title": "A"}, args{"title": "B", "dependsOn": []string{"schma"}})), "validation.invalid_input", nil},
		{"a double key", project, gives(plan(args{"nodeKey": "a", "title": "A"}, args{"nodeKey": "a", "title": "B"})), "validation.invalid_input", nil},
		{"60 problems", project, gives(plan(wrong(60)...)), "validation.invalid_input", nil},
		{"more than the month has", project, gives(plan(shop()...)), "quota.exceeded", func(cfg *mcp.Config) { limited(tasks.Options{MonthlyLimit: 2})(cfg) }},
		{"a plan that is done", allDone, again, "conflict", nil},
		{"changes of an active plan", active, func(s *scene) any {
			return args{"planId": s.plan, "title": "Open the shop", "tasks": []any{
				args{"nodeKey": "sell", "title": "Sell a book", "dependsOn": []string{"api"}}, args{"nodeKey": "docs", "cancel": true}}}
		}, "", nil},
		{"no change of an active plan", active, again, "", nil},
		{"what was begun, cancelled", claimed, func(s *scene) any {
			return args{"planId": s.plan, "tasks": []any{args{"nodeKey": "schema", "cancel": true}}}
		}, "validation.invalid_input", nil},
	}...))
}

// wrong are tasks that each have a mistake.
func wrong(n int) []any {
	list := make([]any, n)
	for i := range list {
		list[i] = args{"title": "A task", "dependsOn": []string{strings.Repeat("nowhere", 5)}}
	}
	return list
}

// allDone has the one task of an approved plan completed.
func allDone(s *scene) {
	project(s)
	s.plan, _ = s.said("propose_plan", args{"title": "Open the shop", "tasks": []any{"Sell"}})["planId"].(string)
	call := s.StartTool("approve_plan", args{"planId": s.plan})
	s.approves(review.Review{Verdict: review.Approve})
	s.Answer(call)
	claim := s.said("claim_task", args{})
	s.said("complete_task", args{"taskId": claim["taskId"], "claimId": claim["claimId"], "summary": "Sold"})
}

func TestT24ApprovePlan(t *testing.T) {
	t.Parallel()
	this := func(s *scene) any { return args{"planId": s.plan} }
	unheard := func(s *scene) {
		proposed(s)
		call := s.StartTool("approve_plan", args{"planId": s.plan})
		s.Opened(1)
		s.Cancel(call)
		s.approves(review.Review{Verdict: review.RequestChanges, Note: textOf("Sell books, too.")})
	}
	calls(t, "approve_plan", append(guarded("plans:write", `{"planId":"`+noID+`"}`, this, unheard)[:4], []row{
		{"a verdict that nobody has heard", unheard, this, "", nil},
		{"no plan", nil, gives(args{}), "validation.invalid_input", nil},
		{"a number", nil, gives(args{"planId": 7}), "validation.invalid_input", nil},
		{"an unknown plan", proposed, gives(args{"planId": noID}), "plan.not_found", nil},
		{"no id", proposed, gives(args{"planId": "shop"}), "plan.not_found", nil},
		{"an unknown session", proposed, func(s *scene) any { return args{"planId": s.plan, "sessionId": noID} }, "not_found", nil},
		{"with a plan that there is not", proposed, func(s *scene) any { return args{"planId": s.plan, "withPlan": true} }, "validation.invalid_input", nil},
		{"twice", active, this, "conflict", nil},
		{"a plan that is done", allDone, this, "conflict", nil},
	}...))
}

// A status that update_task_status does not set leads to what does it, and only to tools that the agent
// has.
func TestAnotherStatusLeadsOn(t *testing.T) {
	t.Parallel()
	s := newScene(t, nil)
	claimed(s)
	work := s.another("work")
	worker := mcptest.Connect(t, mcptest.WorldOver(t, s.Store, func(cfg *mcp.Config) { cfg.Toolsets = []string{"work"} }).Server)
	worker.Initialize("worker")
	for _, call := range []struct {
		by           *mcptest.Client
		status, want string
	}{
		{work, "done", "status: got \"done\"; allowed: in_progress, ready or needs_review. For a task that is done call complete_task, "},
		{worker, "Completed", "For a task that is done call complete_task"},
		{work, "blocked", "If it waits for another task, call set_dependency with both taskIds. To leave it, give it back with ready"},
		{worker, "blocked", "needs_review. To leave it, give it back with ready and say in note what it waits for; if only your user can go on with it, pass needs_review."},
		{work, "sideways", "status: got \"sideways\"; allowed: in_progress, ready or needs_review"},
	} {
		got := call.by.Tool("update_task_status", args{"taskId": s.task(1), "claimId": "1-9ac0f2d1", "status": call.status})
		said, _ := object(t, got)["error"].(map[string]any)
		if message, _ := said["message"].(string); said["code"] != "validation.invalid_input" || !strings.Contains(message, call.want) || call.by == worker && strings.Contains(message, "set_dependency") {
			t.Errorf("%s: %v", call.status, said)
		}
	}
}

// Who claims a task of a plan that is only proposed is told how it is approved, if they have the tool.
func TestAClaimOfAProposalNamesApprovePlan(t *testing.T) {
	t.Parallel()
	s := newScene(t, nil)
	proposed(s)
	worker := mcptest.Connect(t, mcptest.WorldOver(t, s.Store, func(cfg *mcp.Config) { cfg.Toolsets = []string{"work"} }).Server)
	worker.Initialize("worker")
	want := fmt.Sprintf("approve_plan {\"planId\":%q}", s.plan)
	for _, given := range []args{{"taskId": s.task(1)}, {"planId": s.plan}, {}} {
		for by, has := range map[*mcptest.Client]bool{s.Client: true, worker: false} {
			said, _ := object(t, by.Tool("claim_task", given))["error"].(map[string]any)
			if message, _ := said["message"].(string); said["code"] != "task.not_actionable" || strings.Contains(message, want) != has {
				t.Errorf("with approve_plan %t, %v: %v", has, given, said)
			}
		}
	}
	call := s.StartTool("approve_plan", args{"planId": s.plan})
	s.approves(review.Review{Verdict: review.Approve})
	s.Answer(call)
	if got := s.Tool("claim_task", args{"taskId": s.task(2)}).Text(); strings.Contains(got, "approve_plan") {
		t.Errorf("of an approved plan: %s", got)
	}
}

func TestT28T29GetNextActionable(t *testing.T) {
	t.Parallel()
	this := func(s *scene) any { return args{"planId": s.plan} }
	calls(t, "get_next_actionable", guarded("tasks:read", `{}`, gives(args{}), active, []row{
		{"nothing was proposed", nil, gives(args{}), "", nil},
		{"not approved", proposed, this, "", nil},
		{"not approved, and no plan named", proposed, gives(args{}), "", nil},
		{"all that is ready is claimed", claimed, this, "", nil},
		{"two are ready", done, this, "", nil},
		{"at most one", done, func(s *scene) any { return args{"planId": s.plan, "limit": 1} }, "", nil},
		{"explained", claimed, func(s *scene) any { return args{"planId": s.plan, "explain": true} }, "", nil},
		{"one task", claimed, func(s *scene) any { return args{"taskId": s.task(2)} }, "", nil},
		{"a plan that is done", allDone, this, "", nil},
		{"an unknown plan", active, gives(args{"planId": noID}), "plan.not_found", nil},
		{"an unknown task", active, func(s *scene) any { return args{"taskId": s.task(4)} }, "task.not_found", nil},
		{"no limit", active, gives(args{"limit": 0}), "validation.invalid_input", nil},
		{"too high a limit", active, gives(args{"limit": 21}), "validation.invalid_input", nil},
		{"half a limit", active, gives(args{"limit": 1.5}), "validation.invalid_input", nil},
		{"wrong types", active, gives(args{"limit": "many", "explain": "why", "planId": 1, "taskId": []any{}}), "validation.invalid_input", nil},
	}...))
}

func TestT30T31T36ClaimTask(t *testing.T) {
	t.Parallel()
	task := func(n int) func(*scene) any { return func(s *scene) any { return args{"taskId": s.task(n)} } }
	calls(t, "claim_task", guarded("tasks:write", `{}`, gives(args{}), active, []row{
		{"by its id", active, task(1), "", nil},
		{"what this connection holds", claimed, task(1), "task.already_claimed", nil},
		{"what this connection holds, by its claimId", claimed, func(s *scene) any { return args{"taskId": s.task(1), "claimId": s.claim} }, "", nil},
		{"what another holds", func(s *scene) {
			claimed(s)
			s.Client = s.another("Other")
		}, task(1), "task.already_claimed", nil},
		{"by a claimId of nobody", claimed, func(s *scene) any { return args{"taskId": s.task(1), "claimId": "1-00000000"} }, "validation.invalid_input", nil},
		{"blocked", active, task(2), "task.not_actionable", nil},
		{"blocked by its own", claimed, task(2), "task.not_actionable", nil},
		{"done", done, task(1), "task.not_actionable", nil},
		{"nothing is ready", claimed, gives(args{}), "task.not_actionable", nil},
		{"with what was done before", done, task(2), "", nil},
		{"with a lease", active, gives(args{"leaseSec": 900}), "", nil},
		{"given back before", func(s *scene) {
			claimed(s)
			s.said("update_task_status", args{"taskId": s.task(1), "claimId": s.claim, "status": "ready", "note": "No database here."})
		}, gives(args{}), "", nil},
		{"of a plan that waits", proposed, func(s *scene) any { return args{"planId": s.plan} }, "task.not_actionable", nil},
		{"of all plans, and one waits", proposed, gives(args{}), "task.not_actionable", nil},
		{"of all plans, and many wait", func(s *scene) {
			proposed(s)
			for n := range 5 {
				s.said("propose_plan", args{"title": fmt.Sprintf("Plan %d", n), "tasks": []any{"Sell"}})
			}
		}, gives(args{}), "task.not_actionable", nil},
		{"of all plans, and none is open", allDone, gives(args{}), "task.not_actionable", nil},
		{"a task of a plan that waits", proposed, task(1), "task.not_actionable", nil},
		{"too long for a client", long, gives(args{}), "", nil},
		{"an unknown plan", active, gives(args{"planId": noID}), "plan.not_found", nil},
		{"an unknown task", active, task(4), "task.not_found", nil},
		{"the id of a plan", active, func(s *scene) any { return args{"taskId": s.plan} }, "task.not_found", nil},
		{"a nodeKey", active, gives(args{"taskId": "api"}), "task.not_found", nil},
		{"a nodeKey that nothing has", active, gives(args{"taskId": "ap"}), "task.not_found", nil},
		{"a short lease", active, gives(args{"leaseSec": 59}), "validation.invalid_input", nil},
		{"wrong types", active, gives(args{"taskId": 1, "planId": 2, "claimId": 3, "leaseSec": "long"}), "validation.invalid_input", nil},
	}...))
}

// A task that only the user can do is no task that an agent can have: it is not counted or named as
// ready, neither with the approval, nor once its turn comes.
func TestATaskForTheUserIsNotToldAsReady(t *testing.T) {
	t.Parallel()
	s := newScene(t, nil)
	project(s)
	human := args{"kind": "human"}
	s.plan, _ = s.said("propose_plan", args{"title": "Open the shop", "tasks": []any{
		args{"nodeKey": "schema", "title": "Write the schema"},
		args{"nodeKey": "api", "title": "Write the API", "dependsOn": []string{"schema"}},
		args{"nodeKey": "lease", "title": "Sign the lease", "dependsOn": []string{"schema"}, "executionContract": human},
		args{"nodeKey": "bank", "title": "Ask the bank", "executionContract": human},
	}})["planId"].(string)
	call := s.StartTool("approve_plan", args{"planId": s.plan})
	s.approves(review.Review{Verdict: review.Approve})
	approved := s.Answer(call)
	said := object(t, approved)
	if said["tasksReadied"] != 1.0 || fmt.Sprint(said["readiedTaskIds"]) != "["+s.task(1)+"]" || !strings.HasSuffix(approved.Text(), "For your user to do: bank. They see it on their board.") {
		t.Errorf("with the approval: %s", approved.Text())
	}
	counts := func() string { return fmt.Sprint(s.said("get_next_actionable", args{})["counts"]) }
	if got := counts(); got != "map[blocked:2 needs_review:1 ready:1]" {
		t.Errorf("at first the counts are %s", got)
	}
	s.claim, _ = s.said("claim_task", args{"taskId": s.task(1)})["claimId"].(string)
	got := s.Tool("complete_task", args{"taskId": s.task(1), "claimId": s.claim, "summary": "It is there."})
	if readied := fmt.Sprint(object(t, got)["readied"]); readied != "["+s.task(2)+"]" || got.Texts()[1] != "Ready by it: api. For your user to do: lease. They see it on their board." {
		t.Errorf("readied are %s: %q", readied, got.Texts())
	}
	if got := counts(); got != "map[done:1 needs_review:2 ready:1]" {
		t.Errorf("then the counts are %s", got)
	}
}

// Of a task whose shortest form no client passes on, an agent is told at least what it needs to go
// on: whose claim it is, and what became of the task before.
func TestAClaimIDIsToldHoweverLongTheTaskIs(t *testing.T) {
	t.Parallel()
	s := newScene(t, nil)
	project(s)
	texts := make([]string, 20)
	for i := range texts {
		texts[i] = fmt.Sprintf("%d %s", i, strings.Repeat(`"`, 300))
	}
	huge := args{
		"title": "Huge", "executionContract": args{"inputs": texts, "constraints": texts},
		"verificationContract": args{"kind": "evidence", "criteria": texts}, "dependsOn": []string{"first"},
	}
	s.plan, _ = s.said("propose_plan", args{"title": "Long", "tasks": []any{args{"nodeKey": "first", "title": "First"}, huge}})["planId"].(string)
	call := s.StartTool("approve_plan", args{"planId": s.plan})
	s.approves(review.Review{Verdict: review.Approve})
	s.Answer(call)
	first, _ := s.said("claim_task", args{"taskId": s.task(1)})["claimId"].(string)
	got := s.Tool("complete_task", args{"taskId": s.task(1), "claimId": first, "summary": "Done", "claimNext": true})
	got.Fits(t, "codex-mcp-client")
	if said := object(t, got); said["state"] != "done" {
		t.Errorf("the completion is not told: %s", got.Text())
	}
	next := got.Texts()[2:]
	for range 2 { // once behind a completion, once on its own
		var said map[string]any
		if err := json.Unmarshal([]byte(next[0]), &said); err != nil || said["taskId"] != s.task(2) || said["claimId"] == nil {
			t.Fatalf("the claim is not told: %q", next)
		}
		if rest := strings.Join(next[1:], "\n"); !strings.Contains(rest, "All of the task is longer than clients pass on") {
			t.Errorf("where the rest is, is not told: %q", next)
		}
		next = s.Tool("claim_task", args{"taskId": s.task(2), "claimId": said["claimId"]}).Texts()
	}
}

// TestARefusalIsJSONHoweverMuchItNames holds that a client that cuts long results gets the code of
// a refusal and its beginning, and no object without an end.
func TestARefusalIsJSONHoweverMuchItNames(t *testing.T) {
	t.Parallel()
	s := newScene(t, nil)
	project(s)
	var circle []any
	for i := range 400 {
		circle = append(circle, args{"nodeKey": fmt.Sprintf("%050d", i), "title": "Turn", "dependsOn": []string{fmt.Sprintf("%050d", (i+1)%400)}})
	}
	commands := make([]string, 20)
	for i := range commands {
		commands[i] = fmt.Sprintf("./test-%d %s", i, strings.Repeat(`"it"\`, 80))
	}
	s.plan, _ = s.said("propose_plan", args{"title": "Long", "tasks": []any{args{"title": "Test", "verificationContract": args{"kind": "command", "commands": commands}}}})["planId"].(string)
	call := s.StartTool("approve_plan", args{"planId": s.plan})
	s.approves(review.Review{Verdict: review.Approve})
	s.Answer(call)
	claim := s.said("claim_task", args{"taskId": s.task(1)})["claimId"]
	for want, got := range map[string]mcptest.Answer{
		"dependency.cycle":   s.Tool("propose_plan", args{"title": "Round", "tasks": circle}),
		"verification.unmet": s.Tool("complete_task", args{"taskId": s.task(1), "claimId": claim, "summary": "Done"}),
	} {
		got.Fits(t, "codex-mcp-client")
		if said := code(t, got); said != want {
			t.Errorf("the code is %q, want %s: %s", said, want, got.Text())
		}
	}
}

// long has a task approved whose texts no client passes on whole.
func long(s *scene) {
	project(s)
	criteria := make([]string, 20)
	for i := range criteria {
		criteria[i] = strings.Repeat("It is so. ", 20)
	}
	s.plan, _ = s.said("propose_plan", args{"title": "Long", "tasks": []any{args{
		"title": "Read", "description": strings.Repeat("Much is to be read. ", 600), "verificationContract": args{"kind": "evidence", "criteria": criteria},
	}}})["planId"].(string)
	call := s.StartTool("approve_plan", args{"planId": s.plan})
	s.approves(review.Review{Verdict: review.Approve})
	s.Answer(call)
}

func TestT34T35UpdateTaskStatus(t *testing.T) {
	t.Parallel()
	to := func(status string) func(*scene) any {
		return func(s *scene) any {
			return args{"taskId": s.task(1), "claimId": s.claim, "status": status, "note": "On it."}
		}
	}
	calls(t, "update_task_status", guarded("tasks:write", `{"taskId":"`+noID[:35]+`1","claimId":"1-00000000","status":"ready"}`, to("in_progress"), claimed, []row{
		{"given back", claimed, to("ready"), "", nil},
		{"stuck", claimed, to("needs_review"), "", nil},
		{"given back for the third time", func(s *scene) {
			claimed(s)
			for range 2 {
				s.said("update_task_status", to("ready")(s).(args))
				s.claim, _ = s.said("claim_task", args{"taskId": s.task(1)})["claimId"].(string)
			}
		}, to("ready"), "", nil},
		{"done", claimed, to("done"), "validation.invalid_input", nil},
		{"a claim that has ended", done, to("in_progress"), "conflict", nil},
		{"a claim of nobody", claimed, func(s *scene) any {
			return args{"taskId": s.task(1), "claimId": "1-00000000", "status": "ready"}
		}, "validation.invalid_input", nil},
		{"an unknown task", claimed, func(s *scene) any {
			return args{"taskId": s.task(4), "claimId": s.claim, "status": "ready"}
		}, "task.not_found", nil},
		{"another has it", func(s *scene) {
			claimed(s)
			first := s.claim
			s.said("update_task_status", to("ready")(s).(args))
			s.said("claim_task", args{"taskId": s.task(1)})
			s.claim = first
		}, to("in_progress"), "task.lease_expired", nil},
		{"nothing", claimed, gives(args{}), "validation.invalid_input", nil},
		{"wrong types", claimed, gives(args{"taskId": 1, "claimId": 2, "status": 3, "note": 4}), "validation.invalid_input", nil},
	}...))
}

func TestT37CompleteTask(t *testing.T) {
	t.Parallel()
	whole := func(s *scene) any { return s.report() }
	with := func(change args) func(*scene) any {
		return func(s *scene) any {
			report := s.report()
			for name, value := range change {
				report[name] = value
			}
			return report
		}
	}
	second := func(s *scene) {
		done(s)
		s.claim, _ = s.said("claim_task", args{"taskId": s.task(2)})["claimId"].(string)
	}
	calls(t, "complete_task", guarded("tasks:write", `{"taskId":"`+noID[:35]+`1","claimId":"1-00000000","summary":"a"}`, whole, claimed, []row{
		{"and the next", claimed, with(args{"claimNext": true}), "", nil},
		{"the last, and the next", func(s *scene) {
			project(s)
			s.plan, _ = s.said("propose_plan", args{"title": "Open the shop", "tasks": []any{"Sell"}})["planId"].(string)
			call := s.StartTool("approve_plan", args{"planId": s.plan})
			s.approves(review.Review{Verdict: review.Approve})
			s.Answer(call)
			s.claim, _ = s.said("claim_task", args{})["claimId"].(string)
		}, func(s *scene) any {
			return args{"taskId": s.task(1), "claimId": s.claim, "summary": "Sold", "claimNext": true}
		}, "", nil},
		{"twice", done, whole, "", nil},
		{"for the person to look at", func(s *scene) {
			done(s)
			s.claim, _ = s.said("claim_task", args{"taskId": s.task(3)})["claimId"].(string)
		}, func(s *scene) any {
			return args{"taskId": s.task(3), "claimId": s.claim, "summary": "Described"}
		}, "", nil},
		{"without evidence", claimed, with(args{"evidence": nil}), "verification.unmet", nil},
		{"a command that failed", claimed, with(args{"evidence": []any{ran(1)}}), "verification.unmet", nil},
		{"another command", claimed, with(args{"evidence": []any{args{"command": "make test", "exitCode": 0, "output": "ok"}}}), "verification.unmet", nil},
		{"a criterion without evidence", second, func(s *scene) any {
			return args{"taskId": s.task(2), "claimId": s.claim, "summary": "Done", "evidence": []any{args{"criterion": 1, "text": "curl says 200"}}}
		}, "verification.unmet", nil},
		{"criteria", second, func(s *scene) any {
			return args{"taskId": s.task(2), "claimId": s.claim, "summary": "Done", "evidence": []any{args{"criterion": 1, "text": "curl says 200"}, args{"criterion": "It is fast", "text": "2 ms"}}}
		}, "", nil},
		{"no summary", claimed, with(args{"summary": " "}), "validation.invalid_input", nil},
		{"another has it", func(s *scene) {
			claimed(s)
			first := s.claim
			s.said("update_task_status", args{"taskId": s.task(1), "claimId": s.claim, "status": "ready"})
			s.said("claim_task", args{"taskId": s.task(1)})
			s.claim = first
		}, whole, "task.lease_expired", nil},
		{"given back", func(s *scene) {
			claimed(s)
			s.said("update_task_status", args{"taskId": s.task(1), "claimId": s.claim, "status": "ready"})
		}, whole, "conflict", nil},
		{"a claim of nobody", claimed, with(args{"claimId": "1-00000000"}), "validation.invalid_input", nil},
		{"an unknown task", claimed, func(s *scene) any { return args{"taskId": s.task(4), "claimId": s.claim, "summary": "Done"} }, "task.not_found", nil},
		{"wrong types", claimed, with(args{"summary": 4, "evidence": "yes", "claimNext": "perhaps"}), "validation.invalid_input", nil},
	}...))
}

func TestT25AddTask(t *testing.T) {
	t.Parallel()
	found := func(change args) func(*scene) any {
		return func(s *scene) any {
			given := args{"planId": s.plan, "title": "Fix the lock", "discoveredFrom": s.task(1)}
			for name, value := range change {
				given[name] = value
			}
			return given
		}
	}
	calls(t, "add_task", guarded("tasks:write", `{"planId":"`+noID[:32]+`0000","title":"a"}`, found(nil), active, []row{
		{"with all its fields", active, found(args{"nodeKey": "lock", "dependsOn": []string{"api"}, "priority": 0, "verificationContract": args{"kind": "evidence", "criteria": []string{"It holds"}}}), "", nil},
		{"to a plan that waits", proposed, found(nil), "plan.requires_approval", nil},
		{"to a plan that is done", allDone, found(nil), "plan.requires_approval", nil},
		{"found from a nodeKey", active, found(args{"discoveredFrom": "api"}), "", nil},
		{"found from nothing", active, found(args{"discoveredFrom": "nowhere"}), "validation.invalid_input", nil},
		{"a key that another has", active, found(args{"nodeKey": "api"}), "validation.invalid_input", nil},
		{"after nothing", active, found(args{"dependsOn": []string{"ap"}}), "validation.invalid_input", nil},
		{"an unknown plan", active, found(args{"planId": noID}), "plan.not_found", nil},
		{"more than the month has", active, found(nil), "quota.exceeded", func(cfg *mcp.Config) { limited(tasks.Options{MonthlyLimit: 3})(cfg) }},
		{"no title", active, found(args{"title": nil}), "validation.invalid_input", nil},
		{"wrong types", active, found(args{"title": 1.5, "dependsOn": 7, "priority": "soon", "executionContract": 1}), "validation.invalid_input", nil},
	}...))
}

// No row ends in auth.cross_org. A task of another owner is of another plan, which
// dependency.cross_plan says without looking for it; and as the task that is to wait it is
// not found (T3). TestT18InstantiateTemplate has the code.
func TestT26SetDependency(t *testing.T) {
	t.Parallel()
	edge := func(n, on int, change args) func(*scene) any {
		return func(s *scene) any {
			given := args{"taskId": s.task(n), "dependsOn": s.task(on)}
			for name, value := range change {
				given[name] = value
			}
			return given
		}
	}
	added := func(s *scene) {
		active(s)
		s.said("set_dependency", args{"taskId": s.task(3), "dependsOn": s.task(2)})
	}
	calls(t, "set_dependency", guarded("tasks:write", `{"taskId":"`+noID[:35]+`1","dependsOn":"`+noID[:35]+`2"}`, edge(3, 2, nil), active, []row{
		{"soft", active, edge(3, 2, args{"kind": "soft"}), "", nil},
		{"again", added, edge(3, 2, nil), "", nil},
		{"taken back", added, edge(3, 2, args{"remove": true}), "", nil},
		{"what was approved, taken back", active, edge(2, 1, args{"remove": true}), "conflict", nil},
		{"what was approved, made soft", active, edge(2, 1, args{"kind": "soft"}), "conflict", nil},
		{"a cycle", active, edge(1, 2, nil), "dependency.cycle", nil},
		{"itself", active, edge(1, 1, nil), "dependency.cycle", nil},
		{"another plan's", active, func(s *scene) any {
			other := s.said("propose_plan", args{"title": "Other", "tasks": []any{"x"}})["planId"].(string)
			return args{"taskId": s.task(2), "dependsOn": other[:35] + "1"}
		}, "dependency.cross_plan", nil},
		{"of a plan that waits", proposed, edge(3, 2, nil), "plan.requires_approval", nil},
		{"an unknown task", active, edge(4, 2, nil), "task.not_found", nil},
		{"after an unknown task", active, edge(2, 4, nil), "task.not_found", nil},
		{"another kind", active, edge(3, 2, args{"kind": "firm"}), "validation.invalid_input", nil},
		{"wrong types", active, gives(args{"taskId": 1, "dependsOn": []string{"a"}, "kind": 2, "remove": "perhaps"}), "validation.invalid_input", nil},
	}...))
}

// withTemplates has files of templates in the client's project and beside the settings.
func withTemplates(t *testing.T) func(*mcp.Config) {
	dir, settings := t.TempDir(), t.TempDir()
	write := func(folder, name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	template := func(key, status string) string {
		return `{"template":1,"key":"` + key + `","title":"Release {{version}}","status":"` + status + `","params":{"version":{"description":"as 1.2.0"}},"tasks":[{"nodeKey":"notes","title":"Write the notes of {{version}}"},{"title":"Tag","dependsOn":["notes"]}]}`
	}
	ours, theirs := filepath.Join(dir, "docs", "planb", "templates"), filepath.Join(settings, "templates")
	write(ours, "release.json", template("release", "published"))
	write(theirs, "mine.json", template("mine", "published"))
	write(theirs, "old.json", template("old", "deprecated"))
	write(theirs, "draft.json", template("draft", "draft"))
	write(theirs, "broken.json", `{"template":1}`)
	outside := write(t.TempDir(), "other.json", template("other", "published"))
	if err := os.Symlink(outside, filepath.Join(ours, "other.json")); err != nil {
		t.Fatal(err)
	}
	return func(cfg *mcp.Config) { cfg.WorkingDir, cfg.SettingsDir = dir, settings }
}

func TestT18InstantiateTemplate(t *testing.T) {
	t.Parallel()
	with := withTemplates(t)
	release := func(change args) func(*scene) any {
		given := args{"template": "release", "params": args{"version": "1.2.0"}}
		for name, value := range change {
			given[name] = value
		}
		return gives(given)
	}
	rows := guarded("plans:write", `{"template":"x"}`, release(nil), project, []row{
		{"none", project, gives(args{}), "", nil},
		{"none, and one file is broken", project, gives(args{}), "", func(cfg *mcp.Config) {
			with(cfg)
			cfg.WorkingDir = t.TempDir() // there the other one is
		}},
		{"with another title, and a task changed", project, release(args{"title": "Ship it", "overrides": args{"notes": args{"priority": 0}}}), "", nil},
		{"the person's own", project, release(args{"template": "mine"}), "", nil},
		{"no project", nil, release(nil), "project.not_found", nil},
		{"unknown", project, release(args{"template": "other-one"}), "not_found", nil},
		{"out of the folders", project, release(args{"template": "other"}), "auth.cross_org", nil},
		{"a draft", project, release(args{"template": "draft"}), "conflict", nil},
		{"deprecated", project, release(args{"template": "old"}), "conflict", nil},
		{"broken", project, release(args{"template": "broken"}), "validation.invalid_input", nil},
		{"without a value", project, release(args{"params": args{}}), "validation.invalid_input", nil},
		{"an unknown parameter", project, release(args{"params": args{"version": "1", "colour": "blue"}}), "validation.invalid_input", nil},
		{"an unknown override", project, release(args{"overrides": args{"note": args{"title": "x"}}}), "validation.invalid_input", nil},
		{"an unknown session", project, release(args{"sessionId": noID}), "not_found", nil},
		{"wrong types", project, release(args{"template": 1, "title": 2, "projectId": 3}), "validation.invalid_input", nil},
	}...)
	for i := range rows {
		if rows[i].change == nil {
			rows[i].change = with
		}
	}
	calls(t, "instantiate_template", rows)
}

package mcp_test

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"planb/drafts/draftstest"
	"planb/mcp/mcptest"
	"planb/plans/review"
	rules "planb/plans/tasks"
	"planb/store"
	"planb/store/storetest"
)

// work is what an agent has of tasks and of drafts.
type work struct {
	project        string // its id
	plan, proposal string // plans of tasks: an active one, and one that waits for its review
	task, claim    string // of the active plan, held
	ready          string // a task that can be claimed
	draft, sha     string // a draft that waits at a gate, and the hash of its step before
	written        string // a draft
	step, lease    string // of that draft, being written
	stopped        string // a draft
}

// ids are the whole ids. That of the project is told to every agent.
func (w work) ids() []string {
	return []string{w.plan, w.proposal, w.task, w.claim, w.ready, w.draft, w.written, w.lease, w.stopped}
}

const (
	heldKey      = "held"          // the nodeKey of the task that the victim holds
	theirRequest = "their-request" // names the request for the victim's draft
	startDate    = "2026-12-01"
)

// works has the victim begin all of work.
func (v *victim) works() {
	v.t.Helper()
	w := &v.work
	said := func(tool string, args map[string]any) map[string]any {
		v.t.Helper()
		return firstObject(v.t, tool, v.Tool(tool, args))
	}
	v.Put(v.t, filepath.Join(v.Project, "docs", "planb", "templates", "hidden.json"),
		`{"template":1,"key":"hidden","title":"zq-template","status":"published","tasks":[{"nodeKey":"a","title":"A"}]}`)
	w.project, _ = said("create_project", map[string]any{"name": "Shop"})["projectId"].(string)
	propose := func(title string) string {
		tasks := []any{map[string]any{"nodeKey": heldKey, "title": "zq-task held"}, map[string]any{"nodeKey": "ready", "title": "zq-task ready"}, "zq-task last"}
		id, _ := said("propose_plan", map[string]any{"title": title, "sessionId": v.session, "tasks": tasks})["planId"].(string)
		return id
	}
	w.plan = propose("zq-tasks")
	call := v.begin("approved", "approve_plan", map[string]any{"planId": w.plan})
	v.approve(v.asks["approved"])
	v.Answer(call)
	mcptest.Until(v.t, "the approval is delivered", func() bool { return v.Delivered(v.asks["approved"].ID) })
	w.task, w.ready = v.taskID(w.plan, 1), v.taskID(w.plan, 2)
	w.claim, _ = said("claim_task", map[string]any{"taskId": w.task})["claimId"].(string)
	w.proposal = propose("zq-proposal")
	v.begin("tasks", "approve_plan", map[string]any{"planId": w.proposal})

	create := func(more, request string) mcptest.Answer {
		v.t.Helper()
		args := map[string]any{"prompt": v.prompt() + more, "start_date": startDate, "sessionId": v.session, "client_request_id": request}
		got := v.Tool("plan_create", args)
		if got.IsError {
			v.t.Fatalf("plan_create: %s", got.Text())
		}
		return got
	}
	at := create("", theirRequest)
	w.draft, _ = at.Data["plan_id"].(string)
	submit := func() map[string]any {
		output := draftstest.File(v.t, at.Data["step"].(string)+".json")
		output = bytes.Replace(output, []byte("It looks finished"), []byte("zq-output: it looks finished"), 1)
		return map[string]any{"plan_id": w.draft, "step": at.Data["step"], "lease": at.Data["lease"], "output": json.RawMessage(output)}
	}
	for at.Data["step"] != "scenarios" {
		if at = v.Tool("step_submit", submit()); at.IsError {
			v.t.Fatalf("step_submit: %s", at.Text())
		}
	}
	v.begin("gate", "step_submit", submit())
	read, err := v.Store.Drafts().Plan(v.t.Context(), w.draft)
	if err != nil {
		v.t.Fatal(err)
	}
	w.sha = read.Draft.Records["scenarios"].SHA256
	at = create(" zq-prompt", "another")
	w.written, w.step, w.lease = at.Data["plan_id"].(string), at.Data["step"].(string), at.Data["lease"].(string)
	w.stopped, _ = create(" zq-prompt zq-prompt", "a third").Data["plan_id"].(string)
	said("plan_stop", map[string]any{"plan_id": w.stopped, "reason": "lunch"})
}

func (v *victim) prompt() string { return string(draftstest.File(v.t, "prompt.txt")) }

// firstObject reads the object in the first item of a result.
func firstObject(t testing.TB, tool string, got mcptest.Answer) (said map[string]any) {
	t.Helper()
	if err := json.Unmarshal([]byte(got.Texts()[0]), &said); err != nil || got.IsError {
		t.Fatalf("%s: %s", tool, got.Text())
	}
	return said
}

func (v *victim) taskID(plan string, n int) string {
	v.t.Helper()
	id, err := rules.TaskID(plan, n)
	if err != nil {
		v.t.Fatal(err)
	}
	return id
}

// approve has the person approve a plan of tasks.
func (v *victim) approve(ask store.Ask) {
	v.t.Helper()
	text, err := v.Store.PlanText(v.t.Context(), ask.Session, ask.Spec.Plan.Number)
	if err != nil {
		v.t.Fatal(err)
	}
	v.Settle(ask.ID, mcptest.Says(v.t, text.Raw(), review.Review{Verdict: review.Approve}))
}

// ownWork is work of the second connection's own, as far as attacks need it.
func (v *victim) ownWork() (w work) {
	v.t.Helper()
	called := func(tool string, args map[string]any) mcptest.Answer {
		v.t.Helper()
		var reply mcptest.Reply
		line := v.request("tools/call", map[string]any{"name": tool, "arguments": args}, false)
		if err := json.Unmarshal([]byte(line), &reply.Message); err != nil {
			v.t.Fatal(err)
		}
		return v.second.Decode(reply)
	}
	said := func(tool string, args map[string]any) map[string]any {
		v.t.Helper()
		return firstObject(v.t, tool, called(tool, args))
	}
	w.project, _ = said("create_project", map[string]any{"name": "Mill"})["projectId"].(string)
	w.plan, _ = said("propose_plan", map[string]any{"title": "Build the mill", "tasks": []any{"First", "Second", "Third"}})["planId"].(string)
	called("approve_plan", map[string]any{"planId": w.plan})
	for _, ask := range v.WaitingNow() {
		if !slices.Contains(v.ids(), ask.ID) {
			v.approve(ask)
		}
	}
	w.task, w.ready = v.taskID(w.plan, 1), v.taskID(w.plan, 2)
	w.claim, _ = said("claim_task", map[string]any{"taskId": w.task})["claimId"].(string)
	at := called("plan_create", map[string]any{"prompt": "A mill at the river, " + v.prompt(), "start_date": startDate})
	w.draft, w.step, w.lease = at.Data["plan_id"].(string), at.Data["step"].(string), at.Data["lease"].(string)
	return w
}

// attack is how a tool is tried: with good arguments of the second connection's own, each of
// them with all that it could name of the victim in its place, and with those with which the
// victim itself would call it, also with one of them left out or of the second connection's
// own.
type attack struct {
	own     map[string]any
	victims []map[string]any
}

// args are the arguments of a call.
type args = map[string]any

// attacks are the attacks by the tools of tasks, of drafts, and of drafts by their old names; mine is what the second
// connection has itself.
func (v *victim) attacks(mine work) (onTasks, onDrafts, byOldNames map[string]attack) {
	v.t.Helper()
	w := v.work
	theirs := func(own args, victims ...args) attack { return attack{own, victims} }
	onTasks = map[string]attack{
		"add_task":     theirs(args{"planId": mine.plan, "title": "Mine"}, args{"planId": w.plan, "title": "Mine", "discoveredFrom": w.task, "dependsOn": []string{heldKey}}),
		"approve_plan": theirs(args{"planId": mine.plan}, args{"planId": w.proposal}, args{"planId": w.proposal, "sessionId": v.session, "withPlan": true}),
		"claim_task":   theirs(args{}, args{"taskId": w.task, "claimId": w.claim, "planId": w.plan}, args{"taskId": w.ready, "leaseSec": 60}),
		"complete_task": theirs(args{"taskId": mine.task, "claimId": mine.claim, "summary": "Mine"},
			args{"taskId": w.task, "claimId": w.claim, "summary": "Mine", "claimNext": true}),
		"create_project":      theirs(args{"name": "Another"}, args{"name": "Shop", "slug": "shop"}),
		"get_next_actionable": theirs(args{}, args{"planId": w.plan, "taskId": w.ready, "explain": true}),
		"instantiate_template": theirs(args{}, args{"template": "hidden", "projectId": w.project, "sessionId": v.session},
			args{"template": filepath.Join(v.Project, "docs", "planb", "templates", "hidden.json")}),
		"list_projects": theirs(args{}),
		"propose_plan": theirs(args{"title": "Mine", "tasks": []any{"First"}},
			args{"title": "Mine", "tasks": []any{"First"}, "planId": w.proposal, "projectId": w.project, "sessionId": v.session},
			args{"title": "Mine", "tasks": []any{args{"nodeKey": heldKey, "title": "Mine", "cancel": true}}, "planId": w.plan}),
		"set_dependency": theirs(args{"taskId": mine.task, "dependsOn": mine.ready},
			args{"taskId": w.ready, "dependsOn": w.task, "kind": "soft"}, args{"taskId": w.ready, "dependsOn": w.task, "remove": true}),
		"update_task_status": theirs(args{"taskId": mine.task, "claimId": mine.claim, "status": "in_progress"},
			args{"taskId": w.task, "claimId": w.claim, "status": "ready", "note": "Mine"}),
	}
	begin := args{"prompt": v.prompt(), "start_date": startDate, "client_request_id": theirRequest}
	begins := theirs(args{"prompt": "Mine, and " + v.prompt()}, begin, with(begin, "sessionId", v.session),
		args{"target": "validate_plan", "parent_plan_id": w.draft, "sessionId": v.session})
	// to is an attack by a tool that needs a draft, and more.
	to := func(name, draft string, more args) attack {
		return theirs(args{name: mine.draft}, with(more, name, draft))
	}
	onDrafts = map[string]attack{
		"plan_create": begins, "plan_list": theirs(args{}, args{"all": true}),
		"step_next":      to("plan_id", w.draft, args{"wait_seconds": 1}),
		"plan_status":    to("plan_id", w.draft, args{"wait_seconds": 1}),
		"plan_stop":      to("plan_id", w.draft, args{"reason": "Mine"}),
		"plan_resume":    to("plan_id", w.stopped, args{"detail": "full"}),
		"plan_retry":     to("plan_id", w.stopped, nil),
		"plan_file_info": to("plan_id", w.draft, args{"artifact": "scenarios", "offset": 0}),
		"plan_download":  to("plan_id", w.draft, args{"artifact": "scenarios", "dir": v.Project}),
		"plan_logs":      to("plan_id", w.draft, args{"max_lines": 100}),
		"step_submit": theirs(args{"plan_id": mine.draft, "step": mine.step, "lease": mine.lease, "give_up": "Mine"},
			args{"plan_id": w.written, "step": w.step, "lease": w.lease, "output": json.RawMessage(draftstest.File(v.t, "brief.json"))},
			args{"plan_id": w.written, "step": w.step, "lease": w.lease, "give_up": "Mine"}),
		"step_edit": theirs(args{"plan_id": mine.draft, "step": mine.step, "sha256": w.sha, "regenerate": true},
			args{"plan_id": w.draft, "step": "scenarios", "sha256": w.sha, "regenerate": true, "guidance": "Mine"}),
		"example_plans": theirs(args{}), "example_prompts": theirs(args{}), "model_profiles": theirs(args{}),
	}
	byOldNames = map[string]attack{
		"prompt_examples": theirs(args{}), "task_list": theirs(args{}), "task_get_latest": theirs(args{}),
		"task_create":    theirs(args{"prompt": "Mine, too, and " + v.prompt()}, args{"prompt": v.prompt(), "speed_vs_detail": "fast", "client_request_id": theirRequest}),
		"task_status":    to("task_id", w.draft, nil),
		"task_wait":      to("task_id", w.draft, args{"timeout_sec": 1}),
		"task_stop":      to("task_id", w.draft, nil),
		"task_file_info": to("task_id", w.draft, args{"artifact": "scenarios"}),
		"task_download":  to("task_id", w.draft, args{"artifact": "scenarios"}),
		"task_logs_tail": to("task_id", w.draft, nil),
	}
	return onTasks, onDrafts, byOldNames
}

// with are the arguments with one more.
func with(given args, name string, value any) args {
	more := args{name: value}
	maps.Copy(more, given)
	return more
}

// attack makes the attacks.
func (v *victim) attack(attacks map[string]attack) {
	v.t.Helper()
	tools := v.list("tools/list", "tools")
	for name := range attacks {
		if !slices.ContainsFunc(tools, func(tool listed) bool { return tool.Name == name }) {
			v.t.Errorf("%s is tried, and is not listed", name)
		}
	}
	for _, tool := range tools {
		a, has := attacks[tool.Name]
		if !has {
			continue
		}
		v.needs(tool, with(a.own, "sha256", ""))
		v.isWellFormed(tool.Name, v.try(tool.Name, a.own, false))
		properties := tool.InputSchema.Properties
		for _, argument := range slices.Sorted(maps.Keys(properties)) {
			for _, value := range v.values(argument, properties[argument].Type) {
				given := maps.Clone(a.own)
				given[argument] = value
				v.try(tool.Name, given, false)
			}
		}
		for _, theirs := range a.victims {
			v.isWellFormed(tool.Name, v.try(tool.Name, theirs, true))
			for argument := range theirs {
				if v.naming()[argument] == nil && !storetest.Whole() {
					continue
				}
				given := maps.Clone(theirs)
				delete(given, argument)
				v.try(tool.Name, given, false)
				if own, has := a.own[argument]; has {
					v.try(tool.Name, with(given, argument, own), false)
				}
			}
		}
	}
	// What was read by its id is nothing that the second connection works on.
	for _, given := range []args{{}, {"waitSeconds": 0}, {"withdraw": true}} {
		v.try("get_answer", given, false)
	}
}

// isWellFormed fails the test if a call was refused for its arguments: it tries nothing then.
func (v *victim) isWellFormed(tool, line string) {
	v.t.Helper()
	for _, code := range []string{"INVALID_ARGUMENT", "validation.invalid_input", "is missing", `"error":{"code":-`} {
		if strings.Contains(line, code) {
			v.t.Errorf("%s is refused for its arguments: %s", tool, line)
		}
	}
}

// filesOf are the files of a directory and of those below.
func filesOf(t testing.TB, dir string) (files []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// The same for the tools of tasks, against another project's tasks.
func TestASecondConnectionReachesNoTask(t *testing.T) {
	t.Parallel()
	v := newVictim(t, true, t.TempDir())
	onTasks, _, _ := v.attacks(v.ownWork())
	v.attack(onTasks)
	v.endsUntouched()
}

// The same for the tools of drafts. A whole id reads a draft, and nothing else of its session.
func TestASecondConnectionReachesNoDraft(t *testing.T) {
	t.Parallel()
	v := newVictim(t, true, t.TempDir())
	_, onDrafts, _ := v.attacks(v.ownWork())
	v.attack(onDrafts)
	v.endsUntouched()
}

// The same by the old names.
func TestASecondConnectionReachesNoDraftByOldNames(t *testing.T) {
	t.Parallel()
	v := newVictim(t, true, t.TempDir())
	_, _, byOldNames := v.attacks(v.ownWork())
	v.attack(byOldNames)
	v.endsUntouched()
}

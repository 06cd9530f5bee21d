package pictures_test

import (
	"encoding/json"
	"testing"

	sdk "github.com/mark3labs/mcp-go/mcp"

	"planb/e2e/rig"
)

// authTasks is the plan of the pictures of tasks.
const authTasks = `{"title":"Auth rewrite","description":"Sessions move from cookies to tokens, without anybody being signed out.","tasks":[
{"nodeKey":"schema","title":"Write the schema of tokens","estimateMinutes":60,"priority":1},
{"nodeKey":"config","title":"Move configuration into one file","estimateMinutes":30},
{"nodeKey":"api","title":"API for tokens","estimateMinutes":150,"priority":0,"dependsOn":["schema","config"],"executionContract":{"files":["api/"]}},
{"nodeKey":"passkey","title":"Sign in with a passkey","estimateMinutes":180,"dependsOn":["api"]},
{"nodeKey":"client","title":"Client library","estimateMinutes":90,"dependsOn":["api"]},
{"nodeKey":"migrate","title":"Write the migration of signed-in users","estimateMinutes":120,"dependsOn":["schema"],
 "description":"Every session that is open when this ships gets a token.\n\n1. Read the session.\n2. Write the token **beside** it, not instead of it.",
 "executionContract":{"files":["api/migrate/"]},"verificationContract":{"kind":"manual","criteria":["nobody is signed out","it can be run twice"]}},
{"nodeKey":"bank","title":"Ask the bank about their tokens","estimateMinutes":15,"executionContract":{"kind":"human"}},
{"nodeKey":"load","title":"Load test with 10,000 sessions","estimateMinutes":60,"dependsOn":["passkey","migrate"]},
{"nodeKey":"docs","title":"Documentation for operators","estimateMinutes":45,"priority":3,"dependsOn":["client"]},
{"nodeKey":"limits","title":"Rate limits","estimateMinutes":40,"dependsOn":["config"]},
{"nodeKey":"remove","title":"Remove the cookie code","estimateMinutes":20,"dependsOn":["load","docs"]},
{"nodeKey":"errors","title":"Error pages","estimateMinutes":20,"priority":3}]}`

// worker is an agent that works on tasks.
type worker struct {
	*rig.Agent
	t testing.TB
}

func (s *studio) worker(name, title string) worker {
	s.T.Helper()
	return worker{rig.StartClient(s.T, sdk.Implementation{Name: name, Title: title, Version: "1"}, s.data, []string{"ASK_NO_OPEN=1"}, rig.Planb(s.T), "mcp", "--toolsets", "tasks"), s.T}
}

// call calls a tool, and returns the object of its result.
func (w worker) call(tool string, arguments map[string]any) map[string]any {
	w.t.Helper()
	got := w.Call(tool, arguments)
	var object map[string]any
	if got.IsError || len(got.Texts) == 0 || json.Unmarshal([]byte(got.Texts[0]), &object) != nil {
		w.t.Fatalf("%s: %s", tool, got)
	}
	return object
}

// begin claims a task and says that it is in work; finish reports it.
func (w worker) begin(task string) (claim string) {
	w.t.Helper()
	claim = w.call("claim_task", map[string]any{"taskId": task})["claimId"].(string)
	w.call("update_task_status", map[string]any{"taskId": task, "claimId": claim, "status": "in_progress"})
	return claim
}

func (w worker) finish(task, claim, summary string, evidence ...any) {
	w.t.Helper()
	w.call("complete_task", map[string]any{"taskId": task, "claimId": claim, "summary": summary, "evidence": evidence})
}

// taskBoard shows a plan of tasks in the middle of its work: an agent proposed it, a person
// approved it, and two agents work on it.
func taskBoard(s *studio) {
	claude, codex := s.worker("claude-code", "Claude Code"), s.worker("codex-mcp-client", "Codex")
	claude.call("create_project", map[string]any{"name": "shop"})
	var proposal map[string]any
	if err := json.Unmarshal([]byte(authTasks), &proposal); err != nil {
		s.T.Fatal(err)
	}
	plan := claude.call("propose_plan", proposal)["planId"].(string)
	tasks := map[string]string{}
	s.planb("tui", "tasks")
	s.Shows(s.pane, "Waiting for your approval", "Auth rewrite")
	s.press("Enter", "nothing begins before you approve it")
	s.press("a", "line 1 of")
	s.Ready(s.pane)
	s.Keys(s.pane, "a")
	s.ReadyDialog(s.pane, "Approve v1")
	s.press("Enter", "active")
	s.press("Tab", "Ready  3")
	for _, entry := range claude.call("get_next_actionable", map[string]any{"planId": plan})["tasks"].([]any) {
		task := entry.(map[string]any)
		tasks[task["nodeKey"].(string)] = task["taskId"].(string)
	}
	for _, key := range []string{"schema", "config"} {
		claude.finish(tasks[key], claude.begin(tasks[key]), "Done, with tests.")
	}
	for _, entry := range claude.call("get_next_actionable", map[string]any{"planId": plan})["tasks"].([]any) {
		task := entry.(map[string]any)
		tasks[task["nodeKey"].(string)] = task["taskId"].(string)
	}
	claude.finish(tasks["migrate"], claude.begin(tasks["migrate"]), "Signed-in users get a token at their next request; the cookie stays valid for a week.",
		map[string]any{"criterion": "1", "text": "TestNobodyIsSignedOut walks 500 sessions"}, map[string]any{"criterion": "2", "text": "The second run changes 0 rows"})
	claude.begin(tasks["api"])
	codex.begin(tasks["limits"])
	s.Shows(s.pane, "In work  2", "Needs you  2", "2/12 done", "to be accepted", "Codex")
	s.press("Left") // the cursor followed the first task to Done
	s.press("Left")
	s.press("Home", "Waits for you to accept it")
}

// taskGraph shows the same plan as a graph.
func taskGraph(s *studio) {
	taskBoard(s)
	s.press("Tab", "Critical path", "Step 5")
}

// taskPage shows the task whose report waits for the person.
func taskPage(s *studio) {
	taskBoard(s)
	s.press("Enter", "As reported", "The second run changes 0 rows", "Done when")
}

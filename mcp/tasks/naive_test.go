package tasks_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"planb/mcp/mcptest"
	"planb/plans/review"
)

// follower is an agent that knows nothing but what the results tell it to call.
type follower struct {
	*scene
	calls  int
	claims int // that gave a task
}

// advised is a call that a result advises.
var advised = regexp.MustCompile(`(approve_plan|claim_task|complete_task|get_answer) (\{.*\})[.,]`)

// call calls a tool, and counts it.
func (f *follower) call(tool string, given any) mcptest.Answer {
	f.t.Helper()
	f.calls++
	got := f.Tool(tool, given)
	if tool == "claim_task" && !got.IsError {
		f.claims++
	}
	return got
}

// next is the call that a result advises; ok is false if it advises none.
func next(t *testing.T, got mcptest.Answer) (tool string, given map[string]any, ok bool) {
	t.Helper()
	for _, text := range got.Texts()[1:] {
		match := advised.FindStringSubmatch(text)
		if match == nil {
			continue
		}
		ran := strings.ReplaceAll(match[2], `"exitCode":…`, `"exitCode":0`) // the agent has run the command
		if err := json.Unmarshal([]byte(ran), &given); err != nil {
			t.Fatalf("%q cannot be called: %v", match[0], err)
		}
		return match[1], given, true
	}
	return "", nil, false
}

// An agent that does only what the texts say works off ten tasks with each kind of
// contract: nothing before the approval, and at most three calls a task.
func TestTheTextsLeadThroughTenTasks(t *testing.T) {
	t.Parallel()
	f := &follower{scene: newScene(t, nil)}
	contracts := []args{
		nil, {"kind": "command", "commands": []string{"go vet ./...", "go test ./..."}},
		{"kind": "evidence", "criteria": []string{"It answers", "It is fast"}},
	}
	var list []any
	for n := range 10 {
		task := args{"nodeKey": fmt.Sprintf("t%d", n), "title": fmt.Sprintf("Task %d", n)}
		if n > 2 {
			task["dependsOn"] = []string{fmt.Sprintf("t%d", n-3)}
		}
		if contract := contracts[n%3]; contract != nil {
			task["verificationContract"] = contract
		}
		list = append(list, task)
	}
	proposal := args{"title": "Ten", "tasks": list}
	refused := f.call("propose_plan", proposal)
	details, _ := object(t, refused)["error"].(map[string]any)["details"].(map[string]any)
	recovery, _ := details["recovery"].(map[string]any)
	if hint, _ := recovery["hint"].(string); !strings.Contains(hint, "create_project") {
		t.Fatalf("no way out: %s", refused.Text())
	}
	f.call("create_project", args{"name": "Shop"})
	tool, given, _ := next(t, f.call("propose_plan", proposal))
	if tool != "approve_plan" {
		t.Fatalf("after the proposal: %s", tool)
	}
	f.plan, _ = given["planId"].(string)
	waiting := f.StartTool(tool, given)
	f.approves(review.Review{Verdict: review.Approve})
	f.calls++
	got := f.Answer(waiting)
	before := f.calls
	if f.claims > 0 {
		t.Errorf("%d claims before the approval", f.claims)
	}
	for done := 0; done < 10; {
		tool, given, ok := next(t, got)
		if !ok {
			t.Fatalf("after %d tasks nothing is advised: %s", done, got.Text())
		}
		if tool == "claim_task" {
			got = f.call(tool, given)
			continue
		}
		got = f.call(tool, given) // as the text shows it: a model would put its own words in
		if got.IsError {
			t.Fatalf("%v: %s", given, got.Text())
		}
		if done++; done < 10 {
			got = f.call("claim_task", args{"planId": f.plan})
		}
	}
	if !strings.Contains(got.Text(), "The plan is done.") {
		t.Errorf("at the end: %s", got.Text())
	}
	if each := float64(f.calls-before) / 10; each > 3 {
		t.Errorf("%.1f calls a task, at most 3 are wanted", each)
	}
}

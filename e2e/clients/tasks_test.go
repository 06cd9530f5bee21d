package clients_test

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"planb/e2e/rig"
)

var (
	planNamed  = regexp.MustCompile(`planId\\*":\\*"([0-9a-f-]{36})`)
	taskNamed  = regexp.MustCompile(`taskId\\*":\\*"([0-9a-f-]{36})\\*",\\*"claimId\\*":\\*"(\d+-[0-9a-f]{8})`)
	planIsDone = `The plan is done.`
)

// worksOff is a script that proposes two tasks, has them approved, claims the first, fails
// its verification, mends that, and completes both.
func worksOff(outputs []string, _ string) (tool, arguments string) {
	all := strings.Join(outputs, "\n")
	plan := ""
	if match := planNamed.FindStringSubmatch(all); match != nil {
		plan = match[1]
	}
	report := func(evidence string) string {
		claims := taskNamed.FindAllStringSubmatch(all, -1)
		if len(claims) == 0 {
			return "{}"
		}
		last := claims[len(claims)-1]
		return fmt.Sprintf(`{"taskId":%q,"claimId":%q,"summary":"Written","claimNext":true,"evidence":%s}`, last[1], last[2], evidence)
	}
	switch len(outputs) {
	case 0:
		return "create_project", `{"name":"Shop"}`
	case 1:
		return "propose_plan", `{"title":"Open the shop","tasks":[` +
			`{"nodeKey":"schema","title":"Write the schema","verificationContract":{"kind":"command","commands":["go test ./..."]}},` +
			`{"nodeKey":"api","title":"Write the API","dependsOn":["schema"]}]}`
	case 2:
		return "approve_plan", fmt.Sprintf(`{"planId":%q}`, plan)
	case 3:
		return "claim_task", fmt.Sprintf(`{"planId":%q}`, plan)
	case 4:
		return "complete_task", report(`[{"command":"go test ./...","exitCode":1,"output":"FAIL"}]`)
	case 5:
		return "complete_task", report(`[{"command":"go test ./...","exitCode":0,"output":"ok"}]`)
	case 6:
		return "complete_task", report(`[]`)
	}
	return "", ""
}

// worksOffTasks runs the client until its model has worked off a plan of tasks that a person
// approved in tmux.
func (c realClient) worksOffTasks(t *testing.T) {
	model := startModel(t, planIsDone)
	model.needs, model.script = "propose_plan", worksOff
	where := stage{
		home: t.TempDir(), project: t.TempDir(), planb: rig.Planb(t), dataDir: t.TempDir(), toolsets: "tasks",
		model: model.url, programs: filepath.Join(*clientsDir, "node_modules", ".bin"), prompt: "Open a shop, in tasks.",
	}
	tm := rig.StartTmux(t, 200, 50)
	argv, env := c.prepare(t, where)
	client := tm.OpenClean(where.project, append(env, "HOME="+where.home), argv)
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("the client showed:\n%s\nits model was told:\n%.3000q", tm.Screen(client), model.told())
		}
	})
	form := tm.NewPane(tm.FirstPane(), client)
	tm.Shows(form, "Open the shop", "Write the API")
	tm.Ready(form)
	if got := model.told(); len(got) != 2 {
		t.Fatalf("the model went on before the approval: %q", got)
	}
	tm.Keys(form, "a")
	tm.ReadyDialog(form, "Approve v")
	tm.Keys(form, "Enter")
	rig.Until(t, "the plan is done", model.hasAnswer)
	c.end(tm, client)
	tm.Shows(client, "client ended: 0")
	told := model.told()
	for at, want := range map[int]string{2: "Approved exactly as it is", 4: "verification.unmet", 5: "It is yours.", 6: planIsDone} {
		if len(told) <= at || !strings.Contains(told[at], want) {
			t.Errorf("call %d does not tell %q: %.1000q", at+1, want, told)
		}
	}
}

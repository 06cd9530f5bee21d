package drafts_test

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"planb/drafts/draftstest"
	"planb/mcp/mcptest"
	"planb/questions"
	"planb/questions/safe"
)

// told are the results of tools, each kind of sentence once.
type told struct {
	t     *testing.T
	c     *mcptest.Client
	tools map[string][]string
}

var masks = []struct {
	found *regexp.Regexp
	with  string
}{
	{regexp.MustCompile(`[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}`), "<id>"},
	{regexp.MustCompile(`"[0-9a-f]{64}"`), `"<sha256>"`},
	{regexp.MustCompile(`sha256 (is )?[0-9a-f]+`), "sha256 $1<sha256>"},
	{regexp.MustCompile(`\d{4}-\d\d-\d\dT[0-9:.]+Z`), "<time>"},
	{regexp.MustCompile(`\d\d:\d\d: `), "<hh:mm>: "},
	{regexp.MustCompile(`"(elapsed_sec|ms|download_size)":[0-9.]+`), `"$1":<n>`},
	{regexp.MustCompile(`lease (\\?"?:?\\?"?)[0-9a-f]{6}`), "lease $1<lease>"},
	{regexp.MustCompile(`"lease":"[0-9a-f]{6}"`), `"lease":"<lease>"`},
	{regexp.MustCompile(`tui ask [0-9a-f]{8}`), "tui ask <short>"},
	{regexp.MustCompile(`"files":\[[^\]]*\]`), `"files":[…]`}, // their order may change within a second
	{regexp.MustCompile(`\(\d+ s\)|\b\d+ s ago`), "<ago>"},
	{regexp.MustCompile(`/[^" ]*/(<id>-)`), "<dir>/$1"},
	{regexp.MustCompile(`/[^" ]*TestWhatToolsSay\d+`), "<tmp>"},
}

// call calls a tool and notes what it said.
func (r *told) call(about, tool string, args map[string]any) mcptest.Answer {
	r.t.Helper()
	return r.note(about, tool, r.c.Tool(tool, args))
}

func (r *told) note(about, tool string, a mcptest.Answer) mcptest.Answer {
	text := strings.Join(a.Texts(), "\n")
	if a.IsError {
		text += "\n(an error)"
	}
	for _, m := range masks {
		text = m.found.ReplaceAllString(text, m.with)
	}
	r.tools[tool] = append(r.tools[tool], "## "+about+"\n\n"+text+"\n")
	return a
}

// TestWhatToolsSay writes down what each tool says in each case.
func TestWhatToolsSay(t *testing.T) {
	t.Parallel()
	w := world(t, nil)
	r := &told{t, connect(t, w, "codex"), map[string][]string{}}
	r.call("no plan", "plan_status", nil)
	r.call("no plan", "plan_list", nil)
	r.call("no plan", "step_next", map[string]any{"plan_id": "mine"})
	r.call("bad arguments", "plan_create", map[string]any{"prompt": "Short.", "start_date": "soon", "detail": "huge", "colour": "red"})
	r.call("a profile", "plan_create", map[string]any{"prompt": prompt(t), "model_profile": "premium"})
	r.call("a target", "plan_create", map[string]any{"prompt": prompt(t), "target": "paint_plan"})
	made := r.call("begun", "plan_create", map[string]any{"prompt": prompt(t), "start_date": "2026-12-01"})
	r.call("again", "plan_create", map[string]any{"prompt": prompt(t), "start_date": "2026-12-01"})
	id := made.Data["plan_id"].(string)
	with := func(more ...any) map[string]any {
		args := map[string]any{"plan_id": id}
		for i := 0; i < len(more); i += 2 {
			args[more[i].(string)] = more[i+1]
		}
		return args
	}
	submit := func(step string, more ...any) map[string]any {
		return with(append([]any{"step", step, "output", string(draftstest.File(t, step+".json"))}, more...)...)
	}
	r.call("begun", "plan_status", with())
	r.call("a step", "step_next", with())
	r.call("no such step", "step_next", with("step", "risk"))
	r.call("not ready", "step_next", with("step", "facts"))
	r.call("nothing", "step_submit", with("step", "brief"))
	r.call("problems", "step_submit", with("step", "brief", "output", `{"verdict":"maybe","goal":7}`))
	r.call("no such step", "step_submit", with("step", "risk", "output", "{}"))
	r.call("not ready", "step_submit", with("step", "facts", "output", "{}"))
	r.call("a gate", "step_submit", with("step", "choose", "output", "{}"))
	r.call("accepted", "step_submit", submit("brief", "next", false))
	r.call("done before", "step_next", with("step", "brief"))
	r.call("done before", "step_submit", submit("brief", "next", false))
	r.call("too early", "plan_file_info", with())
	r.call("too early", "plan_download", with())
	r.call("not over", "plan_resume", with())
	r.call("not over", "plan_retry", with())
	r.call("accepted, no next", "step_submit", submit("scenarios.1", "next", false))
	r.call("accepted, no next", "step_submit", submit("scenarios", "next", false))
	r.call("waiting for the user", "plan_status", with())
	gate := func(about string, outcome questions.Outcome) {
		call := r.c.StartTool("step_next", with())
		w.Settle(w.Opened(1)[0].ID, outcome)
		r.note(about, "step_next", r.c.Answer(call))
	}
	gate("the user replies without finishing", questions.Outcome{State: questions.Discuss, Message: safe.New("None of these. Is there a cheaper one?")})
	gate("the user declines", questions.Outcome{State: questions.Declined, Message: safe.New("Not this year.")})
	r.call("stopped", "step_next", with())
	r.call("stopped", "plan_status", with())
	r.call("stopped before", "plan_stop", with())
	r.call("resumed", "plan_resume", with())
	person(t, w)
	(&model{t: t, c: r.c, plan: id}).follow("step_next", " risks · ")
	r.call("stopped", "plan_stop", with("reason", "The user wants to think."))
	r.call("stopped", "plan_file_info", with())
	r.call("resumed", "plan_resume", with())
	r.call("given up", "step_submit", with("step", "risks", "give_up", "The inputs contradict each other."))
	r.call("failed", "step_next", with())
	r.call("failed", "plan_status", with())
	r.call("anew", "plan_retry", with())
	(&model{t: t, c: r.c, plan: id}).follow("step_next", "DONE: ")
	r.call("done", "step_next", with())
	r.call("completed", "plan_status", with())
	r.call("listed", "plan_list", nil)
	r.call("the report", "plan_file_info", with())
	r.call("no such file", "plan_file_info", with("artifact", "../plan.txt"))
	r.call("saved", "plan_download", with())
	r.call("elsewhere", "plan_download", with("dir", "../x"))
	r.call("the newest", "plan_logs", with("max_lines", 2))
	sha := func(step string) string {
		got, err := w.Store.Drafts().Plan(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		return got.Draft.Records[step].SHA256
	}
	r.call("no sha256", "step_edit", with("step", "facts", "regenerate", true))
	r.call("no way", "step_edit", with("step", "facts", "sha256", sha("facts")))
	r.call("another sha256", "step_edit", with("step", "facts", "sha256", strings.Repeat("0", 64), "regenerate", true))
	r.call("a gate", "step_edit", with("step", "confirm", "sha256", sha("confirm"), "regenerate", true))
	r.call("a step of planb's", "step_edit", with("step", "schedule", "sha256", sha("schedule"), "regenerate", true))
	r.call("words that are not there", "step_edit", with("step", "facts", "sha256", sha("facts"), "edits", []any{map[string]any{"oldString": "nowhere", "newString": "x"}}))
	r.call("mistakes", "step_edit", with("step", "facts", "sha256", sha("facts"), "output", map[string]any{"facts": []any{}}))
	r.call("written again", "step_edit", with("step", "premortem", "sha256", sha("premortem"), "regenerate", true, "guidance", "Think of the winter."))
	r.call("none", "example_plans", nil)
	r.call("none", "model_profiles", nil)
	r.call("no such prompt", "example_prompts", map[string]any{"id": "none"})
	for _, tool := range slices.Sorted(maps.Keys(r.tools)) {
		mcptest.Snapshot(t, fmt.Sprintf("drafts/%s.md", tool), []byte(strings.Join(r.tools[tool], "\n")))
	}
	if len(r.tools) != 15 {
		t.Errorf("%d tools said something", len(r.tools))
	}
}

package drafts_test

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"planb/drafts"
	"planb/drafts/draftstest"
	"planb/mcp"
	"planb/mcp/mcptest"
	"planb/questions/safe"
	"planb/store"
	"planb/store/runs"
)

// V6, V10 to V15, V25, V28 to V32: the old names over the same handlers.
func TestTheOldNames(t *testing.T) {
	t.Parallel()
	w := world(t, func(cfg *mcp.Config) { cfg.Toolsets = []string{"drafts", "drafts-v1"} })
	person(t, w)
	c := connect(t, w, "codex")
	if got := c.Tool("prompt_examples", nil); len(got.Data["samples"].([]any)) != 5 {
		t.Errorf("prompt_examples: %s", got.Text())
	}
	made := c.Tool("task_create", map[string]any{"prompt": prompt(t), "speed_vs_detail": "fast"})
	isJSON(t, made)
	id := made.Data["task_id"].(string)
	if other := c.Tool("task_create", map[string]any{"prompt": prompt(t)}); other.Data["task_id"] == id {
		t.Error("ping and fast gave one plan")
	}
	task := func(tool string, more ...any) mcptest.Answer {
		t.Helper()
		args := map[string]any{"task_id": id}
		for i := 0; i < len(more); i += 2 {
			args[more[i].(string)] = more[i+1]
		}
		got := c.Tool(tool, args)
		isJSON(t, got)
		if strings.Contains(got.Texts()[0], `"plan_id"`) {
			t.Errorf("%s names a plan: %s", tool, got.Text())
		}
		return got
	}
	if got := task("task_status"); got.Data["state"] != "running" || got.Data["task_id"] != id {
		t.Errorf("task_status: %s", got.Text())
	}
	if got := task("task_wait", "timeout_sec", 0.1, "poll_interval_sec", 1); got.Data["task_id"] != id {
		t.Errorf("task_wait: %s", got.Text())
	}
	(&model{t: t, c: c, plan: id}).follow("step_next", "")
	if got := task("task_status"); got.Data["state"] != "completed" || got.Data["progress_percentage"] != 100.0 {
		t.Errorf("task_status: %s", got.Text())
	}
	if got := task("task_file_info", "artifact", "report"); got.Data["content_type"] != "text/html; charset=utf-8" {
		t.Errorf("task_file_info: %s", got.Text())
	}
	if text, mime := c.ReadResource("planexe://task/" + id + "/plan.txt"); text != prompt(t) || !strings.HasPrefix(mime, "text/plain") {
		t.Errorf("the prompt as a resource: %s of %d bytes", mime, len(text))
	}
	if got := task("task_download"); got.Data["saved_path"] == nil {
		t.Errorf("task_download: %s", got.Text())
	}
	if got := task("task_stop"); got.Data["stop_requested"] != false {
		t.Errorf("task_stop: %s", got.Text())
	}
	if got := task("task_logs_tail", "max_lines", 3); len(got.Data["events"].([]any)) != 3 {
		t.Errorf("task_logs_tail: %s", got.Text())
	}
	if list := c.Tool("task_list", nil).Data["tasks"].([]any); len(list) != 2 || list[1].(map[string]any)["task_id"] != id {
		t.Errorf("task_list: %v", list)
	}
	if got := c.Tool("task_get_latest", nil); got.Data["task_id"] == nil || got.Data["task_id"] == id {
		t.Errorf("task_get_latest: %s", got.Text())
	}
	wantCode(t, c.Tool("task_status", map[string]any{"task_id": "none"}), "TASK_NOT_FOUND")
}

// V6, V25: the version is told, and tasks of the protocol are not offered.
func TestTheOldNamesAreFewBytes(t *testing.T) {
	t.Parallel()
	w := mcptest.NewWorld(t, func(cfg *mcp.Config) { cfg.Toolsets = []string{"drafts-v1"} })
	c := mcptest.Connect(t, w.Server)
	hello := c.Initialize("test")
	if !bytes.Contains(hello.Result, []byte(`"_meta":{"planexe.version":"1.0"}`)) {
		t.Errorf("the version is not told: %s", hello.Result)
	}
	var offered struct{ Capabilities map[string]any }
	if err := json.Unmarshal(hello.Result, &offered); err != nil || offered.Capabilities["tools"] == nil || offered.Capabilities["tasks"] != nil {
		t.Errorf("offered are %v, %v", offered.Capabilities, err)
	}
	r := c.Request("tools/list", nil)
	var list struct{ Tools []json.RawMessage }
	if err := json.Unmarshal(r.Result, &list); err != nil || len(list.Tools) != 10 {
		t.Errorf("%d tools, %v", len(list.Tools), err)
	}
	if n := len(bytes.TrimSpace(r.Line)); n > 3400 {
		t.Errorf("the tools take %d bytes, at most 3,400 are wanted", n)
	} else {
		t.Logf("the tools take %d bytes", n)
	}
	var pretty bytes.Buffer
	if err := json.Indent(&pretty, r.Result, "", "  "); err != nil {
		t.Fatal(err)
	}
	pretty.WriteByte('\n')
	mcptest.Snapshot(t, "drafts-v1.json", pretty.Bytes())
	wantCode(t, c.Tool("task_create", map[string]any{"prompt": prompt(t)}), "MODEL_PROFILES_UNAVAILABLE")
	all := connect(t, world(t, func(cfg *mcp.Config) { cfg.Toolsets = []string{"all"} }), "codex")
	if said := all.Request("tools/list", nil).Result; bytes.Contains(said, []byte(`"task_create"`)) {
		t.Error("all has the old names")
	}
}

// A client that has the old names alone is told of no tool that it does not have.
func TestTheOldNamesAloneNameNoOtherTool(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	dir := t.TempDir()
	w := world(t, func(cfg *mcp.Config) {
		cfg.Toolsets, cfg.WorkingDir = []string{"session", "review", "drafts-v1"}, dir
	})
	c := connect(t, w, "codex")
	empty := []mcptest.Answer{c.Tool("task_list", nil), c.Tool("task_get_latest", nil), c.Tool("task_create", map[string]any{"prompt": "Short.", "colour": "red"})}
	agent, anna := runs.Caller{Name: "codex"}, runs.Caller{Name: "anna@home", Person: true}
	drafted := w.Store.Drafts()
	session, err := w.Store.CreateSession(ctx, store.Session{Project: safe.New(dir)})
	if err != nil {
		t.Fatal(err)
	}
	accept := func(id, step string, change func(map[string]any)) {
		t.Helper()
		p, err := drafted.Plan(ctx, id)
		if err != nil {
			t.Fatal(err)
		}
		output := draftstest.Answer(t, p.Draft, draftstest.Step(t, p.Draft, step))
		change(output)
		if _, err := drafted.Accept(ctx, agent, runs.Answer{Plan: id, Step: step, Output: output, Inputs: p.Draft.Inputs(draftstest.Step(t, p.Draft, step)), Generation: p.Generation}); err != nil {
			t.Fatal(err)
		}
	}
	as := func(map[string]any) {}
	states := map[string]func(id string){
		"pending": func(string) {},
		"stopped": func(id string) {
			if _, _, err := drafted.Stop(ctx, anna, id, "enough."); err != nil {
				t.Error(err)
			}
		},
		"failed": func(id string) {
			if _, err := drafted.Fail(ctx, anna, id, runs.Failure{Reason: runs.WorkerError, Message: "no answer", Recoverable: true}); err != nil {
				t.Error(err)
			}
		},
		"rejected": func(id string) {
			accept(id, "brief", func(o map[string]any) { o["verdict"], o["reason"] = "unusable", "no_goal" })
		},
		"waiting": func(id string) {
			for _, step := range []string{"brief", "scenarios.1", "scenarios"} {
				accept(id, step, as)
			}
		},
	}
	want := map[string]string{
		"pending": "planb draft run ", "stopped": "Stopped by anna@home: enough. If the user wants to go on, they run  planb draft resume ",
		"failed": "Failed: no answer. If the user wants to go on, they run  planb draft resume ", "rejected": "call task_create with it",
		"waiting": "It waits for the user at choose: tell them to answer with the key c in  planb tui drafts ", "completed": `Written. Call task_download {"task_id":"example"}`,
	}
	other := regexp.MustCompile(`\b(plan_|step_)[a-z_]+|example_prompts|model_profiles`)
	own := func(about string, a mcptest.Answer) {
		t.Helper()
		if found := other.FindString(a.Text()); found != "" {
			t.Errorf("%s names %s: %s", about, found, a.Text())
		}
	}
	for _, a := range empty {
		own("without a draft", a)
	}
	ids := map[string]string{"completed": runs.ExampleID}
	for name, to := range states {
		p, _, err := drafted.Create(ctx, agent, runs.Request{Prompt: prompt(t) + name, Session: session.ID, Detail: drafts.Brief, Start: drafted.Today()})
		if err != nil {
			t.Fatal(err)
		}
		ids[name] = p.ID
		to(p.ID)
	}
	for name, id := range ids {
		if got := c.Tool("task_status", map[string]any{"task_id": id}); !strings.Contains(strings.Join(got.Texts(), "\n"), want[name]) {
			t.Errorf("of one that is %s it does not say %q: %s", name, want[name], got.Text())
		}
		for _, tool := range []string{"task_status", "task_file_info", "task_download", "task_stop", "task_status"} {
			own(tool+" of one that is "+name, c.Tool(tool, map[string]any{"task_id": id}))
		}
	}
	own("task_list", c.Tool("task_list", nil))
	own("of an unknown one", c.Tool("task_status", map[string]any{"task_id": "none"}))
	own("prompt_examples", c.Tool("prompt_examples", nil))
}

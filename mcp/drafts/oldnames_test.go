package drafts_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"planb/mcp"
	"planb/mcp/mcptest"
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

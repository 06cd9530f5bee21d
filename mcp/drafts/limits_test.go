package drafts_test

import (
	"encoding/json"
	"strings"
	"testing"

	"planb/drafts/draftstest"
	"planb/mcp"
	"planb/mcp/mcptest"
)

// V2: what an agent is told of drafts before it calls anything takes at most 420 bytes.
func TestV2TheInstructionsAreShort(t *testing.T) {
	t.Parallel()
	told := func(sets ...string) string {
		c := mcptest.Connect(t, mcptest.NewWorld(t, func(cfg *mcp.Config) { cfg.Toolsets = sets }).Server)
		var hello struct{ Instructions string }
		if err := json.Unmarshal(c.Initialize("test").Result, &hello); err != nil {
			t.Fatal(err)
		}
		return hello.Instructions
	}
	own, found := strings.CutPrefix(told("session", "drafts"), told("session"))
	if !found || own == "" || len(own) > 420 {
		t.Errorf("of drafts it is told %d bytes: %s", len(own), own)
	}
}

// V21: the log of a plan has none of its prompt and none of its answers.
func TestV21TheLogHasNoTexts(t *testing.T) {
	t.Parallel()
	w := world(t, nil)
	person(t, w)
	c := connect(t, w, "codex")
	id := written(t, w, c, "wbs")
	log := c.Tool("plan_logs", map[string]any{"plan_id": id, "max_lines": 200}).Text()
	words := append(strings.Split(prompt(t), "."), strings.Split(string(draftstest.File(t, "facts.json")), `"`)...)
	for _, text := range words {
		if text = strings.TrimSpace(text); len(text) > 20 && strings.Contains(log, text) {
			t.Errorf("the log has %q", text)
		}
	}
	if !strings.Contains(log, `"step":"facts"`) {
		t.Errorf("the log is %s", log)
	}
}

// V22: a call reads at most 64 KiB of a file, whatever it asks for.
func TestV22AReadIsCapped(t *testing.T) {
	t.Parallel()
	w := world(t, nil)
	person(t, w)
	c := connect(t, w, "codex")
	id := written(t, w, c, "")
	got := c.Tool("plan_file_info", map[string]any{"plan_id": id, "artifact": "report", "offset": 0, "max_bytes": 1e8})
	if size, _ := got.Data["download_size"].(float64); len(got.Texts()[1]) > 64<<10 || int(size) <= len(got.Texts()[1]) || got.Data["next_offset"] != float64(len(got.Texts()[1])) {
		t.Errorf("%d bytes of %v", len(got.Texts()[1]), got.Data)
	}
}

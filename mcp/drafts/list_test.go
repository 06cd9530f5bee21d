package drafts_test

import (
	"bytes"
	"encoding/json"
	"testing"
	"unicode/utf8"

	"planb/mcp"
	"planb/mcp/mcptest"
)

// maxListBytes is how many bytes of tools/list the toolset may take: every conversation
// of its agents pays for each.
const maxListBytes = 8000

// V5, T1, T2; black box 1: planb's own names, and no tool that writes or approves a prompt.
func TestWhatAModelIsToldOfTheTools(t *testing.T) {
	t.Parallel()
	list := func(sets ...string) ([]json.RawMessage, int) {
		c := mcptest.Connect(t, mcptest.NewWorld(t, func(cfg *mcp.Config) { cfg.Toolsets = sets }).Server)
		c.Initialize("test")
		r := c.Request("tools/list", nil)
		var list struct{ Tools []json.RawMessage }
		if err := json.Unmarshal(r.Result, &list); err != nil {
			t.Fatal(err)
		}
		return list.Tools, len(bytes.TrimSpace(r.Line))
	}
	_, session := list("session")
	tools, both := list("session", "drafts")
	if n := both - session; n > maxListBytes {
		t.Errorf("the tools take %d bytes, at most %d are wanted", n, maxListBytes)
	} else {
		t.Logf("the tools take %d bytes", n)
	}
	own := 0
	for _, raw := range tools {
		var named struct{ Name, Description string }
		if err := json.Unmarshal(raw, &named); err != nil {
			t.Fatal(err)
		}
		if _, _, isDraft := bytes.Cut([]byte(named.Name), []byte("_")); !isDraft || !ofDrafts(named.Name) {
			continue
		}
		own++
		var pretty bytes.Buffer
		if err := json.Indent(&pretty, raw, "", "  "); err != nil {
			t.Fatal(err)
		}
		pretty.WriteByte('\n')
		if n := utf8.RuneCountInString(named.Description); n >= 2048 { // Claude Code cuts it there
			t.Errorf("the description of %s has %d characters", named.Name, n)
		}
		mcptest.Snapshot(t, "tools/"+named.Name+".json", pretty.Bytes())
	}
	if own != 15 {
		t.Errorf("%d tools are listed, want 15", own)
	}
}

func ofDrafts(name string) bool {
	switch name {
	case "plan_create", "plan_status", "plan_stop", "plan_resume", "plan_retry", "plan_list", "plan_file_info", "plan_download", "plan_logs",
		"step_next", "step_submit", "step_edit", "example_plans", "example_prompts", "model_profiles":
		return true
	}
	return false
}

// Section 10, toolset off: TestDraftsAreOffByDefault holds that who asks for no drafts is
// told of none, and that get_answer comes along.
func TestDraftsAreOffByDefault(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		sets   []string
		drafts bool
	}{{nil, false}, {[]string{"drafts"}, true}, {[]string{"all"}, true}} {
		c := mcptest.Connect(t, mcptest.NewWorld(t, func(cfg *mcp.Config) { cfg.Toolsets = row.sets }).Server)
		c.Initialize("test")
		said := c.Request("tools/list", nil).Result
		if got := bytes.Contains(said, []byte(`"plan_create"`)); got != row.drafts {
			t.Errorf("%v: plan_create is listed: %v", row.sets, got)
		}
		if n := bytes.Count(said, []byte(`"name":"get_answer"`)); n != 1 {
			t.Errorf("%v: get_answer is listed %d times", row.sets, n)
		}
	}
}

package mcp_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"planb/mcp"
	"planb/mcp/mcptest"
)

func TestWhatAModelIsToldBeforehand(t *testing.T) {
	c := mcptest.Connect(t, mcptest.NewWorld(t, nil).Server)
	hello := c.Initialize("test")
	var said struct {
		Instructions string `json:"instructions"`
	}
	if err := json.Unmarshal(hello.Result, &said); err != nil {
		t.Fatal(err)
	}
	mcptest.Snapshot(t, "instructions.txt", []byte(said.Instructions+"\n"))

	listed := c.Request("tools/list", nil)
	var list struct {
		Tools []json.RawMessage `json:"tools"`
	}
	if err := json.Unmarshal(listed.Result, &list); err != nil {
		t.Fatal(err)
	}
	for _, raw := range list.Tools {
		var named struct {
			Name         string          `json:"name"`
			Description  string          `json:"description"`
			OutputSchema json.RawMessage `json:"outputSchema"`
		}
		if err := json.Unmarshal(raw, &named); err != nil {
			t.Fatal(err)
		}
		if named.OutputSchema != nil {
			t.Errorf("%s has an outputSchema", named.Name)
		}
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
	if len(list.Tools) != 7 {
		t.Errorf("%d tools are listed, want the four of a session and the three of a review", len(list.Tools))
	}
}

// What a model is told beforehand names no tool that it is not offered, whatever toolsets a
// person turns on.
func TestInstructionsNameOnlyWhatIsOffered(t *testing.T) {
	t.Parallel()
	tools := func(toolsets ...string) (names []string, told string) {
		c := mcptest.Connect(t, mcptest.NewWorld(t, func(cfg *mcp.Config) { cfg.Toolsets = toolsets }).Server)
		var said struct{ Instructions string }
		if err := json.Unmarshal(c.Initialize("test").Result, &said); err != nil {
			t.Fatal(err)
		}
		var list struct{ Tools []struct{ Name string } }
		if err := json.Unmarshal(c.Request("tools/list", nil).Result, &list); err != nil {
			t.Fatal(err)
		}
		for _, tool := range list.Tools {
			names = append(names, tool.Name)
		}
		return names, said.Instructions
	}
	sets := []string{"session", "review", "tasks", "work", "drafts"}
	all, _ := tools(sets...)
	if _, told := tools("drafts-v1"); strings.Contains(told, "get_answer") {
		t.Errorf("drafts-v1 has no get_answer, and yet is told\n%s", told)
	}
	for n := 1; n < 1<<len(sets); n++ {
		var some []string
		for i, set := range sets {
			if n&(1<<i) != 0 {
				some = append(some, set)
			}
		}
		offered, told := tools(some...)
		for _, name := range all {
			if strings.Contains(told, name) && !slices.Contains(offered, name) {
				t.Errorf("with %s the instructions name %s, which is not offered", strings.Join(some, ", "), name)
			}
		}
	}
}

// get_answer comes with each toolset that asks the user, and names no tool that does not.
func TestGetAnswerIsDescribedWithoutOtherTools(t *testing.T) {
	c := mcptest.Connect(t, mcptest.NewWorld(t, func(cfg *mcp.Config) { cfg.Toolsets = []string{"all"} }).Server)
	c.Initialize("test")
	var list struct {
		Tools []struct{ Name, Description string }
	}
	if err := json.Unmarshal(c.Request("tools/list", nil).Result, &list); err != nil {
		t.Fatal(err)
	}
	described := ""
	for _, tool := range list.Tools {
		if tool.Name == "get_answer" {
			described = tool.Description
		}
	}
	for _, tool := range list.Tools {
		if described == "" || strings.Contains(described, tool.Name) {
			t.Errorf("get_answer names %s: %q", tool.Name, described)
		}
	}
}

// The other tools, which are offered on request.
func TestToolsOnRequest(t *testing.T) {
	c := mcptest.Connect(t, mcptest.NewWorld(t, func(cfg *mcp.Config) { cfg.Toolsets = []string{"all"} }).Server)
	c.Initialize("test")
	var list struct {
		Tools []json.RawMessage `json:"tools"`
	}
	if err := json.Unmarshal(c.Request("tools/list", nil).Result, &list); err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, raw := range list.Tools {
		var named struct{ Name, Description string }
		if err := json.Unmarshal(raw, &named); err != nil || names[named.Name] {
			t.Errorf("%s is listed twice, %v", named.Name, err)
		}
		names[named.Name] = true
		var pretty bytes.Buffer
		if err := json.Indent(&pretty, raw, "", "  "); err != nil {
			t.Fatal(err)
		}
		pretty.WriteByte('\n')
		if n := utf8.RuneCountInString(named.Description); n >= 2048 {
			t.Errorf("the description of %s has %d characters", named.Name, n)
		}
		mcptest.Snapshot(t, "tools/"+named.Name+".json", pretty.Bytes())
	}
	if len(names) < 18 {
		t.Errorf("%d tools are listed, want those of a session, of a review and of tasks", len(names))
	}
}

// The tool list is in every conversation of every agent.
func TestTheToolListIsSmall(t *testing.T) {
	size := func(toolsets ...string) int {
		c := mcptest.Connect(t, mcptest.NewWorld(t, func(cfg *mcp.Config) { cfg.Toolsets = toolsets }).Server)
		c.Initialize("test")
		return len(bytes.TrimSpace(c.Request("tools/list", nil).Line))
	}
	session, tasks, work := size("session"), size("session", "tasks"), size("session", "work")
	for _, list := range []struct {
		what      string
		got, most int
	}{
		{"of a session", session, 6900},
		{"of a review besides", size() - session, 2500},
		{"of tasks besides", tasks - session, 8600},
		{"that work tasks off, besides", work - session, 3200},
		{"that plan tasks, besides", tasks - work, 5500},
	} {
		if list.got > list.most {
			t.Errorf("the tools %s take %d bytes, at most %d are wanted", list.what, list.got, list.most)
		} else {
			t.Logf("the tools %s take %d bytes", list.what, list.got)
		}
	}
}

func TestToolsSayWhatTheyNeed(t *testing.T) {
	c := mcptest.Connect(t, mcptest.NewWorld(t, nil).Server)
	c.Initialize("test")
	said := string(c.Request("tools/list", nil).Result)
	for _, need := range []string{
		"AskUserQuestion", "one form", "tab", "illustrate", "NOT ANSWERED YET", "secrets",
		"anthropic/alwaysLoad", "readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint",
	} {
		if !strings.Contains(said, need) {
			t.Errorf("the tools do not mention %q", need)
		}
	}
}

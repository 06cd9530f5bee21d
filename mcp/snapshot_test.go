package mcp_test

import (
	"bytes"
	"encoding/json"
	"os"
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

// What tools say of themselves, and planb's own prompts, name no tool that is not offered, either.
func TestToolsAndPromptsNameOnlyWhatIsOffered(t *testing.T) {
	t.Parallel()
	skill, err := os.ReadFile("../skills/planb/SKILL.md")
	if err != nil {
		t.Fatal(err)
	}
	tell := func(toolsets ...string) (names []string, told map[string]string) {
		c := mcptest.Connect(t, mcptest.NewWorld(t, func(cfg *mcp.Config) { cfg.Toolsets, cfg.Skill = toolsets, string(skill) }).Server)
		c.Initialize("test")
		told = map[string]string{}
		var tools struct{ Tools []json.RawMessage }
		var prompts struct{ Prompts []struct{ Name string } }
		if err := json.Unmarshal(c.Request("tools/list", nil).Result, &tools); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(c.Request("prompts/list", nil).Result, &prompts); err != nil {
			t.Fatal(err)
		}
		for _, raw := range tools.Tools {
			var tool struct{ Name string }
			if err := json.Unmarshal(raw, &tool); err != nil {
				t.Fatal(err)
			}
			names, told["the tool "+tool.Name] = append(names, tool.Name), string(raw)
		}
		for _, prompt := range prompts.Prompts {
			got := c.Request("prompts/get", map[string]any{"name": prompt.Name, "arguments": map[string]string{"ARGUMENTS": "the harbour"}})
			told["the prompt "+prompt.Name] = string(got.Result)
		}
		return names, told
	}
	sets := []string{"session", "review", "tasks", "work", "drafts"}
	all, whole := tell(sets...)
	for _, want := range []string{"Prerequisite", "Steps", "5. Have it reviewed", "6. Tasks", "If the plan belongs in the project", "Rules"} {
		if !strings.Contains(whole["the prompt planb"], want) {
			t.Errorf("with all tools the prompt planb lacks %q", want)
		}
	}
	for n := 1; n < 1<<len(sets); n++ {
		var some []string
		for i, set := range sets {
			if n&(1<<i) != 0 {
				some = append(some, set)
			}
		}
		offered, told := tell(some...)
		for what, text := range told {
			for _, name := range all {
				if strings.Contains(text, name) && !slices.Contains(offered, name) {
					t.Errorf("with %s %s names %s, which is not offered", strings.Join(some, ", "), what, name)
				}
			}
		}
	}
	_, told := tell("session")
	for _, want := range []string{"the harbour", "## Prerequisite\\n\\nYou need the tools `init_planb_session`", "## Steps\\n\\n### 1. Open one session", "### 4. Save the plan", "## Rules"} {
		if !strings.Contains(told["the prompt planb"], want) {
			t.Errorf("with session alone the prompt planb lacks %q:\n%s", want, told["the prompt planb"])
		}
	}
	for _, gone := range []string{"Have it reviewed", "6. Tasks", "The user closed the review"} {
		if strings.Contains(told["the prompt planb"], gone) {
			t.Errorf("with session alone the prompt planb has %q", gone)
		}
	}
	_, told = tell("review")
	if text := told["the prompt plan"]; !strings.Contains(text, "## Reflect") || !strings.Contains(text, "ask your user") || !strings.Contains(text, "the harbour") {
		t.Errorf("with review alone the prompt plan is\n%s", text)
	}
}

// With review alone, refusals name none of the session's tools.
func TestRefusalsNameOnlyWhatIsOffered(t *testing.T) {
	t.Parallel()
	a := mcptest.NewAuthor(t, func(cfg *mcp.Config) { cfg.Toolsets = []string{"review"} })
	nobody := "00000000-0000-4000-8000-000000000000"
	for _, call := range []struct {
		tool string
		args map[string]any
		want string
	}{
		{"write_plan", map[string]any{"planName": "a", "content": "x", "sessionId": nobody}, "Unknown sessionId \"" + nobody + "\". Leave it out, or pass one that you were given."},
		{"submit_plan", map[string]any{}, "planName is missing: pass the name of a plan that write_plan wrote."},
		{"submit_plan", map[string]any{"planName": "a"}, "There is no plan yet. Write it first, with write_plan."},
		{"edit_plan", map[string]any{"planName": "a", "oldString": "x", "newString": "y"}, "There is no plan yet. Write it first, with write_plan."},
	} {
		got := a.Tool(call.tool, call.args)
		if !got.IsError || !strings.Contains(got.Text(), call.want) || strings.Contains(got.Text(), "save_plan") {
			t.Errorf("%s %v: %s", call.tool, call.args, got.Text())
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

package mcp_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"planb/mcp"
	"planb/mcp/mcptest"
)

func TestA3PromptFile(t *testing.T) {
	a := mcptest.NewAuthor(t, func(cfg *mcp.Config) { cfg.PromptFile = "prompts/mine.md" })
	path := filepath.Join(a.Project, "prompts", "mine.md")
	_, own := mcptest.NewAuthor(t, nil).Prompt("plan", map[string]string{"ARGUMENTS": "the harbour"})
	// It is read each time.
	for _, step := range []struct{ file, want string }{
		{"Plan $ARGUMENTS.\n", "Plan the harbour.\n"},
		{"Think first: $ARGUMENTS", "Think first: the harbour"},
	} {
		a.Put(t, path, step.file)
		if description, text := a.Prompt("plan", map[string]string{"ARGUMENTS": "the harbour"}); text != step.want || description != "Enter plan mode." {
			t.Errorf("of %q came %q, %q", step.file, text, description)
		}
	}
	// What cannot be read is told, and planb's own prompt stands in.
	for name, spoil := range map[string]func() error{
		"no such file": func() error { return os.Remove(path) },
		"is empty":     func() error { return os.WriteFile(path, []byte(" \n"), 0o600) },
		"its byte 2":   func() error { return os.WriteFile(path, []byte("a\xff"), 0o600) },
		"at most":      func() error { return os.WriteFile(path, bytes.Repeat([]byte("a"), 1<<20+1), 0o600) },
		"is not a file": func() error {
			if err := os.Remove(path); err != nil {
				return err
			}
			return os.Mkdir(path, 0o700)
		},
	} {
		_ = os.RemoveAll(path)
		a.Put(t, path, "x")
		if err := spoil(); err != nil {
			t.Fatal(err)
		}
		description, text := a.Prompt("plan", map[string]string{"ARGUMENTS": "the harbour"})
		for _, said := range []string{description, text} {
			if !strings.Contains(said, "The prompt file that planb was started with cannot be used: ") || !strings.Contains(said, name) || !strings.Contains(said, path) {
				t.Errorf("%s: it says %.200q", name, said)
			}
		}
		if !strings.HasSuffix(text, own) || !strings.Contains(text, "Tell your user so") {
			t.Errorf("%s: planb's own prompt does not stand in", name)
		}
		if err := os.RemoveAll(path); err != nil {
			t.Fatal(err)
		}
	}
}

func TestA5OnePromptForPlans(t *testing.T) {
	a := mcptest.NewAuthor(t, func(cfg *mcp.Config) { cfg.Skill = "---\nname: x\n---\n\n# Together\n\nPlan: $ARGUMENTS" })
	listed := a.Request("prompts/list", nil)
	var pretty bytes.Buffer
	if err := json.Indent(&pretty, listed.Result, "", "  "); err != nil {
		t.Fatal(err)
	}
	mcptest.Snapshot(t, "prompts.json", append(pretty.Bytes(), '\n'))
	if description, _ := a.Prompt("plan", map[string]string{"ARGUMENTS": "x"}); description != "Enter plan mode." {
		t.Errorf("its description is %q", description)
	}
	r := a.Request("prompts/get", map[string]any{"name": "x"})
	if r.Error == nil || r.Error.Code != -32602 || r.Error.Message != "Prompt 'x' not found" {
		t.Errorf("a prompt that does not exist: %+v", r.Error)
	}
	if _, text := a.Prompt("planb", map[string]string{"ARGUMENTS": "the harbour"}); text != "# Together\n\nPlan: the harbour" {
		t.Errorf("the skill says %q", text)
	}
	if _, text := a.Prompt("planb", nil); text != "# Together\n\nPlan: " {
		t.Errorf("without a task the skill says %q", text)
	}
}

func TestA5PromptsAreThoseOfTheirTools(t *testing.T) {
	for toolsets, want := range map[string]string{"session": "planb", "review": "plan", "session,review": "plan,planb", "drafts": "draft", "all": "draft,plan,planb"} {
		w := mcptest.NewWorld(t, func(cfg *mcp.Config) { cfg.Toolsets, cfg.Skill = strings.Split(toolsets, ","), "x" })
		c := mcptest.Connect(t, w.Server)
		c.Initialize("test")
		var listed struct{ Prompts []struct{ Name string } }
		if err := json.Unmarshal(c.Request("prompts/list", nil).Result, &listed); err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, p := range listed.Prompts {
			names = append(names, p.Name)
		}
		if got := strings.Join(names, ","); got != want {
			t.Errorf("with %s there are %s, want %s", toolsets, got, want)
		}
	}
}

func TestTheDraftPromptNeedsADraft(t *testing.T) {
	c := mcptest.Connect(t, mcptest.NewWorld(t, func(cfg *mcp.Config) { cfg.Toolsets = []string{"drafts"} }).Server)
	c.Initialize("somebody")
	for _, given := range []map[string]string{nil, {"ARGUMENTS": ""}} {
		got := c.Request("prompts/get", map[string]any{"name": "draft", "arguments": given})
		if got.Error == nil || !strings.Contains(got.Error.Message, "the id of a draft") {
			t.Errorf("with %v: %s", given, got.Line)
		}
	}
}

func TestA6Substitution(t *testing.T) {
	a := mcptest.NewAuthor(t, func(cfg *mcp.Config) { cfg.PromptFile = "p.md" })
	for _, test := range []struct {
		body  string
		given map[string]string
		want  string
	}{
		{"$ARGUMENTS", map[string]string{"ARGUMENTS": "x"}, "x"},
		{"a$ARGUMENTS.$ARGUMENTS-b", map[string]string{"ARGUMENTS": "x"}, "ax.x-b"},
		{"$ARGUMENTS", nil, "$ARGUMENTS"},
		{"$OTHER $$ $ $5 $", map[string]string{"ARGUMENTS": "x"}, "$OTHER $$ $ $5 $"},
		{"$ARGUMENTS2 $ARGUMENTSä $ARGUMENTS_", map[string]string{"ARGUMENTS": "x"}, "$ARGUMENTS2 $ARGUMENTSä $ARGUMENTS_"},
		{"$ONE $TWO", map[string]string{"ONE": "$TWO", "TWO": "2"}, "$TWO 2"},
		{"$ARGUMENTS!", map[string]string{"ARGUMENTS": ""}, "!"},
	} {
		a.Put(t, filepath.Join(a.Project, "p.md"), test.body)
		if _, text := a.Prompt("plan", test.given); text != test.want {
			t.Errorf("%q with %v: got %q, want %q", test.body, test.given, text, test.want)
		}
	}
}

func TestA7TheDefaultPrompt(t *testing.T) {
	_, text := mcptest.NewAuthor(t, nil).Prompt("plan", map[string]string{"ARGUMENTS": "Build a harbour."})
	at := 0
	for _, part := range []string{
		"## Explore", "## Reflect", "ask_user", "## Generate", "write_plan", "Overview", "Technical Approach", "Implementation Steps",
		"Testing Plan", "Files to Modify", "Additional Notes", "submit_plan", "edit_plan", "<task>\nBuild a harbour.\n</task>\n",
	} {
		i := strings.Index(text[at:], part)
		if i < 0 {
			t.Fatalf("behind %.40q there is no %q", text[at:], part)
		}
		at += i
	}
}

// What of a prompt an agent reads who has no tool called gone.
func TestAPromptWithoutATool(t *testing.T) {
	t.Parallel()
	for what, c := range map[string]struct{ whole, left string }{
		"a paragraph that names it goes":                {"One.\n\nCall gone.\n\nTwo.", "One.\n\nTwo."},
		"its name alone counts":                         {"Undergone, gone_by.\n\nUse `gone`.", "Undergone, gone_by."},
		"a list is one paragraph":                       {"One.\n\n- a\n- gone\n- b", "One."},
		"a section that begins with it goes":            {"# A\n\nCall gone.\n\nThen read.\n\n# B\n\nTwo.", "# B\n\nTwo."},
		"of another section only the paragraph goes":    {"# A\n\nOne.\n\nCall gone.\n\nTwo.\n\n# B\n\nThree.", "# A\n\nOne.\n\nTwo.\n\n# B\n\nThree."},
		"a part keeps its heading":                      {"# A\n\n## 1\n\nCall gone.\n\n## 2\n\nTwo.", "# A\n\n## 2\n\nTwo."},
		"a section below one that goes is not about it": {"# A\n\nCall gone.\n\n## 1\n\nOne.", "## 1\n\nOne."},
		"the last section goes, too":                    {"One.\n\n# A\n\nCall gone.", "One."},
		"nothing goes":                                  {"One.\n\n# A\n\nTwo.\n", "One.\n\n# A\n\nTwo.\n"},
	} {
		if got := mcp.OfferedOnly(c.whole, "gone"); got != c.left {
			t.Errorf("%s: of %q is left %q, want %q", what, c.whole, got, c.left)
		}
	}
}

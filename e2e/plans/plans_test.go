package plans_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	sdk "github.com/mark3labs/mcp-go/mcp"

	"planb/e2e/rig"
)

// Flags end where the submit command begins. Everything after that belongs to
// the command.
func TestA4WhatFollowsTheFlagsIsTheSubmitCommand(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the command is a shell script")
	}
	project, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(project, "mine.md"), []byte("Plan $ARGUMENTS."), 0o600); err != nil {
		t.Fatal(err)
	}
	a := rig.StartAgent(t, t.TempDir(), []string{"CLAUDE_PROJECT_DIR=" + project},
		"--plans-dir", "notes", "--prompt-file", "mine.md", "sh", "-c", `echo "$@"; cat "$4"`, "review", "--plans-dir", "x", "--help")
	path := filepath.Join(project, "notes", "harbour-plan.md")
	if got := a.Call("write_plan", map[string]any{"planName": "harbour", "content": "# Harbour\n"}); got.IsError || !strings.Contains(got.String(), path) {
		t.Fatal(got)
	}
	got := a.Call("submit_plan", map[string]any{"planName": "harbour"})
	var said struct {
		Approved bool
		Feedback string
	}
	if err := json.Unmarshal([]byte(got.Texts[0]), &said); err != nil || got.IsError {
		t.Fatal(got)
	}
	if want := "--plans-dir x --help " + path + "\n# Harbour\n"; said.Approved || said.Feedback != want {
		t.Errorf("got %+v, want %q", said, want)
	}
	request := sdk.GetPromptRequest{}
	request.Params.Name, request.Params.Arguments = "plan", map[string]string{"ARGUMENTS": "the harbour"}
	prompt, err := a.Client.GetPrompt(t.Context(), request)
	if err != nil || len(prompt.Messages) != 1 {
		t.Fatalf("%+v, %v", prompt, err)
	}
	if text, ok := prompt.Messages[0].Content.(sdk.TextContent); !ok || text.Text != "Plan the harbour." {
		t.Errorf("the prompt is %+v", prompt.Messages[0])
	}
	request.Params.Name = "planb"
	if prompt, err = a.Client.GetPrompt(t.Context(), request); err != nil || len(prompt.Messages) != 1 {
		t.Fatalf("%+v, %v", prompt, err)
	}
	if text, ok := prompt.Messages[0].Content.(sdk.TextContent); !ok || !strings.HasPrefix(text.Text, "# Plan together\n\nPlan this with the user, and do not implement it yet: the harbour\n") {
		t.Errorf("the skill is %+v", prompt.Messages[0])
	}
}

package main_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// commentID is a comment's id as feedback has it.
var commentID = regexp.MustCompile(`\(id ([A-Z2-7]{12})\)`)

// An agent writes a plan, its person asks for a change on a line, the agent makes
// it, and the person approves what was really read: a real client, a real file, real
// panes.
func TestAPlanIsWrittenReviewedChangedAndApproved(t *testing.T) {
	t.Parallel()
	data, dir, tm := t.TempDir(), t.TempDir(), startTmux(t, 200, 50)
	home := tm.panes()[0]
	a := startAgent(t, data, tm.environment(home), "--plans-dir", dir)
	file := filepath.Join(dir, "retries-plan.md")
	plan := func(tool string, arguments map[string]any) string {
		t.Helper()
		arguments["planName"] = "retries"
		got := a.call(tool, arguments)
		if got.isError {
			t.Fatalf("%s: %s", tool, got)
		}
		return got.String()
	}
	submit := func(texts ...string) (*pending, string) {
		t.Helper()
		call := a.start("submit_plan", map[string]any{"planName": "retries"})
		pane := tm.newPane(home)
		tm.shows(pane, texts...)
		return call, pane
	}
	if got := plan("write_plan", map[string]any{"content": firstRetriesPlan}); !strings.Contains(got, `"planPath":"`+file+`"`) {
		t.Fatal(got)
	}

	call, pane := submit("Retries of the webhook sender", "Then drop them", "v1")
	tm.ready(pane)
	for _, step := range []struct{ key, shows string }{
		{"n", "line 3 of 23"}, {"n", "line 7 of 23"}, {"Down", "line 9 of 23"}, {"Down", "line 10 of 23"}, {"Down", "line 11 of 23"},
	} {
		tm.keys(pane, step.key)
		tm.shows(pane, step.shows)
	}
	tm.keys(pane, "c")
	tm.shows(pane, "● comment")
	tm.text(pane, "Dropping is not fine: park them.")
	tm.shows(pane, "park them.")
	tm.keys(pane, "C-s")
	tm.shows(pane, "1 comment")
	tm.keys(pane, "r")
	tm.second(pane, "Request changes: v1", "With it: 1 comment.")
	tm.keys(pane, "C-s")
	got := call.reply()
	if want := `{"approved":false,"feedback":"# Plan review: changes requested\n\n## Steps\n\n### Line 11: comment (id ID)\n\n` +
		`> 2. Then drop them, and write a line to the log.\n\nDropping is not fine: park them.\n"}`; commentID.ReplaceAllString(got.texts[0], "(id ID)") != want {
		t.Errorf("the agent received %s\nwant %s", got.texts[0], want)
	}
	tm.gone(pane)

	plan("edit_plan", map[string]any{"oldString": "Then drop them, and write a line to the log.", "newString": "Then park them for 30 days."})
	if text := readFile(t, file); text != strings.Replace(firstRetriesPlan, "Then drop them, and write a line to the log.", "Then park them for 30 days.", 1) {
		t.Errorf("the file holds\n%s", text)
	}
	call, pane = submit("you reviewed v", "Then drop them", "Then park them for 30 days.")
	tm.ready(pane)
	tm.keys(pane, "Escape")
	tm.shows(pane, "1 addressed", "said before · addressed: the text changed", "Dropping is not fine: park them.")
	tm.keys(pane, "a")
	tm.second(pane, "Approve: v2")
	tm.keys(pane, "Enter")
	got = call.reply()
	if got.texts[0] != `{"approved":true}` || !strings.Contains(got.texts[1], "version 2 of the plan") {
		t.Errorf("the agent received %s", got)
	}
	tm.gone(pane)

	// What was approved is that text; a later one is not.
	if got := plan("edit_plan", map[string]any{"oldString": "30 days", "newString": "30 years"}); !strings.Contains(got, "version 3 is NOT approved") {
		t.Errorf("the agent received %s", got)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("in the plans directory: %v, %v", left, err)
	}
}

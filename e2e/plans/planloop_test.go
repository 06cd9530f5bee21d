package plans_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"planb/e2e/rig"
)

// commentID finds a comment's id in the feedback.
var commentID = regexp.MustCompile(`\(id ([A-Z2-7]{12})\)`)

// An agent writes a plan, the person asks for a change of a line, the agent
// makes it, and the person approves exactly the version that they read. The
// client, the file and the panes are real.
func TestAPlanIsWrittenReviewedChangedAndApproved(t *testing.T) {
	t.Parallel()
	data, dir, tm := t.TempDir(), t.TempDir(), rig.StartTmux(t, 200, 50)
	home := tm.FirstPane()
	a := rig.StartAgent(t, data, tm.Environment(home), "--plans-dir", dir)
	file := filepath.Join(dir, "retries-plan.md")
	plan := func(tool string, arguments map[string]any) string {
		t.Helper()
		arguments["planName"] = "retries"
		got := a.Call(tool, arguments)
		if got.IsError {
			t.Fatalf("%s: %s", tool, got)
		}
		return got.String()
	}
	submit := func(texts ...string) (*rig.Pending, string) {
		t.Helper()
		call := a.Start("submit_plan", map[string]any{"planName": "retries"})
		pane := tm.NewPane(home)
		tm.Shows(pane, texts...)
		return call, pane
	}
	if got := plan("write_plan", map[string]any{"content": rig.RetriesPlan}); !strings.Contains(got, `"planPath":"`+file+`"`) {
		t.Fatal(got)
	}

	call, pane := submit("Retries of the webhook sender", "Then drop them", "v1")
	tm.Ready(pane)
	for _, step := range []struct{ key, shows string }{
		{"n", "line 3 of 23"}, {"n", "line 7 of 23"}, {"Down", "line 9 of 23"}, {"Down", "line 10 of 23"}, {"Down", "line 11 of 23"},
	} {
		tm.Keys(pane, step.key)
		tm.Shows(pane, step.shows)
	}
	tm.Keys(pane, "c")
	tm.Shows(pane, "● comment")
	tm.Text(pane, "Dropping is not fine: park them.")
	tm.Shows(pane, "park them.")
	tm.Keys(pane, "C-s")
	tm.Shows(pane, "1 comment")
	tm.Keys(pane, "r")
	tm.ReadyDialog(pane, "Request changes to v1", "With it: 1 comment.")
	tm.Keys(pane, "C-s")
	got := call.Reply()
	if want := `{"approved":false,"feedback":"# Plan review: changes requested\n\n## Steps\n\n### Line 11: comment (id ID)\n\n` +
		`> 2. Then drop them, and write a line to the log.\n\nDropping is not fine: park them.\n"}`; commentID.ReplaceAllString(got.Texts[0], "(id ID)") != want {
		t.Errorf("the agent received %s\nwant %s", got.Texts[0], want)
	}
	tm.Gone(pane)

	plan("edit_plan", map[string]any{"oldString": "Then drop them, and write a line to the log.", "newString": "Then park them for 30 days."})
	if text := rig.ReadFile(t, file); text != strings.Replace(rig.RetriesPlan, "Then drop them, and write a line to the log.", "Then park them for 30 days.", 1) {
		t.Errorf("the file holds\n%s", text)
	}
	call, pane = submit(" → v", "Then drop them", "Then park them for 30 days.")
	tm.Ready(pane)
	tm.Keys(pane, "Escape")
	tm.Shows(pane, "1 addressed", "earlier comment   ✓ addressed", "Dropping is not fine: park them.")
	tm.Keys(pane, "a")
	tm.ReadyDialog(pane, "Approve v2")
	tm.Keys(pane, "Enter")
	got = call.Reply()
	if got.Texts[0] != `{"approved":true}` || !strings.Contains(got.Texts[1], "version 2 of the plan") {
		t.Errorf("the agent received %s", got)
	}
	tm.Gone(pane)

	// The approval is for that text; a later text is not approved.
	if got := plan("edit_plan", map[string]any{"oldString": "30 days", "newString": "30 years"}); !strings.Contains(got, "version 3 is NOT approved") {
		t.Errorf("the agent received %s", got)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("in the plans directory: %v, %v", left, err)
	}
}

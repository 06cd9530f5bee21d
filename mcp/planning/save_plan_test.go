package planning_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"planb/mcp"
	"planb/mcp/mcptest"
	"planb/plans/review"
)

func TestACopyThatAPersonEditedIsLeftAlone(t *testing.T) {
	t.Parallel()
	var dir string
	w := mcptest.NewWorld(t, func(cfg *mcp.Config) { dir = cfg.DataDir })
	c := mcptest.Connect(t, w.Server)
	c.Initialize("test")
	session := c.Session()
	path := fmt.Sprintf("%s/plans/%s/v1.md", dir, session)
	save := func() mcptest.Answer {
		return c.Tool("save_plan", map[string]any{"sessionId": session, "plan": "# Plan"})
	}
	save()
	for _, test := range []struct{ there, left, says string }{
		{"# Plan\nmy own line", "# Plan\nmy own line", "\nThe file at that path differs from this version: " +
			"the user may have edited it, so it was left as it is."},
		{"# Plan", "# Plan", ""},
		{"", "# Plan", ""},
	} {
		if err := os.WriteFile(path, []byte(test.there), 0o600); err != nil {
			t.Fatal(err)
		}
		got := save()
		want := "Saved plan v1 for session " + session + "\npath: " + path + test.says + "\nunchanged"
		if got.IsError || got.Text() != want || (got.Data["copyDiffers"] == true) != (test.says != "") {
			t.Errorf("over %q: got %q, %v, want %q", test.there, got.Text(), got.Data, want)
		}
		mcptest.WantFile(t, path, test.left)
	}
	if text, err := w.Store.PlanText(t.Context(), session, 1); err != nil || text.Raw() != "# Plan" {
		t.Errorf("the store has %q, %v", text.Raw(), err)
	}
}

func TestASavedPlanIsNotApprovedByTheOneBefore(t *testing.T) {
	t.Parallel()
	w, c, session := mcptest.Planned(t, nil)
	call := c.StartTool("submit_plan", map[string]any{"sessionId": session})
	ask := w.Opened(1)[0]
	w.Settle(ask.ID, mcptest.Says(t, mcptest.ReviewedPlan, review.Review{Verdict: review.Approve}))
	c.Answer(call)
	save := func(text string) string {
		return c.Tool("save_plan", map[string]any{"sessionId": session, "plan": text}).Text()
	}
	const lapsed = "\nThe user approved version 1 of this plan; version 2 is NOT approved: submit it before you carry it out."
	if got := save(mcptest.ReviewedPlan); strings.Contains(got, "approved") {
		t.Errorf("what was approved: %q", got)
	}
	if got := save(mcptest.ReviewedPlan + "More.\n"); !strings.HasSuffix(got, lapsed) {
		t.Errorf("another version: %q", got)
	}
}

package mcp_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"planb/mcp"
	"planb/plans/review"
)

func TestACopyThatAPersonEditedIsLeftAlone(t *testing.T) {
	var dir string
	w := newWorld(t, func(cfg *mcp.Config) { dir = cfg.DataDir })
	c := connect(t, w.Server)
	c.initialize("test")
	session := c.session()
	path := fmt.Sprintf("%s/plans/%s/v1.md", dir, session)
	save := func() answer { return c.tool("save_plan", map[string]any{"sessionId": session, "plan": "# Plan"}) }
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
		if got.IsError || got.text() != want || (got.data["copyDiffers"] == true) != (test.says != "") {
			t.Errorf("over %q: got %q, %v, want %q", test.there, got.text(), got.data, want)
		}
		wantFile(t, path, test.left)
	}
	if text, err := w.store.PlanText(t.Context(), session, 1); err != nil || text.Raw() != "# Plan" {
		t.Errorf("the store has %q, %v", text.Raw(), err)
	}
}

func TestASavedPlanIsNotApprovedByTheOneBefore(t *testing.T) {
	w, c, session := planned(t, nil)
	call := c.startTool("submit_plan", map[string]any{"sessionId": session})
	ask := w.opened(1)[0]
	w.settle(ask.ID, says(t, reviewedPlan, review.Review{Verdict: review.Approve}))
	c.answer(call)
	save := func(text string) string {
		return c.tool("save_plan", map[string]any{"sessionId": session, "plan": text}).text()
	}
	const lapsed = "\nThe user approved version 1 of this plan; version 2 is NOT approved: submit it before you carry it out."
	if got := save(reviewedPlan); strings.Contains(got, "approved") {
		t.Errorf("what was approved: %q", got)
	}
	if got := save(reviewedPlan + "More.\n"); !strings.HasSuffix(got, lapsed) {
		t.Errorf("another version: %q", got)
	}
}

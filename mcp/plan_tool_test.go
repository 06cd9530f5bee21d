package mcp_test

import (
	"fmt"
	"os"
	"testing"

	"planb/mcp"
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

package panes_test

import (
	"path/filepath"
	"testing"

	"planb/e2e/rig"
)

// A terminal that became wider shows nothing of a screen that is closed.
func TestNothingShowsThroughInAWiderTerminal(t *testing.T) {
	t.Parallel()
	plan := filepath.Join(t.TempDir(), "plan.md")
	rig.WriteFile(t, plan, "# Uploads\n\nThe uploads that are on the disk of the web server go to a bucket.\n\nThen it ends.\n")
	tm := rig.StartTmux(t, 40, 24)
	pane := tm.Open(t.TempDir(), "review", plan)
	tm.Shows(pane, "go to a bucket.", "c comment")
	tm.Keys(pane, "Down", "s")
	tm.Shows(pane, "new text instead of line 3")
	tm.Text(pane, " Soon.")
	tm.Shows(pane, "Soon.", "1 remark")
	tm.Run("resize-window", "-t", pane, "-x", "80", "-y", "24")
	tm.Shows(pane, "enter new line", "1 suggestion")
	tm.Keys(pane, "Escape")
	tm.Shows(pane, "brings back what you wrote")
	tm.Lacks(pane, "1 suggestion")
	tm.Lacks(pane, "Soon.")
}

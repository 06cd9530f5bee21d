package scripts_test

import (
	"testing"

	"planb/e2e/rig"
)

// In a real tmux doctor names what is wrong with it, and opens and closes a
// pane.
func TestDoctorTriesAPane(t *testing.T) {
	t.Parallel()
	data, tm := t.TempDir(), rig.StartTmux(t, 120, 60)
	tm.Run("set-option", "-s", "escape-time", "500")
	shell := tm.OpenShell(data, true)
	tm.Text(shell, rig.Planb(t)+" doctor --try")
	tm.Keys(shell, "Enter")
	tm.Shows(shell, "120 columns × 60 rows", "tmux waits 500 ms after Esc", "set -sg escape-time 10",
		"✓ forms open in", "tmux: TMUX is set", "✓ a test pane", "opened, and closed by itself", "planb works; ")
	if panes := tm.Panes(); len(panes) != 2 {
		t.Errorf("the panes are %v, want tmux's first and the shell's", panes)
	}
}

package main_test

import "testing"

// In a real tmux: what is wrong with it is named, and a pane opens and closes.
func TestDoctorTriesAPane(t *testing.T) {
	t.Parallel()
	data, tm := t.TempDir(), startTmux(t, 120, 60)
	tm.run("set-option", "-s", "escape-time", "500")
	shell := tm.openShell(data, true)
	tm.text(shell, planb(t)+" doctor --try")
	tm.keys(shell, "Enter")
	tm.shows(shell, "120 columns × 60 rows", "tmux waits 500 ms after Esc", "set -sg escape-time 10",
		"✓ forms open in", "tmux: TMUX is set", "✓ a pane to try", "opened, and closed by itself", "planb works; ")
	if panes := tm.panes(); len(panes) != 2 {
		t.Errorf("the panes are %v, want tmux's first and the shell's", panes)
	}
}

package drafts_test

import (
	"regexp"
	"testing"

	"planb/e2e/rig"
)

// Who leaves the demo at its first form leaves an open draft behind. The next demo does not
// write into it: it names the command that stops that draft, and begins again after it.
func TestTheDemoNamesTheOpenDraftOfAnEarlierOne(t *testing.T) {
	t.Parallel()
	data, tm := t.TempDir(), rig.StartTmux(t, 170, 45)
	shell := tm.OpenShell(data, false)
	run := func(command string) {
		tm.Text(shell, "clear; "+command)
		tm.Keys(shell, "Enter")
	}
	demo := rig.Planb(t) + " demo draft"
	run(demo)
	tm.Shows(shell, "Choose a way")
	tm.Ready(shell)
	tm.Keys(shell, "C-c")
	tm.Shows(shell, "Save for later")
	tm.Text(shell, "l")
	tm.Shows(shell, "kept for later")
	run(demo)
	tm.Shows(shell, "of an earlier demo is still open", "and run the demo again")
	id := regexp.MustCompile(`draft stop ([0-9a-f]{8})`).FindStringSubmatch(tm.Screen(shell))
	if id == nil {
		t.Fatalf("the demo names no draft to stop:\n%s", tm.Screen(shell))
	}
	run(rig.Planb(t) + " draft stop " + id[1])
	tm.Shows(shell, "stopped")
	run(demo)
	tm.Shows(shell, "Choose a way")
}

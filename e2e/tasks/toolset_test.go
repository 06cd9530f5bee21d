package tasks_test

import (
	"encoding/json"
	"os/exec"
	"strings"
	"testing"

	"planb/e2e/rig"
)

// A person turns the tools of tasks on and off while a server runs: its client is notified
// and finds them in the list, and no longer.
func TestTheToolsOfTasksAreTurnedOnWhileAServerRuns(t *testing.T) {
	t.Parallel()
	home, project := t.TempDir(), t.TempDir()
	in := func(args ...string) *exec.Cmd {
		cmd := exec.Command(rig.Planb(t), args...)
		cmd.Dir, cmd.Env = project, []string{"HOME=" + home, "PLANB_DATA_DIR=" + home}
		return cmd
	}
	server := in("mcp")
	w := rig.WireTo(t, server, home)
	w.ShakeHands()
	hasTools := func(id string) bool {
		t.Helper()
		w.Send(`{"jsonrpc":"2.0","id":` + id + `,"method":"tools/list"}`)
		listed, err := json.Marshal(w.Receive())
		if err != nil {
			t.Fatal(err)
		}
		return strings.Contains(string(listed), "claim_task")
	}
	turn := func(how string) {
		t.Helper()
		if out, err := in("tasks", how).CombinedOutput(); err != nil {
			t.Fatalf("%s: %v", out, err)
		}
		if got := w.Receive(); got["method"] != "notifications/tools/list_changed" {
			t.Fatalf("turned %s, the server says %v", how, got)
		}
	}
	if hasTools("10") {
		t.Error("the tools of tasks are listed from the start")
	}
	turn("on")
	if !hasTools("11") {
		t.Error("the tools that were turned on are not listed")
	}
	turn("off")
	if hasTools("12") {
		t.Error("the tools that were turned off are listed")
	}
}

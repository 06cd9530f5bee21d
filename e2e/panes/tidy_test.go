package panes_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"planb/e2e/rig"
	"planb/store"
)

// tidied creates two sessions with plans, and an agent that continues one of
// them.
func tidied(t *testing.T) (data string, a *rig.Agent, live, over string) {
	t.Helper()
	data = t.TempDir()
	a = rig.StartAgent(t, data, []string{"ASK_NO_OPEN=1"})
	over, live = a.Session("Paint it blue"), a.Session("Build the shed")
	for _, session := range []string{over, live} {
		if got := a.Call("save_plan", map[string]any{"sessionId": session, "plan": "# A plan"}).String(); !strings.HasPrefix(got, "Saved plan v1") {
			t.Fatal(got)
		}
	}
	return data, a, live, over
}

func TestSessionsAreArchivedWhileOneGoesOn(t *testing.T) {
	t.Parallel()
	data, a, live, over := tidied(t)
	tm := rig.StartTmux(t, 120, 30)
	first, second := tm.Open(data, "tui", "retro"), tm.Open(data, "tui")
	tm.Shows(first, "Sessions  2", "Paint it blue", "Build the shed")
	tm.Shows(second, "Sessions  2")
	tm.Keys(first, "End", "a")
	tm.Shows(first, "Archived: “Paint it blue”", "Sessions  1", "1 archived")
	tm.Shows(second, "Sessions  1", "1 archived") // another list is told of it
	a.Call("save_plan", map[string]any{"sessionId": live, "plan": "# Another plan"})
	tm.Shows(first, "plan v2")
	tm.Keys(first, "u")
	tm.Shows(first, "Sessions  2", "Paint it blue")
	tm.Keys(first, "End", "a") // End selects a row of the list as it is now
	tm.Shows(first, "Sessions  1", "1 archived")
	a.Call("save_plan", map[string]any{"sessionId": over, "plan": "# A plan for blue"})
	tm.Shows(first, "Sessions  2", "Paint it blue") // an agent that continues a session unarchives it
	tm.Keys(first, "q")
	tm.Gone(first)
}

func TestSessionsAreDeletedWhenTheListIsLeft(t *testing.T) {
	t.Parallel()
	data, _, live, over := tidied(t)
	tm := rig.StartTmux(t, 120, 30)
	copies := filepath.Join(data, "plans", over)
	st := rig.OpenStore(t, data)
	there := func() bool {
		t.Helper()
		_, inStore := st.Session(t.Context(), over)
		_, inFiles := os.Stat(filepath.Join(copies, "v1.md"))
		unknown := new(store.UnknownError)
		if gone := errors.As(inStore, &unknown); gone != errors.Is(inFiles, fs.ErrNotExist) {
			t.Fatalf("it is half there: %v, %v", inStore, inFiles)
		}
		return inStore == nil
	}
	delete := func(pane string) {
		t.Helper()
		tm.Shows(pane, "Sessions  2")
		tm.Keys(pane, "End", "D")
		tm.Shows(pane, "Delete “Paint it blue”?", "1 plan version", "a readable copy in", "plans/"+over)
		tm.Keys(pane, "y")
		tm.Shows(pane, "Sessions  1", "1 deleted")
	}
	killed := tm.Open(data, "tui", "retro")
	delete(killed)
	rig.Kill(t, tm.Format(killed, "#{pane_pid}"))
	tm.Gone(killed)
	if !there() {
		t.Fatal("a list that was killed has deleted a session")
	}
	undone := tm.Open(data, "tui", "retro")
	delete(undone)
	tm.Keys(undone, "u")
	tm.Shows(undone, "Not deleted: “Paint it blue”", "Sessions  2")
	tm.Keys(undone, "q")
	tm.Gone(undone)
	if !there() {
		t.Fatal("a deletion that was undone has deleted a session")
	}
	shell := tm.OpenShell(data, true)
	tm.Text(shell, rig.Planb(t)+" tui")
	tm.Keys(shell, "Enter")
	delete(shell)
	tm.Keys(shell, "q")
	tm.Shows(shell, "Deleted: “Paint it blue”")
	if there() {
		t.Error("it is still there")
	}
	if _, err := os.Stat(copies); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the directory of its copies: %v", err)
	}
	if _, err := st.Session(t.Context(), live); err != nil {
		t.Error(err)
	}
	if a, err := st.Audit(t.Context()); err != nil || len(a.Problems) > 0 || a.Remains > 0 {
		t.Errorf("%+v, %v", a, err)
	}
}

package main_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"planb/store"
)

// tidied are two sessions with plans, and an agent that goes on in one of them.
func tidied(t *testing.T) (data string, a *agent, live, over string) {
	t.Helper()
	data = t.TempDir()
	a = startAgent(t, data, []string{"ASK_NO_OPEN=1"})
	over, live = a.session("Paint it blue"), a.session("Build the shed")
	for _, session := range []string{over, live} {
		if got := a.call("save_plan", map[string]any{"sessionId": session, "plan": "# A plan"}).String(); !strings.HasPrefix(got, "Saved plan v1") {
			t.Fatal(got)
		}
	}
	return data, a, live, over
}

func TestSessionsAreArchivedWhileOneGoesOn(t *testing.T) {
	t.Parallel()
	data, a, live, over := tidied(t)
	tm := startTmux(t, 120, 30)
	first, second := tm.open(data, "tui", "retro"), tm.open(data, "tui")
	tm.shows(first, "2 sessions", "Paint it blue", "Build the shed")
	tm.shows(second, "2 sessions")
	tm.keys(first, "End", "a")
	tm.shows(first, "Archived, u undoes it: “Paint it blue”", "1 session · 1 archived")
	tm.shows(second, "1 session · 1 archived") // another list hears of it
	a.call("save_plan", map[string]any{"sessionId": live, "plan": "# Another plan"})
	tm.shows(first, "plan v2")
	tm.keys(first, "u")
	tm.shows(first, "2 sessions", "Paint it blue")
	tm.keys(first, "End", "a") // End chooses a row of the list as it is now
	tm.shows(first, "1 session · 1 archived")
	a.call("save_plan", map[string]any{"sessionId": over, "plan": "# A plan for blue"})
	tm.shows(first, "2 sessions", "Paint it blue") // who goes on in it takes it out
	tm.keys(first, "q")
	tm.gone(first)
}

func TestSessionsAreDeletedWhenTheListIsLeft(t *testing.T) {
	t.Parallel()
	data, _, live, over := tidied(t)
	tm := startTmux(t, 120, 30)
	copies := filepath.Join(data, "plans", over)
	st := openStore(t, data)
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
		tm.shows(pane, "2 sessions")
		tm.keys(pane, "End", "D")
		tm.shows(pane, "Delete “Paint it blue”?", "1 plan version", "a readable copy in", "plans/"+over)
		tm.keys(pane, "y")
		tm.shows(pane, "1 session · 1 deleted")
	}
	killed := tm.open(data, "tui", "retro")
	delete(killed)
	kill(t, tm.run("display-message", "-p", "-t", killed, "#{pane_pid}"))
	tm.gone(killed)
	if !there() {
		t.Fatal("a list that was killed has deleted a session")
	}
	undone := tm.open(data, "tui", "retro")
	delete(undone)
	tm.keys(undone, "u")
	tm.shows(undone, "Not deleted: “Paint it blue”", "2 sessions")
	tm.keys(undone, "q")
	tm.gone(undone)
	if !there() {
		t.Fatal("a deletion that was undone has deleted a session")
	}
	shell := tm.openShell(data, true)
	tm.text(shell, planb(t)+" tui")
	tm.keys(shell, "Enter")
	delete(shell)
	tm.keys(shell, "q")
	tm.shows(shell, "Deleted: “Paint it blue”")
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

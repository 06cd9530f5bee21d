package panes_test

import (
	"path/filepath"
	"strings"
	"testing"

	"planb/e2e/rig"
	"planb/questions"
)

const historySession = "00000000-0000-7000-8000-00000000aaaa"

// openHistory starts a tmux with a data directory that rig.FillHistory filled.
func openHistory(t *testing.T, width, height int) (*rig.Tmux, string, map[string]string) {
	t.Helper()
	tm := rig.StartTmux(t, width, height)
	data := t.TempDir()
	return tm, data, rig.FillHistory(data, func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	})
}

// A person steps through a session, opens its asks and plans, and sees what
// happens meanwhile.
func TestStoryInATerminal(t *testing.T) {
	t.Parallel()
	tm, data, asks := openHistory(t, 120, 40)
	pane := tm.Open(data, "tui", "retro", "0000aaaa")
	tm.Shows(pane, "Where to keep it", "9 of 9", "Asked: Backups", "The plan then: v2 Keep it simple", "+1 −0")
	tm.Keys(pane, "Home", "Down", "Down")
	tm.Shows(pane, "3 of 9", "Answered: Storage", "ann@desk", "60 s after it was", "Which database?", "→ SQLite, one file",
		"Note: for now", "Led to: plan v1", "Cited in: plan v2, line 3; plan v1, line 3")
	tm.Keys(pane, "Enter")
	tm.Shows(pane, "Answered", "SQLite, one file", "q or esc")
	tm.Keys(pane, "Escape")
	tm.Shows(pane, "3 of 9")
	tm.Keys(pane, "Home", "n")
	tm.Shows(pane, "Plan v1: Keep it", "Follows from: answered “Storage”")
	tm.Keys(pane, "n", "Enter")
	tm.Shows(pane, "Keep it simple · v2", "One file, see")
	tm.Keys(pane, "Escape")
	tm.Shows(pane, "8 of 9")
	tm.Keys(pane, "End")
	st := rig.OpenStore(t, data)
	if _, err := st.Settle(t.Context(), asks["OPEN"], questions.Outcome{State: questions.Withdrawn, By: "bob@home"}); err != nil {
		t.Fatal(err)
	}
	tm.Shows(pane, "10 of 10", "Withdrawn: Backups")
}

// A plan goes to the clipboard through tmux, to the pager cleaned, and to the
// editor as a copy. Editing the copy changes nothing and leaves no file behind.
func TestTakingAPlanOut(t *testing.T) {
	t.Parallel()
	tm, data, _ := openHistory(t, 90, 30)
	bin, out, tmp := t.TempDir(), t.TempDir(), t.TempDir()
	program := filepath.Join(bin, "program")
	script := "#!/bin/sh\ncp \"$2\" \"$OUT/$1\" && echo changed >> \"$2\" && echo \"$# $1 opened $2\" && read -r _\n"
	if err := rig.WriteProgram(program, script); err != nil {
		t.Fatal(err)
	}
	tm.Run("set-option", "-s", "set-clipboard", "on")
	for _, variable := range []string{"OUT=" + out, "TMPDIR=" + tmp, "PAGER=" + program + " pager", "VISUAL=" + program + " editor"} {
		name, value, _ := strings.Cut(variable, "=")
		tm.Run("set-environment", "-g", name, value)
	}
	pane := tm.Open(data, "tui", "retro", "0000bbbb@v1")
	const exact = "# Evil \x1b[2J\u202e\r\n"
	tm.Shows(pane, "Evil ␛[2J")
	tm.Keys(pane, "y")
	tm.Shows(pane, "The Markdown of v1 is in the clipboard")
	rig.Until(t, "tmux to have it", func() bool {
		copied, err := tm.Try("save-buffer", "-")
		return err == nil && copied == strings.TrimRight(exact, "\n")
	})
	for key, want := range map[string]string{"v": "# Evil ␛[2J\uFFFD\n", "e": exact} {
		name := map[string]string{"v": "pager", "e": "editor"}[key]
		tm.Keys(pane, key)
		tm.Shows(pane, "2 "+name+" opened "+tmp)
		if got := rig.ReadFile(t, filepath.Join(out, name)); got != want {
			t.Errorf("the %s got %q, want %q", name, got, want)
		}
		tm.Keys(pane, "Enter")
		tm.Shows(pane, "That was a copy. What is kept here did not change.")
		if left, _ := filepath.Glob(filepath.Join(tmp, "planb-*")); len(left) > 0 {
			t.Errorf("the %s left %v", name, left)
		}
		tm.Keys(pane, "g") // removes the sentence
	}
	text, err := rig.OpenStore(t, data).PlanText(t.Context(), strings.Replace(historySession, "aaaa", "bbbb", 1), 1)
	if err != nil || text.Raw() != exact {
		t.Errorf("the plan is %q now, %v", text.Raw(), err)
	}
}

package main_test

import (
	"strings"
	"testing"
)

// The README's first command, in tmux and on a terminal without it.
func TestDemoShowsTheWholeWay(t *testing.T) {
	t.Parallel()
	for name, inTmux := range map[string]bool{"in tmux": true, "on any terminal": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			data, tm := t.TempDir(), startTmux(t, 170, 45)
			home := tm.panes()[0]
			demo := tm.openShell(data, inTmux)
			tm.text(demo, planb(t)+" demo")
			tm.keys(demo, "Enter")
			form := demo
			if inTmux {
				tm.shows(demo, "The form is open in the pane beside this one.")
				form = tm.newPane(home, demo)
			}
			tm.shows(form, "Offline edits in the inspection app")
			tm.ready(form)
			tm.keys(form, "C-NPage")
			tm.shows(form, "Two people changed one inspection.")
			tm.text(form, "1")
			tm.shows(form, "1/5 answered")
			tm.text(form, "12")
			tm.shows(form, "2/5 answered")
			tm.keys(form, "C-NPage")
			tm.keys(form, "Tab")
			tm.text(form, "The harbour office")
			tm.shows(form, "3/5 answered")
			tm.keys(form, "C-s")
			tm.shows(form, "3 of 5 answered, 2 open")
			tm.keys(form, "C-s")
			tm.shows(demo, `"conflict": "fields"`, "Saved plan v1 for session", "Everything is kept in", data+"/planb.db", "tui retro ")
			screen := tm.screen(demo)
			_, after, _ := strings.Cut(screen, "Saved plan v1 for session ")
			session := strings.Fields(after)[0]
			// The command may be longer than the pane is wide.
			if !strings.Contains(strings.ReplaceAll(screen, "\n", ""), "tui retro "+session) {
				t.Errorf("the demo does not say how to look at session %s:\n%s", session, screen)
			}
			retro := tm.open(data, "tui", "retro", session)
			tm.shows(retro, "planb demo", "What the demo decided")
		})
	}
}

// What is no answer is not made into a plan.
func TestDemoSavesNoPlanWithoutAnswers(t *testing.T) {
	t.Parallel()
	data, tm := t.TempDir(), startTmux(t, 120, 40)
	demo := tm.openShell(data, false)
	tm.text(demo, planb(t)+" demo")
	tm.keys(demo, "Enter")
	tm.shows(demo, "Offline edits in the inspection app")
	tm.ready(demo)
	tm.keys(demo, "C-c")
	tm.shows(demo, "Decline")
	tm.text(demo, "d")
	tm.shows(demo, "eason")
	tm.keys(demo, "C-s")
	tm.shows(demo, "User cancelled.", "No plan is saved", "Everything is kept in")
}

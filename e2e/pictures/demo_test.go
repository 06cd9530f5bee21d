package pictures_test

import (
	"strings"
	"testing"

	"planb/e2e/rig"
)

// The README's first command works in tmux and on a terminal without it.
func TestDemoShowsTheWholeWay(t *testing.T) {
	t.Parallel()
	for name, inTmux := range map[string]bool{"in tmux": true, "on any terminal": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			data, tm := t.TempDir(), rig.StartTmux(t, 170, 45)
			home := tm.FirstPane()
			demo := tm.OpenShell(data, inTmux)
			tm.Text(demo, rig.Planb(t)+" demo")
			tm.Keys(demo, "Enter")
			form := demo
			if inTmux {
				tm.Shows(demo, "The form is open in the pane beside this one.")
				form = tm.NewPane(home, demo)
			}
			tm.Shows(form, "Offline edits in the inspection app")
			tm.Ready(form)
			tm.Keys(form, "C-NPage")
			tm.Shows(form, "Two people changed one inspection.")
			tm.Text(form, "1")
			tm.Shows(form, "1/5")
			tm.Text(form, "12")
			tm.Shows(form, "2/5")
			tm.Keys(form, "C-NPage")
			tm.Keys(form, "Tab")
			tm.Text(form, "The harbour office")
			tm.Shows(form, "3/5")
			tm.Keys(form, "C-s")
			tm.Shows(form, "3 of 5 answered, 2 open")
			tm.Keys(form, "C-s")
			tm.Shows(demo, `"conflict": "fields"`, "Saved plan v1 for session", "Everything is kept in", data+"/planb.db", "tui retro ")
			screen := tm.Screen(demo)
			for _, once := range []string{"Saved plan v1", "tui retro ", "planb demo ·"} {
				if n := strings.Count(screen, once); n != 1 {
					t.Errorf("%q is printed %d times:\n%s", once, n, screen)
				}
			}
			_, after, _ := strings.Cut(screen, "Saved plan v1 for session ")
			session := strings.Fields(after)[0]
			// The command may be longer than the pane is wide.
			if !strings.Contains(strings.ReplaceAll(screen, "\n", ""), "tui retro "+session) || len(session) != 8 {
				t.Errorf("the demo does not say how to look at session %s:\n%s", session, screen)
			}
			retro := tm.Open(data, "tui", "retro", session)
			tm.Shows(retro, "planb demo", "What the demo decided")
		})
	}
}

// The demo makes no plan of an outcome that is not an answer.
func TestDemoSavesNoPlanWithoutAnswers(t *testing.T) {
	t.Parallel()
	data, tm := t.TempDir(), rig.StartTmux(t, 120, 40)
	demo := tm.OpenShell(data, false)
	tm.Text(demo, rig.Planb(t)+" demo")
	tm.Keys(demo, "Enter")
	tm.Shows(demo, "Offline edits in the inspection app")
	tm.Ready(demo)
	tm.Keys(demo, "C-c")
	tm.Shows(demo, "Decline")
	tm.Text(demo, "d")
	tm.Shows(demo, "eason")
	tm.Keys(demo, "C-s")
	tm.Shows(demo, "planb says to the agent: User cancelled.", "No plan is saved", "Everything is kept in")
}

// A person who put off what comes up in the window, or lets planb open nothing, has still asked
// for the demo: its form shows in place of it.
func TestDemoShowsItsFormWhereNoPaneMayComeUp(t *testing.T) {
	t.Parallel()
	data, tm := t.TempDir(), rig.StartTmux(t, 170, 45)
	home := tm.FirstPane()
	demo := tm.OpenShell(data, true)
	run := func(command string) {
		tm.Text(demo, "clear; "+command)
		tm.Keys(demo, "Enter")
	}
	run(rig.Planb(t) + " demo")
	form := tm.NewPane(home, demo)
	tm.Ready(form)
	tm.Keys(form, "C-c")
	tm.Shows(form, "Save for later")
	tm.Text(form, "l")
	tm.Gone(form)
	tm.Keys(demo, "C-c")
	rig.Until(t, "the demo to end", func() bool { // by itself, if the agent hears of the person before the key comes
		said := tm.Screen(demo)
		return strings.Contains(said, "the question is kept") || strings.Contains(said, "Everything is kept in")
	})
	run(rig.Planb(t) + " demo")
	tm.Shows(demo, "What happens today")
	tm.Ready(demo)
	tm.Keys(demo, "C-c")
	tm.Shows(demo, "Save for later")
	tm.Text(demo, "l")
	tm.Shows(demo, "kept for later")

	other := tm.OpenShell(data, true)
	tm.Text(other, "ASK_NO_OPEN=1 "+rig.Planb(t)+" demo")
	tm.Keys(other, "Enter")
	tm.Shows(other, "What happens today")
}

package panes_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"planb/e2e/rig"
	"planb/questions"
)

// These tests run the inbox beside an agent in a real tmux.

func TestTheInboxRings(t *testing.T) {
	t.Parallel()
	data, tm := t.TempDir(), rig.StartTmux(t, 120, 30)
	tm.Run("set-option", "-g", "display-time", "0") // a message stays
	person, terminal := tm.Attach()
	inbox := tm.Open(data, "tui")
	tm.Shows(inbox, "Nothing has been asked yet.")
	a := rig.StartAgent(t, data, []string{"ASK_NO_OPEN=1"})
	session := a.Session("Rings")
	first := a.Start("ask_user", rig.Arguments(t, session, rig.NameForm))
	tm.Shows(inbox, "Waiting for you  1", "Test Agent", "myproj", "agent waits")
	rig.Until(t, "the window is marked by the bell", func() bool { return tm.Format(inbox, "#{window_bell_flag}") == "1" })
	rig.Until(t, "the title counts", func() bool { return tm.Format(inbox, "#{pane_title}") == "planb · 1 waiting" })
	person.Shows(terminal, "planb: Test Agent asks: ")

	// With all its signals switched off the inbox only shows.
	home := t.TempDir()
	config := filepath.Join(home, "planb", "config.toml")
	if err := os.MkdirAll(filepath.Dir(config), 0o700); err != nil {
		t.Fatal(err)
	}
	silence := "[ring]\nbell = false\ntitle = false\ndesktop = false\nmessage = false\n"
	if err := os.WriteFile(config, []byte(silence), 0o600); err != nil {
		t.Fatal(err)
	}
	silent := tm.NewWindow("-e", "PLANB_DATA_DIR="+data, "-e", "XDG_CONFIG_HOME="+home,
		"-e", "LC_ALL=C.UTF-8", "--", rig.Planb(t), "tui")
	tm.Shows(silent, "Waiting for you  1")
	tm.Run("select-window", "-t", inbox)
	tm.Run("select-window", "-t", "work:0")
	if got := tm.Format(inbox, "#{window_bell_flag}"); got != "0" {
		t.Fatalf("the bell's mark is %q after it was looked at", got)
	}
	second := a.Start("ask_user", rig.Arguments(t, session, strings.Replace(rig.NameForm, "called", "called then", 1)))
	rig.Until(t, "the other inbox rings", func() bool { return tm.Format(inbox, "#{window_bell_flag}") == "1" })
	tm.Shows(silent, "Waiting for you  2")
	if got := tm.Format(silent, "#{window_bell_flag} #{pane_title}"); got != "0 planb" {
		t.Errorf("the silent one has mark and title %q", got)
	}

	// Several forms are answered one after the other.
	for _, answer := range []struct {
		name string
		call *rig.Pending
	}{{"Aurora", first}, {"Borealis", second}} {
		tm.Keys(inbox, "Home", "Enter")
		tm.Ready(inbox)
		tm.Text(inbox, answer.name)
		tm.Shows(inbox, answer.name)
		tm.Keys(inbox, "C-s")
		tm.Shows(inbox, "1 answer sent to Test Agent")
		if got, want := answer.call.Reply().String(), `{"name":"`+answer.name+`"}`; got != want {
			t.Errorf("the agent received %q, want %q", got, want)
		}
	}
}

func TestWithdrawnInTheInbox(t *testing.T) {
	t.Parallel()
	data, tm := t.TempDir(), rig.StartTmux(t, 120, 30)
	a := rig.StartAgent(t, data, []string{"ASK_NO_OPEN=1"})
	session := a.Session("Withdrawn")
	call := a.Start("ask_user", rig.Arguments(t, session, rig.NameForm))
	inbox := tm.Open(data, "tui")
	tm.Shows(inbox, "agent waits")
	tm.Keys(inbox, "Home", "w")
	tm.Shows(inbox, "Withdraw “", "be undone.")
	tm.Keys(inbox, "Enter")
	if call.Early() != nil {
		t.Fatal("the call has returned before anything was confirmed")
	}
	tm.Shows(inbox, "s snooze")
	tm.Keys(inbox, "w", "y")
	if got := call.Reply().String(); got != "The question was withdrawn." {
		t.Errorf("the agent received %q", got)
	}
	if got := rig.OnlyAsk(t, data, session).Outcome.State; got != questions.Withdrawn {
		t.Errorf("the store holds %q", got)
	}
}

func TestASnoozeSurvivesTheInbox(t *testing.T) {
	t.Parallel()
	data, tm := t.TempDir(), rig.StartTmux(t, 120, 30)
	a := rig.StartAgent(t, data, []string{"ASK_NO_OPEN=1"})
	session := a.Session("Snoozed")
	call := a.Start("ask_user", rig.Arguments(t, session, rig.NameForm))
	inbox := tm.Open(data, "tui")
	tm.Shows(inbox, "Waiting for you  1")
	tm.Keys(inbox, "Home", "s")
	tm.Shows(inbox, "1 hour")
	tm.Keys(inbox, "2")
	tm.Shows(inbox, "snoozed until ", "Snoozed until ")
	tm.Keys(inbox, "q")
	tm.Gone(inbox)

	shell := tm.OpenShell(data, true)
	tm.Text(shell, "echo \"<$("+rig.Planb(t)+" status)>\"")
	tm.Keys(shell, "Enter")
	tm.Shows(shell, "<>")
	again := tm.Open(data, "tui")
	tm.Shows(again, "snoozed until ")
	if call.Early() != nil {
		t.Fatal("the snooze ended the call")
	}
	tm.Keys(again, "Home", "Enter")
	tm.Ready(again)
	tm.Text(again, "Aurora")
	tm.Keys(again, "C-s")
	if got := call.Reply().String(); got != `{"name":"Aurora"}` {
		t.Errorf("the agent received %q", got)
	}
}

func TestAFormThatPopsUpRingsItsWindow(t *testing.T) {
	t.Parallel()
	data, tm := t.TempDir(), rig.StartTmux(t, 160, 40)
	_, _ = tm.Attach()
	home := tm.FirstPane()
	tm.Run("new-window", "-t", "work:9", "cat") // the person is there meanwhile
	a := rig.StartAgent(t, data, tm.Environment(home))
	call := a.Start("ask_user", rig.Arguments(t, a.Session("Bell"), rig.NameForm))
	popped := tm.NewPane(home, tm.Format("work:9", "#{pane_id}"))
	tm.Ready(popped)
	rig.Until(t, "the form's window is marked by the bell", func() bool { return tm.Format(popped, "#{window_bell_flag}") == "1" })
	tm.Text(popped, "Aurora")
	tm.Keys(popped, "C-s")
	call.Reply()
}

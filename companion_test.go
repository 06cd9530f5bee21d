package main_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"planb/questions"
)

// These tests run the companion beside an agent in a real tmux.

// watch attaches a terminal to the session, as a person's, so that there is
// somebody to show messages to; it is a pane of another tmux.
func (tm *tmuxServer) watch() (*tmuxServer, string) {
	tm.t.Helper()
	person := startTmux(tm.t, 120, 30)
	pane := person.run("new-window", "-d", "-P", "-F", "#{pane_id}", "--", "env", "-u", "TMUX", "LC_ALL=C.UTF-8", "tmux", "-S", tm.socket, "attach", "-t", "work")
	until(tm.t, "somebody is attached", func() bool { return tm.run("list-clients") != "" })
	return person, pane
}

func (tm *tmuxServer) flag(pane, format string) string {
	tm.t.Helper()
	return tm.run("display-message", "-p", "-t", pane, format)
}

func TestTheCompanionRings(t *testing.T) {
	t.Parallel()
	data, tm := t.TempDir(), startTmux(t, 120, 30)
	tm.run("set-option", "-g", "display-time", "0") // a message stays
	person, terminal := tm.watch()
	companion := tm.open(data, "tui")
	tm.shows(companion, "Nothing has been asked yet.")
	a := startAgent(t, data, []string{"ASK_NO_OPEN=1"})
	session := a.session("Rings")
	first := a.start("ask_user", arguments(t, session, nameSpec))
	tm.shows(companion, "1 waiting", "Test Agent", "myproj", "agent waits")
	until(t, "the window is marked by the bell", func() bool { return tm.flag(companion, "#{window_bell_flag}") == "1" })
	until(t, "the title counts", func() bool { return tm.flag(companion, "#{pane_title}") == "planb · 1 waiting" })
	person.shows(terminal, "planb: Test Agent asks: ")

	// With everything switched off it only shows.
	home := t.TempDir()
	config := filepath.Join(home, "planb", "config.toml")
	if err := os.MkdirAll(filepath.Dir(config), 0o700); err != nil {
		t.Fatal(err)
	}
	silence := "[ring]\nbell = false\ntitle = false\ndesktop = false\nmessage = false\n"
	if err := os.WriteFile(config, []byte(silence), 0o600); err != nil {
		t.Fatal(err)
	}
	silent := tm.run("new-window", "-d", "-P", "-F", "#{pane_id}", "-e", "PLANB_DATA_DIR="+data, "-e", "XDG_CONFIG_HOME="+home,
		"-e", "LC_ALL=C.UTF-8", "--", planb(t), "tui")
	tm.shows(silent, "1 waiting")
	tm.run("select-window", "-t", companion)
	tm.run("select-window", "-t", "work:0")
	if got := tm.flag(companion, "#{window_bell_flag}"); got != "0" {
		t.Fatalf("the bell's mark is %q after it was looked at", got)
	}
	second := a.start("ask_user", arguments(t, session, strings.Replace(nameSpec, "called", "called then", 1)))
	until(t, "the other companion rings", func() bool { return tm.flag(companion, "#{window_bell_flag}") == "1" })
	tm.shows(silent, "2 waiting")
	if got := tm.flag(silent, "#{window_bell_flag} #{pane_title}"); got != "0 planb" {
		t.Errorf("the silent one has mark and title %q", got)
	}

	// Several are answered one after the other.
	for _, name := range []string{"Aurora", "Borealis"} {
		tm.keys(companion, "Home", "Enter")
		tm.ready(companion)
		tm.text(companion, name)
		tm.shows(companion, name)
		tm.keys(companion, "C-s")
		tm.shows(companion, "1 answer sent to Test Agent")
	}
	got := first.reply().String() + second.reply().String()
	if got != `{"name":"Aurora"}{"name":"Borealis"}` {
		t.Errorf("the agent received %q", got)
	}
}

func TestWithdrawnInTheCompanion(t *testing.T) {
	t.Parallel()
	data, tm := t.TempDir(), startTmux(t, 120, 30)
	a := startAgent(t, data, []string{"ASK_NO_OPEN=1"})
	session := a.session("Withdrawn")
	call := a.start("ask_user", arguments(t, session, nameSpec))
	companion := tm.open(data, "tui")
	tm.shows(companion, "agent waits")
	tm.keys(companion, "Home", "w")
	tm.shows(companion, "Withdraw “", "This cannot be undone.")
	tm.keys(companion, "Enter", "Escape")
	if call.early() != nil {
		t.Fatal("the call has returned before anything was confirmed")
	}
	tm.shows(companion, "s snooze")
	tm.keys(companion, "w", "y")
	if got := call.reply().String(); got != "The question was withdrawn." {
		t.Errorf("the agent received %q", got)
	}
	if got := onlyAsk(t, data, session).Outcome.State; got != questions.Withdrawn {
		t.Errorf("the store holds %q", got)
	}
}

func TestASnoozeSurvivesTheCompanion(t *testing.T) {
	t.Parallel()
	data, tm := t.TempDir(), startTmux(t, 120, 30)
	a := startAgent(t, data, []string{"ASK_NO_OPEN=1"})
	session := a.session("Snoozed")
	call := a.start("ask_user", arguments(t, session, nameSpec))
	companion := tm.open(data, "tui")
	tm.shows(companion, "1 waiting")
	tm.keys(companion, "Home", "s")
	tm.shows(companion, "2 1 hour")
	tm.keys(companion, "2")
	tm.shows(companion, "snoozed until ", "Snoozed until ")
	tm.keys(companion, "q")
	tm.gone(companion)

	shell := tm.openShell(data, true)
	tm.text(shell, "echo \"<$("+planb(t)+" status)>\"")
	tm.keys(shell, "Enter")
	tm.shows(shell, "<>")
	again := tm.open(data, "tui")
	tm.shows(again, "snoozed until ")
	if call.early() != nil {
		t.Fatal("the snooze ended the call")
	}
	tm.keys(again, "Home", "Enter")
	tm.ready(again)
	tm.text(again, "Aurora")
	tm.keys(again, "C-s")
	if got := call.reply().String(); got != `{"name":"Aurora"}` {
		t.Errorf("the agent received %q", got)
	}
}

func TestAFormThatPopsUpRingsItsWindow(t *testing.T) {
	t.Parallel()
	data, tm := t.TempDir(), startTmux(t, 160, 40)
	_, _ = tm.watch()
	home := tm.panes()[0]
	tm.run("new-window", "-t", "work:9", "cat") // where the person is meanwhile
	a := startAgent(t, data, tm.environment(home))
	call := a.start("ask_user", arguments(t, a.session("Bell"), nameSpec))
	popped := tm.newPane(home, tm.run("display-message", "-p", "-t", "work:9", "#{pane_id}"))
	tm.ready(popped)
	until(t, "the form's window is marked by the bell", func() bool { return tm.flag(popped, "#{window_bell_flag}") == "1" })
	tm.text(popped, "Aurora")
	tm.keys(popped, "C-s")
	call.reply()
}

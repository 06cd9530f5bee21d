//go:build unix

package main_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A person may have a form open where they don't see it: in a tmux that is
// detached, on a machine at home. These tests open one form twice.

func TestAFormOpenTwiceTakesTheFirstAnswer(t *testing.T) {
	t.Parallel()
	data, tm := t.TempDir(), startTmux(t, 160, 40)
	home := tm.panes()[0]
	a := startAgent(t, data, tm.environment(home))
	session := a.session("Twice")
	call := a.start("ask_user", arguments(t, session, nameSpec))
	popped := tm.newPane(home)
	tm.ready(popped)
	shell := tm.openShell(data, true)
	tm.text(shell, planb(t)+" tui ask")
	tm.keys(shell, "Enter")
	tm.shows(shell, "What shall it be called?", "Also open in another pane")
	tm.shows(popped, "Also open in another pane")

	tm.text(popped, "Aurora")
	tm.text(shell, "Borealis")
	tm.shows(popped, "Aurora")
	tm.shows(shell, "Borealis")
	// Both send before either can store, so that neither hears of the other first.
	open := holdStore(t, data)
	tm.keys(popped, "C-s")
	tm.keys(shell, "C-s")
	tm.shows(popped, "Sending …")
	tm.shows(shell, "Sending …")
	open()

	winner, loser, lost := "Aurora", shell, "Borealis"
	switch got := call.reply().String(); got {
	case `{"name":"Aurora"}`:
		tm.gone(popped)
	case `{"name":"Borealis"}`:
		winner, loser, lost = "Borealis", popped, "Aurora"
	default:
		t.Fatalf("the agent received %q", got)
	}
	tm.shows(loser, "answered elsewhere by", "yours stays on record")
	if got := a.call("get_answer", map[string]any{"sessionId": session}).String(); !strings.HasPrefix(got, "Nothing waits in this session") {
		t.Errorf("once delivered, get_answer gave %q", got)
	}
	asks, err := openStore(t, data).Asks(t.Context(), session)
	if err != nil || len(asks) != 1 || len(asks[0].Late) != 1 {
		t.Fatalf("the store holds %+v, %v", asks, err)
	}
	first, _ := asks[0].Outcome.Reply.Answers["name"].Text()
	late, _ := asks[0].Late[0].Reply.Answers["name"].Text()
	if first != winner || late != lost {
		t.Errorf("the store holds %q, and %q as late; want %q and %q", first, late, winner, lost)
	}
	tm.enter(loser)
	tm.keys(loser, "Escape")
	if loser == shell {
		tm.shows(shell, "Not counted: ", `You had entered: {"answers":{"name":"Borealis"}}`)
	} else {
		tm.gone(popped)
	}
}

// What was typed and never sent is the person's: it is printed when they leave.
func TestAFormAnsweredElsewhereGivesBackWhatWasTyped(t *testing.T) {
	t.Parallel()
	data, tm := t.TempDir(), startTmux(t, 160, 40)
	home := tm.panes()[0]
	a := startAgent(t, data, tm.environment(home))
	call := a.start("ask_user", arguments(t, a.session("Elsewhere"), nameSpec))
	popped := tm.newPane(home)
	tm.ready(popped)
	shell := tm.openShell(data, true)
	tm.text(shell, planb(t)+" tui ask")
	tm.keys(shell, "Enter")
	tm.shows(shell, "Also open in another pane")
	tm.text(shell, "half a na")
	tm.shows(shell, "half a na")
	tm.text(popped, "Aurora")
	tm.keys(popped, "C-s")
	if got := call.reply().String(); got != `{"name":"Aurora"}` {
		t.Errorf("the agent received %q", got)
	}
	tm.gone(popped)
	tm.shows(shell, "answered elsewhere by")
	tm.enter(shell)
	tm.keys(shell, "Escape")
	tm.shows(shell, "Not counted: ", `You had entered: {"answers":{"name":"half a na"}}`)
}

// The pane beside the agent closes by itself when the person, who never touched
// it, has answered somewhere else.
func TestAPaneNobodyTouchedClosesWhenAnsweredElsewhere(t *testing.T) {
	t.Parallel()
	data, tm := t.TempDir(), startTmux(t, 160, 40)
	home := tm.panes()[0]
	a := startAgent(t, data, tm.environment(home))
	call := a.start("ask_user", arguments(t, a.session("Away"), nameSpec))
	popped := tm.newPane(home)
	tm.ready(popped)
	companion := tm.open(data, "tui")
	tm.shows(companion, "Waiting for you")
	tm.keys(companion, "Enter")
	tm.shows(companion, "What shall it be called?", "Also open in another pane")
	tm.text(companion, "Aurora")
	tm.keys(companion, "C-s")
	if got := call.reply().String(); got != `{"name":"Aurora"}` {
		t.Errorf("the agent received %q", got)
	}
	tm.gone(popped)
}

// holdStore keeps every process out of the store until open is called. Those
// that wait give up after five seconds.
func holdStore(t *testing.T, dataDir string) (open func()) {
	t.Helper()
	turnstile, err := os.OpenFile(filepath.Join(dataDir, "planb.db.turn"), os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Flock(int(turnstile.Fd()), syscall.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	return func() {
		if err := turnstile.Close(); err != nil {
			t.Error(err)
		}
	}
}

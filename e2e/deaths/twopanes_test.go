//go:build unix

package deaths_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"planb/e2e/rig"
)

// A person may have a form open where they don't see it: in a tmux that is
// detached, on a machine at home. These tests open one form twice.

func TestAFormOpenTwiceTakesTheFirstAnswer(t *testing.T) {
	t.Parallel()
	data, tm := t.TempDir(), rig.StartTmux(t, 160, 40)
	home := tm.Panes()[0]
	a := rig.StartAgent(t, data, tm.Environment(home))
	session := a.Session("Twice")
	call := a.Start("ask_user", rig.Arguments(t, session, rig.NameForm))
	popped := tm.NewPane(home)
	tm.Ready(popped)
	shell := tm.OpenShell(data, true)
	tm.Text(shell, rig.Planb(t)+" tui ask")
	tm.Keys(shell, "Enter")
	tm.Shows(shell, "What shall it be called?", "Also open in another pane")
	tm.Shows(popped, "Also open in another pane")

	tm.Text(popped, "Aurora")
	tm.Text(shell, "Borealis")
	tm.Shows(popped, "Aurora")
	tm.Shows(shell, "Borealis")
	// Both send before either can store, so that neither hears of the other first.
	open := holdStore(t, data)
	tm.Keys(popped, "C-s")
	tm.Keys(shell, "C-s")
	tm.Shows(popped, "Sending …")
	tm.Shows(shell, "Sending …")
	open()

	winner, loser, lost := "Aurora", shell, "Borealis"
	switch got := call.Reply().String(); got {
	case `{"name":"Aurora"}`:
		tm.Gone(popped)
	case `{"name":"Borealis"}`:
		winner, loser, lost = "Borealis", popped, "Aurora"
	default:
		t.Fatalf("the agent received %q", got)
	}
	tm.Shows(loser, "answered elsewhere by", "yours stays on record")
	if got := a.Call("get_answer", map[string]any{"sessionId": session}).String(); !strings.HasPrefix(got, "Nothing waits in this session") {
		t.Errorf("once delivered, get_answer gave %q", got)
	}
	asks, err := rig.OpenStore(t, data).Asks(t.Context(), session)
	if err != nil || len(asks) != 1 || len(asks[0].Late) != 1 {
		t.Fatalf("the store holds %+v, %v", asks, err)
	}
	first, _ := asks[0].Outcome.Reply.Answers["name"].Text()
	late, _ := asks[0].Late[0].Reply.Answers["name"].Text()
	if first != winner || late != lost {
		t.Errorf("the store holds %q, and %q as late; want %q and %q", first, late, winner, lost)
	}
	tm.Enter(loser)
	tm.Keys(loser, "Escape")
	if loser == shell {
		tm.Shows(shell, "Not counted: ", `You had entered: {"answers":{"name":"Borealis"}}`)
	} else {
		tm.Gone(popped)
	}
}

// What was typed and never sent is the person's: it is printed when they leave.
func TestAFormAnsweredElsewhereGivesBackWhatWasTyped(t *testing.T) {
	t.Parallel()
	data, tm := t.TempDir(), rig.StartTmux(t, 160, 40)
	home := tm.Panes()[0]
	a := rig.StartAgent(t, data, tm.Environment(home))
	call := a.Start("ask_user", rig.Arguments(t, a.Session("Elsewhere"), rig.NameForm))
	popped := tm.NewPane(home)
	tm.Ready(popped)
	shell := tm.OpenShell(data, true)
	tm.Text(shell, rig.Planb(t)+" tui ask")
	tm.Keys(shell, "Enter")
	tm.Shows(shell, "Also open in another pane")
	tm.Text(shell, "half a na")
	tm.Shows(shell, "half a na")
	tm.Text(popped, "Aurora")
	tm.Keys(popped, "C-s")
	if got := call.Reply().String(); got != `{"name":"Aurora"}` {
		t.Errorf("the agent received %q", got)
	}
	tm.Gone(popped)
	tm.Shows(shell, "answered elsewhere by")
	tm.Enter(shell)
	tm.Keys(shell, "Escape")
	tm.Shows(shell, "Not counted: ", `You had entered: {"answers":{"name":"half a na"}}`)
}

// The pane beside the agent closes by itself when the person, who never touched
// it, has answered somewhere else.
func TestAPaneNobodyTouchedClosesWhenAnsweredElsewhere(t *testing.T) {
	t.Parallel()
	data, tm := t.TempDir(), rig.StartTmux(t, 160, 40)
	home := tm.Panes()[0]
	a := rig.StartAgent(t, data, tm.Environment(home))
	call := a.Start("ask_user", rig.Arguments(t, a.Session("Away"), rig.NameForm))
	popped := tm.NewPane(home)
	tm.Shows(popped, "What shall it be called?")
	companion := tm.Open(data, "tui")
	tm.Shows(companion, "Waiting for you")
	tm.Keys(companion, "Enter")
	tm.Shows(companion, "What shall it be called?", "Also open in another pane")
	tm.Text(companion, "Aurora")
	tm.Keys(companion, "C-s")
	if got := call.Reply().String(); got != `{"name":"Aurora"}` {
		t.Errorf("the agent received %q", got)
	}
	tm.Gone(popped)
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

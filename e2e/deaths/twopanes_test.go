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
// detached, or on a machine at home. These tests open one form twice.

func TestAFormOpenTwiceTakesTheFirstAnswer(t *testing.T) {
	t.Parallel()
	s := newScene(t, nil)
	call, popped := s.ask()
	shell := s.openForm()
	s.Shows(shell, "Also open in another pane")
	s.Shows(popped, "Also open in another pane")

	// Both send before either can store, so that neither is told of the other first.
	open := holdStore(t, s.data)
	s.Text(popped, "Aurora")
	s.Text(shell, "Borealis")
	s.Keys(popped, "C-s")
	s.Keys(shell, "C-s")
	s.Shows(popped, "Sending …")
	s.Shows(shell, "Sending …")
	open()

	winner, loser, lost := "Aurora", shell, "Borealis"
	switch got := call.Reply().String(); got {
	case `{"name":"Aurora"}`:
		s.Gone(popped)
	case `{"name":"Borealis"}`:
		winner, loser, lost = "Borealis", popped, "Aurora"
	default:
		t.Fatalf("the agent received %q", got)
	}
	s.Shows(loser, "answered elsewhere by", "yours stays on record")
	if got := s.agent.Call("get_answer", map[string]any{"sessionId": s.session}).String(); !strings.HasPrefix(got, "Nothing waits in this session") {
		t.Errorf("once delivered, get_answer gave %q", got)
	}
	asks, err := rig.OpenStore(t, s.data).Asks(t.Context(), s.session)
	if err != nil || len(asks) != 1 || len(asks[0].TooLate) != 1 {
		t.Fatalf("the store holds %+v, %v", asks, err)
	}
	first, _ := asks[0].Outcome.Reply.Answers["name"].Text()
	late, _ := asks[0].TooLate[0].Reply.Answers["name"].Text()
	if first != winner || late != lost {
		t.Errorf("the store holds %q, and %q as late; want %q and %q", first, late, winner, lost)
	}
	s.Enter(loser)
	s.Keys(loser, "Escape")
	if loser == shell {
		s.Shows(shell, "Not counted: ", `You had entered: {"answers":{"name":"Borealis"}}`)
	} else {
		s.Gone(popped)
	}
}

// The person begins at their desk, goes on at home, and ends at their desk.
func TestAFormOpenTwiceGoesOnInBoth(t *testing.T) {
	t.Parallel()
	s := newScene(t, nil)
	call, popped := s.ask()
	s.types(popped, "Au", "Au")
	s.savesEntry("Au")
	home := s.openForm()
	s.Shows(home, "Also open in another pane", "Au")
	s.types(home, "ro", "Auro")
	s.Shows(popped, "Auro")
	s.types(popped, "ra", "Aurora")
	s.Shows(home, "Aurora")
	s.Keys(popped, "C-s")
	receives(t, call, "Aurora")
}

// What was typed and never sent is the person's: planb prints it when they leave.
func TestAFormAnsweredElsewhereGivesBackWhatWasTyped(t *testing.T) {
	t.Parallel()
	s := newScene(t, nil)
	call, popped := s.ask()
	shell := s.openForm()
	s.Shows(shell, "Also open in another pane")
	s.types(shell, "half a na", "half a na")
	s.Text(popped, "Aurora")
	s.Keys(popped, "C-s")
	receives(t, call, "Aurora")
	s.Gone(popped)
	s.Shows(shell, "answered elsewhere by")
	s.Enter(shell)
	s.Keys(shell, "Escape")
	s.Shows(shell, "Not counted: ", `You had entered: {"answers":{"name":"half a na"}}`)
}

// The person never touches the pane beside the agent and answers in the inbox.
// The pane closes by itself.
func TestAPaneNobodyTouchedClosesWhenAnsweredElsewhere(t *testing.T) {
	t.Parallel()
	s := newScene(t, nil)
	call := s.start()
	popped := s.NewPane(s.home)
	s.Shows(popped, "What shall it be called?")
	inbox := s.Open(s.data, "tui")
	s.Shows(inbox, "Waiting for you")
	s.Keys(inbox, "Enter")
	s.Shows(inbox, "What shall it be called?", "Also open in another pane")
	s.Text(inbox, "Aurora")
	s.Keys(inbox, "C-s")
	receives(t, call, "Aurora")
	s.Gone(popped)
}

// holdStore keeps every process out of the store until the test calls open. A
// process that waits gives up after five seconds.
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

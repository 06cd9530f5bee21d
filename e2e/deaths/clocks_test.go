package deaths_test

import (
	"strings"
	"testing"

	"planb/e2e/rig"
	"planb/questions"
)

// A laptop sleeps while a question waits, and a person or the network sets clocks.
// These tests use other planbs, built from this source (see variedPlanb): one whose
// clock is off, and one that takes a process for dead after a shorter time, so that
// a test need not wait long.

func TestAClockThatIsADayOffChangesNothing(t *testing.T) {
	t.Parallel()
	for name, skew := range map[string]struct{ server, form string }{
		"the form's is ahead":   {"0h", "24h"},
		"the server's is ahead": {"24h", "0h"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			data, tm := t.TempDir(), rig.StartTmux(t, 160, 40)
			w, session := askByWire(t, data, skewed+skew.server, "ASK_ANSWER_TIMEOUT_MS=3600000")
			form := tm.OpenCommand(data, varied(t, skewed+skew.form, "tui", "ask"))
			tm.Shows(form, "What shall it be called?")
			tm.Text(form, "Aurora")
			tm.Shows(form, "Aurora")
			if screen := tm.Screen(form); strings.Contains(screen, "xpired") || strings.Contains(screen, "stopped waiting") {
				t.Errorf("the form shows\n%s", screen)
			}
			tm.Keys(form, "C-s")
			if got := rig.WireText(t, w.Receive()); got != `{"name":"Aurora"}` {
				t.Errorf("the agent received %q", got)
			}
			rig.Delivered(t, data, session)
		})
	}
}

// askByWire has the server of a varied planb ask for a name.
func askByWire(t *testing.T, data, variant string, env ...string) (w *rig.Wire, session string) {
	t.Helper()
	w = rig.WireTo(t, variedServer(t, variant), data, append(env, "ASK_NO_OPEN=1")...)
	session = w.ShakeHands()
	w.Send(`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"ask_user","arguments":{"sessionId":"` + session + `","title":"T","questions":[{"id":"name","kind":"text","label":"What shall it be called?"}]}}}`)
	rig.Asked(t, data)
	return w, session
}

// A suspended server counts as gone, and the answer is kept. When the server runs
// again it finds the answer, and its agent's call returns.
func TestAServerThatSleepsFindsTheAnswerWhenItWakes(t *testing.T) {
	t.Parallel()
	data, tm := t.TempDir(), rig.StartTmux(t, 160, 40)
	w, session := askByWire(t, data, sleepy)
	form := tm.OpenCommand(data, varied(t, sleepy, "tui", "ask"))
	tm.Shows(form, "What shall it be called?")
	rig.SuspendAtRest(t, data, w.Cmd.Process)
	tm.Shows(form, "The agent stopped waiting; your answer will be kept")
	tm.Text(form, "Aurora")
	tm.Keys(form, "C-s")
	tm.Gone(form)
	if ask := rig.OnlyAsk(t, data, session); ask.Outcome.State != questions.Answered || !ask.Delivered.IsZero() {
		t.Errorf("the store holds %s, delivered %v", ask.Outcome.State, ask.Delivered)
	}
	if err := w.Cmd.Process.Signal(rig.Resume); err != nil {
		t.Fatal(err)
	}
	if got := rig.WireText(t, w.Receive()); got != `{"name":"Aurora"}` {
		t.Errorf("the agent received %q", got)
	}
	rig.Delivered(t, data, session)
}

// A person can answer elsewhere while a form is suspended. When the form runs again
// it says so.
func TestAFormThatSleepsIsAnsweredElsewhere(t *testing.T) {
	t.Parallel()
	opens := varied(t, sleepy, "tui", "ask") // built before a call waits: that may take longer than the call
	s := newScene(t, []string{"ASK_NO_OPEN=1"})
	call := s.start()
	rig.Asked(t, s.data)
	shell := s.OpenShell(s.data, true)
	// tmux continues a pane's own process at once when it is stopped, but not a child of it.
	s.Text(shell, "exec sh -c '"+strings.Join(opens, " ")+"; :'")
	s.Keys(shell, "Enter")
	s.Shows(shell, "What shall it be called?")
	s.types(shell, "Bore", "Bore")
	s.savesEntry("Bore")
	process := rig.OnlyChild(t, s.Format(shell, "#{pane_pid}"))
	rig.SuspendAtRest(t, s.data, process)
	other := s.OpenCommand(s.data, opens)
	s.Shows(other, "Bore")
	s.types(other, "alis", "Borealis")
	s.Keys(other, "C-s")
	receives(t, call, "Borealis")
	if err := process.Signal(rig.Resume); err != nil {
		t.Fatal(err)
	}
	s.Shows(shell, "answered elsewhere by")
	rig.Delivered(t, s.data, s.session)
}

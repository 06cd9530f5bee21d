package deaths_test

import (
	"os/exec"
	"strings"
	"testing"

	"planb/e2e/rig"
	"planb/questions"
)

// A laptop sleeps in mid-question, and clocks are set, by a person or over the
// network. The tests here use planbs built from this source with the change the
// world would make: a clock that is off, or a shorter time after which a
// process counts as dead, so that nobody has to wait for it (variedPlanb).

func TestAClockThatIsADayOffChangesNothing(t *testing.T) {
	t.Parallel()
	for name, skew := range map[string]struct{ server, form string }{
		"the form's is ahead":   {"0h", "24h"},
		"the form's is behind":  {"0h", "-24h"},
		"the server's is ahead": {"24h", "0h"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			data, tm := t.TempDir(), rig.StartTmux(t, 160, 40)
			w := rig.WireTo(t, variedServer(t, skewed+skew.server), data, "ASK_NO_OPEN=1", "ASK_ANSWER_TIMEOUT_MS=3600000")
			session := w.ShakeHands()
			w.Send(`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"ask_user","arguments":{"sessionId":"` + session + `","title":"T","questions":[{"id":"name","kind":"text","label":"What shall it be called?"}]}}}`)
			st := rig.OpenStore(t, data)
			rig.Until(t, "the question is kept", func() bool {
				waiting, err := st.Waiting(t.Context())
				return err == nil && len(waiting) == 1
			})
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

// A server that sleeps counts as gone, and the answer is kept; when it wakes it
// finds it, and its agent's call returns.
func TestAServerThatSleepsFindsTheAnswerWhenItWakes(t *testing.T) {
	t.Parallel()
	data, tm := t.TempDir(), rig.StartTmux(t, 160, 40)
	w := rig.WireTo(t, variedServer(t, sleepy), data, "ASK_NO_OPEN=1")
	session := w.ShakeHands()
	w.Send(`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"ask_user","arguments":{"sessionId":"` + session + `","title":"T","questions":[{"id":"name","kind":"text","label":"What shall it be called?"}]}}}`)
	st := rig.OpenStore(t, data)
	rig.Until(t, "the question is kept", func() bool {
		waiting, err := st.Waiting(t.Context())
		return err == nil && len(waiting) == 1
	})
	form := tm.OpenCommand(data, varied(t, sleepy, "tui", "ask"))
	tm.Shows(form, "What shall it be called?")
	if err := w.Cmd.Process.Signal(rig.Suspend); err != nil {
		t.Fatal(err)
	}
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
}

// A form that sleeps can be answered elsewhere; when it wakes it says so, and
// gives back what was typed into it.
func TestAFormThatSleepsIsAnsweredElsewhere(t *testing.T) {
	t.Parallel()
	data, tm := t.TempDir(), rig.StartTmux(t, 160, 40)
	a := rig.StartAgent(t, data, []string{"ASK_NO_OPEN=1"})
	session := a.Session("Asleep")
	call := a.Start("ask_user", rig.Arguments(t, session, rig.NameForm))
	st := rig.OpenStore(t, data)
	rig.Until(t, "the question is kept", func() bool {
		waiting, err := st.Waiting(t.Context())
		return err == nil && len(waiting) == 1
	})
	shell := tm.OpenShell(data, true)
	tm.Text(shell, "exec "+strings.Join(varied(t, sleepy, "tui", "ask"), " "))
	tm.Keys(shell, "Enter")
	tm.Shows(shell, "What shall it be called?")
	tm.Text(shell, "Bore")
	tm.Shows(shell, "Bore")
	rig.Until(t, "the draft is saved", func() bool { return strings.Contains(rig.DraftOf(t, data, session), "Bore") })
	pid := tm.Run("display-message", "-p", "-t", shell, "#{pane_pid}")
	if out, err := exec.Command("kill", "-STOP", pid).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	other := tm.OpenCommand(data, varied(t, sleepy, "tui", "ask"))
	tm.Shows(other, "Bore")
	tm.Text(other, "alis")
	tm.Shows(other, "Borealis")
	tm.Keys(other, "C-s")
	if got := call.Reply().String(); got != `{"name":"Borealis"}` {
		t.Errorf("the agent received %q", got)
	}
	if out, err := exec.Command("kill", "-CONT", pid).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	tm.Shows(shell, "answered elsewhere by")
	rig.Delivered(t, data, session)
}

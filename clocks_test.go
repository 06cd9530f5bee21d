package main_test

import (
	"os/exec"
	"strings"
	"testing"

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
			data, tm := t.TempDir(), startTmux(t, 160, 40)
			w := wireTo(t, variedServer(t, skewed+skew.server), data, "ASK_NO_OPEN=1", "ASK_ANSWER_TIMEOUT_MS=3600000")
			session := w.shakeHands()
			w.send(`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"ask_user","arguments":{"sessionId":"` + session + `","title":"T","questions":[{"id":"name","kind":"text","label":"What shall it be called?"}]}}}`)
			st := openStore(t, data)
			until(t, "the question is kept", func() bool {
				waiting, err := st.Waiting(t.Context())
				return err == nil && len(waiting) == 1
			})
			form := tm.openCommand(data, varied(t, skewed+skew.form, "tui", "ask"))
			tm.shows(form, "What shall it be called?")
			tm.text(form, "Aurora")
			tm.shows(form, "Aurora")
			if screen := tm.screen(form); strings.Contains(screen, "xpired") || strings.Contains(screen, "stopped waiting") {
				t.Errorf("the form shows\n%s", screen)
			}
			tm.keys(form, "C-s")
			if got := wireText(t, w.receive()); got != `{"name":"Aurora"}` {
				t.Errorf("the agent received %q", got)
			}
			delivered(t, data, session)
		})
	}
}

// A server that sleeps counts as gone, and the answer is kept; when it wakes it
// finds it, and its agent's call returns.
func TestAServerThatSleepsFindsTheAnswerWhenItWakes(t *testing.T) {
	t.Parallel()
	data, tm := t.TempDir(), startTmux(t, 160, 40)
	w := wireTo(t, variedServer(t, sleepy), data, "ASK_NO_OPEN=1")
	session := w.shakeHands()
	w.send(`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"ask_user","arguments":{"sessionId":"` + session + `","title":"T","questions":[{"id":"name","kind":"text","label":"What shall it be called?"}]}}}`)
	st := openStore(t, data)
	until(t, "the question is kept", func() bool {
		waiting, err := st.Waiting(t.Context())
		return err == nil && len(waiting) == 1
	})
	form := tm.openCommand(data, varied(t, sleepy, "tui", "ask"))
	tm.shows(form, "What shall it be called?")
	if err := w.cmd.Process.Signal(suspend); err != nil {
		t.Fatal(err)
	}
	tm.shows(form, "The agent stopped waiting; your answer will be kept")
	tm.text(form, "Aurora")
	tm.keys(form, "C-s")
	tm.gone(form)
	if ask := onlyAsk(t, data, session); ask.Outcome.State != questions.Answered || !ask.Delivered.IsZero() {
		t.Errorf("the store holds %s, delivered %v", ask.Outcome.State, ask.Delivered)
	}
	if err := w.cmd.Process.Signal(resume); err != nil {
		t.Fatal(err)
	}
	if got := wireText(t, w.receive()); got != `{"name":"Aurora"}` {
		t.Errorf("the agent received %q", got)
	}
}

// A form that sleeps can be answered elsewhere; when it wakes it says so, and
// gives back what was typed into it.
func TestAFormThatSleepsIsAnsweredElsewhere(t *testing.T) {
	t.Parallel()
	data, tm := t.TempDir(), startTmux(t, 160, 40)
	a := startAgent(t, data, []string{"ASK_NO_OPEN=1"})
	session := a.session("Asleep")
	call := a.start("ask_user", arguments(t, session, nameSpec))
	st := openStore(t, data)
	until(t, "the question is kept", func() bool {
		waiting, err := st.Waiting(t.Context())
		return err == nil && len(waiting) == 1
	})
	shell := tm.openShell(data, true)
	tm.text(shell, "exec "+strings.Join(varied(t, sleepy, "tui", "ask"), " "))
	tm.keys(shell, "Enter")
	tm.shows(shell, "What shall it be called?")
	tm.text(shell, "Bore")
	tm.shows(shell, "Bore")
	until(t, "the draft is saved", func() bool { return strings.Contains(draftOf(t, data, session), "Bore") })
	pid := tm.run("display-message", "-p", "-t", shell, "#{pane_pid}")
	if out, err := exec.Command("kill", "-STOP", pid).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	other := tm.openCommand(data, varied(t, sleepy, "tui", "ask"))
	tm.shows(other, "Bore")
	tm.text(other, "alis")
	tm.shows(other, "Borealis")
	tm.keys(other, "C-s")
	if got := call.reply().String(); got != `{"name":"Borealis"}` {
		t.Errorf("the agent received %q", got)
	}
	if out, err := exec.Command("kill", "-CONT", pid).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	tm.shows(shell, "answered elsewhere by")
	delivered(t, data, session)
}

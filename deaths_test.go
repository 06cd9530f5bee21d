package main_test

import (
	"os/exec"
	"strings"
	"testing"

	"planb/questions"
)

// What dies in these tests takes everything below it along, by force: tmux with
// its panes, or all there is.

func TestTmuxKilledByForceLosesNothing(t *testing.T) {
	t.Parallel()
	data, tm := t.TempDir(), startTmux(t, 160, 40)
	home := tm.panes()[0]
	a := startAgent(t, data, tm.environment(home))
	session := a.session("No tmux any more")
	call := a.start("ask_user", arguments(t, session, nameSpec))
	form := tm.newPane(home)
	tm.ready(form)
	tm.text(form, "half a na")
	tm.shows(form, "half a na")
	pane := tm.run("display-message", "-p", "-t", form, "#{pane_pid}")
	kill(t, tm.pid)
	until(t, "the form, whose terminal is gone, has ended", func() bool { return !anyAlive([]string{pane}) })
	if got := call.early(); got != nil {
		t.Fatalf("the call gave up when tmux died: %q, %v", got, got.err)
	}

	again := startTmux(t, 160, 40)
	back := again.open(data, "tui", "ask")
	again.shows(back, "half a na")
	again.text(back, "me")
	again.shows(back, "half a name")
	again.keys(back, "C-s")
	if got := call.reply().String(); got != `{"name":"half a name"}` {
		t.Errorf("the agent received %q", got)
	}
	delivered(t, data, session)
}

// Server, form and tmux are killed in any order, also after the person has closed the
// form's pane; what was typed is there, and the answer reaches the next server of the
// same agent.
func TestEverythingKilledByForceLosesNothing(t *testing.T) {
	t.Parallel()
	for _, order := range []string{"server form tmux", "form tmux server", "tmux server form", "tmux server", "pane tmux server"} {
		t.Run(order, func(t *testing.T) {
			t.Parallel()
			data, tm := t.TempDir(), startTmux(t, 160, 40)
			home := tm.panes()[0]
			a := startAgent(t, data, tm.environment(home))
			session := a.session("Nothing left")
			a.start("ask_user", arguments(t, session, nameSpec))
			form := tm.newPane(home)
			tm.ready(form)
			tm.text(form, "half a na")
			tm.shows(form, "half a na")
			until(t, "the draft is saved", func() bool { return strings.Contains(draftOf(t, data, session), "half a na") })
			pane := tm.run("display-message", "-p", "-t", form, "#{pane_pid}")
			for _, victim := range strings.Fields(order) {
				switch victim {
				case "server":
					if err := a.process.Process.Kill(); err != nil {
						t.Fatal(err)
					}
				case "form":
					// It may have ended with its terminal.
					_ = exec.Command("kill", "-9", pane).Run()
				case "pane":
					tm.run("kill-pane", "-t", form)
					until(t, "the closed form has ended", func() bool { return !anyAlive([]string{pane}) })
				case "tmux":
					kill(t, tm.pid)
				}
			}
			until(t, "the form has ended", func() bool { return !anyAlive([]string{pane}) })

			again := startTmux(t, 160, 40)
			home = again.panes()[0]
			b := startAgent(t, data, again.environment(home))
			call := b.start("get_answer", map[string]any{"sessionId": session})
			back := again.newPane(home)
			again.shows(back, "half a na")
			again.ready(back)
			again.text(back, "me")
			again.shows(back, "half a name")
			again.keys(back, "C-s")
			if got := call.reply().String(); got != `{"name":"half a name"}` {
				t.Errorf("the agent received %q", got)
			}
			delivered(t, data, session)
		})
	}
}

// A cancellation that is there before its call is about nothing; one that comes
// after the result is about nothing any more. Some clients send both.
func TestACancellationOfNoCallUnderWayChangesNothing(t *testing.T) {
	t.Parallel()
	data, tm := t.TempDir(), startTmux(t, 160, 40)
	w := startWire(t, data, "ASK_NO_OPEN=1")
	w.send(legacyHello)
	w.receive()
	w.send(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"init_planb_session","arguments":{}}}`)
	session := sessionOf(t, w.receive())

	w.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}`)
	w.send(`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"ask_user","arguments":{"sessionId":"` + session + `","title":"T","questions":[{"id":"name","kind":"text","label":"What shall it be called?"}]}}}`)
	st := openStore(t, data)
	until(t, "the question is kept", func() bool {
		waiting, err := st.Waiting(t.Context())
		return err == nil && len(waiting) == 1
	})
	form := tm.open(data, "tui", "ask")
	tm.shows(form, "What shall it be called?")
	tm.text(form, "Aurora")
	tm.keys(form, "C-s")
	answer := w.receive()
	if answer["id"] != 3.0 || !strings.Contains(wireText(t, answer), `{"name":"Aurora"}`) {
		t.Fatalf("a call cancelled before it was made gave %v", answer)
	}

	w.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}`)
	w.send(`{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"get_answer","arguments":{"sessionId":"` + session + `"}}}`)
	if got := wireText(t, w.receive()); !strings.HasPrefix(got, "Nothing waits in this session") {
		t.Errorf("cancelling what was answered made it come again: %q", got)
	}
	delivered(t, data, session)
}

// The call says that the time is over; the form stays, and a late answer comes
// with whatever the agent calls next.
func TestAnAnswerAfterTheQuestionExpiredIsDelivered(t *testing.T) {
	t.Parallel()
	data, tm := t.TempDir(), startTmux(t, 160, 40)
	home := tm.panes()[0]
	a := startAgent(t, data, append(tm.environment(home), "ASK_ANSWER_TIMEOUT_MS=1500"))
	session := a.session("Too late")
	call := a.start("ask_user", arguments(t, session, nameSpec))
	form := tm.newPane(home)
	tm.ready(form)
	tm.text(form, "Auro")
	if got := call.reply().String(); !strings.HasPrefix(got, "No answer was submitted within 1.5 seconds.") {
		t.Fatalf("the agent received %q", got)
	}
	tm.shows(form, "Auro")
	tm.text(form, "ra")
	tm.shows(form, "Aurora")
	tm.keys(form, "C-s")
	tm.gone(form)
	if ask := onlyAsk(t, data, session); ask.Outcome.State != questions.Answered || !ask.Delivered.IsZero() {
		t.Errorf("the store holds %s, delivered %v", ask.Outcome.State, ask.Delivered)
	}
	got := a.call("save_plan", map[string]any{"sessionId": session, "plan": "# A plan"}).String()
	if !strings.Contains(got, "An earlier question was answered (askId ") || !strings.Contains(got, `): {"name":"Aurora"}`) {
		t.Errorf("the next result does not announce the answer:\n%s", got)
	}
}

// The call comes back before its client's limit with the word that there is no
// answer yet; the person notices nothing of it.
func TestAPersonSlowerThanTheClientsLimitIsWaitedFor(t *testing.T) {
	t.Parallel()
	data, tm := t.TempDir(), startTmux(t, 160, 40)
	home := tm.panes()[0]
	a := startAgent(t, data, tm.environment(home), "--wait", "1s")
	session := a.session("Slow")
	call := a.start("ask_user", arguments(t, session, nameSpec))
	form := tm.newPane(home)
	tm.ready(form)
	tm.text(form, "Auro")
	tm.shows(form, "Auro")
	if got := call.reply().String(); !strings.HasPrefix(got, "NOT ANSWERED YET: the form ") {
		t.Fatalf("the agent received %q", got)
	}
	if screen := tm.screen(form); strings.Contains(screen, "stopped waiting") || !strings.Contains(screen, "Auro") {
		t.Errorf("between two waits the form shows\n%s", screen)
	}
	if ask := onlyAsk(t, data, session); !ask.Open() {
		t.Errorf("the store holds %s", ask.Outcome.State)
	}
	tm.text(form, "ra")
	tm.shows(form, "Aurora")
	tm.keys(form, "C-s")
	if got := a.fetch(map[string]any{"sessionId": session}); got != `{"name":"Aurora"}` {
		t.Errorf("the agent received %q", got)
	}
}

// What was typed and not sent is the person's, also when the agent no longer wants it.
func TestAQuestionTakenBackWhileThePersonTypes(t *testing.T) {
	t.Parallel()
	data, tm := t.TempDir(), startTmux(t, 160, 40)
	a := startAgent(t, data, []string{"ASK_NO_OPEN=1"})
	session := a.session("Taken back")
	call := a.start("ask_user", arguments(t, session, nameSpec))
	st := openStore(t, data)
	until(t, "the question is kept", func() bool {
		waiting, err := st.Waiting(t.Context())
		return err == nil && len(waiting) == 1
	})
	shell := tm.openShell(data, true)
	tm.text(shell, planb(t)+" tui ask")
	tm.keys(shell, "Enter")
	tm.shows(shell, "What shall it be called?")
	tm.text(shell, "Auro")
	tm.shows(shell, "Auro")
	got := a.call("get_answer", map[string]any{"sessionId": session, "withdraw": true}).String()
	if waiting := call.reply().String(); got != "The question was withdrawn." || waiting != got {
		t.Errorf("withdrawing gave %q, and %q to the call that waited", got, waiting)
	}
	tm.shows(shell, "took this question back")
	tm.enter(shell)
	tm.keys(shell, "Escape")
	tm.shows(shell, "Not sent: the agent took the question back.", `You had entered: {"answers":{"name":"Auro"}}`)
	if ask := onlyAsk(t, data, session); ask.Outcome.State != questions.Withdrawn {
		t.Errorf("the store holds %s", ask.Outcome.State)
	}
}

// An agent that has forgotten what it asked asks again, or asks what waits.
func TestAnAgentThatForgotWhatItAskedFindsIt(t *testing.T) {
	t.Parallel()
	data, tm := t.TempDir(), startTmux(t, 160, 40)
	home := tm.panes()[0]
	a := startAgent(t, data, tm.environment(home), "--wait", "1s")
	session := a.session("Compacted")
	first := a.call("ask_user", arguments(t, session, nameSpec)).String()
	form := tm.newPane(home)
	tm.ready(form)
	tm.text(form, "Aurora")
	again := a.call("ask_user", arguments(t, session, nameSpec)).String()
	if !strings.HasPrefix(first, "NOT ANSWERED YET") || again != first {
		t.Errorf("asked again, the agent is told %q; before %q", again, first)
	}
	tm.shows(form, "Aurora")
	onlyAsk(t, data, session)
	// Not even the session is known any more.
	tm.keys(form, "C-s")
	if got := a.fetch(nil); got != `{"name":"Aurora"}` {
		t.Errorf("the agent received %q", got)
	}
}

// fetch calls get_answer as an agent does, as often as it is told to.
func (a *agent) fetch(arguments map[string]any) string {
	a.t.Helper()
	for d := newDeadline(); ; {
		got := a.call("get_answer", arguments).String()
		if !strings.HasPrefix(got, "NOT ANSWERED YET") || d.passed() {
			return got
		}
	}
}

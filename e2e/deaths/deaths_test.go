package deaths_test

import (
	"os/exec"
	"strings"
	"testing"

	"planb/e2e/rig"
	"planb/questions"
)

// What dies in these tests takes everything below it along, by force: tmux with
// its panes, or all there is.

func TestTmuxKilledByForceLosesNothing(t *testing.T) {
	t.Parallel()
	data, tm := t.TempDir(), rig.StartTmux(t, 160, 40)
	home := tm.Panes()[0]
	a := rig.StartAgent(t, data, tm.Environment(home))
	session := a.Session("No tmux any more")
	call := a.Start("ask_user", rig.Arguments(t, session, rig.NameForm))
	form := tm.NewPane(home)
	tm.Ready(form)
	tm.Text(form, "half a na")
	tm.Shows(form, "half a na")
	pane := tm.Run("display-message", "-p", "-t", form, "#{pane_pid}")
	rig.Kill(t, tm.PID)
	rig.Until(t, "the form, whose terminal is gone, has ended", func() bool { return !rig.AnyAlive([]string{pane}) })
	if got := call.Early(); got != nil {
		t.Fatalf("the call gave up when tmux died: %q, %v", got, got.Err)
	}

	again := rig.StartTmux(t, 160, 40)
	back := again.Open(data, "tui", "ask")
	again.Shows(back, "half a na")
	again.Text(back, "me")
	again.Shows(back, "half a name")
	again.Keys(back, "C-s")
	if got := call.Reply().String(); got != `{"name":"half a name"}` {
		t.Errorf("the agent received %q", got)
	}
	rig.Delivered(t, data, session)
}

// Server, form and tmux are killed in any order, also after the person has closed the
// form's pane; what was typed is there, and the answer reaches the next server of the
// same agent.
func TestEverythingKilledByForceLosesNothing(t *testing.T) {
	t.Parallel()
	for _, order := range []string{"server form tmux", "form tmux server", "tmux server form", "tmux server", "pane tmux server"} {
		t.Run(order, func(t *testing.T) {
			t.Parallel()
			data, tm := t.TempDir(), rig.StartTmux(t, 160, 40)
			home := tm.Panes()[0]
			a := rig.StartAgent(t, data, tm.Environment(home))
			session := a.Session("Nothing left")
			a.Start("ask_user", rig.Arguments(t, session, rig.NameForm))
			form := tm.NewPane(home)
			tm.Ready(form)
			tm.Text(form, "half a na")
			tm.Shows(form, "half a na")
			rig.Until(t, "the draft is saved", func() bool { return strings.Contains(rig.DraftOf(t, data, session), "half a na") })
			pane := tm.Run("display-message", "-p", "-t", form, "#{pane_pid}")
			for _, victim := range strings.Fields(order) {
				switch victim {
				case "server":
					if err := a.Process.Process.Kill(); err != nil {
						t.Fatal(err)
					}
				case "form":
					// It may have ended with its terminal.
					_ = exec.Command("kill", "-9", pane).Run()
				case "pane":
					tm.Run("kill-pane", "-t", form)
					rig.Until(t, "the closed form has ended", func() bool { return !rig.AnyAlive([]string{pane}) })
				case "tmux":
					rig.Kill(t, tm.PID)
				}
			}
			rig.Until(t, "the form has ended", func() bool { return !rig.AnyAlive([]string{pane}) })

			again := rig.StartTmux(t, 160, 40)
			home = again.Panes()[0]
			b := rig.StartAgent(t, data, again.Environment(home))
			call := b.Start("get_answer", map[string]any{"sessionId": session})
			back := again.NewPane(home)
			again.Shows(back, "half a na")
			again.Ready(back)
			again.Text(back, "me")
			again.Shows(back, "half a name")
			again.Keys(back, "C-s")
			if got := call.Reply().String(); got != `{"name":"half a name"}` {
				t.Errorf("the agent received %q", got)
			}
			rig.Delivered(t, data, session)
		})
	}
}

// A cancellation that is there before its call is about nothing; one that comes
// after the result is about nothing any more. Some clients send both.
func TestACancellationOfNoCallUnderWayChangesNothing(t *testing.T) {
	t.Parallel()
	data, tm := t.TempDir(), rig.StartTmux(t, 160, 40)
	w := rig.StartWire(t, data, "ASK_NO_OPEN=1")
	w.Send(rig.LegacyHello)
	w.Receive()
	w.Send(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"init_planb_session","arguments":{}}}`)
	session := rig.SessionOf(t, w.Receive())

	w.Send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}`)
	w.Send(`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"ask_user","arguments":{"sessionId":"` + session + `","title":"T","questions":[{"id":"name","kind":"text","label":"What shall it be called?"}]}}}`)
	st := rig.OpenStore(t, data)
	rig.Until(t, "the question is kept", func() bool {
		waiting, err := st.Waiting(t.Context())
		return err == nil && len(waiting) == 1
	})
	form := tm.Open(data, "tui", "ask")
	tm.Shows(form, "What shall it be called?")
	tm.Text(form, "Aurora")
	tm.Keys(form, "C-s")
	answer := w.Receive()
	if answer["id"] != 3.0 || !strings.Contains(rig.WireText(t, answer), `{"name":"Aurora"}`) {
		t.Fatalf("a call cancelled before it was made gave %v", answer)
	}

	w.Send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}`)
	w.Send(`{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"get_answer","arguments":{"sessionId":"` + session + `"}}}`)
	if got := rig.WireText(t, w.Receive()); !strings.HasPrefix(got, "Nothing waits in this session") {
		t.Errorf("cancelling what was answered made it come again: %q", got)
	}
	rig.Delivered(t, data, session)
}

// The call says that the time is over; the form stays, and a late answer comes
// with whatever the agent calls next.
func TestAnAnswerAfterTheQuestionExpiredIsDelivered(t *testing.T) {
	t.Parallel()
	data, tm := t.TempDir(), rig.StartTmux(t, 160, 40)
	home := tm.Panes()[0]
	a := rig.StartAgent(t, data, append(tm.Environment(home), "ASK_ANSWER_TIMEOUT_MS=1500"))
	session := a.Session("Too late")
	call := a.Start("ask_user", rig.Arguments(t, session, rig.NameForm))
	form := tm.NewPane(home)
	tm.Ready(form)
	tm.Text(form, "Auro")
	if got := call.Reply().String(); !strings.HasPrefix(got, "No answer was submitted within 1.5 seconds.") {
		t.Fatalf("the agent received %q", got)
	}
	tm.Shows(form, "Auro")
	tm.Text(form, "ra")
	tm.Shows(form, "Aurora")
	tm.Keys(form, "C-s")
	tm.Gone(form)
	if ask := rig.OnlyAsk(t, data, session); ask.Outcome.State != questions.Answered || !ask.Delivered.IsZero() {
		t.Errorf("the store holds %s, delivered %v", ask.Outcome.State, ask.Delivered)
	}
	got := a.Call("save_plan", map[string]any{"sessionId": session, "plan": "# A plan"}).String()
	if !strings.Contains(got, "An earlier question was answered (askId ") || !strings.Contains(got, `): {"name":"Aurora"}`) {
		t.Errorf("the next result does not announce the answer:\n%s", got)
	}
}

// The call comes back before its client's limit with the word that there is no
// answer yet; the person notices nothing of it.
func TestAPersonSlowerThanTheClientsLimitIsWaitedFor(t *testing.T) {
	t.Parallel()
	data, tm := t.TempDir(), rig.StartTmux(t, 160, 40)
	home := tm.Panes()[0]
	a := rig.StartAgent(t, data, tm.Environment(home), "--wait", "1s")
	session := a.Session("Slow")
	call := a.Start("ask_user", rig.Arguments(t, session, rig.NameForm))
	form := tm.NewPane(home)
	tm.Ready(form)
	tm.Text(form, "Auro")
	tm.Shows(form, "Auro")
	if got := call.Reply().String(); !strings.HasPrefix(got, "NOT ANSWERED YET: the form ") {
		t.Fatalf("the agent received %q", got)
	}
	if screen := tm.Screen(form); strings.Contains(screen, "stopped waiting") || !strings.Contains(screen, "Auro") {
		t.Errorf("between two waits the form shows\n%s", screen)
	}
	if ask := rig.OnlyAsk(t, data, session); !ask.Open() {
		t.Errorf("the store holds %s", ask.Outcome.State)
	}
	tm.Text(form, "ra")
	tm.Shows(form, "Aurora")
	tm.Keys(form, "C-s")
	if got := a.FetchAnswer(map[string]any{"sessionId": session}); got != `{"name":"Aurora"}` {
		t.Errorf("the agent received %q", got)
	}
}

// What was typed and not sent is the person's, also when the agent no longer wants it.
func TestAQuestionTakenBackWhileThePersonTypes(t *testing.T) {
	t.Parallel()
	data, tm := t.TempDir(), rig.StartTmux(t, 160, 40)
	a := rig.StartAgent(t, data, []string{"ASK_NO_OPEN=1"})
	session := a.Session("Taken back")
	call := a.Start("ask_user", rig.Arguments(t, session, rig.NameForm))
	st := rig.OpenStore(t, data)
	rig.Until(t, "the question is kept", func() bool {
		waiting, err := st.Waiting(t.Context())
		return err == nil && len(waiting) == 1
	})
	shell := tm.OpenShell(data, true)
	tm.Text(shell, rig.Planb(t)+" tui ask")
	tm.Keys(shell, "Enter")
	tm.Shows(shell, "What shall it be called?")
	tm.Text(shell, "Auro")
	tm.Shows(shell, "Auro")
	got := a.Call("get_answer", map[string]any{"sessionId": session, "withdraw": true}).String()
	if waiting := call.Reply().String(); got != "The question was withdrawn." || waiting != got {
		t.Errorf("withdrawing gave %q, and %q to the call that waited", got, waiting)
	}
	tm.Shows(shell, "took this question back")
	tm.Enter(shell)
	tm.Keys(shell, "Escape")
	tm.Shows(shell, "Not sent: the agent took the question back.", `You had entered: {"answers":{"name":"Auro"}}`)
	if ask := rig.OnlyAsk(t, data, session); ask.Outcome.State != questions.Withdrawn {
		t.Errorf("the store holds %s", ask.Outcome.State)
	}
}

// An agent that has forgotten what it asked asks again, or asks what waits.
func TestAnAgentThatForgotWhatItAskedFindsIt(t *testing.T) {
	t.Parallel()
	data, tm := t.TempDir(), rig.StartTmux(t, 160, 40)
	home := tm.Panes()[0]
	a := rig.StartAgent(t, data, tm.Environment(home), "--wait", "1s")
	session := a.Session("Compacted")
	first := a.Call("ask_user", rig.Arguments(t, session, rig.NameForm)).String()
	form := tm.NewPane(home)
	tm.Ready(form)
	tm.Text(form, "Aurora")
	again := a.Call("ask_user", rig.Arguments(t, session, rig.NameForm)).String()
	if !strings.HasPrefix(first, "NOT ANSWERED YET") || again != first {
		t.Errorf("asked again, the agent is told %q; before %q", again, first)
	}
	tm.Shows(form, "Aurora")
	rig.OnlyAsk(t, data, session)
	// Not even the session is known any more.
	tm.Keys(form, "C-s")
	if got := a.FetchAnswer(nil); got != `{"name":"Aurora"}` {
		t.Errorf("the agent received %q", got)
	}
}

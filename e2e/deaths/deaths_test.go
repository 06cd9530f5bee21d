package deaths_test

import (
	"os/exec"
	"strings"
	"testing"

	"planb/e2e/rig"
	"planb/questions"
	"planb/store/storetest"
)

// What is killed here dies by force: the form, its pane, the server, tmux with all
// its panes, in any order. The form that comes next has what was typed, and the
// answer reaches the call that waits, or the next server of the same agent.
func TestWhatIsKilledLosesNothing(t *testing.T) {
	t.Parallel()
	rows := [][]string{{"pane", "form", "tmux", "server form tmux"}} // one death after another; its victims in their order
	if storetest.Whole() {
		rows = append(rows, []string{"pane"}, []string{"form"}, []string{"tmux"}, []string{"tmux server"}, []string{"server form tmux"},
			[]string{"form tmux server"}, []string{"tmux server form"}, []string{"pane tmux server"})
	}
	for _, deaths := range rows {
		t.Run(strings.Join(deaths, ", "), func(t *testing.T) {
			t.Parallel()
			s := newScene(t, nil)
			call, form := s.ask()
			typed := "Aurora"
			s.types(form, typed, typed)
			for _, victims := range deaths {
				if strings.Contains(victims, "form") { // else the form saves the entry when it ends
					s.savesEntry(typed)
				}
				call, form = s.dies(victims, call, form)
				s.Shows(form, typed)
				s.Ready(form)
				typed += " again"
				s.types(form, " again", typed)
			}
			s.Keys(form, "C-s")
			receives(t, call, typed)
			rig.Delivered(t, s.data, s.session)
		})
	}
}

// dies kills the victims and has the form come again, with the call that waits for it then.
func (s *scene) dies(victims string, call *rig.Pending, form string) (*rig.Pending, string) {
	s.t.Helper()
	pid := s.Format(form, "#{pane_pid}")
	for _, victim := range strings.Fields(victims) {
		s.kill(victim, form, pid)
	}
	rig.Until(s.t, "the form has ended", func() bool { return !rig.AnyAlive([]string{pid}) })
	if strings.Contains(victims, "tmux") {
		s.Tmux = rig.StartTmux(s.t, 160, 40)
	} else {
		s.Gone(form)
	}
	if strings.Contains(victims, "server") {
		s.home = s.FirstPane()
		s.agent = rig.StartAgent(s.t, s.data, s.Environment(s.home))
		call = s.agent.Start("get_answer", map[string]any{"sessionId": s.session})
		return call, s.NewPane(s.home)
	}
	if early := call.Early(); early != nil {
		s.t.Fatalf("the call gave up when it died: %q, %v", early, early.Err)
	}
	return call, s.Open(s.data, "tui", "ask")
}

// kill kills one victim: the server, the form with that process id, its pane, or
// tmux.
func (s *scene) kill(victim, form, pid string) {
	s.t.Helper()
	switch victim {
	case "server":
		if err := s.agent.Process.Process.Kill(); err != nil {
			s.t.Fatal(err)
		}
	case "form":
		// It may have ended with its terminal; one that lives must be killed.
		if out, err := exec.Command("kill", "-9", pid).CombinedOutput(); err != nil && rig.AnyAlive([]string{pid}) {
			s.t.Fatalf("the form can't be killed: %v: %s", err, out)
		}
	case "pane":
		s.Run("kill-pane", "-t", form)
		rig.Until(s.t, "the closed form has ended", func() bool { return !rig.AnyAlive([]string{pid}) })
	case "tmux":
		rig.Kill(s.t, s.PID)
	}
}

// A cancellation that arrives before its call, or after the call's result, changes
// nothing. Some clients send both.
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
	rig.Asked(t, data)
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

// What the person typed and did not send is given back to them, also if the agent
// withdraws the question.
func TestAQuestionTakenBackWhileThePersonTypes(t *testing.T) {
	t.Parallel()
	s := newScene(t, []string{"ASK_NO_OPEN=1"})
	call := s.start()
	rig.Asked(t, s.data)
	shell := s.openForm()
	s.types(shell, "Auro", "Auro")
	got := s.agent.Call("get_answer", map[string]any{"sessionId": s.session, "withdraw": true}).String()
	if waiting := call.Reply().String(); got != "The question was withdrawn." || waiting != got {
		t.Errorf("withdrawing gave %q, and %q to the call that waited", got, waiting)
	}
	s.Shows(shell, "took this question back")
	s.Enter(shell)
	s.Keys(shell, "Escape")
	s.Shows(shell, "Not sent: the agent took the question back.", `You had entered: {"answers":{"name":"Auro"}}`)
	if ask := rig.OnlyAsk(t, s.data, s.session); ask.Outcome.State != questions.Withdrawn {
		t.Errorf("the store holds %s", ask.Outcome.State)
	}
}

// An agent that has forgotten what it asked asks again, or asks for what waits.
func TestAnAgentThatForgotWhatItAskedFindsIt(t *testing.T) {
	t.Parallel()
	s := newScene(t, nil, "--wait", "1s")
	first, form := s.ask()
	s.Text(form, "Aurora")
	told, again := first.Reply().String(), s.start().Reply().String()
	if !strings.HasPrefix(told, "NOT ANSWERED YET") || again != told {
		t.Errorf("asked again, the agent is told %q; before %q", again, told)
	}
	s.Shows(form, "Aurora")
	rig.OnlyAsk(t, s.data, s.session)
	s.Keys(form, "C-s")
	// The agent does not even know its session any more.
	if got := s.agent.FetchAnswer(nil); got != `{"name":"Aurora"}` {
		t.Errorf("the agent received %q", got)
	}
}

package deaths_test

import (
	"os"
	"strings"
	"syscall"
	"testing"

	"planb/e2e/rig"
	"planb/questions"
)

// Every test here takes something away in mid-question. Whatever it is, the
// answer a person gives reaches the agent, once, unchanged.

func TestTwoAgentsInOneWindowShareOnePane(t *testing.T) {
	t.Parallel()
	data, tm := t.TempDir(), rig.StartTmux(t, 200, 50)
	home := tm.Panes()[0]
	first, second := rig.StartAgent(t, data, tm.Environment(home)), rig.StartAgent(t, data, tm.Environment(home))
	one := first.Start("ask_user", rig.Arguments(t, first.Session("One"), rig.NameForm))
	form := tm.NewPane(home)
	tm.Shows(form, "What shall it be called?")
	two := second.Start("ask_user", rig.Arguments(t, second.Session("Two"), rig.PlaceForm))
	tm.Shows(form, "1 of 2")
	if panes := tm.Panes(); len(panes) != 2 {
		t.Fatalf("one window has the panes %v; the second question needs none of its own", panes)
	}
	tm.Ready(form)
	tm.Text(form, "Aurora")
	tm.Keys(form, "C-s")
	if got := one.Reply().String(); got != `{"name":"Aurora"}` {
		t.Errorf("the first agent received %q", got)
	}
	tm.Shows(form, "Where shall it run?")
	tm.Ready(form)
	tm.Text(form, "2")
	tm.Keys(form, "C-s")
	if got := two.Reply().String(); got != `{"place":"there"}` {
		t.Errorf("the second agent received %q", got)
	}
	tm.Gone(form)
}

func TestTwoAgentsInTwoWindowsHaveAPaneEach(t *testing.T) {
	t.Parallel()
	data, tm := t.TempDir(), rig.StartTmux(t, 200, 50)
	here := tm.Panes()[0]
	there := tm.Run("new-window", "-d", "-P", "-F", "#{pane_id}", "cat")
	first, second := rig.StartAgent(t, data, tm.Environment(here)), rig.StartAgent(t, data, tm.Environment(there))
	one := first.Start("ask_user", rig.Arguments(t, first.Session("One"), rig.NameForm))
	formOne := tm.NewPane(here, there)
	two := second.Start("ask_user", rig.Arguments(t, second.Session("Two"), rig.PlaceForm))
	formTwo := tm.NewPane(here, there, formOne)
	// Answered in the other order.
	tm.Ready(formTwo)
	tm.Text(formTwo, "1")
	tm.Keys(formTwo, "C-s")
	if got := two.Reply().String(); got != `{"place":"here"}` {
		t.Errorf("the second agent received %q", got)
	}
	tm.Ready(formOne)
	tm.Text(formOne, "Aurora")
	tm.Keys(formOne, "C-s")
	if got := one.Reply().String(); got != `{"name":"Aurora"}` {
		t.Errorf("the first agent received %q", got)
	}
}

func TestAPaneKilledHalfWayKeepsItsDraft(t *testing.T) {
	t.Parallel()
	data, tm := t.TempDir(), rig.StartTmux(t, 160, 40)
	home := tm.Panes()[0]
	a := rig.StartAgent(t, data, tm.Environment(home))
	call := a.Start("ask_user", rig.Arguments(t, a.Session("Half-way"), rig.NameForm))
	form := tm.NewPane(home)
	tm.Ready(form)
	tm.Text(form, "half a na")
	tm.Shows(form, "half a na")
	tm.Run("kill-pane", "-t", form)
	tm.Gone(form)

	again := tm.Open(data, "tui", "ask")
	tm.Shows(again, "half a na")
	tm.Text(again, "me")
	tm.Shows(again, "half a name")
	tm.Keys(again, "C-s")
	if got := call.Reply().String(); got != `{"name":"half a name"}` {
		t.Errorf("the agent received %q", got)
	}
}

// kill -9 gives the form no chance to save anything; what was typed a moment
// before was saved while it was typed.
func TestAFormKilledByForceKeepsItsDraft(t *testing.T) {
	t.Parallel()
	data, tm := t.TempDir(), rig.StartTmux(t, 160, 40)
	home := tm.Panes()[0]
	a := rig.StartAgent(t, data, tm.Environment(home))
	session := a.Session("By force")
	call := a.Start("ask_user", rig.Arguments(t, session, rig.NameForm))
	form := tm.NewPane(home)
	tm.Ready(form)
	tm.Text(form, "half a na")
	tm.Shows(form, "half a na")
	rig.Until(t, "the draft is saved", func() bool { return len(rig.DraftOf(t, data, session)) > 0 })
	rig.Kill(t, tm.Run("display-message", "-p", "-t", form, "#{pane_pid}"))
	tm.Gone(form)

	again := tm.Open(data, "tui", "ask")
	tm.Shows(again, "half a na")
	tm.Keys(again, "C-s")
	if got := call.Reply().String(); got != `{"name":"half a na"}` {
		t.Errorf("the agent received %q", got)
	}
}

func TestAServerThatEndsWhileWaitingLosesNoAnswer(t *testing.T) {
	t.Parallel()
	sent := func(signal os.Signal) func(*rig.Agent) error {
		return func(a *rig.Agent) error { return a.Process.Process.Signal(signal) }
	}
	for name, end := range map[string]func(*rig.Agent) error{
		"kill -9": sent(os.Kill), "SIGINT": sent(os.Interrupt), "SIGTERM": sent(syscall.SIGTERM), "SIGHUP": sent(syscall.SIGHUP),
		"end of input": func(a *rig.Agent) error { return a.Client.Close() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			data, tm := t.TempDir(), rig.StartTmux(t, 160, 40)
			home := tm.Panes()[0]
			a := rig.StartAgent(t, data, tm.Environment(home))
			session := a.Session("Ended")
			a.Start("ask_user", rig.Arguments(t, session, rig.NameForm))
			form := tm.NewPane(home)
			tm.Ready(form)
			if err := end(a); err != nil {
				t.Fatal(err)
			}
			tm.Shows(form, "The agent stopped waiting; your answer will be kept")
			tm.Text(form, "Aurora")
			tm.Keys(form, "C-s")
			tm.Gone(form)
			if ask := rig.OnlyAsk(t, data, session); ask.Outcome.State != questions.Answered || !ask.Delivered.IsZero() {
				t.Errorf("the store holds %s, delivered %v", ask.Outcome.State, ask.Delivered)
			}

			b := rig.StartAgent(t, data, tm.Environment(home))
			if got := b.Call("get_answer", map[string]any{"sessionId": session}).String(); got != `{"name":"Aurora"}` {
				t.Errorf("a new server's get_answer gave %q", got)
			}
			got := b.Call("get_answer", map[string]any{"sessionId": session}).String()
			if !strings.HasPrefix(got, "Nothing waits in this session") {
				t.Errorf("once delivered, get_answer gave %q", got)
			}
		})
	}
}

func TestACancelledCallLeavesItsFormAndItsAnswer(t *testing.T) {
	t.Parallel()
	data, tm := t.TempDir(), rig.StartTmux(t, 160, 40)
	home := tm.Panes()[0]
	a := rig.StartAgent(t, data, tm.Environment(home))
	session := a.Session("Cancelled")
	call := a.Start("ask_user", rig.Arguments(t, session, rig.NameForm))
	form := tm.NewPane(home)
	tm.Ready(form)
	call.Stop()
	tm.Shows(form, "The agent stopped waiting; your answer will be kept")
	tm.Text(form, "Aurora")
	tm.Keys(form, "C-s")
	tm.Gone(form)

	got := a.Call("save_plan", map[string]any{"sessionId": session, "plan": "# A plan"}).String()
	if !strings.Contains(got, "An earlier question was answered (askId ") || !strings.Contains(got, `): {"name":"Aurora"}`) {
		t.Errorf("the next result does not announce the answer:\n%s", got)
	}
	got = a.Call("save_plan", map[string]any{"sessionId": session, "plan": "# Another plan"}).String()
	if strings.Contains(got, "An earlier question") {
		t.Errorf("the answer was announced again:\n%s", got)
	}
}

// Where no pane can open, the agent is told at once what to tell its user.
func TestWithoutATerminalTheAgentIsToldWhatToSay(t *testing.T) {
	t.Parallel()
	data, tm := t.TempDir(), rig.StartTmux(t, 160, 40)
	a := rig.StartAgent(t, data, nil)
	session := a.Session("Nowhere")
	got := a.Call("ask_user", rig.Arguments(t, session, rig.NameForm)).String()
	if !strings.HasPrefix(got, "NOT ANSWERED YET: no pane could be opened (") || !strings.Contains(got, "planb tui ask ") {
		t.Fatalf("the agent was told %q", got)
	}
	short := strings.Fields(got[strings.Index(got, "planb tui ask ")+len("planb tui ask "):])[0]
	call := a.Start("get_answer", map[string]any{"sessionId": session})
	form := tm.Open(data, "tui", "ask", short)
	tm.Shows(form, "What shall it be called?")
	tm.Text(form, "Aurora")
	tm.Keys(form, "C-s")
	if got := call.Reply().String(); got != `{"name":"Aurora"}` {
		t.Errorf("the agent received %q", got)
	}
}

// The outcomes that are no answer, each by its keys in Esc's menu.
func TestTheOtherWaysOutOfAForm(t *testing.T) {
	t.Parallel()
	data, tm := t.TempDir(), rig.StartTmux(t, 160, 40)
	home := tm.Panes()[0]
	a := rig.StartAgent(t, data, tm.Environment(home))
	session := a.Session("Ways out")

	call := a.Start("ask_user", rig.Arguments(t, session, rig.NameForm))
	form := tm.NewPane(home)
	tm.Ready(form)
	tm.Text(form, "maybe Aurora")
	tm.Keys(form, "C-c")
	tm.Shows(form, "Decline")
	tm.Text(form, "r")
	tm.Shows(form, "what the agent should know")
	tm.Text(form, "What is it for?")
	tm.Keys(form, "C-s")
	want := "NOT FINISHED. The user writes: \"What is it for?\"\nAnswer that first, in the intro of your next form, and keep the ids of the questions. " +
		`Answers so far, which may change: {"name":"maybe Aurora"}`
	if got := call.Reply().String(); got != want {
		t.Errorf("reply without finishing gave\n%s\nwant\n%s", got, want)
	}
	tm.Gone(form)

	// The next form of the same questions starts with what was there.
	call = a.Start("ask_user", rig.Arguments(t, session, rig.NameForm))
	form = tm.NewPane(home)
	tm.Shows(form, "maybe Aurora")
	tm.Ready(form)
	tm.Keys(form, "C-c")
	tm.Shows(form, "Decline")
	tm.Text(form, "d")
	tm.Shows(form, "eason")
	tm.Text(form, "too early")
	tm.Keys(form, "C-s")
	want = `User cancelled. Reason: "too early". Do not ask this again unless the user brings it up; go on with what does not need it, and name the open point at the end.`
	if got := call.Reply().String(); got != want {
		t.Errorf("declining gave\n%s\nwant\n%s", got, want)
	}
}

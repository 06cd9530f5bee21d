package main_test

import (
	"context"
	"encoding/json"
	"os"
	"strings"
	"syscall"
	"testing"

	"planb/questions"
)

// Every test here takes something away in mid-question. Whatever it is, the
// answer a person gives reaches the agent, once, unchanged.

const placeSpec = `{"title": "Choose the place", "questions": [
	{"id": "place", "kind": "single", "label": "Where shall it run?", "options": ["here", "there"]}]}`

func TestTwoAgentsInOneWindowShareOnePane(t *testing.T) {
	t.Parallel()
	data, tm := t.TempDir(), startTmux(t, 200, 50)
	home := tm.panes()[0]
	first, second := startAgent(t, data, tm.environment(home)), startAgent(t, data, tm.environment(home))
	one := first.start("ask_user", arguments(t, first.session("One"), nameSpec))
	form := tm.newPane(home)
	tm.shows(form, "What shall it be called?")
	two := second.start("ask_user", arguments(t, second.session("Two"), placeSpec))
	tm.shows(form, "1 of 2")
	if panes := tm.panes(); len(panes) != 2 {
		t.Fatalf("one window has the panes %v; the second question needs none of its own", panes)
	}
	tm.ready(form)
	tm.text(form, "Aurora")
	tm.keys(form, "C-s")
	if got := one.reply().String(); got != `{"name":"Aurora"}` {
		t.Errorf("the first agent received %q", got)
	}
	tm.shows(form, "Where shall it run?")
	tm.ready(form)
	tm.text(form, "2")
	tm.keys(form, "C-s")
	if got := two.reply().String(); got != `{"place":"there"}` {
		t.Errorf("the second agent received %q", got)
	}
	tm.gone(form)
}

func TestTwoAgentsInTwoWindowsHaveAPaneEach(t *testing.T) {
	t.Parallel()
	data, tm := t.TempDir(), startTmux(t, 200, 50)
	here := tm.panes()[0]
	there := tm.run("new-window", "-d", "-P", "-F", "#{pane_id}", "cat")
	first, second := startAgent(t, data, tm.environment(here)), startAgent(t, data, tm.environment(there))
	one := first.start("ask_user", arguments(t, first.session("One"), nameSpec))
	formOne := tm.newPane(here, there)
	two := second.start("ask_user", arguments(t, second.session("Two"), placeSpec))
	formTwo := tm.newPane(here, there, formOne)
	// Answered in the other order.
	tm.ready(formTwo)
	tm.text(formTwo, "1")
	tm.keys(formTwo, "C-s")
	if got := two.reply().String(); got != `{"place":"here"}` {
		t.Errorf("the second agent received %q", got)
	}
	tm.ready(formOne)
	tm.text(formOne, "Aurora")
	tm.keys(formOne, "C-s")
	if got := one.reply().String(); got != `{"name":"Aurora"}` {
		t.Errorf("the first agent received %q", got)
	}
}

func TestAPaneKilledHalfWayKeepsItsDraft(t *testing.T) {
	t.Parallel()
	data, tm := t.TempDir(), startTmux(t, 160, 40)
	home := tm.panes()[0]
	a := startAgent(t, data, tm.environment(home))
	call := a.start("ask_user", arguments(t, a.session("Half-way"), nameSpec))
	form := tm.newPane(home)
	tm.ready(form)
	tm.text(form, "half a na")
	tm.shows(form, "half a na")
	tm.run("kill-pane", "-t", form)
	tm.gone(form)

	again := tm.open(data, "tui", "ask")
	tm.shows(again, "half a na")
	tm.text(again, "me")
	tm.shows(again, "half a name")
	tm.keys(again, "C-s")
	if got := call.reply().String(); got != `{"name":"half a name"}` {
		t.Errorf("the agent received %q", got)
	}
}

// kill -9 gives the form no chance to save anything; what was typed a moment
// before was saved while it was typed.
func TestAFormKilledByForceKeepsItsDraft(t *testing.T) {
	t.Parallel()
	data, tm := t.TempDir(), startTmux(t, 160, 40)
	home := tm.panes()[0]
	a := startAgent(t, data, tm.environment(home))
	session := a.session("By force")
	call := a.start("ask_user", arguments(t, session, nameSpec))
	form := tm.newPane(home)
	tm.ready(form)
	tm.text(form, "half a na")
	tm.shows(form, "half a na")
	until(t, "the draft is saved", func() bool { return len(draftOf(t, data, session)) > 0 })
	kill(t, tm.run("display-message", "-p", "-t", form, "#{pane_pid}"))
	tm.gone(form)

	again := tm.open(data, "tui", "ask")
	tm.shows(again, "half a na")
	tm.keys(again, "C-s")
	if got := call.reply().String(); got != `{"name":"half a na"}` {
		t.Errorf("the agent received %q", got)
	}
}

func TestAServerThatEndsWhileWaitingLosesNoAnswer(t *testing.T) {
	t.Parallel()
	sent := func(signal os.Signal) func(*agent) error {
		return func(a *agent) error { return a.process.Process.Signal(signal) }
	}
	for name, end := range map[string]func(*agent) error{
		"kill -9": sent(os.Kill), "SIGINT": sent(os.Interrupt), "SIGTERM": sent(syscall.SIGTERM), "SIGHUP": sent(syscall.SIGHUP),
		"end of input": func(a *agent) error { return a.client.Close() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			data, tm := t.TempDir(), startTmux(t, 160, 40)
			home := tm.panes()[0]
			a := startAgent(t, data, tm.environment(home))
			session := a.session("Ended")
			a.start("ask_user", arguments(t, session, nameSpec))
			form := tm.newPane(home)
			tm.ready(form)
			if err := end(a); err != nil {
				t.Fatal(err)
			}
			tm.shows(form, "The agent stopped waiting; your answer will be kept")
			tm.text(form, "Aurora")
			tm.keys(form, "C-s")
			tm.gone(form)
			if ask := onlyAsk(t, data, session); ask.Outcome.State != questions.Answered || !ask.Delivered.IsZero() {
				t.Errorf("the store holds %s, delivered %v", ask.Outcome.State, ask.Delivered)
			}

			b := startAgent(t, data, tm.environment(home))
			if got := b.call("get_answer", map[string]any{"sessionId": session}).String(); got != `{"name":"Aurora"}` {
				t.Errorf("a new server's get_answer gave %q", got)
			}
			got := b.call("get_answer", map[string]any{"sessionId": session}).String()
			if !strings.HasPrefix(got, "Nothing waits in this session") {
				t.Errorf("once delivered, get_answer gave %q", got)
			}
		})
	}
}

func TestACancelledCallLeavesItsFormAndItsAnswer(t *testing.T) {
	t.Parallel()
	data, tm := t.TempDir(), startTmux(t, 160, 40)
	home := tm.panes()[0]
	a := startAgent(t, data, tm.environment(home))
	session := a.session("Cancelled")
	call := a.start("ask_user", arguments(t, session, nameSpec))
	form := tm.newPane(home)
	tm.ready(form)
	call.stop()
	tm.shows(form, "The agent stopped waiting; your answer will be kept")
	tm.text(form, "Aurora")
	tm.keys(form, "C-s")
	tm.gone(form)

	got := a.call("save_plan", map[string]any{"sessionId": session, "plan": "# A plan"}).String()
	if !strings.Contains(got, "An earlier question was answered (askId ") || !strings.Contains(got, `): {"name":"Aurora"}`) {
		t.Errorf("the next result does not announce the answer:\n%s", got)
	}
	got = a.call("save_plan", map[string]any{"sessionId": session, "plan": "# Another plan"}).String()
	if strings.Contains(got, "An earlier question") {
		t.Errorf("the answer was announced again:\n%s", got)
	}
}

// Where no pane can open, the agent is told at once what to tell its user.
func TestWithoutATerminalTheAgentIsToldWhatToSay(t *testing.T) {
	t.Parallel()
	data, tm := t.TempDir(), startTmux(t, 160, 40)
	a := startAgent(t, data, nil)
	session := a.session("Nowhere")
	got := a.call("ask_user", arguments(t, session, nameSpec)).String()
	if !strings.HasPrefix(got, "NOT ANSWERED YET: no pane could be opened (") || !strings.Contains(got, "planb tui ask ") {
		t.Fatalf("the agent was told %q", got)
	}
	short := strings.Fields(got[strings.Index(got, "planb tui ask ")+len("planb tui ask "):])[0]
	call := a.start("get_answer", map[string]any{"sessionId": session})
	form := tm.open(data, "tui", "ask", short)
	tm.shows(form, "What shall it be called?")
	tm.text(form, "Aurora")
	tm.keys(form, "C-s")
	if got := call.reply().String(); got != `{"name":"Aurora"}` {
		t.Errorf("the agent received %q", got)
	}
}

// The outcomes that are no answer, each by its keys in Esc's menu.
func TestTheOtherWaysOutOfAForm(t *testing.T) {
	t.Parallel()
	data, tm := t.TempDir(), startTmux(t, 160, 40)
	home := tm.panes()[0]
	a := startAgent(t, data, tm.environment(home))
	session := a.session("Ways out")

	call := a.start("ask_user", arguments(t, session, nameSpec))
	form := tm.newPane(home)
	tm.ready(form)
	tm.text(form, "maybe Aurora")
	tm.keys(form, "C-c")
	tm.shows(form, "Decline")
	tm.text(form, "r")
	tm.shows(form, "what the agent should know")
	tm.text(form, "What is it for?")
	tm.keys(form, "C-s")
	want := "NOT FINISHED. The user writes: \"What is it for?\"\nAnswer that first, in the intro of your next form, and keep the ids of the questions. " +
		`Answers so far, which may change: {"name":"maybe Aurora"}`
	if got := call.reply().String(); got != want {
		t.Errorf("reply without finishing gave\n%s\nwant\n%s", got, want)
	}
	tm.gone(form)

	// The next form of the same questions starts with what was there.
	call = a.start("ask_user", arguments(t, session, nameSpec))
	form = tm.newPane(home)
	tm.shows(form, "maybe Aurora")
	tm.ready(form)
	tm.keys(form, "C-c")
	tm.shows(form, "Decline")
	tm.text(form, "d")
	tm.shows(form, "eason")
	tm.text(form, "too early")
	tm.keys(form, "C-s")
	want = `User cancelled. Reason: "too early". Do not ask this again unless the user brings it up; go on with what does not need it, and name the open point at the end.`
	if got := call.reply().String(); got != want {
		t.Errorf("declining gave\n%s\nwant\n%s", got, want)
	}
}

// draftOf is what is saved of the session's open form, as planb itself tells it.
func draftOf(t *testing.T, data, session string) string {
	t.Helper()
	st := openStore(t, data)
	due, err := st.Due(context.Background(), session)
	if err != nil || len(due) == 0 {
		return ""
	}
	draft, found, err := st.Draft(context.Background(), due[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	if !found {
		return ""
	}
	text, err := json.Marshal(draft)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

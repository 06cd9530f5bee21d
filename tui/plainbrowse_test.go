package tui

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"time"

	"planb/questions"
	"planb/store"
)

// around looks around in plain lines, with these as what the person types.
func (w *world) around(show func(o Options) error, o Options, typed ...string) string {
	w.t.Helper()
	var out bytes.Buffer
	o.Store, o.By, o.Now = w.store, "you@desk", w.clock
	o.Terminal = Terminal{Input: strings.NewReader(strings.Join(append(typed, ""), "\n")), Output: &out, Environ: []string{"ACCESSIBLE=1"}}
	if err := show(o); err != nil {
		w.t.Fatalf("%v\n%s", err, out.String())
	}
	if strings.Contains(out.String(), "\x1b") {
		w.t.Errorf("something is drawn:\n%q", out.String())
	}
	return out.String()
}

func TestCompanionInPlainLines(t *testing.T) {
	w := newWorld(t)
	session := w.session("Names", "/home/you/ships")
	first, second, third := w.ask(session, "First", ""), w.ask(session, "Second", ""), w.ask(session, "Third", "")
	companion := func(o Options) error { return Companion(t.Context(), o) }
	out := w.around(companion, Options{}, "1", "Vega", "send", "withdraw 1", "yes", "snooze 1", "9", "help", "sessions", "leave", "again", "leave")
	for id, want := range map[string]questions.State{first.ID: questions.Answered, second.ID: questions.Withdrawn, third.ID: questions.Pending} {
		if got := w.stored(id).Outcome.State; got != want {
			t.Errorf("an outcome is %q, want %q\n%s", got, want, out)
		}
	}
	if !w.stored(third.ID).Asleep(w.clock()) {
		t.Errorf("the third is awake\n%s", out)
	}
	for _, want := range []string{
		"Waiting for you: 3.\n1. First, Claude Code, ships,", "Waiting for you: 1.\n1. Third", "snoozed until", "Nothing waits under that number.", "1. Names, Claude Code, ships",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not printed:\n%s", want, out)
		}
	}
	if out := w.around(companion, Options{}, "wake 1"); w.stored(third.ID).Asleep(w.clock()) {
		t.Errorf("the third is asleep\n%s", out)
	}
}

func TestPastSessionsInPlainLines(t *testing.T) {
	w := newWorld(t)
	session, ask := w.told()
	retro := func(o Options) error { return Retro(t.Context(), o) }
	for _, test := range []struct {
		name    string
		options Options
		typed   []string
		want    []string
	}{
		{"all", Options{}, []string{"1", "v1", "v99", "leave", "more", "7", "leave"}, []string{"1. " + sessionTitle(session), "Plan v1", "These are all.", "no such session"}},
		{"a session", Options{Session: session.ID}, nil, []string{sessionTitle(session), ask.Spec.Title.Raw(), "Plan v1"}},
		{"a form", Options{Session: session.ID, Ask: ask.ID}, nil, []string{ask.Spec.Title.Raw()}},
		{"a version", Options{Session: session.ID, Plan: 1}, nil, []string{must(w.store.PlanText(t.Context(), session.ID, 1)).Raw()}},
	} {
		t.Run(test.name, func(t *testing.T) {
			out := w.around(retro, test.options, test.typed...)
			for _, want := range test.want {
				if !strings.Contains(out, strings.TrimSpace(want)) {
					t.Errorf("%q is not printed:\n%s", want, out)
				}
			}
		})
	}
	if out := newWorld(t).around(retro, Options{}); !strings.Contains(out, "There are no sessions yet.") {
		t.Errorf("printed was\n%s", out)
	}
}

// What comes in while nothing is typed is told.
func TestArrivalsInPlainLines(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	session := w.session("Names", "/home/you/ships")
	in, typing := io.Pipe()
	p := &typist{t: t, in: typing}
	ended := make(chan error, 1)
	go func() {
		ended <- Companion(t.Context(), Options{Store: w.user("you@desk"), By: "you@desk", Now: w.clock, Rings: Rings{Bell: true},
			Terminal: Terminal{Input: in, Output: p, Environ: []string{"TERM=dumb"}}})
	}()
	poll(t, "the list", func() bool { return strings.Contains(p.printed(), "Nothing waits for you.") })
	ask := w.ask(session, "The new ship", "")
	p.answers("New: 1. The new ship", "1")
	p.answers("Your answer:", "Vega")
	p.answers("Type send", "send")
	p.answers("Nothing waits for you.\nA number answers, sessions tells of all, help of the rest: ", "leave")
	select {
	case err := <-ended:
		if err != nil {
			t.Fatal(err)
		}
	case <-time.After(patience):
		t.Fatal("it does not end")
	}
	if w.stored(ask.ID).Outcome.State != questions.Answered || !strings.Contains(p.printed(), bel) {
		t.Errorf("printed was\n%q", p.printed())
	}
}

// What comes in while a number is being typed takes no other form's number, not
// even where it goes above the others: it is told with a number of its own.
func TestNumbersStayInPlainLines(t *testing.T) {
	w := newWorld(t)
	session := w.session("Names", "/home/you/ships")
	first := w.ask(session, "The old ship", "")
	in, typing := io.Pipe()
	p := &typist{t: t, in: typing}
	ended := make(chan error, 1)
	go func() {
		ended <- Companion(t.Context(), Options{Store: w.user("you@desk"), By: "you@desk", Now: w.clock,
			Terminal: Terminal{Input: in, Output: p, Environ: []string{"TERM=dumb"}}})
	}()
	poll(t, "the list", func() bool { return strings.Contains(p.printed(), "1. The old ship") })
	second := w.ask(session, "The new ship", "")
	w.hold(store.WaitClaim(second.ID, "server")) // a list that is read anew has it first
	p.answers("New: 2. The new ship", "1")
	p.answers("asks in ships: The old ship", "Vega")
	p.answers("Type send", "send")
	p.answers("1. The new ship", "1")
	p.answers("asks in ships: The new ship", "Rigel")
	p.answers("1 of 1 questions.\n1. What is it called? Rigel", "send")
	p.answers("Nothing waits for you.", "leave")
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	for ask, want := range map[string]string{first.ID: "Vega", second.ID: "Rigel"} {
		if got, _ := w.stored(ask).Outcome.Reply.Answers["name"].Text(); got != want {
			t.Errorf("an answer is %q, want %q\n%s", got, want, p.printed())
		}
	}
}

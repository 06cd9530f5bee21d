package lines

import (
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/tui/screen"
	"planb/tui/tuitest"
	"planb/tui/wording"
)

func TestInboxInPlainLines(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	session := w.Session("Names", "/home/you/ships")
	first, second, third := w.Ask(session, "First", ""), w.Ask(session, "Second", ""), w.Ask(session, "Third", "")
	out := w.inboxInLines(InboxOptions{}, "1", "Vega", "send", "withdraw 1", "yes", "snooze 1", "", "snooze 1", "9", "snooze 1 2", "9", "help", "again", "sessions", "leave")
	for id, want := range map[string]questions.State{first.ID: questions.Answered, second.ID: questions.Withdrawn, third.ID: questions.Pending} {
		if got := w.Stored(id).Outcome.State; got != want {
			t.Errorf("an outcome is %q, want %q\n%s", got, want, out)
		}
	}
	if !w.Stored(third.ID).Asleep(w.Clock()) {
		t.Errorf("the third is awake\n%s", out)
	}
	prints(t, out,
		"Waiting for you: 3.\n1. First, Claude Code, ships,", "Waiting for you: 1.\n1. Third", "1 for 10 minutes, 2 for an hour, 3 until tomorrow 08:00;", "That is neither 1, 2 nor 3", "Snoozed until 15:07: “Third”", "snoozed until 15:07", "Nothing waits under that number.", "withdraw, and a number: takes", "There is no such word here. Type help",
	)
	if out := w.inboxInLines(InboxOptions{}, "wake 1"); w.Stored(third.ID).Asleep(w.Clock()) {
		t.Errorf("the third is asleep\n%s", out)
	}
}

// What comes in while nothing is typed is told.
func TestArrivalsInPlainLines(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		session := w.Session("Names", "/home/you/ships")
		in, typing := io.Pipe()
		t.Cleanup(func() { _ = typing.Close() })
		p := &typist{t: t, in: typing}
		ended := make(chan error, 1)
		go func() {
			ended <- Inbox(t.Context(), InboxOptions{Store: w.User("you@desk"), By: "you@desk", Now: w.Clock, Bell: true,
				Terminal: screen.Terminal{Input: in, Output: p, Environ: []string{"TERM=dumb"}}})
		}()
		tuitest.Poll(t, "the list", func() bool { return strings.Contains(p.printed(), "Nothing waits for you.") })
		ask := w.Ask(session, "The new ship", "")
		p.answers("New: 1. The new ship", "1")
		p.answers("Your answer:", "Vega")
		p.answers("Type send", "send")
		p.answers("Nothing waits for you.\nInbox: ", "leave")
		select {
		case err := <-ended:
			if err != nil {
				t.Fatal(err)
			}
		case <-time.After(tuitest.Patience):
			t.Fatal("it does not end")
		}
		if w.Stored(ask.ID).Outcome.State != questions.Answered || !strings.Contains(p.printed(), screen.BEL) {
			t.Errorf("printed was\n%q", p.printed())
		}
	})
}

// What comes in while a number is being typed takes no other form's number, not
// even where it goes above the others: it is told with a number of its own.
func TestNumbersStayInPlainLines(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		session := w.Session("Names", "/home/you/ships")
		first := w.Ask(session, "The old ship", "")
		in, typing := io.Pipe()
		t.Cleanup(func() { _ = typing.Close() })
		p := &typist{t: t, in: typing}
		ended := make(chan error, 1)
		go func() {
			ended <- Inbox(t.Context(), InboxOptions{Store: w.User("you@desk"), By: "you@desk", Now: w.Clock,
				Terminal: screen.Terminal{Input: in, Output: p, Environ: []string{"TERM=dumb"}}})
		}()
		tuitest.Poll(t, "the list", func() bool { return strings.Contains(p.printed(), "1. The old ship") })
		second := w.Ask(session, "The new ship", "")
		w.Hold(store.WaitClaim(second.ID, "server")) // a list that is read anew has it first
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
			if got, _ := w.Stored(ask).Outcome.Reply.Answers["name"].Text(); got != want {
				t.Errorf("an answer is %q, want %q\n%s", got, want, p.printed())
			}
		}
	})
}

// What waits can be narrowed, too, and says who asks.
func TestWaitingIsFilteredInPlainLines(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Ask(w.Session("Names", "/home/you/ships"), "First", "tmux-1-@1")
	w.Ask(w.Session("Other", "/home/you/trains"), "Second", "")
	out := w.inboxInLines(InboxOptions{},
		"filter project:trains", "about 1", "filter status:x", "filter nothing", "filter", "about 1", "?", "leave")
	prints(t, out,
		"Waiting for you: 1. The filter leaves out 1; filter alone ends it.\n1. Second", "Nothing that waits has that. The filter leaves out 2", "2. Second",
		"Claude Code, ships, Names\ntmux @1, asked today 14:07, no agent waits, your answer will be kept\nplanb tui ask ",
	)
}

// What comes after planb, such as the prompt of a shell, begins on a line of its own.
func TestTheEndOfInputEndsTheLineOfThePrompt(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	if out := w.inboxInLines(InboxOptions{}); !strings.HasSuffix(out, "help tells of the rest: \n") {
		t.Errorf("printed was %q", out)
	}
	if _, out := w.plainly(w.Ask(w.Session("Names", ""), "First", "")); !strings.Contains(out, "Your answer: \nKept: First\n") {
		t.Errorf("printed was %q", out)
	}
}

// Whoever withdraws is named as on the screen: it was not the agent.
func TestWithdrawnInPlainLines(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ask := w.Ask(w.Session("Names", ""), "First", "")
	w.inboxInLines(InboxOptions{}, "withdraw 1", "no", "withdraw 1", "YES", "leave")
	if o := w.Stored(ask.ID).Outcome; o.State != questions.Withdrawn || wording.WithdrawnBy(o) != "you@desk" {
		t.Errorf("the outcome is %+v", o)
	}
}

// Nothing an agent sends is printed as it is; inboxInLines fails if anything is.
func TestEvilInboxInPlainLines(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	session := tuitest.Must(w.Store.CreateSession(t.Context(), store.Session{
		Title: safe.New("T\x1b[2J"), Project: safe.New("/tmp/\x1b[2J"), Client: store.Client{Name: safe.New("c\x1b[2J\u009b")},
	}))
	w.Ask(session, "A\x1b[2J \u202e", "evil\x1b[2J-1-\x1b[2J")
	out := w.inboxInLines(InboxOptions{}, "about 1", "filter evil\x1b[2J", "filter", "snooze 1 2", "wake 1", "withdraw 1", "yes", "leave")
	for _, evil := range []string{"\u202e", "\a", "\u009b"} {
		if strings.Contains(out, evil) {
			t.Errorf("%q is printed:\n%q", evil, out)
		}
	}
	if !strings.Contains(out, "Withdrawn.") || !strings.Contains(out, "Nothing waits for you.") {
		t.Errorf("printed was\n%s", out)
	}
}

// Past sessions are not read out. Who asks for them is told which commands print them.
func TestPastSessionsHaveCommandsWhereNothingIsDrawn(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const want = "ast sessions are read with other commands of planb: sessions lists them, show prints one of them, an answer or a plan, " +
		"diff compares versions of a plan, and find searches everything; begin with  my-planb sessions"
	prints(t, w.inboxInLines(InboxOptions{Command: "my-planb"}, "help", "leave"), "\nP"+want+".\n")
}

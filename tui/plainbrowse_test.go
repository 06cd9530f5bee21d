package tui

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/tui/screen"
	"planb/tui/tuitest"
	"planb/tui/wording"
)

// around looks around in plain lines, with these as what the person types.
func (w *world) around(show func(o Options) error, o Options, typed ...string) string {
	w.T.Helper()
	var out bytes.Buffer
	o.Store, o.By, o.Now = w.Store, "you@desk", w.Clock
	o.Terminal = Terminal{Input: strings.NewReader(strings.Join(append(typed, ""), "\n")), Output: &out, Environ: append(o.Terminal.Environ, "ACCESSIBLE=1")}
	if err := show(o); err != nil {
		w.T.Fatalf("%v\n%s", err, out.String())
	}
	if strings.Contains(out.String(), "\x1b") {
		w.T.Errorf("something is drawn:\n%q", out.String())
	}
	return out.String()
}

func TestCompanionInPlainLines(t *testing.T) {
	w := newWorld(t)
	session := w.Session("Names", "/home/you/ships")
	first, second, third := w.Ask(session, "First", ""), w.Ask(session, "Second", ""), w.Ask(session, "Third", "")
	companion := func(o Options) error { return Companion(t.Context(), o) }
	out := w.around(companion, Options{}, "1", "Vega", "send", "withdraw 1", "yes", "snooze 1", "", "snooze 1", "9", "snooze 1 2", "9", "help", "sessions", "leave", "again", "leave")
	for id, want := range map[string]questions.State{first.ID: questions.Answered, second.ID: questions.Withdrawn, third.ID: questions.Pending} {
		if got := w.Stored(id).Outcome.State; got != want {
			t.Errorf("an outcome is %q, want %q\n%s", got, want, out)
		}
	}
	if !w.Stored(third.ID).Asleep(w.Clock()) {
		t.Errorf("the third is awake\n%s", out)
	}
	prints(t, out,
		"Waiting for you: 3.\n1. First, Claude Code, ships,", "Waiting for you: 1.\n1. Third", "1 for 10 minutes, 2 for an hour, 3 until tomorrow 08:00;", "That is neither 1, 2 nor 3", "Snoozed until 15:07: “Third”", "snoozed until 15:07", "Nothing waits under that number.", "withdraw, and a number: takes", "1. Names, Claude Code, ships",
	)
	if out := w.around(companion, Options{}, "wake 1"); w.Stored(third.ID).Asleep(w.Clock()) {
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
		{"all", Options{}, []string{"1", "v1", "v99", "leave", "more", "7", "leave"}, []string{"1. " + wording.SessionTitle(session), "Plan v1", "These are all.", "no such session"}},
		{"a session", Options{Session: session.ID}, nil, []string{wording.SessionTitle(session), ask.Spec.Title.Raw(), "Plan v1"}},
		{"a form", Options{Session: session.ID, Ask: ask.ID}, nil, []string{ask.Spec.Title.Raw()}},
		{"a version", Options{Session: session.ID, Plan: 1}, nil, []string{strings.TrimSpace(tuitest.Must(w.Store.PlanText(t.Context(), session.ID, 1)).Raw())}},
	} {
		t.Run(test.name, func(t *testing.T) {
			prints(t, w.around(retro, test.options, test.typed...), test.want...)
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
	session := w.Session("Names", "/home/you/ships")
	in, typing := io.Pipe()
	p := &typist{t: t, in: typing}
	ended := make(chan error, 1)
	go func() {
		ended <- Companion(t.Context(), Options{Store: w.User("you@desk"), By: "you@desk", Now: w.Clock, Rings: Rings{Bell: true},
			Terminal: Terminal{Input: in, Output: p, Environ: []string{"TERM=dumb"}}})
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
}

// What comes in while a number is being typed takes no other form's number, not
// even where it goes above the others: it is told with a number of its own.
func TestNumbersStayInPlainLines(t *testing.T) {
	w := newWorld(t)
	session := w.Session("Names", "/home/you/ships")
	first := w.Ask(session, "The old ship", "")
	in, typing := io.Pipe()
	p := &typist{t: t, in: typing}
	ended := make(chan error, 1)
	go func() {
		ended <- Companion(t.Context(), Options{Store: w.User("you@desk"), By: "you@desk", Now: w.Clock,
			Terminal: Terminal{Input: in, Output: p, Environ: []string{"TERM=dumb"}}})
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
}

// Sessions are archived and deleted as in the list that is drawn: a deletion waits for
// the list to be left, and either can be undone.
func TestSessionsAreTidiedInPlainLines(t *testing.T) {
	w := newWorld(t)
	for _, title := range []string{"Bees", "Ants", "Wasps"} {
		w.Session(title, "/home/you/garden")
		w.Now = w.Now.Add(time.Minute)
	}
	w.Ask(tuitest.Must(w.Store.CreateSession(t.Context(), store.Session{Title: safe.New("Open")})), "The new ship", "")
	retro := func(o Options) error { return Retro(t.Context(), o) }
	titles := func() string {
		var names []string
		for _, session := range w.list() {
			if name := session.Title.Line(); session.InArchive() {
				names = append(names, name+" archived")
			} else {
				names = append(names, name)
			}
		}
		return strings.Join(names, " ")
	}
	for _, test := range []struct {
		name    string
		typed   []string
		want    string
		printed []string
	}{
		{"undone", []string{"undo", "archive 2", "undo", "delete 3", "yes", "3", "undo", "delete 3", "no", "leave"}, "Open Wasps Ants Bees",
			[]string{"There is nothing to undo.", "Archived, undo takes it back: “Wasps”", "Delete “Ants”? Nothing else hangs on it. It goes when you leave", "Not deleted: “Ants”"}},
		{"what is open stays", []string{"delete 1", "leave"}, "Open Wasps Ants Bees", []string{"Not possible: something waits for an answer: 1 form."}},
		{"not left, but ended", []string{"delete 2", "yes"}, "Open Wasps Ants Bees", nil},
		{"archived", []string{"archive 2", "again", "leave"}, "Open Wasps archived Ants Bees", []string{"1 form, 1 waiting\n2. Ants"}},
		{"found in the archive, and taken back", []string{"filter status:archived", "archive 1", "filter", "filter nothing", "filter status:x", "leave"}, "Open Wasps Ants Bees",
			[]string{"1. Wasps, Claude Code, garden, ", "0 forms, archived", "Out of the archive: “Wasps”", "2. Wasps", "No session has that."}},
		{"deleted", []string{"delete 2", "y", "leave"}, "Open Ants Bees", []string{"Deleted: “Wasps”"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			out := w.around(retro, Options{}, test.typed...)
			if got := titles(); got != test.want {
				t.Errorf("there are %s, want %s\n%s", got, test.want, out)
			}
			prints(t, out, test.printed...)
		})
	}
}

// A long list is told a page at a time.
func TestManySessionsInPlainLines(t *testing.T) {
	w := newWorld(t)
	for i := range 2*plainPage + 3 {
		w.Session(fmt.Sprintf("Session %02d", i), "")
		w.Now = w.Now.Add(time.Minute)
	}
	out := w.around(func(o Options) error { return Retro(t.Context(), o) }, Options{}, "more", "archive 1", "more", "more", "filter 05", "leave")
	for i := range 2*plainPage + 3 {
		want := 1
		if i == 5 {
			want = 2
		}
		if got := strings.Count(out, fmt.Sprintf("Session %02d, Claude", i)); got != want {
			t.Errorf("session %d is told %d times:\n%s", i, got, out)
		}
	}
	if !strings.Contains(out, "23. Session 00") || !strings.Contains(out, "These are all.") || !strings.Contains(out, "1. Session 05") {
		t.Errorf("printed was\n%s", out)
	}
}

func TestAStoryInPlainLines(t *testing.T) {
	w := newWorld(t)
	session, ask := w.told()
	editor := filepath.Join(t.TempDir(), "editor")
	if err := os.WriteFile(editor, []byte("#!/bin/sh\ncat \"$1\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	out := w.around(func(o Options) error { return Retro(t.Context(), o) }, Options{Session: session.ID, Terminal: Terminal{Environ: append(os.Environ(), "VISUAL="+editor)}},
		"help", "2", "99", "plan", "v1", "plan 99", "changes", "changes 1", "changes 1 2", "changes 2 1", "outline", "led 2", "led 1", "all", "earlier", "again", "v", "edit", "edit 1", "leave")
	prints(t, out,
		"1. Begun: Claude Code, ", "2. Asked: "+ask.Spec.Title.Line(), "Plan v1", "What changed in v2 since v1:", "v1 is the first version; there is nothing before it.",
		"Nothing in the story has that number", "There is no such version; the last one is", ", level 1, line 1", "That is the beginning.", "planb export "+store.ShortID(session.ID),
	)
}

func TestFindingInPlainLines(t *testing.T) {
	w := newWorld(t)
	session := w.Session("Names", "/home/you/ships")
	done := w.Ask(session, "The old ship", "")
	w.plainly(done, "Vega", "send")
	open := w.Ask(session, "The new ship", "")
	w.Save(session, "Ships", "# Ships\n\nVega sails.\n")
	out := w.around(func(o Options) error { return Companion(t.Context(), o) }, Options{},
		"find", "find kind:x", "find nowhere", "find vega", "1", "2", "9", "more", "leave", "find new ship", "1", "Rigel", "send", "leave", "leave")
	prints(t, out,
		"all of which have to be in one place", "Nothing has all of this.", "2 hits.\n1. Plan v1: Ships, Names, ships, just now\n   line 3: Vega sails.",
		"2. Form: The old ship, answered, Names", "Plan v1:\n\n# Ships", "There is no hit of that number.", "These are all.", "1 answer kept for Claude Code",
	)
	if w.Stored(open.ID).Outcome.State != questions.Answered {
		t.Errorf("the open one was not answered:\n%s", out)
	}
}

// What waits can be narrowed, too, and says who asks.
func TestWaitingIsFilteredInPlainLines(t *testing.T) {
	w := newWorld(t)
	w.Ask(w.Session("Names", "/home/you/ships"), "First", "tmux-1-@1")
	w.Ask(w.Session("Other", "/home/you/trains"), "Second", "")
	out := w.around(func(o Options) error { return Companion(t.Context(), o) }, Options{},
		"filter project:trains", "about 1", "filter status:x", "filter nothing", "filter", "about 1", "?", "leave")
	prints(t, out,
		"Waiting for you: 1. The filter leaves out 1; filter alone ends it.\n1. Second", "Nothing that waits has that. The filter leaves out 2", "2. Second",
		"Claude Code, ships, Names\ntmux @1, asked today 14:07, no agent waits, your answer will be kept\nplanb tui ask ",
	)
}

// Whoever withdraws is named as on the screen: it was not the agent.
func TestWithdrawnInPlainLines(t *testing.T) {
	w := newWorld(t)
	ask := w.Ask(w.Session("Names", ""), "First", "")
	w.around(func(o Options) error { return Companion(t.Context(), o) }, Options{}, "withdraw 1", "no", "withdraw 1", "YES", "leave")
	if o := w.Stored(ask.ID).Outcome; o.State != questions.Withdrawn || wording.WithdrawnBy(o) != "you@desk" {
		t.Errorf("the outcome is %+v", o)
	}
}

// Nothing an agent sends is printed as it is, wherever one looks; around fails if
// anything is.
func TestEvilSessionInPlainLines(t *testing.T) {
	w := newWorld(t)
	session := tuitest.Must(w.Store.CreateSession(t.Context(), store.Session{
		Title: safe.New("T\x1b[2J"), Project: safe.New("/tmp/\x1b[2J"), Intent: safe.New("i\x1b]0;x\a"), Client: store.Client{Name: safe.New("c\x1b[2J")},
	}))
	w.Save(session, "P\x1b[2J", "# One\x1b[2J\n\nevil\x1b[2J\n")
	w.Save(session, "P\x1b[2J", "# Two\x1b[2J\n\nevil &#27;[2J \u202e\n\n- \x1b[2J [q:\x1b[2J]\n")
	w.Ask(session, "A\x1b[2J", "evil\x1b[2J-1-\x1b[2J")
	out := w.around(func(o Options) error { return Companion(t.Context(), o) }, Options{},
		"about 1", "sessions", "1", "1", "outline", "changes", "led 2", "led 3", "plan 2", "leave", "archive 1", "undo", "leave",
		"find evil", "1", "leave", "snooze 1 2", "wake 1", "withdraw 1", "yes", "sessions", "delete 1", "yes", "leave", "leave")
	for _, evil := range []string{"\u202e", "\a", "\u009b"} {
		if strings.Contains(out, evil) {
			t.Errorf("%q is printed:\n%q", evil, out)
		}
	}
	if !strings.Contains(out, "Deleted: ") || !strings.Contains(out, "Nothing waits for you.") || !strings.Contains(out, "What changed in v2 since v1:") {
		t.Errorf("printed was\n%s", out)
	}
}

// A session that was deleted meanwhile ends nothing else.
func TestASessionThatIsGoneInPlainLines(t *testing.T) {
	w := newWorld(t)
	session := w.Session("Bees", "")
	in, typing := io.Pipe()
	p := &typist{t: t, in: typing}
	ended := make(chan error, 1)
	go func() {
		ended <- Retro(t.Context(), Options{Store: w.User("you@desk"), By: "you@desk", Now: w.Clock, Terminal: Terminal{Input: in, Output: p, Environ: []string{"TERM=dumb"}}})
	}()
	tuitest.Poll(t, "the list", func() bool { return strings.Contains(p.printed(), "1. Bees") })
	if err := w.Store.Delete(t.Context(), session, nil); err != nil {
		t.Fatal(err)
	}
	p.answers("opens a session", "1")
	p.answers("That could not be done: ", "leave")
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
}

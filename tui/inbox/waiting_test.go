package inbox

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/themes"
	"planb/tui/tuitest"
	"planb/tui/wording"
)

func TestWithdrawingAsksFirst(t *testing.T) {
	t.Parallel()
	w := tuitest.NewWorld(t)
	session := w.Session("Names", "/home/you/ships")
	ask, other := w.Ask(session, "The new ship", ""), w.Ask(session, "The old ship", "")
	r := openInbox(w, true, 80, 24, themes.None())
	r.Keys("down up w")
	r.Shows("Withdraw “The new ship”?", "No agent waits. Claude Code is told when it asks for", "cannot be undone.", "y withdraw it", "esc keep it")
	r.Keys("w space down up") // none of them is the answer
	r.Shows("Withdraw “The new ship”?")
	r.Keys("enter") // without looking
	r.Hides("Withdraw “")
	if got := w.Stored(ask.ID).Outcome.State; got.Final() {
		t.Fatalf("it is %s before anybody said so", got)
	}
	r.Keys("w y")
	r.Shows("Withdrawn: “The new ship”", "▌ ● The old ship", "Waiting for you  1")
	got := w.Stored(ask.ID).Outcome
	if got.State != questions.Withdrawn || got.By != "you@desk" || w.Stored(other.ID).Outcome.State.Final() {
		t.Errorf("the store holds %+v", got)
	}
	if by := wording.WithdrawnBy(got); by != "you@desk" {
		t.Errorf("it is said to be withdrawn by %q", by)
	}
	r.Keys("down w") // a session
	r.Shows("Only what waits for you can be snoozed or withdrawn.")
}

// A prompt acts on its own form only, and closes when that form has ended.
func TestAQuestionStaysWithItsForm(t *testing.T) {
	t.Parallel()
	w := tuitest.NewWorld(t)
	session := w.Session("Names", "/home/you/ships")
	ask := w.Ask(session, "The new ship", "")
	r := openInbox(w, true, 80, 24, themes.None())
	list := r.Top().(*Screen)
	r.Keys("w")
	w.Hold(store.WaitClaim(w.Ask(session, "The old ship", "").ID, "server")) // goes above it
	r.Run(list.read())
	r.Shows("Withdraw “The new ship”?", "▌ ● The new ship")
	tuitest.Must(w.Store.Settle(t.Context(), ask.ID, questions.Outcome{State: questions.Declined}))
	r.Run(list.read())
	r.Shows("“The new ship” has ended meanwhile.")
	r.Keys("y")
	if waiting := tuitest.Must(w.Store.Waiting(t.Context())); len(waiting) != 1 {
		t.Errorf("%d wait", len(waiting))
	}
}

func TestSnoozingInTheList(t *testing.T) {
	t.Parallel()
	w := tuitest.NewWorld(t)
	session := w.Session("Names", "/home/you/ships")
	ask := w.Ask(session, "The new ship", "")
	w.Ask(session, "The old ship", "")
	r := openInbox(w, true, 80, 24, themes.None())
	r.Keys("home s")
	r.Shows("Snooze “The new ship”?", "10 minutes                                             1", "1 hour", "Until tomorrow 08:00", "esc back")
	r.Hides("wake it now")
	r.Keys("2")
	at := wording.Until(w.Now.Add(time.Hour), w.Now)
	r.Shows("Snoozed until "+at+": “The new ship”", "Waiting for you  1", "Snoozed  1", "snoozed until "+at)
	if got := w.Stored(ask.ID).Snoozed; !got.Equal(w.Now.Add(time.Hour)) {
		t.Errorf("it is snoozed until %v", got)
	}
	again := openInbox(w, true, 80, 24, themes.None()) // another inbox, or the same started again
	again.Shows("Waiting for you  1", "snoozed until "+at)
	again.Keys("down enter") // and it can be answered all the while
	again.Shows("What is it called?")

	r.Keys("end up s")
	r.Shows("Wake it now")
	r.Keys("0")
	r.Shows("Awake again: “The new ship”", "Waiting for you  2")
	r.Hides("Snoozed  1")
	if got := w.Stored(ask.ID).Snoozed; !got.IsZero() {
		t.Errorf("it is still snoozed until %v", got)
	}
}

func TestMorning(t *testing.T) {
	t.Parallel()
	day := func(d, h int) time.Time { return time.Date(2026, 3, d, h, 0, 0, 0, time.UTC) }
	for _, test := range []struct{ now, want time.Time }{
		{day(4, 14), day(5, 8)},
		{day(4, 23), day(5, 8)},
		{day(5, 1), day(5, 8)},
		{day(5, 4), day(5, 8)},
		{day(5, 5), day(6, 8)},
		{day(5, 9), day(6, 8)},
	} {
		if got := NextMorning(test.now); !got.Equal(test.want) {
			t.Errorf("at %v the next morning is %v, want %v", test.now, got, test.want)
		}
	}
}

// A snoozed form comes back by itself, with a ring.
func TestASnoozeEndsWithARing(t *testing.T) {
	t.Parallel()
	w := tuitest.NewWorld(t)
	ask := w.Ask(w.Session("Names", "/home/you/ships"), "The new ship", "")
	if err := w.Store.Snooze(t.Context(), ask.ID, w.Now.Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	r := openInbox(w, true, 80, 24, themes.None())
	list := r.Top().(*Screen)
	r.Shows("snoozed until")
	if list.ringer.turning {
		t.Fatal("what slept when it started is to ring")
	}
	w.Now = w.Now.Add(time.Hour)
	r.Send(snoozeOver{list, list.wakeAt})
	r.Shows("Waiting for you  1")
	r.Hides("snoozed until")
	if ring, _ := list.ringer.state.turn(list.whereIs); len(ring) != 1 || ring[0] != ask.ID {
		t.Errorf("it rings for %v", ring)
	}
}

// No key opens a form that came under the cursor before the person could see it there.
func TestArrivalsLeaveTheSelectionAlone(t *testing.T) {
	t.Parallel()
	w := tuitest.NewWorld(t)
	session := w.Session("Names", "/home/you/ships")
	first := w.Ask(session, "The new ship", "")
	r := openInbox(w, true, 80, 24, themes.None())
	list := r.Top().(*Screen)
	arrive := func(title string) store.Ask {
		w.Now = w.Now.Add(time.Second)
		ask := w.Ask(session, title, "")
		w.Hold(store.WaitClaim(ask.ID, "server"))
		r.Run(list.read())
		return ask
	}
	arrive("One that a call waits for")
	r.Shows("▌ ● The new ship", "Waiting for you  2")
	tuitest.Must(w.Store.Settle(t.Context(), first.ID, questions.Outcome{State: questions.Declined}))
	r.Run(list.read())
	r.Keys("enter") // meant for what was there
	r.Shows("The list has just changed.")
	r.Send(cursorSettled{list, list.unsettled})
	r.Keys("enter")
	r.Shows("What is it called?")
	arrive("And another")
	r.Shows("What is it called?", "beside 1 more waiting") // over the open form nothing comes
}

// Rows that come in above do not move the row that a person looks at further down.
func TestTheListReadsOnWhereItWas(t *testing.T) {
	t.Parallel()
	w := tuitest.NewWorld(t)
	sessions := []store.Session{w.Session("Names", "/home/you/ships"), w.Session("Names", "/home/you/ships")}
	for i := range 40 {
		w.Now = w.Now.Add(time.Second)
		w.Ask(sessions[i%2], "Ship "+string(rune('A'+i%26))+string(rune('a'+i/26)), "")
	}
	r := openInbox(w, true, 80, 24, themes.None())
	list := r.Top().(*Screen)
	for range 25 {
		r.Keys("down")
	}
	lineOf := func() int {
		for i, line := range strings.Split(r.Text(), "\n") {
			if strings.Contains(line, "▌") {
				return i
			}
		}
		return -1
	}
	before, id := lineOf(), list.state.current()
	w.Hold(store.WaitClaim(w.Ask(w.Session("Names", "/home/you/ships"), "A new one", "").ID, "server"))
	r.Run(list.read())
	if got := lineOf(); got != before || list.state.current() != id {
		t.Errorf("the cursor went from line %d to %d, on %s, was %s", before, got, list.state.current(), id)
	}
}

// rung is what a command writes to the terminal.
func rung(t *testing.T, cmd tea.Cmd) (raw []string) {
	t.Helper()
	if cmd == nil {
		return nil
	}
	switch msg := cmd().(type) {
	case tea.BatchMsg:
		for _, c := range msg {
			raw = append(raw, rung(t, c)...)
		}
	case tea.RawMsg:
		raw = append(raw, msg.Msg.(string))
	}
	return raw
}

func TestRingsAreSwitches(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name    string
		rings   Rings
		environ string
		want    string
	}{
		{"none", Rings{}, "TERM_PROGRAM=WezTerm", ""},
		{"bell", Rings{Bell: true}, "TERM_PROGRAM=WezTerm", "\a"},
		{"desktop", Rings{Desktop: true}, "TERM_PROGRAM=WezTerm", "\x1b]777;notify;planb;Claude Code asks: The new ship · ships\x1b\\"},
		{"desktop, unknown terminal", Rings{Desktop: true}, "TERM=xterm-256color", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := tuitest.NewWorld(t)
			ask := w.Ask(w.Session("Names", "/home/you/ships"), "The new ship", "")
			r := openInbox(w, true, 80, 24, themes.None())
			list := r.Top().(*Screen)
			list.ringer.rings, list.ringer.notify = test.rings, desktopNotifier([]string{test.environ})
			if got := strings.Join(rung(t, list.ringFor([]string{ask.ID})), ""); got != test.want {
				t.Errorf("rings %q, want %q", got, test.want)
			}
		})
	}
}

func TestWhatRings(t *testing.T) {
	t.Parallel()
	now := tuitest.Moment
	ask := func(id string, snoozed time.Time) Waiting {
		return Waiting{Ask: store.Ask{ID: id, Snoozed: snoozed}}
	}
	var s ringState
	at := map[string]elsewhere{}
	turn := func() (ring, unless string) {
		a, b := s.turn(func(id string) elsewhere { return at[id] })
		return strings.Join(a, " "), strings.Join(b, " ")
	}
	if s.saw([]Waiting{ask("old", time.Time{}), ask("asleep", now.Add(time.Hour))}, nil, now) {
		t.Error("what was there at the start rings")
	}
	all := []Waiting{ask("old", time.Time{}), ask("a", time.Time{}), ask("b", time.Time{}), ask("pane", time.Time{}), ask("form", time.Time{}), ask("gone", time.Time{})}
	at["pane"], at["form"] = inAPane, inThisOne
	if !s.saw(all, nil, now) || !s.saw(all[:5], nil, now) {
		t.Error("nothing is fresh")
	}
	if ring, unless := turn(); ring != "a b" || unless != "" {
		t.Errorf("rings for %q, %q", ring, unless)
	}
	for range ringPatience - 2 {
		if ring, unless := turn(); ring+unless != "" {
			t.Errorf("rings for %q, %q", ring, unless)
		}
	}
	if ring, unless := turn(); ring != "" || unless != "pane" {
		t.Errorf("after its patience rings for %q, %q", ring, unless)
	}
	awake := append(all[:1:1], ask("asleep", now))
	if !s.saw(awake, nil, now) {
		t.Error("the end of a snooze does not ring")
	}
	s.known("woken")
	if turn(); s.saw(append(awake, ask("woken", time.Time{})), nil, now) {
		t.Error("what the person woke rings")
	}
}

func TestNotifyingTerminals(t *testing.T) {
	t.Parallel()
	for environ, want := range map[string]string{
		"TERM_PROGRAM=iTerm.app":                 "\x1b]9;t: b\x1b\\",
		"LC_TERMINAL=iTerm2":                     "\x1b]9;t: b\x1b\\",
		"TERM_PROGRAM=ghostty":                   "\x1b]777;notify;t;b\x1b\\",
		"TERM=foot-direct":                       "\x1b]777;notify;t;b\x1b\\",
		"TERM=rxvt-unicode-256color":             "\x1b]777;notify;t;b\x1b\\",
		"TERM=xterm-kitty":                       "\x1b]99;i=planb:d=0;t\x1b\\\x1b]99;i=planb:d=1:p=body;b\x1b\\",
		"TERM=xterm-256color":                    "",
		"TERM=xterm VTE_VERSION=7800":            "",
		"WT_SESSION=1 TERM=xterm-256color":       "",
		"TERM_PROGRAM=WezTerm TMUX=/tmp/s,1,0":   "",
		"TERM_PROGRAM=WezTerm ZELLIJ=0":          "",
		"TERM_PROGRAM=WezTerm STY=1.x":           "",
		"TERM_PROGRAM=Apple_Terminal TERM=xterm": "",
	} {
		got := ""
		if notify := desktopNotifier(strings.Fields(environ)); notify != nil {
			got = notify("t", "b")
		}
		if got != want {
			t.Errorf("%s: %q, want %q", environ, got, want)
		}
	}
}

// No text ends its sequence or begins another.
func FuzzNotification(f *testing.F) {
	for _, text := range []string{"\x1b\\\x1b]52;c;x\a", "\u009c\u009d0;x", "a;b;c", "\xc2\x9b2J", "\u202ex", strings.Repeat("界", 300), "4;3;100", "\x1c", "\xff\x9c"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, notify := range []notifier{osc9, osc777, osc99} {
			got, plain := notify("planb", text), notify("planb", "x")
			if strings.Count(got, "\x1b") != strings.Count(plain, "\x1b") || strings.Count(got, ";") != strings.Count(plain, ";") ||
				strings.ContainsAny(got, "\a\n\r\u009c") || !utf8.ValidString(got) {
				t.Errorf("%q became %q", text, got)
			}
		}
	})
}

func TestRingWords(t *testing.T) {
	t.Parallel()
	ask := func(client, project, title string) Waiting {
		return Waiting{
			Ask:     store.Ask{Client: store.Client{Title: safe.New(client)}, Spec: questions.Spec{Title: safe.New(title)}},
			Session: store.Session{Project: safe.New(project)},
		}
	}
	a, b := ask("Codex", "/srv/shop", "Which\x1b[2J table?"), ask("Claude Code", "/srv/hooks", "When?")
	if got := ringWords([]Waiting{a}); !strings.HasPrefix(got, "Codex asks: Which") || strings.Contains(got, "\x1b") {
		t.Errorf("one: %q", got)
	}
	if got, want := ringWords([]Waiting{a, b, a}), "3 forms wait for you: Codex · shop, Claude Code · hooks"; got != want {
		t.Errorf("several: %q, want %q", got, want)
	}
	b.Ask.Spec.Plan = &questions.PlanRef{Number: 1}
	if got, want := ringWords([]Waiting{b}), "Claude Code wants a plan reviewed: When? · hooks"; got != want {
		t.Errorf("a review: %q, want %q", got, want)
	}
}

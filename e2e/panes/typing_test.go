package panes_test

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/creack/pty"

	"planb/e2e/rig"
	"planb/questions"
	"planb/store"
)

// typedEnv names the variable for how many messages
// TestTypingForTheAgentDecidesNothing types.
const typedEnv = "PLANB_TYPED_MESSAGES"

// A person types for their agent, in any rhythm. Forms, reviews, replacements,
// withdrawals and queued asks come up beside it, and no key decides anything in
// them. All that is typed while no form has the focus arrives at the agent.
func TestTypingForTheAgentDecidesNothing(t *testing.T) {
	t.Parallel()
	messages, windows, how := 4, 2, pace{slowest: 200, longest: 800, words: 3}
	if asked, err := strconv.Atoi(os.Getenv(typedEnv)); err == nil {
		messages, windows, how = asked, min(asked, 25), pace{slowest: 600, longest: 2950, words: 7}
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("the seed is %d", seed)
	var typed, whole, swallowed, skipped atomic.Int64
	// The windows take no slots of -parallel: they only wait, and would get theirs last.
	var played sync.WaitGroup
	for i := range windows {
		played.Go(func() {
			t.Run(fmt.Sprint(i), func(t *testing.T) {
				t.Cleanup(func() {
					if t.Skipped() {
						skipped.Add(1)
					}
				})
				w := newTypedWindow(t, rand.New(rand.NewPCG(seed, uint64(i))))
				w.how = how
				w.play((messages+windows-1-i)/windows, i%2 == 0)
				w.check()
				typed.Add(int64(len(w.messages)))
				whole.Add(int64(w.whole))
				swallowed.Add(int64(w.sent - len(w.heard())))
			})
		})
	}
	played.Wait()
	t.Logf("%d messages typed, %d of them with the focus at the agent from begin to end; %d bytes fell to forms, and decided nothing",
		typed.Load(), whole.Load(), swallowed.Load())
	if skipped.Load() == 0 && (whole.Load() == 0 || swallowed.Load() == 0) {
		t.Error("no form ever had the focus, or always: nothing was tried")
	}
}

// pace limits how a person types: the slowest key and the longest pause in
// milliseconds, and the words of a message.
type pace struct{ slowest, longest, words int }

// typedWindow is a tmux window in which an agent asks and a person types for
// it.
type typedWindow struct {
	t       *testing.T
	rng     *rand.Rand
	how     pace
	tm      *rig.Tmux
	data    string
	agent   *rig.Agent
	store   *store.Store
	session string
	pane    string // the agent's pane, which records every byte
	keeps   string // the file with that record
	keys    io.Writer

	asked    int
	sent     int // bytes
	whole    int // messages typed with the focus on the agent from beginning to end
	messages []string
}

func newTypedWindow(t *testing.T, rng *rand.Rand) *typedWindow {
	size := [][2]int{{200, 50}, {120, 60}, {80, 24}}[rng.IntN(3)]
	w := &typedWindow{t: t, rng: rng, data: t.TempDir()}
	w.tm = rig.StartTmux(t, size[0], size[1])
	w.keeps = filepath.Join(w.tm.Home, "heard")
	w.pane = w.tm.Run("new-window", "-t", "work:", "-P", "-F", "#{pane_id}", "--", "sh", "-c", "stty raw -echo; echo prompt; exec cat >'"+w.keeps+"'")
	w.tm.Shows(w.pane, "prompt")
	client := exec.Command("tmux", "-S", w.tm.Socket, "attach", "-t", "work")
	client.Env = append(os.Environ(), "TMUX=", "TMUX_PANE=", "TERM=xterm-256color", "LC_ALL=C.UTF-8")
	tty, err := pty.StartWithSize(client, &pty.Winsize{Cols: uint16(size[0]), Rows: uint16(size[1])})
	if err != nil {
		t.Fatal(err)
	}
	drained := (&rig.Output{}).Drain(tty)
	t.Cleanup(func() {
		_ = client.Process.Kill() // it has ended already if the server did
		_ = client.Wait()
		_ = tty.Close()
		<-drained
	})
	rig.Until(t, "a terminal shows the window", func() bool { return w.tm.Run("list-clients", "-t", "work") != "" })
	w.keys = tty
	w.agent = rig.StartAgent(t, w.data, w.tm.Environment(w.pane), "--plans-dir", w.tm.Home)
	w.session = w.agent.Session("Typed at")
	w.store = rig.OpenStore(t, w.data)
	t.Cleanup(func() {
		for _, pane := range w.tm.Panes() {
			if t.Failed() {
				t.Logf("pane %s:\n%s", pane, w.tm.Screen(pane))
			}
		}
	})
	return w
}

// play has the person type that many messages, while the agent does one thing
// every few keys. Before some messages, and with formFirst before the first, a
// form comes up while nobody types, and gets the focus.
func (w *typedWindow) play(messages int, formFirst bool) {
	for i := range messages {
		if i == 0 && formFirst || i > 0 && w.rng.IntN(2) == 0 {
			w.idle()
			w.ask()
			rig.Until(w.t, "the form is there", func() bool { return len(w.tm.Panes()) == 3 })
		}
		w.message(i == 0)
		w.wander()
	}
	rig.Until(w.t, "the pane is there as long as something waits", func() bool { return (len(w.tm.Panes()) == 3) == (len(w.open()) > 0) })
}

// wander puts the focus, for the next message, where the person may have looked
// last: often at the agent, sometimes at a form.
func (w *typedWindow) wander() {
	panes := w.tm.Panes()
	to := w.pane
	if len(panes) == 3 && w.rng.IntN(2) == 0 {
		to = panes[2]
	}
	_, _ = w.tm.Try("select-pane", "-t", to) // the form may have gone meanwhile
}

// idle waits until no key counts as typing any more.
func (w *typedWindow) idle() {
	rig.Until(w.t, "nobody types", func() bool {
		last, err := strconv.ParseInt(w.tm.Run("list-clients", "-t", "work", "-F", "#{client_activity}"), 10, 64)
		return err == nil && time.Now().Unix()-last > 3
	})
}

func (w *typedWindow) atAgent() bool {
	return w.tm.Format(w.pane, "#{pane_active}") == "1"
}

// message types one message as people do: at a pace, with pauses after a
// quarter of the words, and sometimes with the other keys of an agent's prompt.
// The agent does something at some of the pauses, and with busy in the middle,
// too.
func (w *typedWindow) message(busy bool) {
	between := time.Duration(50+w.rng.IntN(w.how.slowest-50)) * time.Millisecond
	var keys []string
	if w.rng.IntN(5) == 0 {
		for range 1 + w.rng.IntN(3) { // through the history
			keys = append(keys, "\x1b[A")
		}
		for range w.rng.IntN(3) { // and back
			keys = append(keys, "\x1b[B")
		}
	} else {
		for range 2 + w.rng.IntN(w.how.words-1) {
			keys = append(keys, w.word()...)
		}
	}
	switch w.rng.IntN(8) {
	case 0:
		keys = append(keys, "\x1b", "\r")
	case 1:
		keys = append(keys, "\x03")
	default:
		keys = append(keys, "\r")
	}
	whole, last := w.atAgent(), time.Now()
	for i, key := range keys {
		if busy && i == len(keys)/2 {
			w.ask()
		}
		wait := between
		if key == "\t" || key == "\x1b[B" || key == "\x1b[6~" || strings.HasSuffix(key, " ") {
			if w.rng.IntN(4) == 0 {
				wait = time.Duration(300+w.rng.IntN(w.how.longest-300)) * time.Millisecond
			}
			if w.rng.IntN(6) == 0 {
				w.act()
			}
		}
		if time.Since(last) > 3*time.Second { // now a form may take the focus
			w.t.Skip("this machine is too busy: it types with longer pauses than people")
		}
		if _, err := io.WriteString(w.keys, key); err != nil {
			w.t.Fatal(err)
		}
		last = time.Now()
		w.sent += len(key)
		time.Sleep(wait) // a person's pace is what this test is about
	}
	text := strings.Join(keys, "")
	w.messages = append(w.messages, text)
	if whole && w.atAgent() { // no form takes the focus from a person who types
		w.whole++
		rig.Until(w.t, fmt.Sprintf("the agent has heard %q", text), func() bool { return strings.HasSuffix(w.heard(), text) })
	}
}

// word returns the keys of a word and a space. Sometimes Tab completes the
// word, or it is the last before the person continues in a new line.
func (w *typedWindow) word() []string {
	var keys []string
	for range 1 + w.rng.IntN(8) {
		keys = append(keys, string("abcdefghijklmnopqrstuvwxyzARN0123456789?*/<>"[w.rng.IntN(44)]))
	}
	switch w.rng.IntN(12) {
	case 0, 1:
		return append(keys, "\t")
	case 2:
		return append(keys, "\x1b[B")
	case 3:
		return append(keys, "\x1b[6~")
	}
	return append(keys, " ")
}

func (w *typedWindow) heard() string {
	text, err := os.ReadFile(w.keeps)
	if err != nil {
		w.t.Fatal(err)
	}
	return string(text)
}

// open lists the ids of the open asks.
func (w *typedWindow) open() (ids []string) {
	asks, err := w.store.Asks(w.t.Context(), w.session)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, ask := range asks {
		if ask.Open() {
			ids = append(ids, ask.ID)
		}
	}
	return ids
}

// act has the agent ask something or withdraw an ask.
func (w *typedWindow) act() {
	if open := w.open(); len(open) > 3 || len(open) > 0 && w.rng.IntN(5) == 0 {
		w.agent.Call("get_answer", map[string]any{"askId": open[w.rng.IntN(len(open))], "withdraw": true})
		return
	}
	w.ask()
}

// ask has the agent ask, or submit a plan that replaces the one before.
func (w *typedWindow) ask() {
	w.asked++
	if w.rng.IntN(2) == 0 {
		arguments := rig.Arguments(w.t, w.session, []string{rig.NameForm, rig.PlaceForm}[w.rng.IntN(2)])
		arguments["title"] = fmt.Sprintf("Ask %d", w.asked)
		w.agent.Start("ask_user", arguments)
		return
	}
	plan := map[string]any{"planName": "p", "sessionId": w.session, "content": fmt.Sprintf("# Plan %d\n\nDo.\n\nMore.\n", w.asked)}
	w.agent.Call("write_plan", plan)
	delete(plan, "content")
	w.agent.Start("submit_plan", plan)
}

// check compares the store with all that was asked.
func (w *typedWindow) check() {
	asks, err := w.store.Asks(w.t.Context(), w.session)
	if err != nil || len(asks) == 0 {
		w.t.Fatalf("%d asks, %v", len(asks), err)
	}
	for _, ask := range asks {
		o := ask.Outcome
		if o.State != questions.Pending && o.State != questions.Withdrawn || !o.Message.Blank() || len(o.Reply.Answers)+len(o.Reply.Notes) > 0 || len(ask.TooLate) > 0 {
			w.t.Errorf("typing decided %q: %+v, late %+v", ask.Spec.Title.Raw(), o, ask.TooLate)
		}
		if entry, found, err := w.store.Entry(w.t.Context(), ask.ID); found || err != nil {
			w.t.Errorf("typing entered into %q: %+v, %v", ask.Spec.Title.Raw(), entry, err)
		}
	}
}

// A pasted text that ends the paste itself and continues with Ctrl+S sends
// nothing.
func TestAPasteThatEndsItselfSendsNothing(t *testing.T) {
	t.Parallel()
	data, tm := t.TempDir(), rig.StartTmux(t, 160, 40)
	home := tm.FirstPane()
	a := rig.StartAgent(t, data, tm.Environment(home))
	session := a.Session("Pasted")
	call := a.Start("ask_user", rig.Arguments(t, session, rig.NameForm))
	form := tm.NewPane(home)
	tm.Ready(form)
	tm.Text(form, "\x1b[200~Aurora\x1b[201~\x13\x1b[201~")
	rig.Until(t, "what was pasted is kept", func() bool { return strings.Contains(rig.EntryOf(t, data, session), "Aurora") })
	if early := call.Early(); early != nil {
		t.Fatalf("the paste sent %q", early)
	}
	tm.Keys(form, "C-s")
	if got := call.Reply().String(); got != `{"name":"Aurora"}` {
		t.Errorf("the agent received %q", got)
	}
}

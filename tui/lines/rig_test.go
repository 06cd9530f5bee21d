package lines

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"

	"planb/plans/review"
	"planb/questions"
	"planb/store"
	"planb/tui/ask"
	"planb/tui/screen"
	"planb/tui/tuitest"
)

// world is a store in which asks are answered line by line.
type world struct{ *tuitest.World }

func newWorld(t *testing.T) *world {
	t.Helper()
	return &world{tuitest.NewWorld(t)}
}

// window1 is the place of most panes.
const window1 = "tmux window 1"

// typist types into a conversation while it goes on.
type typist struct {
	t     *testing.T
	in    *io.PipeWriter
	mutex sync.Mutex
	out   bytes.Buffer
}

// Write takes what is printed.
func (p *typist) Write(text []byte) (int, error) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return p.out.Write(text)
}

func (p *typist) printed() string {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return p.out.String()
}

// answers types a line after some text was printed.
func (p *typist) answers(after, line string) {
	p.t.Helper()
	tuitest.Poll(p.t, "this to be printed: "+after, func() bool { return strings.Contains(p.printed(), after) })
	if _, err := io.WriteString(p.in, line+"\n"); err != nil {
		p.t.Fatal(err)
	}
}

// inLines answers asks in plain lines, typed when they are wanted.
type inLines struct {
	*typist
	result chan AskResult
}

func (w *world) inLines(o AskOptions) inLines {
	w.T.Helper()
	in, typing := io.Pipe()
	w.T.Cleanup(func() { _ = typing.Close() })
	l := inLines{&typist{t: w.T, in: typing}, make(chan AskResult, 1)}
	if o.Store == nil {
		o.Store = w.Store
	}
	o.By, o.Now = "you@desk", w.Clock
	o.Terminal = screen.Terminal{Input: in, Output: l.typist, Environ: []string{"ACCESSIBLE=1"}}
	go func() {
		result, err := Ask(w.T.Context(), o)
		if err != nil {
			w.T.Errorf("%v\n%s", err, l.printed())
		}
		l.result <- result
	}()
	return l
}

// plainly reviews an ask in plain lines, with these as what the person types.
func (w *world) plainly(ask store.Ask, typed ...string) (result AskResult, out string) {
	w.T.Helper()
	out = w.talked(typed, func(ctx context.Context, terminal screen.Terminal) (err error) {
		result, err = Ask(ctx, AskOptions{Store: w.Store, ID: ask.ID, By: "you@desk", Now: w.Clock, Terminal: terminal})
		return err
	})
	return result, out
}

// talked has a conversation in plain lines and returns what it printed; typed is what the
// person types.
func (w *world) talked(typed []string, talk func(context.Context, screen.Terminal) error) string {
	w.T.Helper()
	var out bytes.Buffer
	err := talk(w.T.Context(), screen.Terminal{Input: strings.NewReader(strings.Join(append(typed, ""), "\n")), Output: &out, Environ: []string{"ACCESSIBLE=1"}})
	if err != nil {
		w.T.Fatalf("%v\n%s", err, out.String())
	}
	if strings.Contains(out.String(), "\x1b") {
		w.T.Errorf("something is drawn:\n%q", out.String())
	}
	return out.String()
}

// prints fails unless all the texts were printed.
func prints(t *testing.T, out string, texts ...string) {
	t.Helper()
	for _, want := range texts {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not printed:\n%s", want, out)
		}
	}
}

// inboxInLines opens the inbox in plain lines; typed is what the person types.
func (w *world) inboxInLines(o InboxOptions, typed ...string) string {
	w.T.Helper()
	return w.talked(typed, func(ctx context.Context, terminal screen.Terminal) error {
		terminal.Environ = append(terminal.Environ, o.Terminal.Environ...)
		o.Store, o.By, o.Now, o.Terminal = w.Store, "you@desk", w.Clock, terminal
		return Inbox(ctx, o)
	})
}

// firstElsewhere is a store in which others are quicker than the person.
type firstElsewhere struct {
	ask.Store
	before func()
}

func (s *firstElsewhere) Settle(ctx context.Context, id string, outcome questions.Outcome) (store.Ask, error) {
	s.before()
	s.before = func() {}
	return s.Store.Settle(ctx, id, outcome)
}

// replacedPlan has a line more at its top, and another bank.
var replacedPlan = strings.Replace(strings.Replace(tuitest.ReviewedPlan, "Orders leave as", "New.\n\nOrders leave as", 1), "the bank asked for it", "the tax office asked for it", 1)

// reviewVerdict is the verdict of an outcome; false if that is no review.
func reviewVerdict(o questions.Outcome) (review.Verdict, bool) {
	text, ok := o.Reply.Answers[questions.ReviewID].Text()
	if !ok || o.State != questions.Answered {
		return "", false
	}
	r, err := review.Parse([]byte(text))
	return r.Verdict, err == nil && r.Verdict != ""
}

func must2[T any](value T, ok bool, err error) T {
	if err != nil || !ok {
		panic(errors.Join(err, errors.New("there is none")))
	}
	return value
}

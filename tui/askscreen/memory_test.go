package askscreen

import (
	"context"
	"errors"
	"strings"
	"testing"

	"planb/questions"
	"planb/store"
	"planb/tui/tuitest"
)

// before settles an ask of the project, and returns one of another session and
// with another title that has the same question.
func (w *world) before() (answered, ask store.Ask) {
	w.T.Helper()
	answered = w.Ask(w.Session("Names", "/home/you/ships"), "The old ship", "")
	tuitest.Must(w.Store.Settle(w.T.Context(), answered.ID, questions.Outcome{State: questions.Answered, Reply: tuitest.TextReply("Vega")}))
	return answered, w.Ask(w.Session("More names", "/home/you/ships"), "The new ship", "")
}

// remembers reports whether the form has the earlier answer. It asks in the driver's own turn.
func remembers(h *Screen, text string) func() bool {
	return func() bool {
		return strings.Contains(seen(h), "answered before: "+text)
	}
}

func TestEarlierAnswerOfAnotherSessionIsOffered(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, ask := w.before()
	d, h := w.host(Options{ID: ask.ID})
	d.until("the earlier answer", remembers(h, "Vega"))
	d.do(func() {
		if !strings.Contains(seen(h), "answered before: Vega · just now · Names") {
			t.Errorf("the earlier answer is said so:\n%s", seen(h))
		}
		if !h.form.Entry().Fields["name"].Text.IsZero() {
			t.Error("it was filled in by itself")
		}
	})
	d.press("ctrl+r", "ctrl+s")
	d.end()
	got := w.Stored(ask.ID).Outcome
	if name, _ := got.Reply.Answers["name"].Text(); name != "Vega" {
		t.Errorf("the store holds %+v", got)
	}
}

// slowMemory answers only when the test lets it.
type slowMemory struct {
	Store
	let chan struct{}
}

func (s *slowMemory) EarlierAnswers(ctx context.Context, ask store.Ask) (map[string]store.EarlierAnswer, error) {
	select {
	case <-s.let:
		return s.Store.EarlierAnswers(ctx, ask)
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// TestSlowMemoryKeepsNobodyWaiting holds that a form opens before the earlier answers are read,
// and gets them later.
func TestSlowMemoryKeepsNobodyWaiting(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, ask := w.before()
	slow := &slowMemory{w.User("you@desk"), make(chan struct{})}
	h := New(slow, Options{ID: ask.ID, By: "you@desk", Now: w.Clock})
	d := drive(t, h, 80, 24)
	d.until("the form to open", func() bool { return h.phase == phaseOpen })
	d.do(func() {
		if strings.Contains(seen(h), "answered before") {
			t.Error("it has what could not be read")
		}
	})
	close(slow.let)
	d.until("the earlier answer", remembers(h, "Vega"))
	d.press("esc", "l")
	d.end()
}

// TestMemoryThatFailsIsNoTrouble holds that a form can be answered without earlier answers.
func TestMemoryThatFailsIsNoTrouble(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, ask := w.before()
	h := New(&brokenMemory{w.User("you@desk")}, Options{ID: ask.ID, By: "you@desk", Now: w.Clock})
	d := drive(t, h, 80, 24)
	d.until("the form to open", func() bool { return h.phase == phaseOpen })
	d.press("S", "ctrl+s")
	d.end()
	if got := w.Stored(ask.ID).Outcome; got.State != questions.Answered {
		t.Errorf("the store holds %+v", got)
	}
}

type brokenMemory struct{ Store }

func (brokenMemory) EarlierAnswers(context.Context, store.Ask) (map[string]store.EarlierAnswer, error) {
	return nil, errors.New("the memory is broken")
}

package wait

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"planb/questions"
	"planb/store"
)

// slowReads is a store whose reads of an ask return when the test lets them.
type slowReads struct{ reads chan chan store.Ask }

func (s slowReads) AsksNow(context.Context, ...string) ([]store.Ask, error) {
	answer := make(chan store.Ask)
	s.reads <- answer
	return []store.Ask{<-answer}, nil
}

func (slowReads) WatchAsk(ctx context.Context, _ string) (<-chan struct{}, error) {
	return make(chan struct{}), nil
}

// The last call left while the ask was read for it, and another came. What was read before
// must not hide what was read since.
func TestALateLookTellsNothing(t *testing.T) {
	t.Parallel()
	s := slowReads{make(chan chan store.Ask)}
	h := newHub(s, slog.New(slog.DiscardHandler))
	_, leave := h.join("ask")
	late := <-s.reads
	leave()
	w, leave := h.join("ask")
	defer leave()
	answered := store.Ask{ID: "ask", Outcome: questions.Outcome{State: questions.Answered}}
	(<-s.reads) <- answered
	for deadline := time.Now().Add(10 * time.Second); len(w.news) == 0; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the waiter hears nothing")
		}
	}
	late <- store.Ask{ID: "ask", Outcome: questions.Outcome{State: questions.Pending}}
	select {
	case again := <-s.reads: // what the late look read counts as unread
		again <- answered
	case <-time.After(10 * time.Second):
		t.Fatal("nobody looks again")
	}
	if n := <-w.news; n.ask.Outcome.State != questions.Answered {
		t.Errorf("the waiter hears that the ask is %v", n.ask.Outcome.State)
	}
}

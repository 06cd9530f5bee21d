package ask_test

import (
	"context"
	"testing"
	"time"

	"planb/questions"
	"planb/questions/safe"
	"planb/tui/ask"
	"planb/tui/tuitest"
)

// heldStore saves an entry only once it is released.
type heldStore struct {
	ask.Store
	began, release chan struct{}
}

func (h heldStore) MergeEntry(ctx context.Context, id string, entry questions.Entry, merge func(questions.Entry) questions.Entry) error {
	close(h.began)
	<-h.release
	return h.Store.MergeEntry(ctx, id, entry, merge)
}

// A form comes up while an entry is still being saved: the loop that draws does not wait for that.
func TestAFormThatComesUpWaitsForNoSave(t *testing.T) {
	t.Parallel()
	w := tuitest.NewWorld(t)
	asked := w.Ask(w.Session("Names", ""), "The new ship", "")
	held := heldStore{w.Store, make(chan struct{}), make(chan struct{})}
	pane := ask.NewHost(held, ask.Options{ID: asked.ID, By: "you@desk"})
	saved := make(chan error, 1)
	go func() {
		_, err := pane.Save(asked.ID, questions.Entry{Note: safe.New("a note")})
		saved <- err
	}()
	<-held.began
	took := make(chan struct{})
	go func() {
		pane.Took(asked.ID, questions.Entry{})
		close(took)
	}()
	select {
	case <-took:
	case <-time.After(5 * time.Second):
		t.Error("it waits")
	}
	close(held.release)
	if err := <-saved; err != nil {
		t.Error(err)
	}
}

// A pane that closes on an ask whose place another has taken leaves there what another pane entered.
func TestTheLastSaveLeavesWhatWasEnteredInTheNextAsk(t *testing.T) {
	t.Parallel()
	w := tuitest.NewWorld(t)
	session := w.Session("Nightly export", "")
	first := w.ReviewAsk(session, tuitest.PlainPlan, "")
	pane := ask.NewHost(w.Store, ask.Options{ID: first.ID, By: "you@desk"})
	opened := tuitest.Must(pane.Start())
	pane.Took(first.ID, opened.Kept)
	one := questions.Entry{Note: safe.New("one"), Fields: map[string]questions.Field{"a": {Text: safe.New("first")}, "b": {Text: safe.New("second")}}}
	if _, err := pane.Save(first.ID, one); err != nil {
		t.Fatal(err)
	}
	second := w.ReviewAsk(session, tuitest.PlainPlan+"\nMore.\n", "")
	// The other pane had not followed this one in everything yet.
	there := questions.Entry{Message: safe.New("there"), Fields: map[string]questions.Field{"a": {Text: safe.New("changed")}}}
	if err := w.Store.SaveEntry(t.Context(), second.ID, there); err != nil {
		t.Fatal(err)
	}
	want := questions.Entry{Note: one.Note, Message: there.Message, Fields: map[string]questions.Field{"a": there.Fields["a"], "b": one.Fields["b"]}}
	if next, err := pane.Follow(first.ID, second.ID, one, nil); err != nil || !next.Joined.Same(want) {
		t.Errorf("what follows begins with %+v, want %+v, %v", next.Joined, want, err)
	}
	if _, err := pane.SaveLast(t.Context(), first.ID, one); err != nil {
		t.Fatal(err)
	}
	entry, _, err := w.Store.Entry(t.Context(), second.ID)
	if err != nil || !entry.Same(want) {
		t.Errorf("kept is %+v, want %+v, %v", entry, want, err)
	}
}

package askscreen

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"planb/questions"
	"planb/store"
	"planb/themes"
	"planb/tui/form"
	"planb/tui/screen"
	"planb/tui/tuitest"
)

// opened is a screen with the form of an ask, whose commands the test runs itself.
func (w *world) opened(ask store.Ask, place string) *Screen {
	w.T.Helper()
	h := w.screen(Options{ID: ask.ID, Place: place})
	h.Resize(80, 24)
	h.Retheme((*screen.Look)(nil).With(themes.Default(true).Palette))
	h.Update(h.start()())
	return h
}

// closed ends a screen before it has heard of the command that it runs.
func closed(t *testing.T, h *Screen, _ tea.Cmd) (printed string) {
	t.Helper()
	parting, err := h.Close(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(parting, "\n")
}

// A pane that is killed while it saves the entry to leave, or opens the ask that took the place of
// its own, keeps what was entered. So does one that stores it on the record of an ask that ended.
func TestAPaneThatIsKilledOnItsWayLosesNothing(t *testing.T) {
	t.Parallel()
	t.Run("leaving", func(t *testing.T) {
		w := newWorld(t)
		ask := w.Ask(w.Session("Names", ""), "The new ship", "")
		h := w.opened(ask, "")
		h.Update(tuitest.Key(t, "V"))
		printed := closed(t, h, h.Update(form.LaterRequested{AskID: ask.ID}))
		if entry, _, err := w.Store.Entry(t.Context(), ask.ID); err != nil || entry.Fields["name"].Text.Raw() != "V" {
			t.Errorf("kept is %+v, %v", entry, err)
		}
		if strings.Count(printed, "Kept: The new ship") != 1 {
			t.Errorf("printed %q", printed)
		}
	})
	t.Run("left", func(t *testing.T) {
		w := newWorld(t)
		ask := w.Ask(w.Session("Names", ""), "The new ship", window1)
		h := w.opened(ask, window1)
		h.Update(tuitest.Key(t, "V"))
		printed := closed(t, h, h.Update(h.Update(form.LaterRequested{AskID: ask.ID})()))
		if strings.Count(printed, "Kept: The new ship") != 1 {
			t.Errorf("printed %q", printed)
		}
	})
	t.Run("following", func(t *testing.T) {
		w := newWorld(t)
		session := w.Session("Nightly export", "/home/you/shop")
		h := w.opened(w.ReviewAsk(session, tuitest.PlainPlan, ""), "")
		second := w.ReviewAsk(session, replacedPlan, "")
		h.review.Entry().SetNote("Who owns it?")
		closed(t, h, h.Update(h.lookAtStore()()))
		if got := entryOf(w, second); !strings.Contains(got, "Who owns it?") {
			t.Errorf("kept is %s", got)
		}
	})
	t.Run("an ask that ended", func(t *testing.T) {
		w := newWorld(t)
		ask := w.Ask(w.Session("Names", ""), "The new ship", window1)
		h := w.opened(ask, window1)
		h.Update(tuitest.Key(t, "V"))
		tuitest.Must(w.Store.Settle(t.Context(), ask.ID, questions.Outcome{State: questions.Withdrawn}))
		h.Update(h.lookAtStore()())
		closed(t, h, h.Update(form.LaterRequested{AskID: ask.ID}))
		w.keptLate(ask, "V")
	})
	t.Run("an answer that counts is on no record of late ones", func(t *testing.T) {
		w := newWorld(t)
		ask := w.Ask(w.Session("Names", ""), "The new ship", window1)
		h := w.opened(ask, window1)
		h.Update(tuitest.Key(t, "V"))
		sent := h.Update(form.SettleRequested{AskID: ask.ID, Outcome: questions.Outcome{State: questions.Answered, Reply: tuitest.TextReply("V")}})
		closed(t, h, h.Update(sent()))
		if late := w.Stored(ask.ID).TooLate; len(late) > 0 {
			t.Errorf("the record has %+v", late)
		}
	})
}

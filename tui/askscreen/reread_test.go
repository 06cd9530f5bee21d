package askscreen

import (
	"strings"
	"testing"
	"time"

	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/tui/tuitest"
)

// elsewhere is another pane that shows an ask. It puts an entry in place of what is stored.
func (w *world) elsewhere(ask store.Ask, entry questions.Entry) {
	w.T.Helper()
	err := w.User("you@phone").MergeEntry(w.T.Context(), ask.ID, entry, func(questions.Entry) questions.Entry { return entry })
	if err != nil {
		w.T.Fatal(err)
	}
}

// rich drives a pane with tuitest.RichForm, which another pane shows, too. Its clock runs.
func (w *world) rich() (store.Ask, *driver, *Screen) {
	w.T.Helper()
	ask := w.Rich("")
	h := New(w.User("you@desk"), Options{ID: ask.ID, By: "you@desk", Now: time.Now})
	d := drive(w.T, h, 80, 24)
	d.until("the form", func() bool { return h.phase == phaseOpen })
	w.Hold(store.ShowClaim(ask.ID, "pane"))
	d.until("the pane to know of the other", func() bool { return h.state.Others })
	return ask, d, h
}

// TestATextStaysOneWhenAnotherPaneEnters has the person stop in a text for a while. What another
// pane entered meanwhile comes up, and the next letters still go into the text.
func TestATextStaysOneWhenAnotherPaneEnters(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		keys []string
		text func(questions.Entry) safe.Text
	}{
		"a note":        {[]string{"right", "n"}, func(e questions.Entry) safe.Text { return e.Fields["format"].Note }},
		"Other":         {[]string{"right", "down", "down", "down"}, func(e questions.Entry) safe.Text { return e.Fields["format"].Other }},
		"a line":        {[]string{"right", "right", "down"}, func(e questions.Entry) safe.Text { return e.Fields["name"].Text }},
		"a long answer": {[]string{"end"}, func(e questions.Entry) safe.Text { return e.Fields["why"].Text }},
	} {
		t.Run(name, func(t *testing.T) {
			tuitest.InBubble(t, func(t *testing.T) {
				w := newWorld(t)
				ask, d, h := w.rich()
				d.press(append(test.keys, "a", "n", "left")...)
				d.until("the text to be saved", func() bool { return test.text(h.form.Entry()).Raw() == "an" && !h.unsaved() })
				var entry questions.Entry
				d.do(func() { entry = h.form.Entry().Clone() })
				entry.Fields["go"] = questions.Field{Picked: []string{"yes"}}
				w.elsewhere(ask, entry)
				d.until("the pane to follow", func() bool { return len(h.form.Entry().Fields["go"].Picked) == 1 })
				d.press("d")
				d.do(func() {
					if got := test.text(h.form.Entry()).Raw(); got != "adn" {
						t.Errorf("the text is %q\n%s", got, seen(h))
					}
				})
				d.press("ctrl+z", "ctrl+z", "ctrl+z")
				d.do(func() {
					if got := test.text(h.form.Entry()).Raw(); got != "" {
						t.Errorf("once undone, the text is %q\n%s", got, seen(h))
					}
				})
				d.press("ctrl+c", "ctrl+c")
				d.end()
			})
		})
	}
}

// TestATextThatAnotherPaneTookAwayTakesNoLetters holds that letters that are typed for a text
// which another pane has closed are no commands.
func TestATextThatAnotherPaneTookAwayTakesNoLetters(t *testing.T) {
	t.Parallel()
	tuitest.InBubble(t, func(t *testing.T) {
		w := newWorld(t)
		ask, d, h := w.rich()
		d.press("right", "down", "down", "down", "a")
		d.until("the text to be saved", func() bool { return h.touched() && !h.unsaved() })
		w.elsewhere(ask, questions.Entry{Fields: map[string]questions.Field{"format": {Picked: []string{"csv"}}}})
		d.until("the pane to follow", func() bool { return len(h.form.Entry().Fields["format"].Picked) == 1 })
		d.press("2")
		d.do(func() {
			if got := h.form.Entry().Fields["format"].Picked; len(got) != 1 || got[0] != "csv" || h.form.Entered() {
				t.Errorf("a digit of the text chose %q\n%s", got, seen(h))
			}
		})
		d.press("ctrl+c", "ctrl+c")
	})
}

// TestAMenuStaysOpenWhenAnotherPaneEnters holds that the form below a menu takes over what another
// pane entered.
func TestAMenuStaysOpenWhenAnotherPaneEnters(t *testing.T) {
	t.Parallel()
	tuitest.InBubble(t, func(t *testing.T) {
		w := newWorld(t)
		ask, d, h := w.rich()
		d.press("right", "esc")
		d.shows("the menu", "Keep answering")
		w.elsewhere(ask, questions.Entry{Fields: map[string]questions.Field{"go": {Picked: []string{"yes"}}}})
		d.until("the pane to follow", func() bool { return len(h.form.Entry().Fields["go"].Picked) == 1 })
		d.shows("the menu", "Keep answering")
		d.press("esc", "ctrl+c", "ctrl+c")
		d.end()
	})
}

// TestWhatWasEnteredHereIsKeptThoughAnotherPaneSubmitsWithoutIt holds that a form which has taken
// over what another pane entered still knows what was entered here.
func TestWhatWasEnteredHereIsKeptThoughAnotherPaneSubmitsWithoutIt(t *testing.T) {
	t.Parallel()
	tuitest.InBubble(t, func(t *testing.T) {
		w := newWorld(t)
		ask, d, h := w.rich()
		d.press("right", "2")
		d.until("the answer to be saved", func() bool { return h.touched() && !h.unsaved() })
		w.elsewhere(ask, questions.Entry{Fields: map[string]questions.Field{"format": {Picked: []string{"json"}}, "go": {Picked: []string{"yes"}}}})
		d.until("the pane to follow", func() bool { return len(h.form.Entry().Fields["go"].Picked) == 1 })
		tuitest.Must(w.Store.Settle(t.Context(), ask.ID, questions.Outcome{State: questions.Answered, By: "you@phone", Reply: questions.Reply{Answers: map[string]questions.Value{
			"format": questions.TextValue("csv"), "name": questions.TextValue("x"), "go": questions.TextValue("yes"),
		}}}))
		d.until("the form to end", func() bool { return h.form.Ended() })
		d.ready(h)
		d.press("l")
		if printed := strings.Join(d.end(), "\n"); !strings.Contains(printed, "json") {
			t.Errorf("printed %q, which lacks what was entered here", printed)
		}
	})
}

// TestAFormThatEndedWhileItWasReadAgain holds that what was entered meanwhile is not lost.
func TestAFormThatEndedWhileItWasReadAgain(t *testing.T) {
	t.Parallel()
	tuitest.InBubble(t, func(t *testing.T) {
		w := newWorld(t)
		ask, d, h := w.rich()
		tuitest.Must(w.Store.Settle(t.Context(), ask.ID, questions.Outcome{State: questions.Withdrawn}))
		d.do(func() {
			read := h.reread(ask.ID)()
			h.form.Update(tuitest.Key(t, "right"))
			h.form.Update(tuitest.Key(t, "2"))
			go d.program.Send(read)
		})
		d.until("the form to end", func() bool { return h.form.Ended() && !h.form.Entered() })
		d.ready(h)
		d.press("l")
		if printed := strings.Join(d.end(), "\n"); !strings.Contains(printed, "json") {
			t.Errorf("printed %q, which lacks what was entered here", printed)
		}
	})
}

package askscreen

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"planb/plans"
	"planb/plans/review"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/themes"
	"planb/tui/form"
	"planb/tui/screen"
	"planb/tui/tuitest"
)

// TestAnAskCanBeAnsweredInAnyPane opens one ask in two panes. Both take answers, both tell of the
// other, and the first to submit counts.
func TestAnAskCanBeAnsweredInAnyPane(t *testing.T) {
	t.Parallel()
	tuitest.InBubble(t, func(t *testing.T) {
		w := newWorld(t)
		ask := w.Ask(w.Session("Names", ""), "The new ship", window1)
		one, first := w.host(Options{ID: ask.ID, Place: window1})
		two, second := w.host(Options{ID: ask.ID})
		if text := two.text(); !strings.Contains(text, "Also open in another pane") {
			t.Errorf("the second pane does not say that there is a first:\n%s", text)
		}
		one.until("the first pane to say that there is a second", func() bool {
			return strings.Contains(first.form.View().Content, "Also open in another pane")
		})
		one.press("A", "l", "t", "a", "i", "r")
		two.press("V", "e", "g", "a")
		two.until("the second form to hold what was typed", func() bool { return second.touched() })
		one.press("ctrl+s")
		one.end()
		two.until("the second form to say who was first", func() bool { return second.form.Ended() })
		if text := two.text(); !strings.Contains(text, "you@desk") {
			t.Errorf("the second form says\n%s", text)
		}
		two.ready(second)
		two.press("esc")
		printed := strings.Join(two.end(), "\n")
		for _, want := range []string{"Not counted: you@desk was first.", `"name":"Vega"`} {
			if !strings.Contains(printed, want) {
				t.Errorf("printed %q, which does not say %q", printed, want)
			}
		}
		if name, _ := w.Stored(ask.ID).Outcome.Reply.Answers["name"].Text(); name != "Altair" {
			t.Errorf("the answer is %q", name)
		}
		if !w.Unshown(ask) {
			t.Error("a claim was not given back")
		}
	})
}

// TestAFormThatEndsUnderTheHandsStays has the person answer elsewhere, or the agent
// take its question back, while another form waits: the form stays until the person
// closes it, says what waits, and what they typed is kept. A form that nobody entered
// goes by itself.
func TestAFormThatEndsUnderTheHandsStays(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		outcome questions.Outcome
		receipt string
	}{
		"answered":   {questions.Outcome{State: questions.Answered, Reply: tuitest.TextReply("Altair"), By: "you@phone"}, "Done in another pane, by you@phone · One · ships"},
		"taken back": {questions.Outcome{State: questions.Withdrawn}, "Taken back by Claude Code · One · ships"},
	} {
		t.Run(name, func(t *testing.T) {
			tuitest.InBubble(t, func(t *testing.T) {
				w := newWorld(t)
				session := w.Session("Names", "/home/you/ships")
				typed, untouched := w.Ask(session, "One", window1), w.Ask(session, "Two", window1)
				d, h := w.host(Options{ID: typed.ID, Place: window1})
				d.press("V")
				d.until("the form to hold what was typed", func() bool { return h.touched() })
				tuitest.Must(w.Store.Settle(t.Context(), typed.ID, test.outcome))
				d.until("the form to say so", func() bool { return h.state.Ask.ID != typed.ID || h.form.Ended() })
				d.press("e", "g", "a", "enter", "esc")
				d.do(func() { h.glanced(h.lookAtStore()().(glanced)) })
				d.shows("the form", "1 form waits here. Closing this opens the next.", "form 1 of 2")
				d.do(func() {
					if h.phase != phaseOpen || h.state.Ask.ID != typed.ID {
						t.Fatal("it went away under the hands")
					}
				})
				d.ready(h)
				d.press("l")
				d.until("the next form", func() bool { return h.phase == phaseOpen && h.state.Ask.ID == untouched.ID })
				d.do(func() {
					if h.form.Entered() || !strings.Contains(seen(h), "what you wrote in “One”") {
						t.Errorf("the next form says %q, and it is entered: %v", seen(h), h.form.Entered())
					}
				})
				w.keptLate(typed, "V")
				tuitest.Must(w.Store.Settle(t.Context(), untouched.ID, test.outcome))
				printed := strings.Join(d.end(), "\n")
				if !strings.Contains(printed, `"name":"V"`) || !strings.HasSuffix(printed, test.receipt) {
					t.Errorf("printed %q, want what was typed and %q", printed, test.receipt)
				}
				if !w.Free(store.PlaceClaim(window1)) {
					t.Error("the place was not given back")
				}
			})
		})
	}
}

// TestAFormThatWasEnteredStays holds that an entered form stays even if nothing was written in
// it. The next key is meant for it, and must not go to the next form or to the agent.
func TestAFormThatWasEnteredStays(t *testing.T) {
	for name, test := range map[string]struct {
		enter func(*driver, *Screen)
		stays bool
	}{
		"not entered": {func(*driver, *Screen) {}, false},
		"typed at": {func(d *driver, h *Screen) {
			d.press("V", "enter")
			d.do(func() {})
		}, false},
		"just entered": {func(d *driver, h *Screen) {
			d.press("down")
			d.until("it to be entered", func() bool { return h.form.Attended() })
		}, true},
		"entered":       {func(d *driver, h *Screen) { d.ready(h) }, true},
		"entered, read": {func(d *driver, h *Screen) { d.ready(h); d.press("down"); d.do(func() {}) }, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tuitest.InBubble(t, func(t *testing.T) {
				w := newWorld(t)
				session := w.Session("Names", "")
				first, second := w.Ask(session, "One", window1), w.Ask(session, "Two", window1)
				d, h := w.host(Options{ID: first.ID, Place: window1, ByItself: true})
				test.enter(d, h)
				tuitest.Must(w.Store.Settle(t.Context(), first.ID, questions.Outcome{State: questions.Withdrawn}))
				d.until("the end of the form", func() bool { return h.state.Ask.ID == second.ID && h.phase == phaseOpen || h.form.Ended() })
				d.do(func() {
					if stays := h.state.Ask.ID == first.ID; stays != test.stays {
						t.Errorf("it stays: %v", stays)
					}
				})
			})
		})
	}
}

// TestAFormThatEndedAndWasLeftAloneGoes holds that the next form comes up after ten minutes
// without a key.
func TestAFormThatEndedAndWasLeftAloneGoes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	session := w.Session("Names", "")
	first, second := w.Ask(session, "One", window1), w.Ask(session, "Two", window1)
	now := tuitest.Moment
	h := New(w.User("you@desk"), Options{ID: first.ID, Place: window1, By: "you@desk", Now: func() time.Time { return now }})
	h.Resize(80, 24)
	h.Retheme((*screen.Look)(nil).With(themes.Default(true).Palette))
	h.Update(h.start()())
	h.Update(tuitest.Key(t, "V"))
	tuitest.Must(w.Store.Settle(t.Context(), first.ID, questions.Outcome{State: questions.Withdrawn}))
	h.Update(h.lookAtStore()())
	for _, wait := range []time.Duration{0, 9 * time.Minute, 9 * time.Minute} {
		now = now.Add(wait)
		if h.Update(h.lookAtStore()()); h.phase != phaseOpen || h.state.Ask.ID != first.ID {
			t.Fatalf("it went away %v after a key", wait)
		}
		h.Update(tuitest.Key(t, "x"))
	}
	now = now.Add(10 * time.Minute)
	kept := h.Update(h.lookAtStore()())
	if h.phase == phaseOpen {
		t.Fatal("it is still there after ten minutes without a key")
	}
	h.Update(h.Update(kept())())
	if h.state.Ask.ID != second.ID || h.phase != phaseOpen || h.form.Entered() {
		t.Errorf("next comes %q", h.state.Ask.Spec.Title.Raw())
	}
	w.keptLate(first, "V")
}

// TestAPaneThatIsClosedOnAnEndedFormKeepsWhatWasEntered holds that closing the pane keeps as
// much as closing the form.
func TestAPaneThatIsClosedOnAnEndedFormKeepsWhatWasEntered(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ask := w.Ask(w.Session("Names", ""), "One", window1)
	d, h := w.host(Options{ID: ask.ID, Place: window1})
	d.press("V")
	d.until("the form to hold what was typed", func() bool { return h.touched() })
	tuitest.Must(w.Store.Settle(t.Context(), ask.ID, questions.Outcome{State: questions.Withdrawn}))
	d.until("the form to say so", func() bool { return h.form.Ended() })
	d.program.Send(tea.QuitMsg{})
	d.end()
	w.keptLate(ask, "V")
}

// TestWhatIsInAnEditorIsWaitedFor holds that a form which ended elsewhere stays until it has the
// text from the person's editor.
func TestWhatIsInAnEditorIsWaitedFor(t *testing.T) {
	tuitest.InBubble(t, func(t *testing.T) {
		w := newWorld(t)
		session := w.Session("Names", "")
		written, next := w.Ask(session, "One", window1), w.Ask(session, "Two", window1)
		d, h := w.host(Options{ID: written.ID, Place: window1, Environ: []string{"EDITOR=true"}})
		d.press("V")
		d.until("the form to hold what was typed", func() bool { return h.touched() })
		var done tea.Msg
		d.do(func() {
			done = inEditor(t, h).Return("Vega\n", nil)
			tuitest.Must(w.Store.Settle(t.Context(), written.ID, questions.Outcome{State: questions.Withdrawn}))
			h.glanced(h.lookAtStore()().(glanced))
			if h.phase != phaseOpen || h.state.Ask.ID != written.ID || h.form.Ended() {
				t.Error("the form went away under the editor")
			}
		})
		d.program.Send(done)
		d.until("the form to say that it ended", func() bool { return h.form.Ended() })
		d.ready(h)
		d.press("l")
		d.settle(h, next.ID)
		d.end()
		w.keptLate(written, "Vega")
	})
}

// TestAnEndUnderTheEditorKeepsWhatCameTooLate closes a pane while its text is in an editor and
// the ask was answered elsewhere. It holds that the text is kept on the ask's record.
func TestAnEndUnderTheEditorKeepsWhatCameTooLate(t *testing.T) {
	w := newWorld(t)
	ask := w.Ask(w.Session("Names", ""), "One", "")
	d, h := w.host(Options{ID: ask.ID, Environ: []string{"EDITOR=true"}})
	d.press("V")
	d.until("the form to hold what was typed", func() bool { return h.touched() })
	d.do(func() {
		inEditor(t, h).Return("Vega\n", nil)
		tuitest.Must(w.Store.Settle(t.Context(), ask.ID, questions.Outcome{State: questions.Answered, Reply: tuitest.TextReply("Altair"), By: "you@phone"}))
	})
	d.program.Send(screen.Quit{})
	if printed := strings.Join(d.end(), "\n"); !strings.Contains(printed, `"name":"Vega"`) {
		t.Errorf("printed %q, not what was written", printed)
	}
	w.keptLate(ask, "Vega")
}

// keptLate checks that an ask's record has the unsent entry exactly once.
func (w *world) keptLate(ask store.Ask, want string) {
	w.T.Helper()
	late := w.Stored(ask.ID).TooLate
	if len(late) != 1 {
		w.T.Fatalf("the record has %d late outcomes", len(late))
	}
	if name, _ := late[0].Reply.Answers["name"].Text(); name != want {
		w.T.Errorf("the record has %q, want %q", name, want)
	}
}

// TestAnEndedFormSaysWhatBeginsToWait holds that a form which ended tells when another form
// begins to wait, and that no line moves.
func TestAnEndedFormSaysWhatBeginsToWait(t *testing.T) {
	t.Parallel()
	tuitest.InBubble(t, func(t *testing.T) {
		w := newWorld(t)
		session := w.Session("Names", "")
		first := w.Ask(session, "One", window1)
		d, h := w.host(Options{ID: first.ID, Place: window1})
		d.press("V")
		d.until("the form to hold what was typed", func() bool { return h.touched() })
		tuitest.Must(w.Store.Settle(t.Context(), first.ID, questions.Outcome{State: questions.Withdrawn}))
		const nothing, something = "Nothing else waits here.", "1 form waits here."
		d.shows("the form", nothing)
		before := strings.Split(d.text(), "\n")
		second := w.Ask(session, "Two", window1)
		d.shows("the form", something)
		after := strings.Split(d.text(), "\n")
		if len(before) != len(after) {
			t.Fatalf("%d lines became %d", len(before), len(after))
		}
		for i := range after {
			said := strings.Contains(after[i], something) || strings.Contains(after[i], "form 1 of 2")
			if before[i] != after[i] && !said {
				t.Errorf("line %d became %q", i, after[i])
			}
		}
		d.ready(h)
		d.press("esc")
		d.settle(h, second.ID)
		printed := strings.Join(d.end(), "\n")
		if strings.Count(printed, `"name":"V"`) != 1 {
			t.Errorf("printed %q, want once what was typed", printed)
		}
		w.keptLate(first, "V")
	})
}

// TestARereadFormStaysShut holds that a change in another pane does not enter a form here.
func TestARereadFormStaysShut(t *testing.T) {
	t.Parallel()
	tuitest.InBubble(t, func(t *testing.T) {
		w := newWorld(t)
		session := w.Session("Nightly export", "/home/you/shop")
		first := w.ReviewAsk(session, tuitest.PlainPlan, "")
		d, h := w.host(Options{ID: first.ID})
		second := w.ReviewAsk(session, replacedPlan, "")
		d.until("the next review", func() bool { return h.state.Ask.ID == second.ID && h.phase == phaseOpen })
		before := (*form.Form)(nil)
		d.do(func() { before = h.form })
		two, other := w.host(Options{ID: second.ID})
		d.until("the other pane", func() bool { return h.state.Others })
		two.shows("the other pane", "the tax office")
		two.press("n", "c", "W", "h", "y", "ctrl+s")
		two.until("the comment", func() bool { return len(other.review.Entry().Review.Comments) == 1 && !other.form.Busy() })
		two.press("ctrl+c", "ctrl+c")
		two.end()
		d.until("the form to be read again", func() bool { return h.form != before && h.phase == phaseOpen })
		d.do(func() {
			if h.form.Entered() {
				t.Errorf("it is entered")
			}
		})
		d.ready(h)
		two, _ = w.host(Options{ID: second.ID})
		d.until("the other pane", func() bool { return h.state.Others })
		d.do(func() { before = h.form })
		two.shows("the other pane", "the tax office")
		two.press("n", "n", "c", "H", "o", "w", "ctrl+s", "ctrl+c", "ctrl+c")
		two.end()
		d.until("the form to be read again", func() bool { return h.form != before && h.phase == phaseOpen })
		d.do(func() {
			if !h.form.Entered() {
				t.Errorf("entered, and read again, it is shut")
			}
		})
	})
}

// TestASubmissionThatCameTooLateLetsTheNextThrough holds that answers sent too late are kept
// once, and that the next form comes up when the person closes this one.
func TestASubmissionThatCameTooLateLetsTheNextThrough(t *testing.T) {
	t.Parallel()
	tuitest.InBubble(t, func(t *testing.T) {
		w := newWorld(t)
		session := w.Session("Names", "")
		first, second := w.Ask(session, "One", window1), w.Ask(session, "Two", window1)
		d, h := w.host(Options{ID: first.ID, Place: window1})
		d.press("V")
		d.until("the form to hold what was typed", func() bool { return h.touched() })
		d.do(func() {
			// Not heard of yet: the form is still open, and sends.
			tuitest.Must(w.Store.Settle(t.Context(), first.ID, questions.Outcome{State: questions.Withdrawn}))
			h.phase = phaseOpen
			cmd := h.settle(form.SettleRequested{AskID: first.ID, Outcome: questions.Outcome{State: questions.Answered, Reply: tuitest.TextReply("V")}})
			go func() { d.program.Send(cmd()) }()
		})
		d.until("the form to say so", func() bool { return h.form.Ended() })
		d.ready(h)
		d.press("l")
		d.until("the next form", func() bool { return h.phase == phaseOpen && h.state.Ask.ID == second.ID })
		d.do(func() {
			if !strings.Contains(seen(h), "kept: what you wrote in “One”") {
				t.Errorf("the next form says %q", seen(h))
			}
		})
		d.settle(h, second.ID)
		d.end()
		w.keptLate(first, "V")
	})
}

// TestTextThatCannotBeKeptIsSaidToBePrinted holds that the next form does not call lost text
// kept.
func TestTextThatCannotBeKeptIsSaidToBePrinted(t *testing.T) {
	t.Parallel()
	tuitest.InBubble(t, func(t *testing.T) {
		w := newWorld(t)
		session := w.Session("Names", "")
		first, second := w.Ask(session, "One", window1), w.Ask(session, "Two", window1)
		h := New(&brokenLate{w.Store}, Options{ID: first.ID, Place: window1, Now: w.Clock})
		d := drive(t, h, 80, 24)
		d.until("the form to open", func() bool { return h.phase == phaseOpen })
		d.press("V")
		d.until("the form to hold what was typed", func() bool { return h.touched() })
		tuitest.Must(w.Store.Settle(t.Context(), first.ID, questions.Outcome{State: questions.Withdrawn}))
		d.until("the form to say so", func() bool { return h.form.Ended() })
		d.ready(h)
		d.press("l")
		d.until("the next form", func() bool { return h.phase == phaseOpen && h.state.Ask.ID == second.ID })
		d.do(func() {
			if !strings.Contains(seen(h), "only printed at the end") {
				t.Errorf("the next form says %q", seen(h))
			}
		})
		d.program.Send(screen.Quit{})
		if printed := strings.Join(d.end(), "\n"); !strings.Contains(printed, `"name":"V"`) {
			t.Errorf("printed %q", printed)
		}
	})
}

// brokenLate is a store that cannot settle asks.
type brokenLate struct{ Store }

func (*brokenLate) Settle(context.Context, string, questions.Outcome) (store.Ask, error) {
	return store.Ask{}, errBroken
}

// TestWhatAnotherPaneShowsComesLast holds that an ask which is open in another pane comes last
// in the queue, but does come: the person may have forgotten that pane.
func TestWhatAnotherPaneShowsComesLast(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	session := w.Session("Names", "")
	elsewhere := w.Ask(session, "Open in another pane", window1)
	here := w.Ask(session, "Free", window1)
	w.Hold(store.ShowClaim(elsewhere.ID, "forgotten"))
	d, h := w.host(Options{Place: window1})
	d.settle(h, here.ID)
	d.settle(h, elsewhere.ID)
	d.end()
	if !w.Free(store.PlaceClaim(window1)) {
		t.Error("the place was not given back")
	}
}

// TestAnUntouchedPaneTakesOverWhatWasBegunElsewhere holds that a pane which popped up does not
// overwrite the entry of another pane.
func TestAnUntouchedPaneTakesOverWhatWasBegunElsewhere(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ask := w.Ask(w.Session("Names", ""), "The new ship", window1)
	one, here := w.host(Options{ID: ask.ID, Place: window1})
	two, _ := w.host(Options{ID: ask.ID})
	one.until("the first pane to know of the second", func() bool { return here.state.Others })
	two.press("V", "e", "ctrl+c", "ctrl+c")
	two.end()
	one.until("the first form to hold the entry", func() bool {
		return here.form.Entry().Fields["name"].Text.Raw() == "Ve"
	})
	one.do(func() {
		if here.touched() || here.unsaved() {
			t.Error("what was taken over counts as entered here")
		}
	})
	one.press("g", "a", "ctrl+s")
	one.end()
	if name, _ := w.Stored(ask.ID).Outcome.Reply.Answers["name"].Text(); name != "Vega" {
		t.Errorf("the answer is %q", name)
	}
}

// TestAFormThatIsReadSaysNothingOfOthers holds that a form that can only be read says nothing
// about who submits first.
func TestAFormThatIsReadSaysNothingOfOthers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ask := w.Ask(w.Session("Names", ""), "The new ship", "")
	w.Hold(store.ShowClaim(ask.ID, "pane"))
	h := w.screen(Options{ID: ask.ID, ReadOnly: true})
	d := drive(t, h, 80, 24)
	d.until("the form", func() bool { return h.phase == phaseOpen })
	d.do(func() { h.glanced(h.lookAtStore()().(glanced)) })
	if text := d.text(); strings.Contains(text, "another pane") {
		t.Errorf("the form says\n%s", text)
	}
}

// inEditor opens the text with the focus in the person's editor.
func inEditor(t *testing.T, h *Screen) form.EditorReady {
	t.Helper()
	t.Setenv("TMPDIR", t.TempDir())
	ready, ok := h.form.Update(tuitest.Key(t, "ctrl+g"))().(form.EditorReady)
	if !ok {
		t.Errorf("no editor opens:\n%s", seen(h))
	}
	return ready
}

// TestAnUntouchedPaneShowsWhatIsBegunElsewhere holds that a pane in which nothing was entered
// takes over what is entered in another pane while both are open. What is said there is then
// neither overwritten from here nor left out of a verdict.
func TestAnUntouchedPaneShowsWhatIsBegunElsewhere(t *testing.T) {
	t.Parallel()
	tuitest.InBubble(t, func(t *testing.T) {
		w := newWorld(t)
		ask := w.ReviewAsk(w.Session("Nightly export", "/home/you/shop"), tuitest.PlainPlan, "")
		one, here := w.host(Options{ID: ask.ID})
		two, there := w.host(Options{ID: ask.ID})
		one.until("the first pane to know of the second", func() bool { return here.state.Others })
		one.press("n", "c", "W", "h", "y", "ctrl+s")
		one.until("the comment to be stored", func() bool { return !here.form.Busy() && !here.unsaved() })
		two.press("down") // a cursor that moves must not put this pane's older entry in its place
		two.until("the second pane to have the comment", func() bool { return len(there.review.Entry().Review.Comments) == 1 })
		two.do(func() {
			if there.touched() || there.unsaved() {
				t.Error("what was taken over counts as entered here")
			}
		})
		two.press("home", "c", "W", "h", "o", "ctrl+s")
		two.until("both to be stored", func() bool {
			return !there.form.Busy() && !there.unsaved() && len(there.review.Entry().Review.Comments) == 2
		})
		one.press("ctrl+c", "ctrl+c")
		one.end()
		two.press("ctrl+c", "ctrl+c")
		two.end()
		again := w.openedAsk(ask.ID)
		kept := review.NewEntry(again.Plan.Text)
		kept.Load(again.Entry.Fields[questions.ReviewID].Text, nil)
		if n := len(kept.Review.Comments); n != 2 {
			t.Errorf("%d comments come back, want 2", n)
		}
	})
}

// TestTwoPanesThatBothEnterKeepBoth has the person enter something into one form in two panes.
// Both panes show all of it, and all of it is in the store.
func TestTwoPanesThatBothEnterKeepBoth(t *testing.T) {
	t.Parallel()
	tuitest.InBubble(t, func(t *testing.T) {
		w := newWorld(t)
		ask := w.Rich("")
		one, here := w.host(Options{ID: ask.ID})
		two, there := w.host(Options{ID: ask.ID})
		holds := func(h *Screen, format, start string) bool {
			fields := h.form.Entry().Fields
			return slices.Equal(fields["format"].Picked, []string{format}) && slices.Equal(fields["go"].Picked, []string{start}) && !h.unsaved()
		}
		one.until("both to know of each other", func() bool { return here.state.Others && there.state.Others })
		one.press("right", "2")
		one.until("the first answer to be saved", func() bool { return here.touched() && !here.unsaved() })
		two.press("right", "right", "right")
		atLast := func() (at bool) {
			two.do(func() { at = there.form.Entry().Focus == "go" })
			return at
		}
		for !atLast() { // a text comes before it
			two.press("tab")
		}
		two.press("1")
		two.until("the second pane to hold both", func() bool { return holds(there, "json", "yes") })
		one.until("the first pane to hold both", func() bool { return holds(here, "json", "yes") })
		one.press("shift+tab", "1")
		two.until("the second pane to follow", func() bool { return holds(there, "csv", "yes") })
		two.do(func() {
			if focus := there.form.Entry().Focus; focus != "go" {
				t.Errorf("the second pane is at %q", focus)
			}
		})
		for _, d := range []*driver{one, two} {
			d.press("ctrl+c", "ctrl+c")
			d.end()
		}
		again := w.openedAsk(ask.ID).Entry.Fields
		if !slices.Equal(again["format"].Picked, []string{"csv"}) || !slices.Equal(again["go"].Picked, []string{"yes"}) {
			t.Errorf("%+v comes back", again)
		}
	})
}

// TestTwoPanesThatBothCommentKeepBoth holds that a comment that is written in one pane of a
// review does not put out one that was written in another pane meanwhile.
func TestTwoPanesThatBothCommentKeepBoth(t *testing.T) {
	t.Parallel()
	tuitest.InBubble(t, func(t *testing.T) {
		w := newWorld(t)
		ask := w.ReviewAsk(w.Session("Nightly export", "/home/you/shop"), tuitest.PlainPlan, "")
		one, here := w.host(Options{ID: ask.ID})
		two, there := w.host(Options{ID: ask.ID})
		one.until("both to know of each other", func() bool { return here.state.Others && there.state.Others })
		one.press("c", "O", "n", "e") // neither is done before the other begins
		two.press("n", "c", "T", "w", "o")
		one.press("ctrl+s")
		one.until("the first comment to be saved", func() bool { return here.touched() && !here.form.Busy() && !here.unsaved() })
		two.press("ctrl+s")
		for d, h := range map[*driver]*Screen{one: here, two: there} {
			d.until("the pane to have both comments", func() bool { return !h.unsaved() && len(h.review.Entry().Review.Comments) == 2 })
			d.press("ctrl+c", "ctrl+c")
			d.end()
		}
		again := w.openedAsk(ask.ID)
		kept := review.NewEntry(again.Plan.Text)
		kept.Load(again.Entry.Fields[questions.ReviewID].Text, nil)
		if n := len(kept.Review.Comments); n != 2 {
			t.Errorf("%d comments come back, want 2", n)
		}
	})
}

// TestAPaneThatIsLeftInATextFollows holds that a pane in whose text the cursor stands takes over
// what is entered in another pane, once nobody types in it.
func TestAPaneThatIsLeftInATextFollows(t *testing.T) {
	t.Parallel()
	tuitest.InBubble(t, func(t *testing.T) {
		w := newWorld(t)
		ask := w.Ask(w.Session("Names", ""), "The new ship", "")
		one := New(w.User("you@desk"), Options{ID: ask.ID, Now: time.Now})
		d := drive(t, one, 80, 24)
		d.until("the form", func() bool { return one.phase == phaseOpen })
		typed := time.Now()
		d.press("V", "e")
		d.until("the text to be saved", func() bool { return one.touched() && !one.unsaved() })
		two, _ := w.host(Options{ID: ask.ID})
		two.press("g", "a")
		two.shows("the other pane", "Vega")
		d.until("the first pane to follow", func() bool { return one.form.Entry().Fields["name"].Text.Raw() == "Vega" })
		if waited := time.Since(typed); waited < writingPause {
			t.Errorf("the text changed under the person's hands, %v after a key", waited)
		}
		for _, pane := range []*driver{two, d} {
			pane.press("ctrl+c", "ctrl+c")
			pane.end()
		}
	})
}

// TestTwoPanesAndTheNextVersion has the person write a comment in one pane of a review when the
// plan is submitted again, and comment on the next version in another pane before that is done.
func TestTwoPanesAndTheNextVersion(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{"another text": replacedPlan, "the same text": tuitest.PlainPlan} {
		t.Run(name, func(t *testing.T) {
			tuitest.InBubble(t, func(t *testing.T) {
				w, session, _, d, h := underReview(t, "")
				first := h.state.Ask
				d.until("the comment to be saved", func() bool { return !h.unsaved() })
				d.press("up", "up", "c", "W", "h", "o")
				two, there := w.host(Options{ID: first.ID})
				plan := *w.Stored(first.ID).Spec.Plan
				if text != tuitest.PlainPlan {
					plan.Number, plan.Digest = 2, plans.Digest(safe.New(text))
					if _, _, err := w.Store.SavePlan(t.Context(), session.ID, "", text); err != nil {
						t.Fatal(err)
					}
				}
				plan.Done = []string{"x"}
				second, _, err := w.Store.OpenAsk(t.Context(), store.Ask{Session: session.ID, Client: session.Client, Timeout: time.Hour, Spec: questions.ReviewOf(safe.New("Orders"), plan)})
				if err != nil {
					t.Fatal(err)
				}
				two.until("the next version", func() bool { return there.state.Ask.ID == second.ID && there.phase == phaseOpen })
				two.ready(there)
				two.press("n", "c", "H", "e", "r", "e", "?", "ctrl+s")
				two.until("the comment to be saved", func() bool { return len(there.review.Entry().Review.Comments) >= 2 && !there.unsaved() })
				d.press("s", "e", "?")
				d.until("the text to be saved", func() bool { return strings.Contains(entryOf(w, second), "Whose?") })
				if got := entryOf(w, second); !strings.Contains(got, "Here?") || !strings.Contains(got, "Who?") {
					t.Errorf("while the person writes, kept is %s", got)
				}
				d.press("ctrl+s")
				d.until("the next version", func() bool { return h.state.Ask.ID == second.ID && h.phase == phaseOpen && !h.unsaved() })
				two.until("the other pane to show all", func() bool { return len(there.review.Entry().Review.Comments) == 3 })
				for pane, screen := range map[*driver]*Screen{d: h, two: there} {
					pane.ready(screen)
					pane.press("ctrl+c", "ctrl+c")
					pane.end()
				}
				again := w.openedAsk(second.ID)
				kept := review.NewEntry(again.Plan.Text)
				kept.Load(again.Entry.Fields[questions.ReviewID].Text, again.Plan.Begun)
				var said []string
				for _, c := range kept.Review.Comments {
					said = append(said, c.Said().Raw())
				}
				slices.Sort(said)
				if got := strings.Join(said, " "); got != "Here? Who? Whose?" {
					t.Errorf("the comments are %q", got)
				}
			})
		})
	}
}

// entryOf is what the store holds of a review that is not sent yet.
func entryOf(w *world, ask store.Ask) string {
	entry, _, err := w.Store.Entry(w.T.Context(), ask.ID)
	if err != nil {
		w.T.Fatal(err)
	}
	return entry.Fields[questions.ReviewID].Text.Raw()
}

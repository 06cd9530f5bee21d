package askscreen

import (
	"context"
	"strings"
	"testing"
	"time"

	"planb/plans/review"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/themes"
	"planb/tui/form"
	"planb/tui/screen"
	"planb/tui/tuitest"
	"planb/tui/wording"
)

// underReview opens a pane with the review of a plan, and comments on the ninth line.
func underReview(t *testing.T, place string) (w *world, session store.Session, first store.Ask, d *driver, h *Screen) {
	t.Helper()
	w = newWorld(t)
	session = w.Session("Nightly export", "/home/you/shop")
	first = w.ReviewAsk(session, tuitest.PlainPlan, "")
	d, h = w.host(Options{ID: first.ID, Place: place})
	d.shows("the plan", "the bank asked for it") // keys move by the lines as they are drawn
	d.press("n", "down", "down", "c", "W", "h", "o", "?", "ctrl+s")
	d.until("the comment", func() bool { return len(h.review.Entry().Review.Comments) == 1 && !h.form.Busy() })
	return w, session, first, d, h
}

// replacedPlan has one more line at its top, and a different bank.
var replacedPlan = strings.Replace(strings.Replace(tuitest.PlainPlan, "Orders leave as", "New.\n\nOrders leave as", 1), "the bank asked for it", "the tax office asked for it", 1)

// A pane goes on to the review that took the place of its own. The comments come along, at
// their new lines, and no key counts until the person has looked up.
func TestAPaneGoesOnToTheReviewThatTookThePlace(t *testing.T) {
	t.Parallel()
	tuitest.InBubble(t, func(t *testing.T) {
		for _, place := range []string{"", window1} {
			w, session, first, d, h := underReview(t, place)
			second := w.ReviewAsk(session, replacedPlan, "")
			d.until("the next review", func() bool { return h.state.Ask.ID == second.ID && h.phase == phaseOpen })
			d.do(func() {
				if h.form.Entered() {
					t.Error("it takes keys at once")
				}
				got := h.review.Entry().Review.Comments
				if len(got) != 1 || got[0].From != 11 || !strings.HasPrefix(got[0].Text.Raw(), "Who?") || !strings.HasPrefix(got[0].Quote.Raw(), "- the tax office asked for it") {
					t.Errorf("the comments are %+v", got)
				}
			})
			d.ready(h)
			d.shows("the pane", "v2 replaces v1: +3 −1, d shows it · 1 comment kept, 1 on changed lines", "its lines changed since you said it", "before  - the bank asked for it")
			d.press("d")
			d.shows("the change", "v1 → v2", "the tax office")
			d.press("esc", "r")
			d.ready(h)
			d.press("ctrl+s")
			d.end()
			if got := w.Stored(first.ID).Outcome; got.State != questions.Withdrawn || got.Next != second.ID {
				t.Errorf("the first ended as %+v", got)
			}
			text, _ := w.Stored(second.ID).Outcome.Reply.Answers[questions.ReviewID].Text()
			if got := tuitest.Must(review.Parse([]byte(text))); got.Verdict != review.RequestChanges || got.Check(safe.New(replacedPlan)) != nil || len(got.Comments) != 1 {
				t.Errorf("the second ended as %s", text)
			}
			told := wording.AskText(w.Stored(first.ID), time.UTC).Raw()
			if screen := seen(w.screenOf(first.ID, 100)); !strings.Contains(told, "Withdrawn 2026-11-20 14:07, for the plan was submitted again") || !strings.Contains(screen, "Withdrawn at 14:07: the plan was submitted again") {
				t.Errorf("of the first is told\n%s\n%s", told, screen)
			}
			if !w.Unshown(first) || !w.Unshown(second) {
				t.Error("a claim was not given back")
			}
		}
	})
}

// A person who writes a comment can finish it. Each letter is saved in the next review's entry,
// in case the pane dies first.
func TestWhoWritesIsNotInterrupted(t *testing.T) {
	t.Parallel()
	tuitest.InBubble(t, func(t *testing.T) {
		w, session, _, d, h := underReview(t, window1)
		d.press("up", "up", "c", "W", "h", "o")
		d.until("it to be written", func() bool { return h.form.Busy() })
		if _, _, err := w.Store.SavePlan(t.Context(), session.ID, "", replacedPlan); err != nil {
			t.Fatal(err)
		}
		d.until("the version to be known", func() bool { return strings.Contains(seen(h), "is not submitted") })
		second := w.ReviewAsk(session, replacedPlan, "")
		d.until("it to be known", func() bool { return strings.Contains(seen(h), "The plan was submitted again") })
		if strings.Contains(seen(h), "is not submitted") {
			t.Errorf("what was submitted is said not to be:\n%s", seen(h))
		}
		d.shows("the pane", "The plan was submitted again: that comes up when you finish writing this.")
		d.press("s", "e", "?")
		tuitest.Poll(t, "it to be kept", func() bool {
			entry, ok, err := w.Store.Entry(t.Context(), second.ID)
			return err == nil && ok && strings.Contains(entry.Fields[questions.ReviewID].Text.Raw(), "Whose?")
		})
		again := w.openedAsk(second.ID) // as if the pane had died
		kept := review.NewEntry(again.Plan.Text)
		kept.Load(again.Entry.Fields[questions.ReviewID].Text, again.Plan.Begun)
		if got := kept.Review.Comments; len(got) != 2 || got[0].Text.Raw()+got[1].Text.Raw() == "" {
			t.Errorf("what comes back is %+v", got)
		}
		d.do(func() {
			if h.state.Ask.ID == second.ID {
				t.Error("it was interrupted")
			}
		})
		d.press("ctrl+s", "x", "x", "x") // the others are for nothing
		d.until("the next review", func() bool { return h.state.Ask.ID == second.ID && h.phase == phaseOpen })
		d.ready(h)
		d.do(func() {
			var said []string
			for _, c := range h.review.Entry().Review.Comments {
				said = append(said, strings.SplitN(c.Text.Raw(), "\n", 2)[0])
			}
			if got := strings.Join(said, " "); got != "Who? Whose?" && got != "Whose? Who?" {
				t.Errorf("the comments are %q", said)
			}
		})
	})
}

// A verdict that comes after the next submission does not count for it. The pane shows the new
// review, with the note of that verdict.
func TestAVerdictOnAReplacedVersionIsNotSent(t *testing.T) {
	t.Parallel()
	tuitest.InBubble(t, func(t *testing.T) {
		w, session, first, d, h := underReview(t, "")
		d.press("R")
		d.ready(h)
		d.press("n", "o")
		d.until("it to be written", func() bool { return h.form.Busy() })
		second := w.ReviewAsk(session, replacedPlan, "")
		d.until("it to be known", func() bool { return strings.Contains(seen(h), "The plan was submitted again") })
		d.press("ctrl+s")
		d.until("the next review", func() bool { return h.state.Ask.ID == second.ID && h.phase == phaseOpen })
		d.ready(h)
		d.shows("the pane", "Not sent: v2 was submitted first. All you said is here.", "On the whole: no")
		if got := w.Stored(first.ID); got.Outcome.State != questions.Withdrawn || w.Stored(second.ID).Outcome.State != questions.Pending {
			t.Errorf("the first ended as %+v", got.Outcome)
		}
	})
}

// A verdict that was sent in the same moment and came second is kept.
func TestAVerdictThatLostIsThereOnTheNext(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	session := w.Session("Nightly export", "/home/you/shop")
	first := w.ReviewAsk(session, tuitest.PlainPlan, "")
	h := w.screen(Options{ID: first.ID})
	h.Resize(80, 24)
	h.Retheme((*screen.Look)(nil).With(themes.Default(true).Palette))
	h.Update(h.start()())
	h.review.Entry().SetNote("no")
	second := w.ReviewAsk(session, replacedPlan, "")
	sent := h.review.Send(review.Reject)().(form.SettleRequested)
	followed := h.Update(h.Update(sent)())().(askFollowed)
	h.Update(followed)
	if h.state.Ask.ID != second.ID || h.review.Entry().Review.Note.Raw() != "no" || !strings.Contains(seen(h), "Not sent") || h.form.Entered() {
		t.Errorf("shown is %s with the note %q: %s", h.state.Ask.ID, h.review.Entry().Review.Note.Raw(), seen(h))
	}
}

// The pane also says that a verdict was not sent if that was on its way when the pane found the
// next submission.
func TestAVerdictOnItsWayIsSaidNotToBeSent(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	session := w.Session("Nightly export", "/home/you/shop")
	first := w.ReviewAsk(session, tuitest.PlainPlan, "")
	h := w.screen(Options{ID: first.ID})
	h.Resize(80, 24)
	h.Retheme((*screen.Look)(nil).With(themes.Default(true).Palette))
	h.Update(h.start()())
	second := w.ReviewAsk(session, replacedPlan, "")
	sent := h.review.Send(review.Reject)
	followed := h.Update(h.lookAtStore()())
	h.Update(sent())
	h.Update(followed())
	if h.state.Ask.ID != second.ID || !strings.Contains(seen(h), "Not sent") {
		t.Errorf("shown is %s: %s", h.state.Ask.ID, seen(h))
	}
}

// The first answer counts, also with two reviews.
func TestAReviewThatWasFollowedTooLate(t *testing.T) {
	t.Parallel()
	tuitest.InBubble(t, func(t *testing.T) {
		w, session, _, d, h := underReview(t, "")
		d.press("c", "W")
		d.until("it to be written", func() bool { return h.form.Busy() })
		second := w.ReviewAsk(session, replacedPlan, "")
		d.until("it to be known", func() bool { return strings.Contains(seen(h), "The plan was submitted again") })
		w.Reviewed(second, replacedPlan, review.Approve)
		d.press("ctrl+s")
		d.until("it to say so", func() bool { return h.form.Ended() })
		d.ready(h)
		d.press("esc")
		if printed := strings.Join(d.end(), "\n"); !strings.Contains(printed, "Not counted: you@desk was first") || !strings.Contains(printed, "Who?") {
			t.Errorf("printed %q", printed)
		}
	})
}

// If the same version is submitted again, with other notes done, the text is the same and
// nothing moves.
func TestTheSameVersionSubmittedAgain(t *testing.T) {
	t.Parallel()
	tuitest.InBubble(t, func(t *testing.T) {
		w, session, first, d, h := underReview(t, "")
		plan := *w.Stored(first.ID).Spec.Plan
		plan.Done = []string{"x"}
		second, _, err := w.Store.OpenAsk(t.Context(), store.Ask{Session: session.ID, Client: session.Client, Timeout: time.Hour, Spec: questions.ReviewOf(safe.New("Orders"), plan)})
		if err != nil {
			t.Fatal(err)
		}
		d.until("the next review", func() bool { return h.state.Ask.ID == second.ID && h.phase == phaseOpen })
		d.ready(h)
		d.shows("the pane", "v1 was submitted again while you read: this is it, with all you said.")
		d.do(func() {
			if said := h.review.Entry().Review.Comments; len(said) != 1 || strings.Contains(seen(h), "replaces v1") {
				t.Errorf("the comments are %+v", said)
			}
		})
	})
}

// The person's own edits are applied to the next version of the plan. What cannot be applied is
// told to the agent.
func TestAnEditGoesOnToTheNextVersion(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ edit, with, note string }{
		"where nothing else changed": {"Nobody owns", "Ada owns", ""},
		"where it cannot":            {"the bank asked for it", "we asked for it", "I had edited v1, and it does not fit this version:\n\n```diff\n"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			session := w.Session("Nightly export", "")
			first := w.ReviewAsk(session, tuitest.PlainPlan, "")
			begun := review.NewEntry(safe.New(tuitest.PlainPlan))
			if _, err := begun.Edit(strings.Replace(tuitest.PlainPlan, test.edit, test.with, 1)); err != nil {
				t.Fatal(err)
			}
			begun.Hold(14)
			entry := questions.Entry{Fields: map[string]questions.Field{questions.ReviewID: {Text: begun.Save()}}}
			if err := w.Store.SaveEntry(t.Context(), first.ID, entry); err != nil {
				t.Fatal(err)
			}
			now := w.openedAsk(w.ReviewAsk(session, replacedPlan, "").ID)
			said := review.NewEntry(now.Plan.Text)
			said.Load(now.Entry.Fields[questions.ReviewID].Text, now.Plan.Begun)
			want := ""
			if test.note == "" {
				want = strings.Replace(replacedPlan, test.edit, test.with, 1)
			}
			if got := said.Edited.Raw(); got != want {
				t.Errorf("the edit is %q", got)
			}
			if got := said.Review.Note.Raw(); !strings.HasPrefix(got, test.note) || (test.note == "") != (got == "") {
				t.Errorf("the note is %q", got)
			}
			if got := said.Review.Withheld; len(got) != 1 || got[0] != 14 {
				t.Errorf("held back is %v", got)
			}
		})
	}
}

// The pane tells of a version that was written during the review, and shows it. The verdict
// counts for the version that the person read.
func TestAVersionWrittenDuringAReviewIsTold(t *testing.T) {
	t.Parallel()
	tuitest.InBubble(t, func(t *testing.T) {
		w, session, first, d, h := underReview(t, "")
		if _, _, err := w.Store.SavePlan(t.Context(), session.ID, "", replacedPlan); err != nil {
			t.Fatal(err)
		}
		d.shows("the pane", "This is v1. v2 was written since, and is not submitted: d shows it.")
		d.press("d")
		d.shows("the change", "v1 → v2 · not submitted", "the tax office")
		d.press("d", "a")
		d.shows("the verdict", "Approve v1 with notes", "exactly this version")
		d.ready(h)
		d.press("ctrl+s")
		d.end()
		text, _ := w.Stored(first.ID).Outcome.Reply.Answers[questions.ReviewID].Text()
		if got := tuitest.Must(review.Parse([]byte(text))); got.Verdict != review.ApproveWithNotes || got.Check(safe.New(tuitest.PlainPlan)) != nil || h.state.Ask.ID != first.ID {
			t.Errorf("what was approved is %s", text)
		}
	})
}

// screenOf returns a screen with an ask that has ended.
func (w *world) screenOf(id string, width int) *Screen {
	w.T.Helper()
	h := w.screen(Options{ID: id, ReadOnly: true})
	h.Retheme((*screen.Look)(nil).With(themes.Default(true).Palette))
	h.Resize(width, 24)
	h.Update(h.start()())
	h.Update(screen.Relaid{})
	return h
}

// A finished comment is saved at once, and not only when the person pauses.
func TestADoneCommentIsSavedAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ask := w.ReviewAsk(w.Session("Nightly export", ""), tuitest.PlainPlan, "")
	h := w.screen(Options{ID: ask.ID})
	h.Retheme((*screen.Look)(nil).With(themes.Default(true).Palette))
	h.Resize(80, 24)
	h.Update(h.start()())
	t.Cleanup(func() { _, _ = h.Close(context.Background()) })
	h.form.Update(tuitest.Key(t, "x"))
	if stored, ok := h.Update(form.EntryDone{AskID: ask.ID})().(entryStored); !ok || stored.err != nil {
		t.Errorf("the entry is not saved: %+v", stored)
	}
	if entry := must2(w.Store.Entry(t.Context(), ask.ID)); entry.Fields[questions.ReviewID].Text.IsZero() {
		t.Error("nothing is saved")
	}
}

// What was entered just before the plan was submitted again, and not saved by then, is kept in the
// next review, also if the plan's text is the same again.
func TestWhatWasJustEnteredComesAlong(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	session := w.Session("Nightly export", "/home/you/shop")
	first := w.ReviewAsk(session, tuitest.PlainPlan, "")
	h := w.screen(Options{ID: first.ID})
	h.Resize(80, 24)
	h.Retheme((*screen.Look)(nil).With(themes.Default(true).Palette))
	h.Update(h.start()())
	h.review.Entry().SetNote("first")
	h.Update(h.storeEntry()())
	if _, _, err := w.Store.SavePlan(t.Context(), session.ID, "", replacedPlan); err != nil {
		t.Fatal(err)
	}
	second := w.ReviewAsk(session, tuitest.PlainPlan, "")
	h.review.Entry().SetNote("second")
	h.Update(h.Update(h.lookAtStore()())().(askFollowed))
	h.Update(h.storeEntry()())
	entry, _, err := w.Store.Entry(t.Context(), second.ID)
	if kept := entry.Fields[questions.ReviewID].Text.Raw(); err != nil || h.state.Ask.ID != second.ID || !strings.Contains(kept, "second") {
		t.Errorf("kept is %s (%v)", kept, err)
	}
}

package tui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"planb/plans/review"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/store/kv"
	"planb/themes"
	hosts "planb/tui/ask"
	"planb/tui/inbox"
	"planb/tui/retro"
	"planb/tui/screen"
	"planb/tui/tuitest"
)

func TestAHitInAFormOpensAtItsQuestion(t *testing.T) {
	w := newWorld(t)
	session := w.Session("Boats", "/home/you/harbour")
	spec := questions.Spec{Title: safe.New("How to build it"), Intro: safe.New("About boats")}
	for i := range 40 {
		q := questions.Question{ID: fmt.Sprint("q", i), Kind: questions.Text, Label: safe.New(fmt.Sprintf("The label of number %d", i)), Tab: safe.New(questions.DefaultTab)}
		if i == 33 {
			q.Tab, q.Description = safe.New("Later"), safe.New("What becomes of the rudder")
		}
		spec.Questions = append(spec.Questions, q)
	}
	if _, _, err := w.Store.OpenAsk(t.Context(), store.Ask{Session: session.ID, Spec: spec}); err != nil {
		t.Fatal(err)
	}
	for query, question := range map[string]int{"rudder": 33, `"number 20"`: 20, "boats kind:question": 0} {
		r := w.browse(false, 80, 24, themes.None())
		r.keys("f").send(tea.PasteMsg{Content: query})
		r.keys("enter")
		form := r.w.top().(*askScreen).form
		if focus := form.Entry().Focus; question > 0 && focus != fmt.Sprint("q", question) {
			t.Errorf("%s opens at %s", query, focus)
		}
		if question > 0 {
			r.shows(fmt.Sprintf("The label of number %d", question))
		}
	}
}

// A comment that was found is where its review opens.
func TestAFoundCommentIsOpenedAtItsLine(t *testing.T) {
	w := newWorld(t)
	ask := w.ReviewAsk(w.Session("Nightly export", ""), tuitest.ReviewedPlan, "")
	w.Reviewed(ask, tuitest.ReviewedPlan, review.RequestChanges, tuitest.Comment(t, tuitest.ReviewedPlan, 3, 3, review.Remark, "Whose CSV?"), tuitest.Comment(t, tuitest.ReviewedPlan, 33, 33, review.Remark, "Ada owns the zebra key."))
	r := w.browse(false, 80, 24, themes.None())
	r.keys("f").send(tea.PasteMsg{Content: "zebra"})
	r.keys("enter")
	if at := r.w.top().(*askScreen).review.Entry().Cursor; at.Line != 33 || at.Comment == "" {
		t.Errorf("the cursor is on line %d:\n%s", at.Line, r.text())
	}
	r.shows("Ada owns the zebra key.")
}

func TestInboxAnswers(t *testing.T) {
	w := newWorld(t)
	ask := w.Ask(w.Session("Names", "/home/you/ships"), "The new ship", "")
	b := Options{Store: w.Store, By: "you@desk", Now: w.Clock}.inbox(true)
	d := drive(t, inbox.New(b), 80, 24)
	d.until("the list", func() bool { return strings.Contains(ansi.Strip(d.w.View().Content), "The new ship") })
	d.press("enter")
	d.until("the form", func() bool { return strings.Contains(ansi.Strip(d.w.View().Content), "What is it called?") })
	d.press("V", "e", "g", "a", "ctrl+s")
	d.until("the list with the receipt", func() bool {
		return strings.Contains(ansi.Strip(d.w.View().Content), "1 answer kept for Claude Code")
	})
	if got := w.Stored(ask.ID).Outcome; got.State != questions.Answered || got.By != "you@desk" {
		t.Errorf("the store holds %+v", got)
	}
	d.until("the ask to be gone from the list", func() bool { return !strings.Contains(ansi.Strip(d.w.View().Content), "Waiting for you") })
	if !w.Unshown(ask) {
		t.Error("the claim was not given back")
	}
}

func TestInboxEndingKeepsTheEntry(t *testing.T) {
	w := newWorld(t)
	ask := w.Ask(w.Session("Names", ""), "The new ship", "")
	b := Options{Store: w.Store, Now: w.Clock}.inbox(true)
	d := drive(t, inbox.New(b), 80, 24)
	d.until("the list", func() bool { return strings.Contains(ansi.Strip(d.w.View().Content), "The new ship") })
	d.press("enter")
	d.until("the form", func() bool { return strings.Contains(ansi.Strip(d.w.View().Content), "What is it called?") })
	d.press("V")
	d.program.Send(screen.Quit{})
	if parting := strings.Join(d.end(), "\n"); !strings.Contains(parting, store.ShortID(ask.ID)) {
		t.Errorf("printed %q", parting)
	}
	if entry := must2(w.Store.Entry(t.Context(), ask.ID)); entry.Fields["name"].Text.Raw() != "V" {
		t.Errorf("the entry is %+v", entry)
	}
}

func TestRetroChangesNothing(t *testing.T) {
	w := newWorld(t)
	w.Past()
	before := w.Snapshot()
	r := w.browse(false, 80, 24, themes.None())
	r.hides("Waiting for you")
	r.shows("● Webhooks", "2 waiting · 6 forms", "2 waiting · 5 sessions") // but what waits is marked
	r.keys("enter end up up enter")                                        // the open ask of the newest session, before two versions
	r.shows("Names of the new tables", "What is it called?")
	form := r.w.top().(*askScreen)
	if !form.form.Input().ReadOnly {
		t.Error("an open ask can be answered in retro")
	}
	r.keys("x ctrl+s")
	if after := w.Snapshot(); after != before {
		t.Errorf("the store changed from\n%s\nto\n%s", before, after)
	}
}

// TestFormsKeepTheirClocksApart opens two forms over one another: were the
// clock of each to set off the other's too, they would double every second.
func TestFormsKeepTheirClocksApart(t *testing.T) {
	w := newWorld(t)
	session := w.Session("Names", "")
	one := newAskScreen(w.Store, askPlan{id: w.Ask(session, "One", "").ID, now: w.Clock})
	two := newAskScreen(w.Store, askPlan{id: w.Ask(session, "Two", "").ID, now: w.Clock})
	win := newWindow(one, only(themes.None()))
	win.Update(screen.Push{Screen: two})
	if cmd := one.Update(glanceDue{fromHost{two.host}}); cmd != nil {
		t.Error("a form's clock set off another's")
	}
	if cmd := two.Update(glanceDue{fromHost{two.host}}); cmd == nil {
		t.Error("a form's clock stopped")
	}
	two.Update(askOpened{fromHost: fromHost{one.host}, Opened: hosts.Opened{None: true}})
	if two.phase != phaseOpening {
		t.Error("a form took what another had asked for")
	}
}

// A form that was opened from a session's story and answered leaves the cursor of the
// list on that session.
func TestAFormAnsweredFromAStoryLeavesTheCursorOnItsSession(t *testing.T) {
	w := newWorld(t)
	w.Ask(w.Session("Harbours", "/home/you/ports"), "Which harbour?", "")
	w.Now = w.Now.Add(time.Minute)
	session := w.Session("Names", "/home/you/ships")
	ask := w.Ask(session, "The new ship", "")
	b := Options{Store: w.Store, By: "you@desk", Now: w.Clock}.inbox(true)
	list := inbox.New(b)
	d := drive(t, list, 80, 24)
	on := func(row string) func() bool {
		return func() bool {
			return d.w.top() == screen.Screen(list) && strings.Contains(ansi.Strip(list.View().Content), row)
		}
	}
	d.until("the list", on("▸ ○ Which harbour?"))
	d.press("end", "up")
	d.until("the cursor on the session", on("▸ ○ Names"))
	d.press("enter")
	d.until("the story", func() bool {
		story, open := d.w.top().(*retro.Session)
		return open && strings.Contains(ansi.Strip(story.View().Content), "Asked")
	})
	d.press("end", "enter")
	d.until("the form", func() bool {
		form, open := d.w.top().(*askScreen)
		return open && form.phase == phaseOpen && !form.form.Input().ReadOnly
	})
	d.press("V", "ctrl+s")
	tuitest.Poll(t, "the answer", func() bool { return w.Stored(ask.ID).Outcome.State == questions.Answered })
	d.until("the story again", func() bool { _, story := d.w.top().(*retro.Session); return story })
	d.press("esc")
	d.until("the list with the cursor on the session", on("▸   Names"))
}

func TestWhatCameTooLateIsShown(t *testing.T) {
	w := newWorld(t)
	session := w.Session("Names", "/home/you/ships")
	ask := w.Ask(session, "The new ship", "")
	tuitest.Must(w.Store.Settle(t.Context(), ask.ID, questions.Outcome{State: questions.Answered, Reply: tuitest.TextReply("Altair"), By: "me@here"}))
	long := "Vega, " + strings.Repeat("because it is bright and ", 20) + "near"
	if _, err := w.Store.Settle(t.Context(), ask.ID, questions.Outcome{State: questions.Answered, Reply: tuitest.TextReply(long), By: "you@desk"}); err == nil {
		t.Fatal("two answers won")
	}
	r := w.browse(true, 80, 24, themes.None())
	r.keys("end enter")
	r.shows("Too late  The new ship", "you@desk", "What is it called?", "→ Vega, because")
	r.send(tea.WindowSizeMsg{Width: 50, Height: 24}) // where there is no room beside or below
	r.shows("Too late, by you@desk: Vega, because")
	r.send(tea.WindowSizeMsg{Width: 80, Height: 24})
	r.keys("enter")
	r.shows("Altair", "Too late, by you@desk (ctrl+c r shows it): Vega, because")
	r.keys("ctrl+c r")
	r.shows("What came too late", "What is it called?", "bright and near")
	r.keys("esc")
	r.shows("Altair")
}

// TestAFormRingsOnceWhenItPopsUp holds that a form nobody asked for is heard, if
// that is wanted, and neither one a person opened nor the one that follows their
// answer.
func TestAFormRingsOnceWhenItPopsUp(t *testing.T) {
	w := newWorld(t)
	session := w.Session("Names", "/home/you/ships")
	ask, next := w.Ask(session, "The new ship", "here"), w.Ask(session, "The old ship", "here")
	input := func(ask store.Ask) askOpened {
		return askOpened{Opened: hosts.Opened{Input: hosts.Input{Ask: w.Stored(ask.ID), Session: session}, Waiting: 1}}
	}
	for _, test := range []struct {
		name          string
		unasked, bell bool
		want          int
	}{
		{"popped up", true, true, 1}, {"switched off", true, false, 0}, {"opened by hand", false, true, 0},
	} {
		h := newAskScreen(w.Store, askPlan{place: "here", byItself: test.unasked, bell: test.bell, now: w.Clock})
		h.Retheme((*screen.Look)(nil).With(themes.None().Palette))
		h.Resize(80, 24)
		ring := func(ask store.Ask) int {
			h.take(input(ask)) // its other commands wait for time to pass
			if h.rang != ask.ID {
				return 0
			}
			return 1
		}
		if got := ring(ask); got != test.want {
			t.Errorf("%s: rings %d times", test.name, got)
		}
		if h.ring(true) != nil && test.want == 1 {
			t.Errorf("%s: taken up again it rings once more", test.name)
		}
		h.Settled = 1
		if ring(next) != 0 {
			t.Errorf("%s: the form after an answer rings", test.name)
		}
		if _, err := h.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

func TestAnAskIsAnsweredBesideDamagedRecords(t *testing.T) {
	w := newWorld(t)
	session := w.Session("Names", "/home/you/ships")
	ask := w.Ask(session, "The new ship", "")
	for _, key := range []string{"s/" + session.ID, "d/" + ask.ID} {
		if err := w.Engine.Commit(t.Context(), kv.Batch{Op: kv.OpID{1}, Puts: []kv.Put{{Key: kv.Key(key), Value: []byte("{")}}}); err != nil {
			t.Fatal(err)
		}
	}
	d, _ := w.host(askPlan{id: ask.ID})
	d.press("V", "e", "g", "a", "ctrl+s")
	d.end()
	got := w.Stored(ask.ID).Outcome
	if name, _ := got.Reply.Answers["name"].Text(); got.State != questions.Answered || name != "Vega" {
		t.Errorf("the store holds %+v", got)
	}
}

// A form over the inbox says in its window's title how many others wait.
func TestAFormOverTheInboxSaysHowManyOthersWait(t *testing.T) {
	w := newWorld(t)
	session := w.Session("Names", "/home/you/ships")
	w.Ask(session, "The new ship", "")
	o := Options{Store: w.Store, Now: w.Clock, Rings: inbox.Rings{Title: true}}
	d := drive(t, inbox.New(o.inbox(true)), 80, 24)
	d.until("the list", func() bool { return strings.Contains(ansi.Strip(d.w.View().Content), "The new ship") })
	d.press("enter")
	d.until("the form", func() bool { return strings.Contains(ansi.Strip(d.w.View().Content), "What is it called?") })
	w.Ask(session, "Another", "")
	d.until("the form to say so", func() bool { return strings.HasPrefix(d.w.View().WindowTitle, "planb · 1 more waiting · ") })
}

package tui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"planb/plans"
	"planb/plans/review"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/tui/askscreen"
	"planb/tui/form"
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
		d := w.found(query, "How to build it")
		if question > 0 {
			d.shows("the form", fmt.Sprintf("The label of number %d", question))
		}
	}
}

// A comment that was found is where its review opens.
func TestAFoundCommentIsOpenedAtItsLine(t *testing.T) {
	w := newWorld(t)
	ask := w.ReviewAsk(w.Session("Nightly export", ""), tuitest.ReviewedPlan, "")
	w.Reviewed(ask, tuitest.ReviewedPlan, review.RequestChanges, tuitest.Comment(t, tuitest.ReviewedPlan, 3, 3, review.Remark, "Whose CSV?"), tuitest.Comment(t, tuitest.ReviewedPlan, 33, 33, review.Remark, "Ada owns the zebra key."))
	w.found("zebra", "Ada owns").shows("the review", "Nobody owns the key.", "Ada owns the zebra key.")
}

func TestInboxAnswers(t *testing.T) {
	w := newWorld(t)
	ask := w.Ask(w.Session("Names", "/home/you/ships"), "The new ship", "")
	b := Options{Store: w.Store, By: "you@desk", Now: w.Clock}.inbox(true)
	d := drive(t, inbox.New(b), 80, 24)
	d.until("the list", func() bool { return strings.Contains(ansi.Strip(d.w.View().Content), "The new ship") })
	d.press("enter")
	d.until("the form", func() bool { return strings.Contains(ansi.Strip(d.w.View().Content), "esc menu") }) // the list shows what is asked, too
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
	d.until("the form", func() bool { return strings.Contains(ansi.Strip(d.w.View().Content), "esc menu") }) // the list shows what is asked, too
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
	asks := tuitest.Must(w.Store.Asks(t.Context(), w.Sessions()[0].ID))
	open := asks[len(asks)-1]
	before := w.Snapshot()
	d := drive(t, inbox.New(Options{Store: w.Store, By: "you@desk", Now: w.Clock}.inbox(false)), 80, 24)
	d.shows("the list", "● Webhooks", "6 forms · plan v2", "Sessions  5") // what waits is marked
	if text := d.text(); strings.Contains(text, "Waiting for you") {
		t.Errorf("what waits is listed by itself:\n%s", text)
	}
	o := Options{Store: w.Store, By: "you@desk", Now: w.Clock, Ask: open.ID}
	d = drive(t, o.story(o.inbox(false).Past(), w.Sessions()[0]), 80, 24)
	d.shows("the form", "Names of the new tables", "What is it called?")
	d.press("x", "ctrl+s")
	d.program.Send(screen.Quit{})
	d.end()
	if _, entered, err := w.Store.Entry(t.Context(), open.ID); entered || err != nil {
		t.Errorf("an open ask can be answered in retro: %v, %v", entered, err)
	}
	if after := w.Snapshot(); after != before {
		t.Errorf("the store changed from\n%s\nto\n%s", before, after)
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
	d.until("the list", on("▌ ● Which harbour?"))
	d.press("end", "up")
	d.until("the cursor on the session", on("▌   Names"))
	d.press("enter")
	d.until("the story", func() bool {
		story, open := d.w.top().(*retro.Session)
		return open && strings.Contains(ansi.Strip(story.View().Content), "Asked")
	})
	d.press("end", "enter")
	d.until("the form", func() bool {
		form, open := d.w.top().(*askscreen.Screen)
		return open && form.Opened()
	})
	d.press("V", "ctrl+s")
	tuitest.Poll(t, "the answer", func() bool { return w.Stored(ask.ID).Outcome.State == questions.Answered })
	d.until("the story again", func() bool { _, story := d.w.top().(*retro.Session); return story })
	d.press("esc")
	d.until("the list with the cursor on the session", on("▌   Names"))
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
	d := drive(t, inbox.New(Options{Store: w.Store, By: "you@desk", Now: w.Clock}.inbox(true)), 80, 24)
	d.shows("the list", "Names")
	d.press("end", "enter")
	d.shows("the story", "Too late", "you@desk", "What is it called?", "→ Vega, because")
	d.program.Send(tea.WindowSizeMsg{Width: 50, Height: 24}) // where there is no room beside or below
	d.shows("the story", "Too late, by you@desk: Vega, because")
	d.program.Send(tea.WindowSizeMsg{Width: 80, Height: 24})
	d.press("enter")
	d.shows("the form", "Altair", "Too late, by you@desk (ctrl+c o shows it): Vega, because")
	d.press("ctrl+c", "o")
	d.shows("all of it", "What came too late", "What is it called?", "bright and near")
	d.press("esc")
	d.shows("the form", "Altair")
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
	d.until("the form", func() bool { return strings.Contains(ansi.Strip(d.w.View().Content), "esc menu") }) // the list shows what is asked, too
	w.Ask(session, "Another", "")
	d.until("the form to say so", func() bool { return strings.HasPrefix(d.w.View().WindowTitle, "planb · 1 more waiting · ") })
}

// TestLostTextOutlivesItsForm holds that what only a closed form held is still
// printed when the inbox ends.
func TestLostTextOutlivesItsForm(t *testing.T) {
	t.Parallel()
	tuitest.InBubble(t, func(t *testing.T) {
		w := newWorld(t)
		ask := w.Ask(w.Session("Names", ""), "The new ship", "")
		b := Options{Store: w.Store, By: "you@desk", Now: w.Clock}.inbox(true)
		d := drive(t, inbox.New(b), 80, 24)
		d.until("the list", func() bool { return strings.Contains(ansi.Strip(d.w.View().Content), "The new ship") })
		d.press("enter")
		d.until("the form", func() bool { return strings.Contains(ansi.Strip(d.w.View().Content), "esc menu") }) // the list shows what is asked, too
		d.press("V")
		tuitest.Poll(t, "what was typed to be saved", func() bool {
			entry, _, err := w.Store.Entry(t.Context(), ask.ID)
			return err == nil && entry.Fields["name"].Text.Raw() == "V"
		})
		tuitest.Must(w.Store.Settle(t.Context(), ask.ID, questions.Outcome{State: questions.Answered, Reply: tuitest.TextReply("Altair"), By: "you@phone"}))
		d.shows("the form", "you@phone")
		d.enter()
		d.press("esc")
		d.until("the list with what happened", func() bool {
			return strings.Contains(ansi.Strip(d.w.View().Content), "Not counted: you@phone was first.")
		})
		d.press("q")
		if printed := strings.Join(d.end(), "\n"); !strings.Contains(printed, `"name":"V"`) {
			t.Errorf("printed %q", printed)
		}
	})
}

// What a person makes of a plan in their editor goes with the review, and is a
// version before the review says that it is there.
func TestReviewWithAnEdit(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	session := w.Session("Nightly export", "/home/you/shop")
	ask := w.ReviewAsk(session, tuitest.ReviewedPlan, "")
	r := w.rigReview(ask.ID, []string{"EDITOR=true"}, 80, 24).keys("e")
	ready, ok := tuitest.Last[form.EditorReady](r.Holder)
	if !ok || ready.Err != nil {
		t.Fatalf("e does not open the editor: %+v", ready)
	}
	if text, err := os.ReadFile(ready.Path); err != nil || string(text) != tuitest.ReviewedPlan || os.Remove(ready.Path) != nil {
		t.Fatalf("the editor gets %q, %v", text, err)
	}
	edited := strings.Replace(tuitest.ReviewedPlan, "Nobody owns", "Ada owns", 1)
	r.Send(ready.Return(edited, nil))
	again := r.form.Entry()
	if !strings.Contains(r.Text(), "Your edit goes with the review") || r.review.Entry().Edited.Raw() != edited {
		t.Fatalf("the edit is %q:\n%s", r.review.Entry().Edited.Raw(), r.Text())
	}
	r.keys("d")
	if !strings.Contains(r.Text(), "v1 → your edit") || !strings.Contains(r.Text(), "Ada owns") {
		t.Errorf("d does not show it:\n%s", r.Text())
	}
	r.keys("esc u")
	if !r.review.Entry().Edited.IsZero() {
		t.Error("u does not take it back")
	}

	w.Now = tuitest.Moment
	if err := w.Store.SaveEntry(t.Context(), ask.ID, again); err != nil {
		t.Fatal(err)
	}
	d := drive(t, w.form(askscreen.Options{ID: ask.ID}), 80, 24)
	d.shows("the plan", "the bank asked for it")
	d.press("a")
	d.enter()
	d.press("enter")
	d.end()
	text, _ := w.Stored(ask.ID).Outcome.Reply.Answers[questions.ReviewID].Text()
	got := tuitest.Must(review.Parse([]byte(text)))
	if got.Edited != plans.Digest(safe.New(edited)) || !strings.Contains(got.Feedback.Raw(), "+Ada owns the key.") {
		t.Errorf("the store holds %+v", got)
	}
	if text, err := w.Store.PlanText(t.Context(), session.ID, 2); err != nil || text.Raw() != edited {
		t.Errorf("v2 is %q, %v", text.Raw(), err)
	}
}

// TestAFormOfTheInboxGetsWhatTheProgramWasGiven holds that a form over the inbox has the
// editor of the terminal's environment, and that it names the command that was called.
func TestAFormOfTheInboxGetsWhatTheProgramWasGiven(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the editor of this test is a shell command")
	}
	w := newWorld(t)
	ask := w.Ask(w.Session("Names", ""), "The new ship", "")
	opened := filepath.Join(t.TempDir(), "opened")
	environ := []string{"PATH=" + os.Getenv("PATH"), "EDITOR=touch " + opened + ";:"}
	o := Options{Store: w.Store, By: "you@desk", Now: w.Clock, Command: "go run .", Terminal: screen.Terminal{Environ: environ}}
	d := drive(t, o.forms(true)(retro.Form{Ask: ask}), 80, 24)
	d.shows("the form", "What is it called?")
	d.press("ctrl+g")
	d.until("the editor to open", func() bool { _, err := os.Stat(opened); return err == nil })
	d.program.Send(screen.Quit{})
	if parting, want := strings.Join(d.end(), "\n"), "go run . tui ask "+store.ShortID(ask.ID); !strings.HasSuffix(parting, want) {
		t.Errorf("printed %q, want the end %q", parting, want)
	}
}

// What a pane in plain lines cannot read is no word of the person.
func TestAPlainPaneThatFailsPutsNothingOff(t *testing.T) {
	w := newWorld(t)
	ask := w.Ask(w.Session("Names", ""), "One", "tmux window 1")
	_, err := Ask(t.Context(), AskOptions{Store: unopened{w.Store}, ID: ask.ID, Place: "tmux window 1", By: "you@desk", Now: w.Clock,
		Terminal: screen.Terminal{Output: io.Discard, Environ: []string{"TERM=dumb"}, Input: strings.NewReader("")}})
	if off := tuitest.Must(w.Store.PutOffs(t.Context(), "tmux window 1")); off.Place || !errors.Is(err, errBroken) {
		t.Errorf("put off is %v, the failure %v", off.Place, err)
	}
}

// unopened is a store that cannot read asks.
type unopened struct{ askscreen.Store }

func (unopened) Ask(context.Context, string) (store.Ask, error) { return store.Ask{}, errBroken }

// errBroken is what a broken store says.
var errBroken = errors.New("the disk is on fire")

package tui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/store/timeline"
	"planb/themes"
	"planb/tui/editor/external"
	"planb/tui/keymap"
	"planb/tui/tuitest"
)

// told fills the world with one session in which an answer leads to a plan that
// cites it, and returns the session and its first ask.
func (w *world) told() (store.Session, store.Ask) {
	w.T.Helper()
	session := w.Session("Names", "/home/you/ships")
	w.Now = w.Now.Add(time.Minute)
	ask := w.Ask(session, "The new ship", "tmux-0a1b2c3d4e5f-@7")
	w.Now = w.Now.Add(time.Minute)
	if err := w.Store.MarkShown(w.T.Context(), ask.ID); err != nil {
		w.T.Fatal(err)
	}
	w.Now = w.Now.Add(2 * time.Minute)
	tuitest.Must(w.Store.Settle(w.T.Context(), ask.ID, questions.Outcome{State: questions.Answered, Reply: tuitest.TextReply("Vega"), By: "you@desk", At: w.Now}))
	w.Save(session, "A plan", "# Ships\n\nThe first.\n")
	w.Save(session, "", "# All ships\n\nThe first is Vega [q:name].\n\nThe second is open.\n")
	w.Now = w.Now.Add(time.Minute)
	return session, ask
}

func (w *world) browser() browser { return Options{Store: w.Store, Now: w.Clock}.browser(false) }

// What is beside each moment is what was known at it, and no more.
func TestStoryTellsWhatWasKnown(t *testing.T) {
	for _, size := range [][2]int{{80, 40}, {120, 30}} {
		w := newWorld(t)
		session, _ := w.told()
		head := func(verb, title string) string {
			if size[0] < besideWidth { // the row says it
				return fmt.Sprintf("%-9s %s", verb, title)
			}
			return verb + ": " + title
		}
		r := browseWith(t, newSessionScreen(w.browser().past(), session), size[0], size[1], themes.None())
		r.shows("6 of 6", head("Plan v2", "All ships"), "+4 −2", "The second is open.")
		r.keys("home")
		r.shows("1 of 6", head("Begun", "Claude Code"))
		r.keys("down")
		r.shows(head("Asked", "The new ship"), "Claude Code · tmux @7", "What is it called?")
		r.hides("Vega", "The plan then")
		r.keys("down")
		r.shows(head("Shown", "The new ship"), "1 min after it was asked")
		r.hides("Vega")
		r.keys("down")
		took := map[bool]string{true: "you@desk · 1 answer · 3 min after it was asked", false: "1 answer · you@desk · 3 min"}[size[0] >= besideWidth]
		r.shows(head("Answered", "The new ship"), took, "2 min after", "not fetched yet",
			"Led to: plan v1", "Cited in: plan v2, line 3", "→ Vega")
		r.hides("The plan then")
		r.keys("down")
		r.shows(head("Plan v1", "A plan"), "Follows from: answered “The new ship”", "The first.", "+3 −0")
		r.keys("home n n p") // the versions alone
		r.shows(head("Plan v1", "A plan"))
		r.keys("n enter")
		r.shows("All ships · v2", "latest of 2")
		r.keys("esc home down down down enter")
		r.shows("What is it called?", "Vega")
	}
}

// Of an ask that came later the plan is shown as it was then.
func TestStoryShowsThePlanOfThatTime(t *testing.T) {
	w := newWorld(t)
	session, _ := w.told()
	w.Ask(session, "The second ship", "")
	w.Save(session, "A new plan", "# Everything else")
	r := browseWith(t, newSessionScreen(w.browser().past(), session), 120, 30, themes.None())
	r.keys("p down")
	r.shows("Asked: The second ship", "The plan then: v2 All ships", "The second is open.")
	r.hides("Everything else")
}

func TestStoryFollowsOnlyAtItsEnd(t *testing.T) {
	w := newWorld(t)
	session, _ := w.told()
	screen := newSessionScreen(w.browser().past(), session)
	d := drive(t, screen, 80, 24)
	cursor := func() (at, of int) {
		d.do(func() {
			if screen.state.story != nil {
				at, of = screen.state.list.Cursor+1, len(screen.state.story.Events)
			}
		})
		return at, of
	}
	becomes := func(at, of int) {
		t.Helper()
		tuitest.Poll(t, fmt.Sprintf("the cursor to be on %d of %d", at, of), func() bool {
			gotAt, gotOf := cursor()
			return gotAt == at && gotOf == of
		})
	}
	becomes(6, 6)
	d.do(func() { w.Save(session, "", "# Three") }) // it moves the clock
	becomes(7, 7)
	d.press("up")
	becomes(6, 7)
	d.do(func() { w.Save(session, "", "# Four") })
	becomes(6, 8)
	d.press("end")
	becomes(8, 8)
	w.Ask(session, "One more", "")
	becomes(9, 9)
	d.until("what the versions changed", func() bool { return strings.Contains(ansi.Strip(d.w.View().Content), "Plan v4   Four") })
}

func storyAt(d pastDeps, session store.Session, find func(*timeline.Story) (int, bool)) *sessionScreen {
	s := newSessionScreen(d, session)
	s.start = find
	return s
}

func TestStoryOpensWhereItIsToldTo(t *testing.T) {
	w := newWorld(t)
	session, ask := w.told()
	open := func(find func(*timeline.Story) (int, bool)) *browseRig {
		return browseWith(t, storyAt(w.browser().past(), session, find), 80, 24, themes.None())
	}
	open(func(s *timeline.Story) (int, bool) { return s.FindAsk(ask.ID) }).shows("▸ 14:11  ✓ Answered", "4 of 6")
	open(func(s *timeline.Story) (int, bool) { return s.FindPlan(1) }).shows("5 of 6")
	open(func(s *timeline.Story) (int, bool) { return s.FindPlan(9) }).shows("6 of 6")
	r := open(func(s *timeline.Story) (int, bool) { return s.Find(timeline.ID{Kind: timeline.Created}) })
	r.shows("1 of 6")
	r.keys("enter")
	r.shows("Nothing more belongs to this.")
}

// What was asked for by name stands over its place in the story.
func TestWhatIsClosedWasOpenedFromItsPlace(t *testing.T) {
	w := newWorld(t)
	session, ask := w.told()
	for _, o := range []struct {
		options Options
		place   string
	}{{Options{Ask: ask.ID}, "4 of 6"}, {Options{Plan: 1}, "5 of 6"}} {
		story := o.options.story(w.browser().past(), session)
		if story.first == nil {
			t.Error("nothing is opened over the story")
		}
		story.first = nil // as when it was closed
		browseWith(t, story, 80, 24, themes.None()).shows(o.place)
	}
}

// A story tells what was submitted and what its review said; Enter opens that, to
// be read only.
func TestStoryTellsReviews(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{80, 30}, {120, 30}} {
		w := newWorld(t)
		w.Rounds()
		r := browseWith(t, newSessionScreen(w.browser().past(), w.list()[0]), size[0], size[1], themes.None())
		r.shows("6 of 6", "? Submitted", "v2 Orders leave every night", "What do you say of this plan?")
		r.keys("up")
		r.shows("Follows from: reviewed “changes requested · v1", "¶ Plan v2")
		r.keys("home down down down")
		r.shows("↩ Reviewed", "changes requested · v1", "8 min", "you@desk", "→ Changes requested", "Line 15: question", "In which order?", "Led to: plan v2")
		r.hides("digest", "1 answer")
		r.keys("enter")
		r.shows("Changes requested", "In which order?", "q or esc")
		r.keys("esc w")
		r.shows("Where it led", "Then came plan v2")
	}
}

// A clock that was wrong and a kind of a newer version are told as what they are.
func TestStoryWords(t *testing.T) {
	w := newWorld(t)
	session, _ := w.told()
	screen := newSessionScreen(w.browser().past(), session)
	r := browseWith(t, screen, 80, 24, themes.None())
	events := screen.state.story.Events
	events[5].Misdated = true
	events[4].Kind = "reviewed\x1b[31m"
	r.keys("end")
	r.shows("14:13?", "by a clock that was wrong", "• reviewed…")
	for want, d := range map[string]time.Duration{
		"": 0, "1 s": time.Millisecond, "59 s": 59 * time.Second, "1 min": 90 * time.Second,
		"47 h": 47*time.Hour + 59*time.Minute, "3 days": 75 * time.Hour,
	} {
		if got := lasted(d); got != want {
			t.Errorf("%v lasted %q, want %q", d, got, want)
		}
	}
}

// However hostile a session is, whichever event is looked at draws only itself.
func TestStoryFitsAtEveryEvent(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	evil := "\x1b[31m\u202e" + strings.Repeat("wide 漢字 ", 40) + "\r\n\x9b2J"
	session := tuitest.Must(w.Store.CreateSession(t.Context(), store.Session{Title: safe.New(evil), Intent: safe.New(evil), Client: store.Client{Title: safe.New(evil)}}))
	for _, state := range []questions.State{questions.Answered, questions.Discuss, questions.Declined, questions.Withdrawn} {
		w.Now = w.Now.Add(17 * time.Hour)
		ask := w.Ask(session, evil+string(state), "tmux-\x1b[2J-@7")
		o := questions.Outcome{State: state, By: evil, At: w.Now}
		if state == questions.Answered {
			o.Reply = tuitest.TextReply("long " + strings.Repeat("answer ", 90))
		} else {
			o.Message = safe.New("said " + strings.ToValidUTF8(evil, ""))
		}
		tuitest.Must(w.Store.Settle(t.Context(), ask.ID, o))
		if _, err := w.Store.Settle(t.Context(), ask.ID, questions.Outcome{State: questions.Discuss, By: evil, Message: safe.New("late")}); err == nil {
			t.Fatal("two outcomes won")
		}
		w.Save(session, "", "# x\n\n"+strings.Repeat("a [q:name] ", 2000))
	}
	for _, size := range [][2]int{{40, 12}, {60, 22}, {80, 24}, {99, 50}, {100, 30}, {250, 60}} {
		r := browseWith(t, newSessionScreen(w.browser().past(), session), size[0], size[1], themes.Default(true))
		for i := range 30 {
			onlySGR(t, fmt.Sprintf("%d×%d, %d", size[0], size[1], i), r.content(), size[0], size[1])
			r.shows("▸")
			r.keys("up")
		}
		r.send(tea.WindowSizeMsg{Width: 120, Height: 30})
		onlySGR(t, "resized", r.content(), 120, 30)
	}
}

// What stands under the cursor of a story is what is taken out.
func TestStoryIsTakenOut(t *testing.T) {
	w := newWorld(t)
	session, _ := w.told()
	story := newSessionScreen(w.browser().past(), session)
	r := browseWith(t, story, 80, 24, themes.None())
	copied := func(keys string) string {
		t.Helper()
		r.keys(keys)
		read := story.act(keymap.Copy)().(external.Sharing)
		return fmt.Sprint(story.share.Heard(read)()) // what goes into the clipboard
	}
	if got := copied("end"); !strings.HasPrefix(got, "# All ships") {
		t.Errorf("of a plan %q", got)
	}
	if got := copied("home down down down"); !strings.Contains(got, "What is it called?\n  Vega\n") {
		t.Errorf("of an answer %q", got)
	}
	if got := copied("home"); got != session.ID {
		t.Errorf("of the beginning %q", got)
	}
	r.keys("y")
	r.shows("The session's id is in the clipboard")
}

func TestChangesOpenFromAPlanAndASession(t *testing.T) {
	w := newWorld(t)
	w.Past()
	r := w.browse(false, 100, 30, themes.None())
	r.keys("enter d").shows("v1 → v2", "+ ## Order")
	r.keys("esc enter d").shows("v1 → v2", "+ ## Order")
	r.keys("esc p d").shows("This is the first version")
	r.keys("esc p d").shows("This is the first version")
	r.keys("home d").shows("This is the first version")
	r.keys("esc end enter d").shows("There is no version of a plan to compare.")
}

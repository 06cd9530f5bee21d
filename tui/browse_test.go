package tui

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"planb/questions"
	"planb/questions/safe"
	"planb/questions/safe/safetest"
	"planb/store"
	"planb/themes"
	hosts "planb/tui/ask"
	"planb/tui/retro"
	"planb/tui/screen"
	"planb/tui/tuitest"
	"planb/tui/wording"
)

func TestBrowseFilter(t *testing.T) {
	w := newWorld(t)
	w.Past()
	r := w.browse(true, 120, 30, themes.None())
	r.keys("/ s h o p")
	r.shows("Search that survives typos", "検索の改善")
	r.hides("Webhooks", "Waiting for you")
	r.keys("backspace backspace backspace backspace h o o k s")
	r.shows("Waiting for you", "Names of the new tables", "Webhooks")
	r.hides("検索の改善")
	r.keys("z z z")
	r.shows("Nothing fits this filter")
	r.keys("esc")
	r.shows("検索の改善", "Untitled session")
	r.keys("/ c l d e").send(tea.PasteMsg{Content: " typos"})
	r.shows("Search that survives typos")
	r.hides("Webhooks", "検索の改善")
	r.keys("ctrl+u 0 0 0 3")
	r.shows("Search that survives typos") // by a piece of its id
	r.hides("Webhooks")
	r.keys("enter")
	r.shows("Nothing was asked in this session, and no plan saved.")
	r.keys("esc")
	r.shows("/ 0003")
	r.keys("esc")
	r.hides("/ 0003")
}

func TestBrowseReadsFurtherPagesAsNeeded(t *testing.T) {
	w := newWorld(t)
	for i := range 3*sessionsPage + 20 {
		w.Now = w.Now.Add(time.Second)
		w.Session(fmt.Sprintf("Session %d", i), "")
	}
	r := w.browse(false, 80, 24, themes.None())
	list := r.w.top().(*sessionsScreen)
	if got := len(list.state.sessions); got != sessionsPage {
		t.Fatalf("%d sessions were read at once", got)
	}
	r.shows("100+ sessions")
	for range sessionsPage {
		r.keys("down")
	}
	r.shows("Session 219") // a hundred below the newest
	if got := len(list.state.sessions); got != 2*sessionsPage {
		t.Errorf("%d sessions are read", got)
	}
	r.keys("/ 7")
	r.shows("320 sessions", "▸   Session 7 ", "Session 79") // a filter sees them all, the best first
	r.keys("esc end")
	r.shows("Session 0")
	r = w.browse(false, 80, 24, themes.None())
	r.keys("end") // far below what was read
	r.shows("320 sessions", "▸   Session 0")
}

func TestBrowseFollowsTheStore(t *testing.T) {
	w := newWorld(t)
	session := w.Session("Names", "/home/you/ships")
	b := Options{Store: w.Store, Now: w.Clock}.inbox(true)
	d := drive(t, newSessionsScreen(b), 80, 24)
	shows := func(text string) {
		t.Helper()
		d.until("the screen to show "+text, func() bool { return strings.Contains(ansi.Strip(d.w.View().Content), text) })
	}
	shows("Names")
	w.Ask(session, "The new ship", "")
	shows("1 waiting")
	d.press("end", "enter")
	shows("since ")
	w.Ask(session, "The old ship", "")
	shows("The old ship")
	if _, _, err := w.Store.SavePlan(t.Context(), session.ID, "A plan", "# One"); err != nil {
		t.Fatal(err)
	}
	shows("Plan v1")
	d.press("end", "enter")
	shows("One")
	if _, _, err := w.Store.SavePlan(t.Context(), session.ID, "A plan", "# Two"); err != nil {
		t.Fatal(err)
	}
	shows("of 2")
	d.press("n")
	shows("Two")
}

// TestArrivalsComeToTheTop holds that a form which comes in while the list is
// open is there at once, under the cursor of a person who only waited for it,
// and beside the cursor of one who has moved.
func TestArrivalsComeToTheTop(t *testing.T) {
	w := newWorld(t)
	session := w.Session("Names", "/home/you/ships")
	w.Session("Another", "")
	b := Options{Store: w.Store, Now: w.Clock, Rings: Rings{Title: true}}.inbox(true)
	list := newSessionsScreen(b)
	d := drive(t, list, 80, 24)
	d.until("the list", func() bool { return len(list.state.rows) == 2 })
	here := func() (title string) {
		d.do(func() {
			row, _ := list.state.row()
			title = list.listRow(row).title
		})
		return title
	}
	w.Ask(session, "The new ship", "")
	d.until("the first form", func() bool { return len(list.state.waiting) == 1 })
	if got := here(); got != "The new ship" {
		t.Errorf("the cursor is on %q", got)
	}
	for _, want := range []string{"The new ship", "Claude Code · ships · no agent waits", "just now", "1 waiting"} {
		if text := d.text(); !strings.Contains(text, want) {
			t.Errorf("the list does not say %q:\n%s", want, text)
		}
	}
	d.do(func() { w.Now = w.Now.Add(time.Minute) })
	w.Ask(session, "The old ship", "")
	d.until("the second form, below the first", func() bool {
		return len(list.state.waiting) == 2 && list.state.waiting[0].ask.Spec.Title.Raw() == "The new ship"
	})
	d.press("end")
	d.until("the cursor to move", func() bool { return list.state.list.Cursor == 3 })
	at := here()
	d.do(func() { w.Now = w.Now.Add(time.Minute) })
	live := w.Ask(session, "The third ship", "")
	w.Hold(store.WaitClaim(live.ID, "server"))
	d.until("the form an agent waits for, above the others", func() bool {
		return len(list.state.waiting) == 3 && list.state.waiting[0].ask.ID == live.ID
	})
	if got := here(); got != at {
		t.Errorf("the cursor went from %q to %q", at, got)
	}
	d.press("home")
	d.until("the cursor at the top", func() bool { return list.state.list.Cursor == 0 })
	var title string
	d.do(func() { title = d.w.View().WindowTitle })
	if title != "planb · 3 waiting" {
		t.Errorf("the window is called %q", title)
	}
}

func TestCompanionAnswers(t *testing.T) {
	w := newWorld(t)
	ask := w.Ask(w.Session("Names", "/home/you/ships"), "The new ship", "")
	b := Options{Store: w.Store, By: "you@desk", Now: w.Clock}.inbox(true)
	d := drive(t, newSessionsScreen(b), 80, 24)
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

func TestCompanionEndingKeepsTheEntry(t *testing.T) {
	w := newWorld(t)
	ask := w.Ask(w.Session("Names", ""), "The new ship", "")
	b := Options{Store: w.Store, Now: w.Clock}.inbox(true)
	d := drive(t, newSessionsScreen(b), 80, 24)
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
	before := snapshot(w)
	r := w.browse(false, 80, 24, themes.None())
	r.hides("Waiting for you")
	r.shows("● Webhooks", "2 waiting · 6 forms", "2 waiting · 5 sessions") // but what waits is marked
	r.keys("enter end up up enter")                                        // the open ask of the newest session, before two versions
	r.shows("Names of the new tables", "What is it called?")
	form := r.w.top().(*askScreen)
	if !form.form.in.ReadOnly {
		t.Error("an open ask can be answered in retro")
	}
	r.keys("x ctrl+s")
	if after := snapshot(w); after != before {
		t.Errorf("the store changed from\n%s\nto\n%s", before, after)
	}
}

// snapshot is everything the sessions of a world are made of.
func snapshot(w *world) string {
	var out strings.Builder
	sessions, _, err := w.Store.Sessions(w.T.Context(), "", 100)
	if err != nil {
		w.T.Fatal(err)
	}
	for _, session := range sessions {
		fmt.Fprintf(&out, "%+v\n", session)
		for _, ask := range tuitest.Must(w.Store.Asks(w.T.Context(), session.ID)) {
			fmt.Fprintf(&out, "  %+v\n", ask)
		}
	}
	return out.String()
}

func TestBrowseByMouse(t *testing.T) {
	w := newWorld(t)
	w.Past()
	r := w.browse(false, 80, 24, themes.None())
	list := r.w.top().(*sessionsScreen)
	third := screen.HeaderLines + 1 + 2*2 // below the heading and two rows of two lines
	r.send(tea.MouseClickMsg{X: 10, Y: third, Button: tea.MouseLeft})
	if list.state.list.Cursor != 2 {
		t.Errorf("a click put the cursor on row %d", list.state.list.Cursor)
	}
	r.send(tea.MouseWheelMsg{Button: tea.MouseWheelUp})
	if list.state.list.Cursor != 1 {
		t.Errorf("the wheel put the cursor on row %d", list.state.list.Cursor)
	}
	r.send(tea.MouseClickMsg{X: 10, Y: screen.HeaderLines + 1, Button: tea.MouseLeft})
	r.send(tea.MouseClickMsg{X: 10, Y: screen.HeaderLines + 1, Button: tea.MouseLeft})
	r.shows("since today") // the session is open
	r.keys("home")
	y := slices.IndexFunc(strings.Split(r.text(), "\n"), func(line string) bool { return strings.Contains(line, "? Asked") })
	for range 2 {
		r.send(tea.MouseClickMsg{X: 10, Y: y, Button: tea.MouseLeft})
	}
	r.shows("What is it called?", "after a day")
}

func TestBrowseFitsEverySize(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Past()
	for _, keys := range []string{"", "/ h", "down down enter", "down down enter end enter", "?"} {
		r := w.browse(true, 80, 24, themes.Default(true))
		r.keys(keys)
		for width := 38; width <= 130; width += 7 {
			for height := 10; height <= 42; height += 4 {
				r.send(tea.WindowSizeMsg{Width: width, Height: height})
				at := fmt.Sprintf("%q at %d×%d", keys, width, height)
				onlySGR(t, at, r.content(), width, height)
				if width < leastWidth || height < leastHeight {
					r.shows("planb needs 40×12")
				} else if keys == "" || keys == "down down enter" {
					r.shows("▸") // the cursor is never off the screen
				}
			}
		}
	}
}

func TestBrowseDrawsNothingButSGR(t *testing.T) {
	t.Parallel()
	texts := safetest.Hostile()
	maps.Copy(texts, safetest.Markdown())
	for name, evil := range texts {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			text := safe.New(evil)
			session := tuitest.Must(w.Store.CreateSession(t.Context(), store.Session{
				Title: text, Intent: text, Project: safe.New("/tmp/" + evil),
				Client: store.Client{Name: text, Title: text, Version: text},
			}))
			w.Ask(session, "x"+evil, "")
			declined := w.Ask(session, "y"+evil, "")
			if _, err := w.Store.Settle(t.Context(), declined.ID, questions.Outcome{State: questions.Declined, Message: text, By: evil}); err != nil && !isProblem(err) {
				t.Fatal(err)
			}
			// As a title, some are refused, and what is not UTF-8 as a plan too.
			plan := strings.ToValidUTF8(evil, "?") + "\n\n```go\n" + strings.ToValidUTF8(evil, "?") + "\n```\n"
			if _, _, err := w.Store.SavePlan(t.Context(), session.ID, evil, plan); err != nil {
				if _, _, err := w.Store.SavePlan(t.Context(), session.ID, "", plan); err != nil {
					t.Fatal(err)
				}
			}
			for _, size := range [][2]int{{40, 12}, {120, 40}} {
				r := w.browse(true, size[0], size[1], themes.Default(true))
				r.t = t
				check := func(keys string) {
					t.Helper()
					r.keys(keys)
					onlySGR(t, keys, r.content(), size[0], size[1])
					if i := strings.IndexFunc(r.w.View().WindowTitle, func(c rune) bool { return c < ' ' || c >= 0x7f && c < 0xa0 }); i >= 0 {
						t.Errorf("the title has a control: %q", r.w.View().WindowTitle)
					}
				}
				check("")
				check("/")
				r.send(tea.PasteMsg{Content: evil})
				check("esc")
				check("end enter")
				check("down")
				check("end enter")
				check("pgdown right")
			}
			for _, said := range []string{
				wording.Receipt(w.Stored(declined.ID), session, false, 2),
				wording.WayBack(evil, w.Stored(declined.ID)),
				strings.Join(wording.LostEntry(w.Stored(declined.ID), questions.Entry{Note: text}, errors.New(evil)), "\n"),
				(&hosts.ShownElsewhereError{Claim: store.Claim{Host: evil}}).Error(),
			} {
				onlySGR(t, "printed", said, 1<<20, 10)
			}
		})
	}
}

func isProblem(err error) bool {
	problems := questions.Problems{}
	return errors.As(err, &problems)
}

func TestKeyPressedTwiceOpensOnce(t *testing.T) {
	w := newWorld(t)
	w.Past()
	r := w.browse(true, 80, 24, themes.None())
	for range 2 { // the list, then the session
		r.keys("end home down down")
		_, first := r.w.Update(tuitest.Key(t, "enter"))
		_, second := r.w.Update(tuitest.Key(t, "enter"))
		depth := len(r.w.stack)
		r.run(first)
		r.run(second)
		if got := len(r.w.stack); got != depth+1 {
			t.Fatalf("two presses opened %d screens", got-depth)
		}
	}
	depth := len(r.w.stack)
	_, first := r.w.Update(tuitest.Key(t, "esc"))
	r.run(first)
	r.keys("down down down") // whatever it goes to, nothing else is closed by it
	if len(r.w.stack) < depth-1 {
		t.Errorf("one press closed %d screens", depth-len(r.w.stack))
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
	list := newSessionsScreen(b)
	d := drive(t, list, 80, 24)
	d.until("the list", func() bool { return len(list.state.waiting) == 2 && len(list.state.sessions) == 2 })
	d.press("end", "up")
	d.until("the cursor on the session", func() bool { return list.state.current() == session.ID })
	d.press("enter")
	d.until("the story", func() bool {
		story, open := d.w.top().(*retro.Session)
		return open && strings.Contains(ansi.Strip(story.View().Content), "Asked")
	})
	d.press("end", "enter")
	d.until("the form", func() bool {
		form, open := d.w.top().(*askScreen)
		return open && form.phase == phaseOpen && !form.form.in.ReadOnly
	})
	d.press("V", "ctrl+s")
	tuitest.Poll(t, "the answer", func() bool { return w.Stored(ask.ID).Outcome.State == questions.Answered })
	d.until("the story again", func() bool { _, story := d.w.top().(*retro.Session); return story })
	d.press("esc")
	d.until("the list without the form", func() bool { return d.w.top() == screen.Screen(list) && len(list.state.waiting) == 1 })
	d.do(func() {
		if at := list.state.current(); at != session.ID {
			t.Errorf("the cursor is on %s, want the session %s", at, session.ID)
		}
	})
}

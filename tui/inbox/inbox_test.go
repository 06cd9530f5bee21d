package inbox

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"planb/questions"
	"planb/questions/safe"
	"planb/questions/safe/safetest"
	"planb/store"
	"planb/themes"
	hosts "planb/tui/ask"
	"planb/tui/screen"
	"planb/tui/tuitest"
	"planb/tui/wording"
)

func TestBrowseFilter(t *testing.T) {
	t.Parallel()
	w := tuitest.NewWorld(t)
	w.Past()
	r := openInbox(w, true, 120, 30, themes.None())
	r.Keys("/ s h o p")
	r.Shows("Search that survives typos", "検索の改善")
	r.Hides("Webhooks", "Waiting for you")
	r.Keys("backspace backspace backspace backspace h o o k s")
	r.Shows("Waiting for you", "Names of the new tables", "Webhooks")
	r.Hides("検索の改善")
	r.Keys("z z z")
	r.Shows("Nothing fits this filter")
	r.Keys("esc")
	r.Shows("検索の改善", "Untitled session")
	r.Keys("/ c l d e").Send(tea.PasteMsg{Content: " typos"})
	r.Shows("Search that survives typos")
	r.Hides("Webhooks", "検索の改善")
	r.Keys("ctrl+u 0 0 0 3")
	r.Shows("Search that survives typos") // by a piece of its id
	r.Hides("Webhooks")
	r.Keys("enter")
	r.Shows("Nothing was asked in this session, and no plan saved.")
	r.Keys("esc")
	r.Shows("/ 0003")
	r.Keys("esc")
	r.Hides("/ 0003")
	r.Keys("/").Send(tea.PasteMsg{Content: "hook w"})
	r.Keys("down f1") // a key that types nothing leaves the cursor where it is
	r.Hides("▌ ● Names")
	r.Shows("▌", "/ hook w▏")
	r.Keys("ctrl+w")
	r.Shows("/ hook ▏", "▌ ● Names")
}

func TestBrowseReadsFurtherPagesAsNeeded(t *testing.T) {
	t.Parallel()
	w := tuitest.NewWorld(t)
	for i := range 3*pageSize + 20 {
		w.Now = w.Now.Add(time.Second)
		w.Session(fmt.Sprintf("Session %d", i), "")
	}
	r := openInbox(w, false, 80, 24, themes.None())
	list := r.Top().(*Screen)
	if got := len(list.state.sessions); got != pageSize {
		t.Fatalf("%d sessions were read at once", got)
	}
	r.Shows("Sessions  100+")
	for range pageSize {
		r.Keys("down")
	}
	r.Shows("Session 219") // a hundred below the newest
	if got := len(list.state.sessions); got != 2*pageSize {
		t.Errorf("%d sessions are read", got)
	}
	r.Keys("/ 7")
	r.Shows("320 sessions", "▌   Session 7 ", "Session 79") // a filter sees them all, the best first
	r.Keys("esc end")
	r.Shows("Session 0")
	r = openInbox(w, false, 80, 24, themes.None())
	r.Keys("end") // far below what was read
	r.Shows("▌   Session 0")
	r.Keys("home")
	r.Shows("Sessions  320")
}

func TestBrowseFollowsTheStore(t *testing.T) {
	t.Parallel()
	w := tuitest.NewWorld(t)
	session := w.Session("Names", "/home/you/ships")
	d, win, _ := driveInbox(w, true, 80, 24)
	shows := func(text string) {
		t.Helper()
		d.Until("the screen to show "+text, func() bool { return strings.Contains(win.Text(), text) })
	}
	shows("Names")
	w.Ask(session, "The new ship", "")
	shows("Waiting for you  1")
	d.Press("end", "enter")
	shows("since ")
	w.Ask(session, "The old ship", "")
	shows("The old ship")
	if _, _, err := w.Store.SavePlan(t.Context(), session.ID, "A plan", "# One"); err != nil {
		t.Fatal(err)
	}
	shows("Plan v1")
	d.Press("end", "enter")
	shows("One")
	if _, _, err := w.Store.SavePlan(t.Context(), session.ID, "A plan", "# Two"); err != nil {
		t.Fatal(err)
	}
	shows("of 2")
	d.Press("n")
	shows("Two")
}

// A form that comes in gets the cursor if the person has not moved it, and leaves the
// cursor alone if they have.
func TestArrivalsComeToTheTop(t *testing.T) {
	t.Parallel()
	w := tuitest.NewWorld(t)
	session := w.Session("Names", "/home/you/ships")
	w.Session("Another", "")
	d, win, list := driveInbox(w, true, 80, 24)
	d.Until("the list", func() bool { return len(list.state.rows) == 2 })
	here := func() (title string) {
		d.Do(func() {
			row, _ := list.state.row()
			title = list.listRow(row).title
		})
		return title
	}
	w.Ask(session, "The new ship", "")
	d.Until("the first form", func() bool { return len(list.state.waiting) == 1 })
	if got := here(); got != "The new ship" {
		t.Errorf("the cursor is on %q", got)
	}
	for _, want := range []string{"The new ship", "Claude Code · ships · no agent waits", "just now", "Waiting for you  1"} {
		if text := d.Text(); !strings.Contains(text, want) {
			t.Errorf("the list does not say %q:\n%s", want, text)
		}
	}
	d.Do(func() { w.Now = w.Now.Add(time.Minute) })
	w.Ask(session, "The old ship", "")
	d.Until("the second form, below the first", func() bool {
		return len(list.state.waiting) == 2 && list.state.waiting[0].Ask.Spec.Title.Raw() == "The new ship"
	})
	d.Press("end")
	d.Until("the cursor to move", func() bool { return list.state.list.Cursor == 3 })
	at := here()
	d.Do(func() { w.Now = w.Now.Add(time.Minute) })
	live := w.Ask(session, "The third ship", "")
	w.Hold(store.WaitClaim(live.ID, "server"))
	d.Until("the form an agent waits for, above the others", func() bool {
		return len(list.state.waiting) == 3 && list.state.waiting[0].Ask.ID == live.ID
	})
	if got := here(); got != at {
		t.Errorf("the cursor went from %q to %q", at, got)
	}
	d.Press("home")
	d.Until("the cursor at the top", func() bool { return list.state.list.Cursor == 0 })
	var title string
	d.Do(func() { title = win.View().WindowTitle })
	if title != "planb · 3 waiting" {
		t.Errorf("the window is called %q", title)
	}
}

func TestBrowseByMouse(t *testing.T) {
	t.Parallel()
	w := tuitest.NewWorld(t)
	w.Past()
	r := openInbox(w, false, 80, 24, themes.None())
	list := r.Top().(*Screen)
	third := screen.HeaderLines + 1 + 2 // below the heading and two rows
	r.Send(tea.MouseClickMsg{X: 10, Y: third, Button: tea.MouseLeft})
	if list.state.list.Cursor != 2 {
		t.Errorf("a click put the cursor on row %d", list.state.list.Cursor)
	}
	r.Send(tea.MouseWheelMsg{Button: tea.MouseWheelUp})
	if list.state.list.Cursor != 1 {
		t.Errorf("the wheel put the cursor on row %d", list.state.list.Cursor)
	}
	r.Send(tea.MouseClickMsg{X: 10, Y: screen.HeaderLines + 1, Button: tea.MouseLeft})
	r.Send(tea.MouseClickMsg{X: 10, Y: screen.HeaderLines + 1, Button: tea.MouseLeft})
	r.Shows("¶ Plan v2") // the session is open
	r.Keys("home")
	y := slices.IndexFunc(strings.Split(r.Text(), "\n"), func(line string) bool { return strings.Contains(line, "? Asked") })
	for range 2 {
		r.Send(tea.MouseClickMsg{X: 10, Y: y, Button: tea.MouseLeft})
	}
	r.Shows("What is it called?", "after a day")
}

func TestBrowseFitsEverySize(t *testing.T) {
	t.Parallel()
	w := tuitest.NewWorld(t)
	w.Past()
	for _, keys := range []string{"", "/ h", "down down enter", "down down enter end enter", "?"} {
		r := openInbox(w, true, 80, 24, themes.Default(true))
		r.Keys(keys)
		for width := 40; width <= 130; width += 7 {
			for height := 12; height <= 42; height += 4 {
				r.Send(tea.WindowSizeMsg{Width: width, Height: height})
				at := fmt.Sprintf("%q at %d×%d", keys, width, height)
				tuitest.OnlySGR(t, at, r.Content(), width, height)
				if keys == "" || keys == "down down enter" {
					r.Shows("▌") // the cursor is never off the screen
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
			w := tuitest.NewWorld(t)
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
				r := openInbox(w, true, size[0], size[1], themes.Default(true))
				r.T = t
				check := func(keys string) {
					t.Helper()
					r.Keys(keys)
					tuitest.OnlySGR(t, keys, r.Content(), size[0], size[1])
					if i := strings.IndexFunc(r.View().WindowTitle, func(c rune) bool { return c < ' ' || c >= 0x7f && c < 0xa0 }); i >= 0 {
						t.Errorf("the title has a control: %q", r.View().WindowTitle)
					}
				}
				check("")
				check("/")
				r.Send(tea.PasteMsg{Content: evil})
				check("esc")
				check("end enter")
				check("down")
				check("end enter")
				check("pgdown right")
			}
			for _, said := range []string{
				wording.Receipt(w.Stored(declined.ID), session, false, 2, store.ApprovedTasks{}),
				wording.WayBack(evil, w.Stored(declined.ID)),
				strings.Join(wording.LostEntry(w.Stored(declined.ID), questions.Entry{Note: text}, errors.New(evil)), "\n"),
				(&hosts.ShownElsewhereError{Claim: store.Claim{Host: evil}}).Error(),
			} {
				tuitest.OnlySGR(t, "printed", said, 1<<20, 10)
			}
		})
	}
}

func isProblem(err error) bool {
	problems := questions.Problems{}
	return errors.As(err, &problems)
}

func TestKeyPressedTwiceOpensOnce(t *testing.T) {
	t.Parallel()
	w := tuitest.NewWorld(t)
	w.Past()
	r := openInbox(w, true, 80, 24, themes.None())
	for range 2 { // the list, then the session
		r.Keys("end home down down")
		_, first := r.Update(tuitest.Key(t, "enter"))
		_, second := r.Update(tuitest.Key(t, "enter"))
		depth := len(r.Stack)
		r.Run(first)
		r.Run(second)
		if got := len(r.Stack); got != depth+1 {
			t.Fatalf("two presses opened %d screens", got-depth)
		}
	}
	depth := len(r.Stack)
	_, first := r.Update(tuitest.Key(t, "esc"))
	r.Run(first)
	r.Keys("down down down") // whatever it goes to, nothing else is closed by it
	if len(r.Stack) < depth-1 {
		t.Errorf("one press closed %d screens", depth-len(r.Stack))
	}
}

func TestFilterFindsWordsNotLetters(t *testing.T) {
	t.Parallel()
	state := listState{}
	state.replace(nil, nil, []store.Session{
		{ID: "1", Title: safe.New("Webhook delivery"), Project: safe.New("/home/you/hooks")},
		{ID: "2", Title: safe.New("We have been here, okay"), Project: safe.New("/srv/other")},
	}, "", tuitest.Moment)
	state.setFilter("whook", tuitest.Moment) // in order within the word "Webhook", not across the words of the other
	if len(state.rows) != 1 || state.rows[0].index != 0 {
		t.Errorf("the filter lets through %v", state.rows)
	}
	state.setFilter("web other", tuitest.Moment)
	if len(state.rows) != 0 {
		t.Errorf("words of two sessions let through %v", state.rows)
	}
	state.setFilter("", tuitest.Moment)
	if len(state.rows) != 2 {
		t.Errorf("no filter lets through %v", state.rows)
	}
}

// The project and the counts have columns of their own, which a long title does not push out. The
// preview beside has the counts.
func TestTheProjectHasAColumn(t *testing.T) {
	t.Parallel()
	w := tuitest.NewWorld(t)
	w.Save(w.Session("Throw out sessions of deleted users before the next release is built and tagged", "/srv/accounts"), "Sessions", "# Sessions\n")
	w.Save(w.Session("Invoices", "/srv/shop"), "Invoices", "# Invoices\n")
	for width, want := range map[int][]string{
		80:  {"users before th…  plan v1  accounts", "plan v1  shop      just now"},
		120: {"of deleted users befo…  accounts", "  Invoices                                   shop      just now"},
	} {
		r := openInbox(w, false, width, 30, themes.None())
		r.Shows(want...)
		if !strings.Contains(strings.Split(r.Text(), "\n")[3], "Sessions") {
			t.Errorf("at %d columns no line is empty below the header:\n%s", width, r.Text())
		}
	}
}

// Beside a preview a title of an ordinary length is not cut.
func TestTitlesAreWholeBesideThePreview(t *testing.T) {
	t.Parallel()
	w := tuitest.NewWorld(t)
	titles := []string{"Throw out sessions of deleted users", "Stop sending two mails for one order", "Round tax per line, not per invoice"}
	for i, title := range titles {
		w.Session(title, "/srv/"+[]string{"inspections", "orders", "invoices"}[i])
	}
	w.Now = w.Now.AddDate(0, 0, 1) // "yesterday" is as long as a time gets
	for _, answers := range []bool{true, false} {
		openInbox(w, answers, 120, 40, themes.None()).Shows(titles...)
	}
}

package retro

import (
	"fmt"
	"slices"
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
	"planb/store/kv"
	"planb/store/timeline"
	"planb/themes"
	"planb/tui/editor/external"
	"planb/tui/keymap"
	"planb/tui/preview"
	"planb/tui/screen"
	"planb/tui/tuitest"
)

// The panel shows what was known at the moment under the cursor, and no more.
func TestStoryTellsWhatWasKnown(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{80, 40}, {120, 30}} {
		w := tuitest.NewWorld(t)
		session, _ := told(w)
		beside := preview.Split{Width: size[0]}.Beside()
		head := func(verb, title string) string {
			switch {
			case beside:
				return verb + ": " + title
			case verb == "Shown" || verb == "Answered": // the row above has the title
				return verb
			}
			return fmt.Sprintf("%-9s %s", verb, title)
		}
		r := tuitest.Open(t, NewSession(pastOf(w), session), size[0], size[1], themes.None())
		r.Keys("u")
		r.Shows("6 of 6", head("Plan v2", "All ships"), "+4 −2", "The second is open.")
		r.Keys("home")
		r.Shows("1 of 6", head("Begun", "Claude Code"))
		r.Keys("down")
		r.Shows(head("Asked", "The new ship"), "Claude Code · tmux @7", "What is it called?")
		r.Hides("Vega", "The plan then")
		r.Keys("down")
		r.Shows(head("Shown", "The new ship"), "60 s after it was asked")
		r.Hides("Vega")
		r.Keys("down")
		apply := map[bool]string{true: "you@desk · 1 answer", false: "1 answer · you@desk · 3 min"}[beside]
		r.Shows(head("Answered", "The new ship"), apply, "2 min after",
			"Led to: plan v1", "Cited in: plan v2, line 3", "→ Vega")
		r.Hides("The plan then", "has not fetched it yet")
		r.Keys("down")
		r.Shows(head("Plan v1", "A plan"), "Follows from: answered “The new ship”", "The first.", "+3 −0")
		r.Keys("home n n p") // the versions alone
		r.Shows(head("Plan v1", "A plan"))
		r.Keys("n enter")
		r.Shows("All ships · v2", "latest of 2")
		r.Keys("esc home down down down enter")
		r.Shows("What is it called?", "Vega")
	}
}

// The versions that cite an answer are parted alike, however many they are.
func TestStoryNamesTheVersionsThatCiteAnAnswer(t *testing.T) {
	t.Parallel()
	w := tuitest.NewWorld(t)
	session, _ := told(w)
	for number, want := range []string{
		"Cited in: plan v3, line 1; plan v2, line 3",
		"Cited in: plan v4, line 1; plan v3, line 1; plan v2, line 3",
		"Cited in: plan v5, line 1; plan v4, line 1; plan v3, line 1; …",
	} {
		w.Save(session, "", fmt.Sprintf("It is Vega [q:name], %d.\n", number))
		r := openSession(w, session, 200, 30, themes.None())
		r.Keys("home down down")
		r.Shows(want)
	}
}

// A blank line parts the days. The first one stands right below what is above the list.
func TestABlankLinePartsTheDays(t *testing.T) {
	t.Parallel()
	w := tuitest.NewWorld(t)
	session := w.Session("Names", "/home/you/ships")
	w.Now = w.Now.Add(48 * time.Hour)
	w.Save(session, "", "# A\n")
	w.Now = w.Now.Add(24 * time.Hour)
	w.Save(session, "", "# A\n\nb\n")
	var above []string
	rows := strings.Split(openSession(w, session, 80, 24, themes.None()).Text(), "\n")
	for i, row := range rows[1:] {
		if strings.HasPrefix(row, "  ") && strings.HasSuffix(strings.TrimRight(row, " "), "───") {
			above = append(above, strings.TrimSpace(rows[i]))
		}
	}
	if len(above) != 3 || above[0] == "" || above[1] != "" || above[2] != "" {
		t.Errorf("above the days stands %q:\n%s", above, strings.Join(rows, "\n"))
	}
}

// The purpose of a session has the lines that the list beside the panel leaves, and gives them back.
func TestThePurposeTakesWhatTheStoryLeaves(t *testing.T) {
	t.Parallel()
	w := tuitest.NewWorld(t)
	session := tuitest.Must(w.Store.CreateSession(t.Context(), store.Session{
		Title: safe.New("Names"), Project: safe.New("/home/you/ships"),
		Intent: safe.New("The ships need names that the crew likes, that no other harbour has, and that are short."),
	}))
	for n := range 3 {
		w.Save(session, "", fmt.Sprintf("# A\n\n%d\n", n))
	}
	openSession(w, session, 120, 24, themes.None()).Shows("The ships need names", "and that are short.")
	for n := range 12 {
		w.Save(session, "", fmt.Sprintf("# B\n\n%d\n", n))
	}
	r := openSession(w, session, 120, 24, themes.None())
	r.Shows("The ships need names", "…")
	r.Hides("that are short.")
}

// The day of the first row in view stays in view, above it.
func TestTheDayStaysInView(t *testing.T) {
	t.Parallel()
	w := tuitest.NewWorld(t)
	session := w.Session("Names", "/home/you/ships")
	for n := range 12 {
		if n == 8 {
			w.Now = w.Now.Add(24 * time.Hour)
		}
		w.Save(session, "", fmt.Sprintf("# A\n\n%d\n", n))
	}
	r := openSession(w, session, 80, 20, themes.None())
	top := func() string { return strings.Split(r.Text(), "\n")[3] }
	for _, c := range []struct{ keys, day string }{
		{"end", "Yesterday ──"}, {"home", "since "}, {strings.Repeat("down ", 11) + "down", "Yesterday ──"},
	} {
		r.Keys(c.keys)
		if !strings.HasPrefix(strings.TrimSpace(top()), c.day) {
			t.Errorf("after %q the list begins below %q, not %q:\n%s", c.keys, top(), c.day, r.Text())
		}
		if n := strings.Count(r.Text(), "Yesterday ──"); n != 1 {
			t.Errorf("after %q the day stands %d times:\n%s", c.keys, n, r.Text())
		}
	}
}

// Beside an ask stands the plan as it was then.
func TestStoryShowsThePlanOfThatTime(t *testing.T) {
	t.Parallel()
	w := tuitest.NewWorld(t)
	session, _ := told(w)
	w.Ask(session, "The second ship", "")
	w.Save(session, "A new plan", "# Everything else")
	r := tuitest.Open(t, NewSession(pastOf(w), session), 120, 30, themes.None())
	r.Keys("p down")
	r.Shows("Asked: The second ship", "The plan then: v2 All ships", "The second is open.")
	r.Hides("Everything else")
}

// A review is of the version that was submitted, also where another plan has a later one.
func TestAReviewShowsThePlanThatWasSubmitted(t *testing.T) {
	t.Parallel()
	w := tuitest.NewWorld(t)
	session := w.Session("Two plans", "/home/you/ships")
	w.Save(session, "Ships", "# Ships\n\nTwo of them.")
	w.Save(session, "Harbours", "# Harbours\n\nNone yet.")
	w.Now = w.Now.Add(time.Minute)
	ref := questions.PlanRef{Number: 1, Digest: plans.Digest(safe.New("# Ships\n\nTwo of them."))}
	if _, _, err := w.Store.OpenAsk(t.Context(), store.Ask{Session: session.ID, Spec: questions.ReviewOf(safe.New("Ships"), ref)}); err != nil {
		t.Fatal(err)
	}
	r := tuitest.Open(t, NewSession(pastOf(w), session), 120, 30, themes.None())
	r.Keys("end")
	r.Shows("Submitted", "The plan then: v1 Ships", "Two of them.")
	r.Hides("None yet.")
}

func TestStoryFollowsOnlyAtItsEnd(t *testing.T) {
	t.Parallel()
	w := tuitest.NewWorld(t)
	session, _ := told(w)
	deps := pastOf(w)
	deps.After = screen.After
	story := NewSession(deps, session)
	d := tuitest.Drive(t, tuitest.NewWindow(t, story, themes.None()), 80, 24)
	cursor := func() (at, of int) {
		d.Do(func() {
			if story.state.story != nil {
				at, of = story.state.list.Cursor+1, len(story.state.rows)
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
	becomes(5, 5)
	d.Do(func() { w.Save(session, "", "# Three") }) // it moves the clock
	becomes(6, 6)
	d.Press("up")
	becomes(5, 6)
	d.Do(func() { w.Save(session, "", "# Four") })
	becomes(5, 7)
	d.Press("end")
	becomes(7, 7)
	w.Ask(session, "One more", "")
	becomes(8, 8)
	d.Until("what the versions changed", func() bool { return strings.Contains(ansi.Strip(story.View().Content), "Plan v4   Four") })
}

// When a form was shown and fetched is told in the row of its answer; a key gives each a row.
func TestAStoryFoldsWhatBelongsToAnAnswer(t *testing.T) {
	t.Parallel()
	w := tuitest.NewWorld(t)
	session, ask := told(w)
	if err := w.Store.Deliver(t.Context(), ask.ID); err != nil {
		t.Fatal(err)
	}
	unseen := w.Ask(session, "The second ship", "")
	if err := w.Store.MarkShown(t.Context(), unseen.ID); err != nil { // no answer has a row for that
		t.Fatal(err)
	}
	for _, size := range [][2]int{{80, 30}, {120, 30}} {
		r := openSession(w, session, size[0], size[1], themes.None())
		r.Shows("7 of 7", "Answered", "3 min · the agent has it", "◦ Shown")
		r.Hides("→ Fetched", "14:09  ◦")
		r.Keys("home down down")
		r.Shows("▌ 14:11  ✓ Answered", "→ Vega")
		r.Keys("u")
		r.Shows("▌ 14:11  ✓ Answered", "4 of 9", "→ Fetched", "14:09  ◦ Shown")
		r.Hides("the agent has it")
		r.Keys("up u") // on what is folded away
		r.Shows("▌ 14:11  ✓ Answered", "3 of 7")
	}
}

// The row of a version has the plan's title only where that changed.
func TestAStorySaysThePlansTitleOnce(t *testing.T) {
	t.Parallel()
	w := tuitest.NewWorld(t)
	session := w.Session("Names", "/home/you/ships")
	w.Save(session, "Ships", "# One")
	w.Save(session, "Ships", "# Two")
	w.Save(session, "Boats", "# Three")
	r := openSession(w, session, 120, 30, themes.None())
	r.Shows("Plan v1   Ships", "Plan v3   Boats")
	r.Hides("Plan v2   Ships")
	r.Keys("up")
	r.Shows("Plan v2: Ships")
}

func storyAt(d Deps, session store.Session, find func(*timeline.Story) (int, bool)) *Session {
	s := NewSession(d, session)
	s.start = find
	return s
}

func TestStoryOpensWhereItIsToldTo(t *testing.T) {
	t.Parallel()
	w := tuitest.NewWorld(t)
	session, ask := told(w)
	open := func(find func(*timeline.Story) (int, bool)) *tuitest.Rig {
		return tuitest.Open(t, storyAt(pastOf(w), session, find), 80, 24, themes.None())
	}
	open(func(s *timeline.Story) (int, bool) { return s.FindAsk(ask.ID) }).Shows("▌ 14:11  ✓ Answered", "3 of 5")
	open(func(s *timeline.Story) (int, bool) { return s.FindPlan(1) }).Shows("4 of 5")
	open(func(s *timeline.Story) (int, bool) { return s.FindPlan(9) }).Shows("5 of 5")
	r := open(func(s *timeline.Story) (int, bool) { return s.Find(timeline.ID{Kind: timeline.Created}) })
	r.Shows("1 of 5")
	r.Keys("enter")
	r.Shows("Nothing more belongs to this.")
}

// An ask or a version that was named is opened over its place in the story.
func TestWhatIsClosedWasOpenedFromItsPlace(t *testing.T) {
	t.Parallel()
	w := tuitest.NewWorld(t)
	session, ask := told(w)
	r := tuitest.Open(t, NewSessionAtAsk(pastOf(w), session, ask.ID), 80, 24, themes.None())
	r.Shows("Form at question", "Vega")
	r.Keys("esc").Shows("3 of 5")
	r = tuitest.Open(t, NewSessionAtPlan(pastOf(w), session, 1), 80, 24, themes.None())
	r.Shows("A plan · v1")
	r.Keys("esc").Shows("4 of 5")
}

// A story says what was submitted and what the review said. Enter opens the review to be
// read only.
func TestStoryTellsReviews(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{80, 30}, {120, 30}} {
		w := tuitest.NewWorld(t)
		w.Rounds()
		r := tuitest.Open(t, NewSession(pastOf(w), w.Sessions()[0]), size[0], size[1], themes.None())
		r.Shows("6 of 6", "? Submitted", "v2 Orders leave every night", "What do you say of this plan?")
		r.Keys("up")
		r.Shows("Follows from: reviewed “changes requested · v1", "¶ Plan v2")
		r.Keys("home down down down")
		r.Shows("↩ Reviewed", "changes requested", "8 min", "you@desk", "line 15 “2. Write the file.” · question: In which order?", "Led to: plan v2")
		r.Hides("digest", "1 answer", "→ Changes requested", "## How", "has not fetched it yet")
		r.Keys("enter")
		r.Shows("Form at question", "Line 15: question", "In which order?")
		r.Keys("esc w")
		r.Shows("Where it led", "Then came plan v2")
	}
}

// The keys below the story do something at the event under the cursor.
func TestTheKeysBelowTheStoryDoSomething(t *testing.T) {
	t.Parallel()
	w, plans := tuitest.NewWorld(t), tuitest.NewWorld(t)
	session, _ := told(w)
	plans.Rounds()
	for _, c := range []struct {
		world         *tuitest.World
		session       store.Session
		keys          string
		shown, hidden []string
	}{
		{w, session, "home", []string{"esc back", "u unfold", "y copy"}, []string{"enter open", "p older", "d what changed", "w what led where"}},
		{w, session, "home u", []string{"u fold"}, []string{"u unfold"}},
		{w, session, "home down down", []string{"enter open", "u unfold", "w what led where"}, []string{"p older", "d what changed"}},
		{w, session, "end p", []string{"enter open", "u unfold"}, []string{"p older", "d what changed"}},
		{w, session, "end", []string{"enter open", "p older", "d what changed", "u unfold"}, nil},
		{plans, plans.Sessions()[0], "end", []string{"enter open", "p older", "d what changed"}, []string{"u unfold", "u fold"}},
	} {
		r := openSession(c.world, c.session, 120, 30, themes.None()).Keys(c.keys)
		r.Shows(c.shown...)
		r.Hides(c.hidden...)
	}
}

// The quote of what a remark is about is cut to half of the room.
func TestARemarkQuotesWhatItIsAbout(t *testing.T) {
	remarks := []review.Point{{Said: "Think again."}, {Place: "line 3", Quote: strings.Repeat("船", 14), Said: "comment: Measure it."}, {Place: "line 4", Said: "to be deleted"}}
	const want = "Think again.\nline 3 “船船船船船船船船船船船船…” · comment: Measure it.\nline 4 · to be deleted"
	if got := remarksText(remarks, 50).Raw(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// The panel below a short story has the lines that the story leaves, and gives them back when the
// story is unfolded.
func TestThePanelTakesWhatTheStoryLeaves(t *testing.T) {
	t.Parallel()
	w := tuitest.NewWorld(t)
	w.Past()
	r := tuitest.Open(t, NewSession(pastOf(w), w.Sessions()[0]), 80, 40, themes.None())
	r.Keys("end")
	folded := strings.Split(r.Text(), "\n")
	r.Shows("Begun")
	r.Hides("Fetched")
	r.Keys("u")
	unfolded := strings.Split(r.Text(), "\n")
	r.Shows("Begun", "Fetched", "v2")
	for _, lines := range [][]string{folded, unfolded} {
		rule := slices.IndexFunc(lines[2:], func(line string) bool { return strings.HasPrefix(line, "───") }) + 2
		if strings.TrimSpace(lines[rule-1]) == "" {
			t.Errorf("lines above the panel are empty:\n%s", strings.Join(lines, "\n"))
		}
	}
}

func TestStorySaysThatAnAnswerIsNotFetched(t *testing.T) {
	t.Parallel()
	w := tuitest.NewWorld(t)
	session := w.Session("Names", "/home/you/ships")
	ask := w.Ask(session, "The new ship", "")
	tuitest.Must(w.Store.Settle(t.Context(), ask.ID, questions.Outcome{State: questions.Answered, By: "you@desk", At: w.Now, Reply: tuitest.TextReply("Vega")}))
	openSession(w, session, 120, 30, themes.None()).Shows("Answered: The new ship", "the agent has not fetched it yet")
}

// The row of an ask that came again says what came again, though the row above is about the
// same ask.
func TestTheStorySaysWhatWasAskedAgain(t *testing.T) {
	t.Parallel()
	for want, first := range map[string]func(w *tuitest.World, s store.Session) store.Ask{
		"? Again     the same form":   func(w *tuitest.World, s store.Session) store.Ask { return w.Ask(s, "The new ship", "") },
		"? Again     the same review": func(w *tuitest.World, s store.Session) store.Ask { return w.ReviewAsk(s, tuitest.ReviewedPlan, "") },
	} {
		w := tuitest.NewWorld(t)
		session := w.Session("Names", "")
		ask := first(w, session)
		w.Now = w.Now.Add(time.Minute)
		if _, attached, err := w.Store.OpenAsk(t.Context(), ask); err != nil || !attached {
			t.Fatal(err, attached)
		}
		openSession(w, session, 80, 24, themes.None()).Shows(want)
	}
}

// What a newer planb wrote cannot be read, and is not damaged.
func TestAStoryOfANewerPlanb(t *testing.T) {
	t.Parallel()
	w := tuitest.NewWorld(t)
	session, ask := told(w)
	newer := kv.Put{Key: kv.Key("a/" + ask.ID), Value: []byte(`{"v":99}`)}
	if err := w.Engine.Commit(t.Context(), kv.Batch{Op: kv.OpID{1}, Puts: []kv.Put{newer}}); err != nil {
		t.Fatal(err)
	}
	r := tuitest.Open(t, NewSession(pastOf(w), session), 80, 24, themes.None())
	r.Keys("end")
	r.Shows("Unreadable form", "unreadable", "was written by a newer planb")
	r.Hides("damaged")
}

// A wrong clock and a kind of event of a newer planb are shown as such.
func TestStoryWords(t *testing.T) {
	t.Parallel()
	w := tuitest.NewWorld(t)
	session, _ := told(w)
	screen := NewSession(pastOf(w), session)
	r := tuitest.Open(t, screen, 80, 24, themes.None())
	events := screen.state.story.Events
	events[5].Misdated = true
	events[4].Kind = "reviewed\x1b[31m"
	r.Keys("end")
	r.Shows("14:13?", "by a clock that was wrong", "• reviewed…")
	for want, d := range map[string]time.Duration{
		"": 0, "1 s": time.Millisecond, "90 s": 90 * time.Second, "3 days": 75 * time.Hour,
	} {
		if got := lasted(d); got != want {
			t.Errorf("%v lasted %q, want %q", d, got, want)
		}
	}
}

// However hostile the texts of a session are, every event is drawn inside the window.
func TestStoryFitsAtEveryEvent(t *testing.T) {
	t.Parallel()
	w := tuitest.NewWorld(t)
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
		r := tuitest.Open(t, NewSession(pastOf(w), session), size[0], size[1], themes.Default(true))
		for i := range 30 {
			tuitest.OnlySGR(t, fmt.Sprintf("%d×%d, %d", size[0], size[1], i), r.Content(), size[0], size[1])
			r.Shows("▌")
			r.Keys("up")
		}
		r.Send(tea.WindowSizeMsg{Width: 120, Height: 30})
		tuitest.OnlySGR(t, "resized", r.Content(), 120, 30)
	}
}

// The text that is copied belongs to the event under the cursor.
func TestStoryIsTakenOut(t *testing.T) {
	t.Parallel()
	w := tuitest.NewWorld(t)
	session, _ := told(w)
	story := NewSession(pastOf(w), session)
	r := tuitest.Open(t, story, 80, 24, themes.None())
	copied := func(keys string) string {
		t.Helper()
		r.Keys(keys)
		read := story.act(keymap.Copy)().(external.Sharing)
		return fmt.Sprint(story.share.Heard(read)()) // what goes into the clipboard
	}
	if got := copied("end"); !strings.HasPrefix(got, "# All ships") {
		t.Errorf("of a plan %q", got)
	}
	if got := copied("home down down"); !strings.Contains(got, "What is it called?\n  Vega\n") {
		t.Errorf("of an answer %q", got)
	}
	if got := copied("home"); got != session.ID {
		t.Errorf("of the beginning %q", got)
	}
	r.Keys("y")
	r.Shows("The session's id is in the clipboard")
}

func TestChangesOpenFromAPlanAndASession(t *testing.T) {
	t.Parallel()
	w := tuitest.NewWorld(t)
	w.Past()
	r := openSession(w, w.Sessions()[0], 100, 30, themes.None())
	r.Keys("d").Shows("v1 → v2", "+ ## Order")
	r.Keys("esc enter d").Shows("v1 → v2", "+ ## Order")
	r.Keys("esc p d").Shows("This is the first version")
	r.Keys("esc p d").Shows("This is the first version")
	r.Keys("home d").Shows("This is the first version")
	all := w.Sessions()
	none := openSession(w, all[len(all)-1], 100, 30, themes.None())
	none.Keys("d").Shows("There is no version of a plan to compare.")
}

// A session says which drafts were written in it, and which command opens them.
func TestASessionNamesItsDrafts(t *testing.T) {
	t.Parallel()
	w := tuitest.NewWorld(t)
	session, other := w.Session("A workshop", "/home/you/workshop"), w.Session("Ships", "/home/you/ships")
	w.Draft(other, "brief")
	r := openSession(w, session, 80, 24, themes.None())
	r.Shows("Nothing was asked in this session, and no plan saved.")
	r.Hides("planb tui drafts")
	first := w.Draft(session, "brief")
	r = openSession(w, session, 80, 24, themes.None())
	r.Shows("Draft: planb tui drafts "+store.ShortID(first.ID), "“I want to open a repair workshop")
	r.Hides("Nothing was asked")
	w.Draft(session, "choose")
	r = openSession(w, session, 120, 30, themes.None())
	r.Shows("2 drafts: planb tui drafts", "“Repair workshop for")
}

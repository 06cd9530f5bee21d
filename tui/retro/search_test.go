package retro

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"planb/questions/safe"
	"planb/store"
	"planb/store/kv"
	"planb/store/search"
	"planb/themes"
	"planb/tui/keymap"
	"planb/tui/screen"
	"planb/tui/tuitest"
)

func openSearch(w *tuitest.World, width, height int, theme themes.Theme) *tuitest.Rig {
	w.T.Helper()
	return tuitest.Open(w.T, NewSearch(pastOf(w)), width, height, theme)
}

// typed pastes into the search.
func typed(r *tuitest.Rig, text string) *tuitest.Rig {
	r.T.Helper()
	return r.Send(tea.PasteMsg{Content: text})
}

func TestWhatIsTypedIsFound(t *testing.T) {
	t.Parallel()
	w := tuitest.NewWorld(t)
	w.Past()
	r := openSearch(w, 100, 30, themes.None())
	typed(r, "customer")
	r.Shows("Find in everything", "Webhooks: what happens when nobody answers", "Plan v2: Delivery, again", "line 3", "We keep **one** queue per", "enter open")
	typed(r, "f order")
	r.Shows("› customerf order", "Nothing contains all of these words.", "Fewer words find more.")
	r.Keys("x alt+backspace backspace backspace")
	r.Shows("› customer▏", "Plan v2")
	r.Keys("ctrl+u")
	r.Shows("Words in titles, questions", "status:declined")
	r.Hides("enter open")
	r.Send(tea.PasteMsg{Content: "kafka"})
	r.Shows("Form: Move to Kafka · declined", "title")
	r.Keys("enter")
	r.Shows("Move to Kafka", "Not this year.")
	r.Keys("esc")
	r.Shows("› kafka▏")
}

// In a narrow window what can be typed is whole, too.
func TestANarrowSearchTeaches(t *testing.T) {
	t.Parallel()
	w := tuitest.NewWorld(t)
	r := openSearch(w, 24, 40, themes.None())
	for line := range strings.Lines(r.Content()) {
		if wide := ansi.StringWidth(strings.TrimSuffix(line, "\n")); wide > 24 {
			t.Errorf("%d cells: %s", wide, line)
		}
	}
	r.Shows("\"two words\"", "that follow each", "project:shop")
}

func TestAHitInAPlanOpensAtItsLine(t *testing.T) {
	t.Parallel()
	w := tuitest.NewWorld(t)
	session := w.Session("Boats", "/home/you/harbour")
	var text strings.Builder
	for i := range 300 {
		fmt.Fprintf(&text, "## Part %d\n\nWhat is said of it.\n\n", i)
		if i == 220 {
			text.WriteString("The rudder is made of oak.\n\n")
		}
	}
	if _, _, err := w.Store.SavePlan(t.Context(), session.ID, "Boats", text.String()); err != nil {
		t.Fatal(err)
	}
	r := openSearch(w, 80, 24, themes.None())
	typed(r, "rudder")
	r.Keys("enter")
	r.Shows("The rudder is made of oak.", "Part 221")
	r.Hides("Part 2\n")
	r.Keys("esc")
	typed(r, "\b")
	r.Keys("ctrl+u").Send(tea.PasteMsg{Content: "boats kind:plan"}) // its title
	r.Keys("enter")
	r.Shows("Part 0")
	r.Hides("▌") // the title is no line of the text
}

// The plan that opens marks the line of the hit, and the words in all of its text.
func TestAHitIsMarkedInThePlan(t *testing.T) {
	t.Parallel()
	w := tuitest.NewWorld(t)
	session := w.Session("Boats", "")
	w.Save(session, "", "# Boats\n\nNo rudder.\n")
	w.Save(session, "", "# Boats\n\nOne has a **Rudder** of oak.\n\nA rudder is dear.\n")
	for _, theme := range []themes.Theme{themes.None(), themes.Default(true)} {
		r := openSearch(w, 80, 24, theme)
		typed(r, "rudder oak")
		r.Keys("enter")
		r.Shows("▌ One has a Rudder of oak.", "  A rudder is dear.")
		match := screen.NewStyles(theme.Palette).Match
		for _, word := range []string{"Rudder", "oak", "rudder"} {
			if !strings.Contains(r.Content(), match.Render(word)) {
				t.Errorf("%s: %s is drawn as the rest", theme.Name, word)
			}
		}
		r.Keys("p")
		r.Shows("  No rudder.")
		r.Hides("▌")
	}
}

// Where a hit is scrolled to, it stands apart from planb's line above the text.
func TestAHitStandsApart(t *testing.T) {
	t.Parallel()
	w := tuitest.NewWorld(t)
	w.Save(w.Session("Boats", ""), "", "# Boats\n\n## Why\n\nOne has a rudder.\n"+strings.Repeat("\nMore.\n", 30))
	r := openSearch(w, 80, 22, themes.None()) // a higher window always has an empty line there
	typed(r, "rudder")
	r.Keys("enter")
	if rows := strings.Split(r.Text(), "\n"); strings.TrimSpace(rows[3]) != "" || !strings.Contains(rows[4], "▌ One has a rudder.") {
		t.Errorf("below planb's line stand %q and %q", rows[3], rows[4])
	}
}

func TestASearchSaysWhatItCouldNotRead(t *testing.T) {
	t.Parallel()
	w := tuitest.NewWorld(t)
	w.Past()
	list := w.Sessions()
	w.Damage(kv.Key("s/" + list[2].ID))
	w.Damage(kv.Key("a/" + tuitest.Must(w.Store.Asks(t.Context(), list[0].ID))[0].ID))
	r := openSearch(w, 80, 24, themes.None())
	typed(r, "customer")
	r.Shows("! 2 records cannot be read. The first: the store holds a damaged record,", "planb doctor --repair", "Plan v2")
	r.Keys("ctrl+u")
	r.Hides("cannot be read")
}

// The header counts all places, and the heading of a session those in it.
func TestASearchCountsItsHits(t *testing.T) {
	t.Parallel()
	w := tuitest.NewWorld(t)
	ships, boats := w.Session("Ships", "/srv/a"), w.Session("Boats", "/srv/b")
	w.Ask(ships, "The harbour of a ship", "")
	w.Save(ships, "", "# Harbours\n"+strings.Repeat("\nAnother harbour.\n", 5))
	w.Ask(boats, "A harbour for boats", "")
	r := openSearch(w, 80, 24, themes.None())
	typed(r, "harbour")
	r.Shows("8 places in 2 sessions", "Ships  7", "Boats  1")
	typed(r, "s")
	r.Shows("1 place in 1 session", "Ships  1")
}

// All places of a hit are shown while there is room for them. A row of its own tells how many more
// there are.
func TestASearchShowsThePlacesThatHaveRoom(t *testing.T) {
	t.Parallel()
	w := tuitest.NewWorld(t)
	w.Save(w.Session("Boats", ""), "", "# Boats\n"+strings.Repeat("\nOne has a rudder.\n", 8))
	for height, more := range map[int]string{24: "", 12: "5 more places"} {
		r := typed(openSearch(w, 80, height, themes.None()), "rudder")
		if last := strings.Contains(r.Text(), "line 17"); last != (more == "") || !strings.Contains(r.Text(), more) {
			t.Errorf("in %d lines:\n%s", height, r.Text())
		}
	}
}

// The focus does not hide a match, whatever the theme has for it.
func TestTheFocusKeepsTheMatches(t *testing.T) {
	t.Parallel()
	w := tuitest.NewWorld(t)
	w.Save(w.Session("Ships", ""), "", "# Harbours\n")
	for _, theme := range []themes.Theme{themes.None(), themes.Default(true)} {
		r := openSearch(w, 80, 24, theme)
		typed(r, "harbour")
		_, here, _ := strings.Cut(r.Content(), "Plan v1")
		_, match, _ := strings.Cut(here, "# ")
		before, _, found := strings.Cut(match, "Harbour")
		if !found || !strings.Contains(before, "\x1b[") {
			t.Errorf("%s: the match is drawn as the rest: %q", theme.Name, match)
		}
	}
}

func TestAWrongFilterIsSaidAndNothingIsLookedFor(t *testing.T) {
	t.Parallel()
	w := tuitest.NewWorld(t)
	w.Past()
	r := openSearch(w, 60, 24, themes.None())
	typed(r, "kind:banana customer")
	r.Shows(`! "kind:banana" is no filter; allowed: session,`, "question, answer, note, plan")
	r.Hides("Plan v2")
}

func TestAHitUnderTheCursorStaysThere(t *testing.T) {
	t.Parallel()
	at := func(id string, minutes int) store.Session {
		return store.Session{ID: id, Updated: tuitest.Moment.Add(time.Duration(minutes) * time.Minute)}
	}
	s := new(searchState)
	s.list.SetLines(10)
	s.add(search.Step{Sessions: 3, Hits: []search.Hit{{Session: at("c", 3)}, {Session: at("a", 1)}}})
	s.list.MoveTo(1)
	s.add(search.Step{Sessions: 3, Older: true, Hits: []search.Hit{{Session: at("b", 2)}, {Session: at("a", 1), More: 1}}})
	order := ""
	for _, hit := range s.hits {
		order += fmt.Sprint(hit.Session.ID, hit.More, " ")
	}
	if order != "c0 b0 a0 a1 " {
		t.Errorf("the order is %q", order)
	}
	if hit, _ := s.hit(); hit.Session.ID != "a" || hit.More != 0 {
		t.Errorf("the cursor went to %+v", hit)
	}
}

func TestASearchForNearlyEverythingEndsEarly(t *testing.T) {
	t.Parallel()
	w := tuitest.NewWorld(t)
	w.Crowd()
	for i := range maxHits {
		tuitest.Must(w.Store.CreateSession(t.Context(), store.Session{Title: safe.New(fmt.Sprint("session ", i))}))
	}
	r := openSearch(w, 80, 24, themes.None())
	typed(r, "e")
	r.Shows(fmt.Sprintf("the first %d places", maxHits))
	if s := r.Top().(*Search); len(s.state.hits) != maxHits || s.run != nil {
		t.Errorf("%d hits; under way: %v", len(s.state.hits), s.run)
	}
}

// slowTexts is a store in which a search ends only with its context.
type slowTexts struct {
	Store
	begun chan struct{}
	ended chan error
}

func (s slowTexts) WholeAsksWhere(ctx context.Context, _ func(...[]byte) bool, _ ...string) iter.Seq2[store.Ask, error] {
	return func(yield func(store.Ask, error) bool) {
		s.begun <- struct{}{}
		<-ctx.Done()
		s.ended <- ctx.Err()
		yield(store.Ask{}, ctx.Err())
	}
}

func TestTheNextKeyAndLeavingEndASearch(t *testing.T) {
	t.Parallel()
	w := tuitest.NewWorld(t)
	w.Past()
	for name, end := range map[string]func(*Search){
		"the next key": func(s *Search) { s.search(keymap.Backspace, "") },
		"leaving":      func(s *Search) { tuitest.Must(s.Close(t.Context())) },
	} {
		slow := slowTexts{w.Store, make(chan struct{}, 8), make(chan error, 8)}
		deps := pastOf(w)
		deps.Store = slow
		s := NewSearch(deps)
		next := make(chan tea.Msg, 1)
		cmd := s.search(keymap.None, "kafka")
		go func() { next <- cmd() }()
		<-slow.begun
		end(s)
		if err := <-slow.ended; !errors.Is(err, context.Canceled) {
			t.Errorf("%s: the search ended with %v", name, err)
		}
		s.Update(<-next)
		if len(s.state.hits) > 0 || strings.Contains(s.state.problem, "cancel") {
			t.Errorf("%s: a search that was ended says %q", name, s.state.problem)
		}
	}
}

// A label and a line that are both cut show one ellipsis between them.
func TestACutLabelAndLineHaveOneEllipsis(t *testing.T) {
	t.Parallel()
	s := NewSearch(Deps{})
	s.page.Width, s.page.Look = 60, (*screen.Look)(nil).With(themes.None().Palette)
	e := search.Excerpt{
		Field: search.FieldAnswer, Question: "q", Of: safe.New("When do we give up on a receiver?"),
		Pieces: []search.Piece{{Text: safe.New(strings.Repeat("many words and ", 9))}, {Text: safe.New("retries"), Match: true}},
	}
	if got := ansi.Strip(s.excerpt(e, 8)); strings.Count(got, "…") != 1 || !strings.Contains(got, "retries") {
		t.Errorf("it is drawn as %q", got)
	}
}

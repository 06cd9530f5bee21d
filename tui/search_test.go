package tui

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"planb/plans/review"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/store/kv"
	"planb/store/search"
	"planb/themes"
	"planb/tui/tuitest"
)

// find opens the search over the list and types.
func (r *browseRig) find(text string) *browseRig {
	r.t.Helper()
	r.keys("f")
	return r.send(tea.PasteMsg{Content: text})
}

func TestWhatIsTypedIsFound(t *testing.T) {
	w := newWorld(t)
	w.Past()
	r := w.browse(false, 100, 30, themes.None())
	r.find("customer")
	r.shows("Find in everything", "Webhooks: what happens when nobody answers", "Plan v2: Delivery, again", "line 3", "We keep **one** queue per")
	r.find(" order") // f is a letter here
	r.shows("› customerf order", "Nothing has all of this.")
	r.keys("ctrl+w backspace backspace")
	r.shows("› customer▏", "Plan v2")
	r.keys("ctrl+u")
	r.shows("Words in titles, questions", "status:declined")
	r.send(tea.PasteMsg{Content: "kafka"})
	r.shows("Form: Move to Kafka · declined", "title")
	r.keys("enter")
	r.shows("Move to Kafka", "Not this year.")
	r.keys("esc")
	r.shows("› kafka▏")
	r.keys("esc")
	r.shows("5 sessions")
}

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
		r.find(query)
		r.keys("enter")
		form := r.w.top().(*askScreen).form
		if e := form.state.focused(); question > 0 && (e == nil || e.q.ID != fmt.Sprint("q", question)) {
			t.Errorf("%s opens at %+v", query, e)
		}
		if question > 0 {
			r.shows(fmt.Sprintf("The label of number %d", question))
		}
	}
}

func TestAHitInAPlanOpensAtItsLine(t *testing.T) {
	w := newWorld(t)
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
	r := w.browse(false, 80, 24, themes.None())
	r.find("rudder")
	r.keys("enter")
	r.shows("The rudder is made of oak.", "Part 221")
	r.hides("Part 2\n")
	r.keys("esc")
	r.find("\b")
	r.keys("ctrl+u").send(tea.PasteMsg{Content: "boats kind:plan"}) // its title
	r.keys("enter")
	r.shows("Part 0")
}

func TestASearchSaysWhatItCouldNotRead(t *testing.T) {
	w := newWorld(t)
	w.Past()
	sessions := w.list()
	w.Damage(kv.Key("s/" + sessions[2].ID))
	w.Damage(kv.Key("a/" + tuitest.Must(w.Store.Asks(t.Context(), sessions[0].ID))[0].ID))
	r := w.browse(false, 80, 24, themes.None())
	r.find("customer")
	r.shows("! 2 records cannot be read. The first: the store holds a damaged record,", "planb doctor --repair", "Plan v2")
	r.keys("ctrl+u")
	r.hides("cannot be read")
}

func TestAWrongFilterIsSaidAndNothingIsLookedFor(t *testing.T) {
	w := newWorld(t)
	w.Past()
	r := w.browse(false, 60, 24, themes.None())
	r.find("kind:banana customer")
	r.shows(`! "kind:banana" is no filter; allowed is session,`, "question, answer, note, plan")
	r.hides("Plan v2")
}

func TestAHitUnderTheCursorStaysThere(t *testing.T) {
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
	w := newWorld(t)
	w.Crowd()
	for i := range maxHits {
		tuitest.Must(w.Store.CreateSession(t.Context(), store.Session{Title: safe.New(fmt.Sprint("session ", i))}))
	}
	r := w.browse(false, 80, 24, themes.None())
	r.find("e")
	r.shows(fmt.Sprintf("the first %d hits", maxHits))
	if s := r.w.top().(*searchScreen); len(s.state.hits) != maxHits || s.run != nil {
		t.Errorf("%d hits; under way: %v", len(s.state.hits), s.run)
	}
}

// slowTexts never comes to an end before its context does.
type slowTexts struct {
	BrowseStore
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
	w := newWorld(t)
	w.Past()
	for name, end := range map[string]func(*searchScreen){
		"the next key": func(s *searchScreen) { s.search("kafk") },
		"leaving":      func(s *searchScreen) { tuitest.Must(s.Close(t.Context())) },
	} {
		slow := slowTexts{w.Store, make(chan struct{}, 8), make(chan error, 8)}
		s := newSearchScreen(Options{Store: slow, Now: w.Clock}.browser(false).past())
		next := make(chan tea.Msg, 1)
		cmd := s.search("kafka")
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

// A comment that was found is where its review opens.
func TestAFoundCommentIsOpenedAtItsLine(t *testing.T) {
	w := newWorld(t)
	ask := w.ReviewAsk(w.Session("Nightly export", ""), tuitest.ReviewedPlan, "")
	w.Reviewed(ask, tuitest.ReviewedPlan, review.RequestChanges, tuitest.Comment(t, tuitest.ReviewedPlan, 3, 3, review.Remark, "Whose CSV?"), tuitest.Comment(t, tuitest.ReviewedPlan, 33, 33, review.Remark, "Ada owns the zebra key."))
	r := w.browse(false, 80, 24, themes.None())
	r.find("zebra")
	r.keys("enter")
	body := reviewOf(r.w.top().(*askScreen).form)
	if c, ok := body.shown(body.state.Cursor.Comment); !ok || c.From != 33 {
		t.Errorf("the cursor is on line %d:\n%s", body.state.Cursor.Line, r.text())
	}
	r.shows("Ada owns the zebra key.")
}

package store_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/store/kv"
	"planb/store/kv/kvtest"
	"planb/store/storetest"
)

// asked is a form of text questions, given as ids and labels in turn.
func asked(title string, parts ...string) questions.Spec {
	spec := questions.Spec{Title: safe.New(title)}
	for i := 0; i+1 < len(parts); i += 2 {
		spec.Questions = append(spec.Questions, questions.Question{
			ID: parts[i], Kind: questions.Text, Label: safe.New(parts[i+1]), Tab: safe.New("Questions"),
		})
	}
	return spec
}

// sayAll settles an ask of the form, each of its questions answered with the text.
func sayAll(t storetest.Tester, s *store.Store, session string, spec questions.Spec, state questions.State, text string) store.Ask {
	t.Helper()
	ask, _, err := s.OpenAsk(t.Context(), store.Ask{Session: session, Spec: spec})
	if err != nil {
		t.Fatal(err)
	}
	outcome := questions.Outcome{State: state, Reply: questions.Reply{Answers: map[string]questions.Value{}, Notes: map[string]safe.Text{}}}
	if state != questions.Answered {
		outcome.Message = safe.New("a message")
	}
	for _, q := range spec.Questions {
		outcome.Reply.Answers[q.ID] = questions.TextValue(text)
		outcome.Reply.Notes[q.ID] = safe.New("noted: " + text)
	}
	ask, err = s.Settle(t.Context(), ask.ID, outcome)
	if err = errors.Join(err, s.Deliver(t.Context(), ask.ID)); err != nil {
		t.Fatal(err)
	}
	return ask
}

// found are the earlier answers for a form asked in a session, by question.
func found(t storetest.Tester, s *store.Store, session string, spec questions.Spec) map[string]string {
	t.Helper()
	earlier, err := s.EarlierAnswers(t.Context(), store.Ask{Session: session, Spec: spec})
	if err != nil {
		t.Fatal(err)
	}
	answers := map[string]string{}
	for id, was := range earlier {
		answers[id], _ = was.Answer.Text()
		if was.Note.Raw() != "noted: "+answers[id] || was.At.IsZero() || was.Session.ID == "" || was.Question.ID == "" {
			t.Errorf("the answer to %s lacks something: %+v", id, was)
		}
	}
	return answers
}

func expectFound(t storetest.Tester, what string, got map[string]string, want ...string) {
	t.Helper()
	all := map[string]string{}
	for i := 0; i+1 < len(want); i += 2 {
		all[want[i]] = want[i+1]
	}
	if fmt.Sprint(got) != fmt.Sprint(all) {
		t.Errorf("%s: found %v, want %v", what, got, all)
	}
}

func TestEarlier(t *testing.T) {
	ctx := t.Context()
	s := newStore(t, kvtest.NewMap())
	here, there := newSession(t, s, "/p").ID, newSession(t, s, "/p").ID
	alien, homeless := newSession(t, s, "/q").ID, newSession(t, s, "").ID
	ship, port := asked("The ship", "ship-name", "What is the ship called?"), asked("The port", "port", "Which port is it in?")
	both := asked("Both", "q1", "what is the SHIP called", "q2", "Which port is it in", "q3", "And the captain?")

	expectFound(t, "nothing yet", found(t, s, here, both))
	sayAll(t, s, alien, ship, questions.Answered, "alien")
	sayAll(t, s, homeless, ship, questions.Answered, "homeless")
	expectFound(t, "in other projects", found(t, s, here, both))
	expectFound(t, "of no project", found(t, s, homeless, both))
	first := sayAll(t, s, there, ship, questions.Answered, "Vega")
	expectFound(t, "by words", found(t, s, here, both), "q1", "Vega")
	expectFound(t, "by id", found(t, s, here, asked("x", "ship-name", "How shall we name the ship?")), "ship-name", "Vega")
	expectFound(t, "the id of another thing", found(t, s, here, asked("x", "ship-name", "Shall it have sails?")))
	sayAll(t, s, there, port, questions.Discuss, "Kiel")
	expectFound(t, "each of another ask, one without finishing", found(t, s, here, both), "q1", "Vega", "q2", "Kiel")
	for _, state := range []questions.State{questions.Declined, questions.Withdrawn} {
		sayAll(t, s, here, ship, state, "no")
		expectFound(t, string(state), found(t, s, here, both), "q1", "Vega", "q2", "Kiel")
	}
	if _, err := s.Settle(ctx, first.ID, answered("late")); err == nil {
		t.Error("it was settled twice")
	}
	sayAll(t, s, here, ship, questions.Answered, "Rigel")
	expectFound(t, "the newest", found(t, s, there, both), "q1", "Rigel", "q2", "Kiel")

	if _, err := s.Archive(ctx, here, true); err != nil {
		t.Fatal(err)
	}
	expectFound(t, "in the archive", found(t, s, there, both), "q1", "Rigel", "q2", "Kiel")
	session, err := s.Session(ctx, here)
	if err = errors.Join(err, s.Delete(ctx, session, nil)); err != nil {
		t.Fatal(err)
	}
	expectFound(t, "deleted", found(t, s, there, both), "q1", "Vega", "q2", "Kiel")

	self, err := s.EarlierAnswers(ctx, store.Ask{ID: first.ID, Session: there, Spec: ship})
	if err != nil || len(self) != 0 {
		t.Errorf("an ask found itself: %v, %v", self, err)
	}
	plan := questions.ReviewOf(safe.New("A plan"), questions.PlanRef{Number: 1})
	if got, err := s.EarlierAnswers(ctx, store.Ask{Session: there, Spec: plan}); err != nil || len(got) != 0 {
		t.Errorf("a review found %v, %v", got, err)
	}
	if _, err := s.EarlierAnswers(ctx, store.Ask{Session: nobody, Spec: ship}); err == nil {
		t.Error("an unknown session is none")
	}
}

// TestEarlierAmongManyOfOneID holds that an id that every question has does not hide the
// question with the same words.
func TestEarlierAmongManyOfOneID(t *testing.T) {
	s := newStore(t, kvtest.NewMap())
	session := newSession(t, s, "/p").ID
	sayAll(t, s, session, asked("first", "q1", "What is the ship called?"), questions.Answered, "Vega")
	for i := range 30 {
		sayAll(t, s, session, asked(fmt.Sprint(i), "q1", fmt.Sprintf("Unlike topic%d?", i)), questions.Answered, fmt.Sprint(i))
	}
	expectFound(t, "by words", found(t, s, session, asked("again", "q1", "What is the ship called?")), "q1", "Vega")
	expectFound(t, "by none", found(t, s, session, asked("again", "q1", "What is a keel?")))
}

func TestEarlierOfAnImport(t *testing.T) {
	ctx := t.Context()
	s := newStore(t, kvtest.NewMap())
	in := foreign(40, 0)
	for i := range in.Asks {
		in.Asks[i].Outcome = answered(fmt.Sprint("answer ", i))
		in.Asks[i].Outcome.At = in.Session.Created.Add(time.Duration(i) * time.Hour)
	}
	in.Asks[39].Outcome.At = time.Time{} // nobody knows when
	if _, err := s.Import(ctx, in); err != nil {
		t.Fatal(err)
	}
	here := newSession(t, s, "/p").ID
	got, err := s.EarlierAnswers(ctx, store.Ask{Session: here, Spec: form("asked here")})
	if text, _ := got["why"].Answer.Text(); err != nil || text != "answer 38" || !got["why"].At.Equal(in.Asks[38].Outcome.At) || got["why"].Session.Title != in.Session.Title {
		t.Errorf("found %+v, %v", got, err)
	}
}

// TestEarlierAmongDamage holds that an ask that cannot be read gives no answer, and hides
// no other.
func TestEarlierAmongDamage(t *testing.T) {
	t.Parallel()
	for name, with := range damages() {
		t.Run(name, func(t *testing.T) {
			with(t, func(open func() kv.Engine, hurt func(key kv.Key)) {
				s := newStore(t, open())
				session := newSession(t, s, "/p").ID
				ship := asked("one", "ship", "What is the ship called?")
				sayAll(t, s, session, ship, questions.Answered, "Vega")
				middle := sayAll(t, s, session, asked("two", "ship", "What is the ship called?"), questions.Answered, "Rigel")
				last := sayAll(t, s, session, asked("three", "ship", "What is the ship called?"), questions.Answered, "Mira")
				for _, r := range storetest.All(t, open(), store.MemoryKeys) {
					if strings.HasSuffix(string(r.Key), last.ID) {
						hurt(r.Key)
					}
				}
				hurt(store.ChunkKey(middle.Digest)) // the form
				s = newStore(t, open())
				if got := found(t, s, session, ship); got["ship"] != "Vega" && got["ship"] != "Mira" {
					t.Errorf("found %v", got)
				}
				hurt(store.SessionKey(session))
				s = newStore(t, open())
				if got, err := s.EarlierAnswers(t.Context(), store.Ask{Session: session, Spec: ship}); err != nil || len(got) > 0 {
					t.Errorf("in a session that cannot be read: %v, %v", got, err)
				}
			})
		})
	}
}

// TestSettleHasRoomForItsMemory holds that the end of the longest entry and the most
// questions fit into one commit.
func TestSettleHasRoomForItsMemory(t *testing.T) {
	t.Parallel()
	engine := kvtest.NewMap()
	s := newStore(t, engine)
	session := newSession(t, s, "/p").ID
	var parts []string
	for i := range questions.MaxQuestions {
		parts = append(parts, fmt.Sprint("id-", i), fmt.Sprintf("Which topic%d?", i))
	}
	spec := asked("long", parts...)
	ask, _, err := s.OpenAsk(t.Context(), store.Ask{Session: session, Spec: spec, Place: "here"})
	if err != nil {
		t.Fatal(err)
	}
	var long strings.Builder
	long.Grow(store.MaxTextBytes)
	for i := 0; long.Len() < store.MaxTextBytes-store.MaxChunk; i++ {
		fmt.Fprintf(&long, "%d%s", i, strings.Repeat(" ", 4000))
	}
	if err := s.SaveEntry(t.Context(), ask.ID, entryOf(long.String())); err != nil {
		t.Fatal(err)
	}
	reply := questions.Reply{Answers: map[string]questions.Value{}, Notes: map[string]safe.Text{}}
	for _, q := range spec.Questions {
		reply.Answers[q.ID], reply.Notes[q.ID] = questions.TextValue("yes"), safe.New("noted: yes")
	}
	if _, err := s.Settle(t.Context(), ask.ID, questions.Outcome{State: questions.Answered, Reply: reply}); err != nil {
		t.Fatal(err)
	}
	expectFound(t, "at once", found(t, s, session, asked("x", "q", "Which topic7?")), "q", "yes")
}

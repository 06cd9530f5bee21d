package store_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"planb/questions"
	"planb/questions/safe"
	"planb/store"
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
func sayAll(t tester, s *store.Store, session string, spec questions.Spec, state questions.State, text string) store.Ask {
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

// found is what is found for a form asked in a session, by question: the answers.
func found(t tester, s *store.Store, session string, spec questions.Spec) map[string]string {
	t.Helper()
	earlier, err := s.Earlier(t.Context(), store.Ask{Session: session, Spec: spec})
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

func expectFound(t tester, what string, got map[string]string, want ...string) {
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
	s := newStore(t, storetest.NewMap())
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

	self, err := s.Earlier(ctx, store.Ask{ID: first.ID, Session: there, Spec: ship})
	if err != nil || len(self) != 0 {
		t.Errorf("an ask found itself: %v, %v", self, err)
	}
	plan := questions.ReviewOf(safe.New("A plan"), questions.PlanRef{Number: 1})
	if got, err := s.Earlier(ctx, store.Ask{Session: there, Spec: plan}); err != nil || len(got) != 0 {
		t.Errorf("a review found %v, %v", got, err)
	}
	if _, err := s.Earlier(ctx, store.Ask{Session: nobody, Spec: ship}); err == nil {
		t.Error("an unknown session is none")
	}
}

// TestEarlierAmongManyOfOneID holds that an id that everything has does not hide
// what has the same words.
func TestEarlierAmongManyOfOneID(t *testing.T) {
	s := newStore(t, storetest.NewMap())
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
	s := newStore(t, storetest.NewMap())
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
	got, err := s.Earlier(ctx, store.Ask{Session: here, Spec: form("asked here")})
	if text, _ := got["why"].Answer.Text(); err != nil || text != "answer 38" || !got["why"].At.Equal(in.Asks[38].Outcome.At) || got["why"].Session.Title != in.Session.Title {
		t.Errorf("found %+v, %v", got, err)
	}
	if n, more, err := s.LookBack(ctx); n != 0 || more || err != nil {
		t.Errorf("an import left %d to look for (more: %v), %v", n, more, err)
	}
}

// TestEarlierAmongDamage holds that what cannot be read is no answer, and hides no
// other.
func TestEarlierAmongDamage(t *testing.T) {
	t.Parallel()
	for name, with := range damages() {
		t.Run(name, func(t *testing.T) {
			with(t, func(open func() store.Engine, hurt func(key store.Key)) {
				s := newStore(t, open())
				session := newSession(t, s, "/p").ID
				ship := asked("one", "ship", "What is the ship called?")
				sayAll(t, s, session, ship, questions.Answered, "Vega")
				middle := sayAll(t, s, session, asked("two", "ship", "What is the ship called?"), questions.Answered, "Rigel")
				last := sayAll(t, s, session, asked("three", "ship", "What is the ship called?"), questions.Answered, "Mira")
				for _, r := range all(t, open(), store.MemoryKeys) {
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
				if got, err := s.Earlier(t.Context(), store.Ask{Session: session, Spec: ship}); err != nil || len(got) > 0 {
					t.Errorf("in a session that cannot be read: %v, %v", got, err)
				}
			})
		})
	}
}

// counted counts what is done with an engine.
type counted struct {
	store.Engine
	reads, commits, loud atomic.Int64
}

func (c *counted) Get(ctx context.Context, keys ...store.Key) ([]store.Record, error) {
	c.reads.Add(1)
	return c.Engine.Get(ctx, keys...)
}

func (c *counted) Scan(ctx context.Context, prefix, after store.Key, limit int) (store.Page, error) {
	c.reads.Add(1)
	return c.Engine.Scan(ctx, prefix, after, limit)
}

func (c *counted) Commit(ctx context.Context, batch store.Batch) error {
	c.commits.Add(1)
	if !batch.Quiet {
		c.loud.Add(1)
	}
	return c.Engine.Commit(ctx, batch)
}

// lookBack goes to the end, and returns what was completed in how many steps.
func lookBack(t tester, s *store.Store) (completed, steps int) {
	t.Helper()
	for more := true; more; steps++ {
		var n int
		var err error
		if n, more, err = s.LookBack(t.Context()); err != nil {
			t.Fatal(err)
		}
		completed += n
	}
	return completed, steps
}

// TestLookBack holds that what was settled without a memory is found after it was
// looked through, in small quiet steps, and that then nothing is written and
// little read until something changes.
func TestLookBack(t *testing.T) {
	t.Parallel()
	engine := &counted{Engine: storetest.NewMap()}
	now := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	s := store.New(engine, store.Options{Now: func() time.Time { return now }})
	var sessions []string
	var asks []store.Ask
	for i := range 40 {
		now = now.Add(time.Hour)
		session := newSession(t, s, "/p").ID
		for n := range 3 {
			spec := asked(fmt.Sprint(i, n), fmt.Sprintf("id%d-%d", i, n), fmt.Sprintf("Which of topic%d and part%d?", i, n))
			asks = append(asks, sayAll(t, s, session, spec, questions.Answered, fmt.Sprint("answer ", i, n)))
		}
		sessions = append(sessions, session)
	}
	last := asked("again", "q1", "Which of topic39 and part2?", "q2", "Which of topic0 and part0?")
	for _, ask := range asks {
		forget(t, engine, ask.ID)
	}
	expectFound(t, "before", found(t, s, sessions[0], last))
	engine.commits.Store(0)
	engine.loud.Store(0)
	n, more, err := s.LookBack(t.Context())
	if err != nil || !more || n == 0 || n > 30 || engine.commits.Load() > 10 {
		t.Fatalf("the first step completed %d asks in %d commits (more: %v), %v", n, engine.commits.Load(), more, err)
	}
	expectFound(t, "after one step, the newest", found(t, s, sessions[0], last), "q1", "answer 39 2")
	rest, steps := lookBack(t, s)
	if n+rest != len(asks) || steps > 6 || engine.loud.Load() > 0 {
		t.Errorf("completed %d of %d asks in %d more steps, %d times aloud", n+rest, len(asks), steps, engine.loud.Load())
	}
	expectFound(t, "in the end", found(t, s, sessions[0], last), "q1", "answer 39 2", "q2", "answer 0 0")

	engine.commits.Store(0)
	engine.reads.Store(0)
	if n, steps := lookBack(t, s); n != 0 || steps != 1 || engine.commits.Load() > 0 || engine.reads.Load() > 8 {
		t.Errorf("with nothing to do: %d completed in %d steps, %d commits, %d reads", n, steps, engine.commits.Load(), engine.reads.Load())
	}
	// An old session is used again, by an older planb.
	now = now.Add(24 * time.Hour)
	late := sayAll(t, s, sessions[3], asked("late", "late", "What came late?"), questions.Answered, "this")
	forget(t, engine, late.ID)
	if n, _ := lookBack(t, s); n != 1 {
		t.Errorf("completed %d asks, want the one", n)
	}
	expectFound(t, "what came late", found(t, s, sessions[0], asked("x", "late", "What came late?")), "late", "this")
	// One more, by one whose clock is behind.
	now = now.Add(-30 * time.Minute)
	behind := sayAll(t, s, sessions[4], asked("behind", "behind", "Whose clock is behind?"), questions.Answered, "mine")
	forget(t, engine, behind.ID)
	now = now.Add(time.Hour)
	if n, _ := lookBack(t, s); n != 1 {
		t.Errorf("completed %d asks of one whose clock is behind, want 1", n)
	}
}

// TestLookBackIsCutOffAnywhere holds that a look that ended is gone on with.
func TestLookBackIsCutOffAnywhere(t *testing.T) {
	t.Parallel()
	for left := range 12 {
		engine := storetest.NewMap()
		s := newStore(t, engine)
		session := newSession(t, s, "/p").ID
		for i := range 60 {
			spec := asked(fmt.Sprint(i), fmt.Sprint("id-", i), fmt.Sprintf("Which topic%d?", i), "b", fmt.Sprintf("And which part%d?", i))
			forget(t, engine, sayAll(t, s, session, spec, questions.Answered, fmt.Sprint("answer ", i)).ID)
		}
		cut := newStore(t, &cutOff{engine, left})
		if _, _, err := cut.LookBack(t.Context()); err != nil && !errors.Is(err, errDisk) {
			t.Fatal(err)
		}
		lookBack(t, s)
		for i := range 60 {
			spec := asked("again", "q1", fmt.Sprintf("Which topic%d?", i))
			expectFound(t, fmt.Sprintf("cut off after %d commits", left), found(t, s, session, spec), "q1", fmt.Sprint("answer ", i))
		}
	}
}

// TestLookBackOfANewerPlanb holds that a mark this planb cannot read is left alone.
func TestLookBackOfANewerPlanb(t *testing.T) {
	engine := storetest.NewMap()
	s := newStore(t, engine)
	session := newSession(t, s, "/p").ID
	forget(t, engine, sayAll(t, s, session, asked("a", "a", "What is it?"), questions.Answered, "x").ID)
	putRecord(t, engine, store.LookedKey, map[string]any{"v": store.Format + 1, "until": 7})
	before := dump(t, engine)
	if n, more, err := s.LookBack(t.Context()); n != 0 || more || err != nil || dump(t, engine) != before {
		t.Errorf("looked through %d (more: %v), %v", n, more, err)
	}
}

// TestSettleHasRoomForItsMemory holds that the end of the longest draft and the most
// questions fit into one commit.
func TestSettleHasRoomForItsMemory(t *testing.T) {
	t.Parallel()
	engine := storetest.NewMap()
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
	for i := 0; long.Len() < store.MaxTextBytes-store.MaxChunk; i++ {
		fmt.Fprintf(&long, "%d%s", i, strings.Repeat(" ", 4000))
	}
	if err := s.SaveDraft(t.Context(), ask.ID, draftOf(long.String())); err != nil {
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

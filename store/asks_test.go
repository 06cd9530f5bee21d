package store_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/store/kv"
	"planb/store/kv/kvtest"
	"planb/store/storetest"
)

const nobody = "0190a8e0-0000-7000-8000-000000000000"

func TestTheSameAskAttachesWhileOpenOrUndelivered(t *testing.T) {
	ctx := t.Context()
	now := time.Date(2030, 1, 2, 3, 4, 5, 6, time.FixedZone("x", 3600))
	s := store.New(kvtest.NewMap(), store.Options{Now: func() time.Time { return now }})
	session := newSession(t, s, "")
	first := openAsk(t, s, session.ID, "one", "a")
	same := store.Ask{Session: strings.ToUpper(session.ID), Spec: form("one"), Place: "b", Timeout: 2 * time.Hour}

	now = now.Add(time.Minute)
	got, attached, err := s.OpenAsk(ctx, same)
	if err != nil || !attached || got.ID != first.ID {
		t.Fatalf("asked again while pending: %s, attached %v, %v", got.ID, attached, err)
	}
	if !got.Created.Equal(first.Created) || !got.Asked.Equal(now) || !got.Deadline().Equal(now.Add(2*time.Hour)) {
		t.Errorf("created %v, asked %v, due %v at %v", got.Created, got.Asked, got.Deadline(), now)
	}
	for place, want := range map[string]int{"a": 0, "b": 1} {
		if queue, err := s.Queue(ctx, place); err != nil || len(queue) != want {
			t.Errorf("place %s has %d asks, want %d, %v", place, len(queue), want, err)
		}
	}

	renewed := got.Asked
	if got, err = s.Expire(ctx, first.ID, first.Asked); err != nil || got.Outcome.State != questions.Pending {
		t.Fatalf("expired by a timer from before it was asked again: %v, %v", got.Outcome, err)
	}
	if got, err = s.Expire(ctx, first.ID, renewed); err != nil || got.Outcome.State != questions.Expired || got.Outcome.By != "" || !got.Open() {
		t.Fatalf("expired: %v, %v", got.Outcome, err)
	}
	if err := s.Deliver(ctx, first.ID); err != nil {
		t.Fatal(err)
	}
	if got, attached, err = s.OpenAsk(ctx, same); err != nil || !attached || got.Outcome.State != questions.Pending {
		t.Errorf("asked again while expired: %v, attached %v, %v", got.Outcome, attached, err)
	}

	if _, err := s.Settle(ctx, first.ID, answered("yes")); err != nil {
		t.Fatal(err)
	}
	if got, attached, err = s.OpenAsk(ctx, same); err != nil || !attached || got.Outcome.State != questions.Answered {
		t.Errorf("asked again while undelivered: %v, attached %v, %v", got.Outcome, attached, err)
	}
	if err := s.Deliver(ctx, first.ID); err != nil {
		t.Fatal(err)
	}
	got, attached, err = s.OpenAsk(ctx, same)
	if err != nil || attached || got.ID == first.ID || got.Outcome.State != questions.Pending {
		t.Errorf("asked again when delivered: %v, attached %v, %v", got.Outcome, attached, err)
	}
	if _, err := s.Settle(ctx, got.ID, questions.Outcome{State: questions.Withdrawn}); err != nil {
		t.Fatal(err)
	}
	if last, attached, err := s.OpenAsk(ctx, same); err != nil || attached || last.ID == got.ID {
		t.Errorf("asked again when withdrawn: %v, attached %v, %v", last.Outcome, attached, err)
	}
}

func TestOutcomes(t *testing.T) {
	partial := questions.Reply{Answers: map[string]questions.Value{"why": questions.TextValue("well")}}
	for _, test := range []struct {
		name       string
		outcome    questions.Outcome
		refused    bool
		told, free bool // announced to the agent; may be asked anew at once
		keepsEntry bool
	}{
		{"answered", answered("x"), false, true, false, false},
		{"answered with a required question open", questions.Outcome{State: questions.Answered, Reply: partial}, true, false, false, true},
		{"discuss", questions.Outcome{State: questions.Discuss, Reply: partial, Message: safe.New("but why?")}, false, true, false, true},
		{"discuss without a message", questions.Outcome{State: questions.Discuss, Reply: partial}, true, false, false, true},
		{"declined", questions.Outcome{State: questions.Declined, Message: safe.New("no")}, false, true, false, true},
		{"declined with answers", questions.Outcome{State: questions.Declined, Reply: partial}, false, true, false, true},
		{"declined with a wrong answer", questions.Outcome{State: questions.Declined, Reply: questions.Reply{
			Answers: map[string]questions.Value{"what": questions.TextValue("x")}}}, true, false, false, true},
		{"withdrawn", questions.Outcome{State: questions.Withdrawn}, false, false, true, true},
		{"pending", questions.Outcome{State: questions.Pending}, true, false, false, true},
		{"nonsense", questions.Outcome{State: "perhaps"}, true, false, false, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, expired := range []bool{false, true} {
				ctx := t.Context()
				s := newStore(t, kvtest.NewMap())
				session := newSession(t, s, "/p")
				ask := openAsk(t, s, session.ID, "one", "place")
				if err := s.SaveEntry(ctx, ask.ID, questions.Entry{Focus: "how"}); err != nil {
					t.Fatal(err)
				}
				if expired {
					if _, err := s.Expire(ctx, ask.ID, ask.Asked); err != nil {
						t.Fatal(err)
					}
				}
				_, err := s.Settle(ctx, ask.ID, test.outcome)
				if (err != nil) != test.refused {
					t.Fatalf("expired %v: %v", expired, err)
				}
				got, err := s.Ask(ctx, ask.ID)
				if err != nil {
					t.Fatal(err)
				}
				if got.Open() != test.refused {
					t.Errorf("expired %v: the ask is %q", expired, got.Outcome.State)
				}
				if !test.refused && (got.Outcome.At.IsZero() || got.Outcome.By != "person@desk") {
					t.Errorf("settled at %v by %q", got.Outcome.At, got.Outcome.By)
				}
				checkLists(t, s, got, test.told)
				if _, has, err := s.Entry(ctx, ask.ID); err != nil || has != test.keepsEntry {
					t.Errorf("the entry is kept: %v, %v", has, err)
				}
				again, attached, err := s.OpenAsk(ctx, store.Ask{Session: session.ID, Spec: form("one")})
				if err != nil || attached == test.free {
					t.Errorf("asked again: attached %v, %v", attached, err)
				}
				if test.free == (again.ID == ask.ID) {
					t.Errorf("asked again: %s after %s", again.ID, ask.ID)
				}
			}
		})
	}
}

// checkLists checks that every list agrees with the one ask there is.
func checkLists(t *testing.T, s *store.Store, ask store.Ask, told bool) {
	t.Helper()
	ctx := t.Context()
	lists := []struct {
		name string
		list func() ([]store.Ask, error)
		want bool
	}{
		{"asks", func() ([]store.Ask, error) { return s.Asks(ctx, ask.Session) }, true},
		{"waiting", func() ([]store.Ask, error) { return s.Waiting(ctx) }, ask.Open()},
		{"queue", func() ([]store.Ask, error) { return s.Queue(ctx, ask.Place) }, ask.Open()},
		{"undelivered", func() ([]store.Ask, error) { return s.Undelivered(ctx, ask.Session) }, told},
		{"undelivered in the project", func() ([]store.Ask, error) { return undeliveredIn(ctx, s, "/p") }, told},
		{"undelivered in no project", func() ([]store.Ask, error) { return undeliveredIn(ctx, s, "") }, false},
		{"undelivered elsewhere", func() ([]store.Ask, error) { return undeliveredIn(ctx, s, "/q") }, false},
		{"due", func() ([]store.Ask, error) { return s.Due(ctx, ask.Session) }, told || ask.Open()},
	}
	for _, l := range lists {
		got, err := l.list()
		if err != nil {
			t.Errorf("%s: %v", l.name, err)
		}
		if has := len(got) == 1 && got[0].ID == ask.ID; has != l.want || len(got) > 1 {
			t.Errorf("%s has the %s ask: %v", l.name, ask.Outcome.State, has)
		}
	}
}

func TestTheQueueShowsLiveAsksFirst(t *testing.T) {
	ctx := t.Context()
	storetest.OverEngines(t, func(t *testing.T, open func() kv.Engine) {
		s := newStore(t, open())
		session := newSession(t, s, "")
		var asks []store.Ask
		for i := range 4 {
			asks = append(asks, openAsk(t, s, session.ID, fmt.Sprint(i), "here"))
		}
		openAsk(t, s, session.ID, "elsewhere", "there")
		openAsk(t, s, session.ID, "nowhere", "")
		if _, err := s.Expire(ctx, asks[0].ID, asks[0].Asked); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Settle(ctx, asks[2].ID, answered("x")); err != nil {
			t.Fatal(err)
		}
		queue, err := s.Queue(ctx, "here")
		if err != nil || !slices.Equal(titles(queue), []string{"1", "3", "0"}) {
			t.Errorf("the queue is %q, %v", titles(queue), err)
		}
		waiting, err := s.Waiting(ctx)
		if err != nil || !slices.Equal(titles(waiting), []string{"0", "1", "3", "elsewhere", "nowhere"}) {
			t.Errorf("waiting are %q, %v", titles(waiting), err)
		}
		if queue, err = s.Queue(ctx, ""); err != nil || len(queue) != 0 {
			t.Errorf("asks without a place make a queue: %q, %v", titles(queue), err)
		}
	})
}

// The store reads as many asks at once as an engine allows. Two of the keys of each read
// are the store's own.
func TestAsksNowReadsManyAtOnce(t *testing.T) {
	t.Parallel()
	const step = kv.MaxRecordsInGet - 2
	engine := &counter{Engine: kvtest.NewMap()}
	s := newStore(t, engine)
	ids := []string{nobody, "nonsense"}
	for i := range 3*step - len(ids) {
		ids = append(ids, openAsk(t, s, newSession(t, s, "").ID, fmt.Sprint(i), "here").ID)
	}
	engine.gets, engine.scans = 0, 0
	asks, err := s.AsksNow(t.Context(), ids...)
	if err != nil {
		t.Fatal(err)
	}
	if engine.gets != 3 || engine.scans != 0 {
		t.Errorf("%d gets and %d scans for %d asks", engine.gets, engine.scans, len(ids))
	}
	for i, a := range asks {
		if known := i > 1; known != (a.ID == ids[i]) {
			t.Errorf("ask %d is %q", i, a.ID)
		}
		if len(a.Spec.Questions) > 0 {
			t.Errorf("ask %d has questions", i)
		}
	}
}

func TestLongRepliesAreKeptBesideTheRecord(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	storetest.OverEngines(t, func(t *testing.T, open func() kv.Engine) {
		engine := open()
		s := newStore(t, engine)
		session := newSession(t, s, "")
		ask := openAsk(t, s, session.ID, "one", "")
		long := strings.Repeat("lore ipsum ", 100_000) + "\x00 <&>\u2028"
		if _, err := s.Settle(ctx, ask.ID, answered(long)); err != nil {
			t.Fatal(err)
		}
		late, err := s.Settle(ctx, ask.ID, answered(long+"late"))
		if !errors.As(err, new(*questions.SettledError)) {
			t.Fatal(err)
		}
		if size := len(fmt.Sprint(rawRecord(t, engine, store.AskKey(ask.ID)))); size > 2*store.MaxInline {
			t.Errorf("the ask's record has %d bytes", size)
		}
		read, err := s.Ask(ctx, ask.ID)
		if err != nil {
			t.Fatal(err)
		}
		for what, got := range map[string]store.Ask{"returned": late, "read": read} {
			if text, _ := got.Outcome.Reply.Answers["why"].Text(); text != long {
				t.Errorf("the answer %s has %d bytes of %d", what, len(text), len(long))
			}
			if text, _ := got.TooLate[0].Reply.Answers["why"].Text(); text != long+"late" {
				t.Errorf("the late answer %s has %d bytes", what, len(text))
			}
		}
	})
}

func TestFindAsk(t *testing.T) {
	ctx := t.Context()
	engine := kvtest.NewMap()
	s := newStore(t, engine)
	session := newSession(t, s, "")
	ask := openAsk(t, s, session.ID, "one", "")
	short := store.ShortID(ask.ID)
	for _, id := range []string{ask.ID, strings.ToUpper(ask.ID), short, strings.ToUpper(short), short[:4]} {
		if got, err := s.FindAsk(ctx, id); err != nil || got.ID != ask.ID || len(got.Spec.Questions) != 2 {
			t.Errorf("%q finds %q, %v", id, got.ID, err)
		}
	}
	for _, id := range []string{"", short[:3], "zzzzzzzz", "../..", nobody, ask.ID + "0", ask.ID[:20], "é" + short[:4]} {
		var unknown *store.UnknownError
		if _, err := s.FindAsk(ctx, id); !errors.As(err, &unknown) || unknown.ID != id {
			t.Errorf("%q finds %v", id, err)
		}
	}
	// Some hundred random ids are enough for two with four digits in common.
	byStart := map[string]string{short[:4]: ask.ID}
	for i := 0; ; i++ {
		if i == 5000 {
			t.Fatal("5000 random ids have no four digits in common")
		}
		other := openAsk(t, s, newSession(t, s, "").ID, fmt.Sprint(i), "")
		start := store.ShortID(other.ID)[:4]
		first, ok := byStart[start]
		byStart[start] = other.ID
		if !ok {
			continue
		}
		var ambiguous *store.AmbiguousError
		if _, err := s.FindAsk(ctx, start); !errors.As(err, &ambiguous) {
			t.Fatalf("%q, of two asks, finds %v", start, err)
		}
		want := []string{first, other.ID}
		slices.Sort(want)
		slices.Sort(ambiguous.Matches)
		if !slices.Equal(ambiguous.Matches, want) {
			t.Errorf("%q fits %q, want %q", start, ambiguous.Matches, want)
		}
		return
	}
}

func TestUnknownIDs(t *testing.T) {
	ctx := t.Context()
	s := newStore(t, kvtest.NewMap())
	for _, id := range []string{nobody, "", "not a uuid", "a/b", strings.Repeat("x", 1000), "\x1b[2J"} {
		calls := map[string]func() error{
			"Session":     func() error { _, err := s.Session(ctx, id); return err },
			"OpenAsk":     func() error { _, _, err := s.OpenAsk(ctx, store.Ask{Session: id, Spec: form("x")}); return err },
			"Ask":         func() error { _, err := s.Ask(ctx, id); return err },
			"Asks":        func() error { _, err := s.Asks(ctx, id); return err },
			"Due":         func() error { _, err := s.Due(ctx, id); return err },
			"Settle":      func() error { _, err := s.Settle(ctx, id, answered("x")); return err },
			"Expire":      func() error { _, err := s.Expire(ctx, id, time.Time{}); return err },
			"Deliver":     func() error { return s.Deliver(ctx, id) },
			"MarkShown":   func() error { return s.MarkShown(ctx, id) },
			"EarlierForm": func() error { _, _, err := s.EarlierForm(ctx, store.Ask{Session: id}); return err },
			"SaveEntry":   func() error { return s.SaveEntry(ctx, id, questions.Entry{}) },
			"SavePlan":    func() error { _, _, err := s.SavePlan(ctx, id, "", "x"); return err },
			"Plans":       func() error { _, err := s.Plans(ctx, id); return err },
			"PlanText":    func() error { _, err := s.PlanText(ctx, id, 1); return err },
		}
		for name, call := range calls {
			var unknown *store.UnknownError
			if err := call(); !errors.As(err, &unknown) {
				t.Errorf("%s(%q) gives %v", name, id, err)
			}
		}
	}
}

func TestShownCountsOnce(t *testing.T) {
	ctx := t.Context()
	now := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	s := store.New(kvtest.NewMap(), store.Options{Now: func() time.Time { return now }})
	ask := openAsk(t, s, newSession(t, s, "").ID, "one", "")
	for range 2 {
		if err := s.MarkShown(ctx, ask.ID); err != nil {
			t.Fatal(err)
		}
		got, err := s.Ask(ctx, ask.ID)
		if err != nil || !got.Shown.Equal(time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)) {
			t.Errorf("shown at %v, %v", got.Shown, err)
		}
		now = now.Add(time.Hour)
	}
}

func TestEarlierForm(t *testing.T) {
	ctx := t.Context()
	s := newStore(t, kvtest.NewMap())
	here, there, alien := newSession(t, s, "/p"), newSession(t, s, "/p"), newSession(t, s, "/q")
	end := func(session store.Session, spec questions.Spec, outcome questions.Outcome) store.Ask {
		t.Helper()
		ask, _, err := s.OpenAsk(ctx, store.Ask{Session: session.ID, Spec: spec})
		if err != nil {
			t.Fatal(err)
		}
		if ask, err = s.Settle(ctx, ask.ID, outcome); err != nil {
			t.Fatal(err)
		}
		if err := s.Deliver(ctx, ask.ID); err != nil {
			t.Fatal(err)
		}
		return ask
	}
	discuss := questions.Outcome{State: questions.Discuss, Message: safe.New("hm")}
	other := form("another form")
	other.Questions = other.Questions[:1]
	stranger := form("a stranger")
	stranger.Questions = []questions.Question{{ID: "why", Kind: questions.Text, Label: safe.New("?")}}
	expect := func(what string, spec questions.Spec, want string) {
		t.Helper()
		got, ok, err := s.EarlierForm(ctx, store.Ask{Session: here.ID, Spec: spec})
		if err != nil || ok != (want != "") || ok && (got.ID != want || len(got.Spec.Questions) == 0) {
			t.Errorf("%s: the earlier form is %q (%v), want %q, %v", what, got.ID, ok, want, err)
		}
	}

	expect("nothing yet", form("one"), "")
	end(alien, form("one"), answered("alien"))
	expect("in another project", form("one"), "")
	elsewhere := end(there, form("one"), answered("elsewhere"))
	expect("in another session of the project", form("one"), elsewhere.ID)
	end(here, form("one"), questions.Outcome{State: questions.Declined})
	expect("declined here", form("one"), elsewhere.ID)
	own := end(here, form("one"), answered("here"))
	expect("answered here", form("one"), own.ID)
	end(there, form("one"), answered("elsewhere, later"))
	expect("answered elsewhere since", form("one"), own.ID)
	latest := end(here, form("one"), discuss)
	expect("discussed here", form("one"), latest.ID)
	expect("a form with some of its questions", other, latest.ID)
	expect("a form with a question of that id and another kind", stranger, "")
	end(here, form("two"), answered("settled"))
	expect("its questions were answered since", other, "")
	expect("but not in that form", form("one"), latest.ID)
}

func TestASessionHasTwentyOpenAsksAtMost(t *testing.T) {
	ctx := t.Context()
	storetest.OverEngines(t, func(t *testing.T, open func() kv.Engine) {
		s, beside := newStore(t, open()), newStore(t, open())
		session, other := newSession(t, s, ""), newSession(t, s, "")
		var asks []store.Ask
		for i := range store.MaxOpen {
			asks = append(asks, openAsk(t, s, session.ID, fmt.Sprint("ask ", i), "here"))
		}
		ask := func(by *store.Store, session, title string) error {
			_, _, err := by.OpenAsk(ctx, store.Ask{Session: session, Spec: form(title), Place: "here"})
			return err
		}
		read := func() string {
			t.Helper()
			found, err := s.Session(ctx, session.ID)
			if err != nil {
				t.Fatal(err)
			}
			return fmt.Sprintf("%+v", found)
		}
		before := read()
		var refused *store.TooManyError
		if err := ask(s, session.ID, "one more"); !errors.As(err, &refused) || refused.Session != session.ID || refused.Open != 20 {
			t.Errorf("the 21st: %v", err)
		}
		if after := read(); after != before {
			t.Errorf("the session was touched: %s, %s", before, after)
		}
		if err := ask(s, session.ID, "ask 7"); err != nil {
			t.Errorf("one of them asked again: %v", err)
		}
		if err := ask(s, other.ID, "one more"); err != nil {
			t.Errorf("in another session: %v", err)
		}
		if _, err := s.Settle(ctx, asks[3].ID, questions.Outcome{State: questions.Withdrawn}); err != nil {
			t.Fatal(err)
		}
		var all sync.WaitGroup
		var stored atomic.Int32
		for i, by := range []*store.Store{s, beside, s, beside} {
			all.Go(func() {
				if err := ask(by, session.ID, fmt.Sprint("at once ", i)); err == nil {
					stored.Add(1)
				} else if !errors.As(err, new(*store.TooManyError)) {
					t.Error(err)
				}
			})
		}
		if all.Wait(); stored.Load() != 1 {
			t.Errorf("%d asks took one place", stored.Load())
		}
	})
}

// A plan that is submitted again replaces its own review.
func TestAReviewThatGivesWayLeavesRoomForTheNext(t *testing.T) {
	s := newStore(t, kvtest.NewMap())
	session := newSession(t, s, "")
	for i := range store.MaxOpen - 1 {
		openAsk(t, s, session.ID, fmt.Sprint("ask ", i), "here")
	}
	for number := range 3 {
		plan := questions.PlanRef{Number: number + 1, Digest: fmt.Sprint(number)}
		ask, _, err := s.OpenAsk(t.Context(), store.Ask{Session: session.ID, Place: "here", Spec: questions.ReviewOf(safe.New("The plan"), plan)})
		if err != nil || !ask.Open() {
			t.Errorf("version %d: %v", number+1, err)
		}
	}
}

package store_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/store/kv/kvtest"
)

func wholePlans(t *testing.T, s *store.Store, ids ...store.PlanID) (list []store.WholePlan) {
	t.Helper()
	for plan, err := range s.WholePlans(t.Context(), ids...) {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, plan)
	}
	return list
}

func wholeAsks(t *testing.T, s *store.Store, sessions ...string) (list []store.Ask) {
	t.Helper()
	for ask, err := range s.WholeAsks(t.Context(), sessions...) {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, ask)
	}
	return list
}

// TestWholeRecordsAreWhatIsReadOneByOne reads many records at once and one by one, and
// compares them: texts in several chunks, long replies, late ones.
func TestWholeRecordsAreWhatIsReadOneByOne(t *testing.T) {
	ctx := t.Context()
	s := newStore(t, kvtest.NewMap())
	var sessions []string
	var ids []store.PlanID
	for range 2 {
		session := newSession(t, s, "/p").ID
		sessions = append(sessions, session)
		for i, text := range []string{"# small", strings.Repeat("a long plan\n", store.MaxChunk/6), "", "# last"} {
			if text == "" {
				continue
			}
			savePlan(t, s, session, fmt.Sprint("v", i), text)
			ids = append(ids, store.PlanID{Session: session, Number: len(ids)%3 + 1})
		}
		first := openAsk(t, s, session, "long", "")
		if _, err := s.Settle(ctx, first.ID, answered(strings.Repeat("because ", store.MaxInline))); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Settle(ctx, first.ID, answered(strings.Repeat("late ", store.MaxInline))); err == nil {
			t.Fatal("a second answer was taken")
		}
		openAsk(t, s, session, "short", "")
	}

	plans := wholePlans(t, s, ids...)
	if len(plans) != len(ids) {
		t.Fatalf("got %d versions, want %d", len(plans), len(ids))
	}
	for i, plan := range plans {
		text, err := s.PlanText(ctx, ids[i].Session, ids[i].Number)
		if err != nil {
			t.Fatal(err)
		}
		if plan.Session != ids[i].Session || plan.Number != ids[i].Number || plan.Text != text {
			t.Errorf("%d: got v%d of %s with %d bytes; want %v with %d", i, plan.Number, plan.Session, len(plan.Text.Raw()), ids[i], len(text.Raw()))
		}
	}

	asks := wholeAsks(t, s, sessions...)
	if len(asks) != 4 {
		t.Fatalf("got %d asks, want 4", len(asks))
	}
	for i, ask := range asks {
		alone, err := s.Ask(ctx, ask.ID)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := fmt.Sprintf("%+v", ask), fmt.Sprintf("%+v", alone); got != want {
			t.Errorf("%d: got\n%s\nwant\n%s", i, got, want)
		}
		if ask.Session != sessions[i/2] {
			t.Errorf("%d: of session %s, want %s", i, ask.Session, sessions[i/2])
		}
	}
}

func TestWholePlansLeavesOutWhatDoesNotExist(t *testing.T) {
	s := newStore(t, kvtest.NewMap())
	session := newSession(t, s, "/p").ID
	savePlan(t, s, session, "", "# a")
	got := wholePlans(t, s,
		store.PlanID{Session: session, Number: 2},
		store.PlanID{Session: session},
		store.PlanID{Session: "nonsense", Number: 1},
		store.PlanID{Session: strings.ToUpper(session), Number: 1},
	)
	if len(got) != 1 || got[0].Text != safe.New("# a") {
		t.Errorf("got %+v, want the one version there is", got)
	}
}

// TestASessionThatGoesMeanwhileIsLeftOut prunes a session between the reading of
// its records and of their texts.
func TestASessionThatGoesMeanwhileIsLeftOut(t *testing.T) {
	ctx := t.Context()
	s := newStore(t, kvtest.NewMap())
	session := newSession(t, s, "/p").ID
	const versions = 4
	var ids []store.PlanID
	for i := range versions {
		savePlan(t, s, session, "", fmt.Sprint(i, strings.Repeat(" much text", 50<<10))) // each is read alone
		ids = append(ids, store.PlanID{Session: session, Number: i + 1})
	}
	got := 0
	for plan, err := range s.WholePlans(ctx, ids...) {
		if err != nil || plan.Err != nil {
			t.Fatal(err, plan.Err)
		}
		if got++; got == 1 {
			pruning, err := s.Prunable(ctx, time.Now().Add(time.Hour))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := s.Prune(ctx, pruning, nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	if got >= versions {
		t.Errorf("got %d versions; those after the session had gone were to be left out", got)
	}
}

func savePlan(t *testing.T, s *store.Store, session, title, text string) {
	t.Helper()
	if _, _, err := s.SavePlan(t.Context(), session, title, text); err != nil {
		t.Fatal(err)
	}
}

// TestTheAsksOfManySessionsComeBySession has sessions without asks, with a few, and with
// more than one scan reads.
func TestTheAsksOfManySessionsComeBySession(t *testing.T) {
	t.Parallel()
	s := newStore(t, kvtest.NewMap())
	counts := []int{0, 3, 1, 0, 0, 2, 450, 0, 5, 1, 1, 1, 199, 200, 201, 0, 4, 2, 0}
	var sessions []string
	for i, n := range counts {
		session := newSession(t, s, "")
		sessions = append(sessions, session.ID)
		for j := range n {
			ask := openAsk(t, s, session.ID, fmt.Sprint(i, "-", j), "")
			if _, err := s.Settle(t.Context(), ask.ID, questions.Outcome{State: questions.Declined}); err != nil {
				t.Fatal(err)
			}
		}
	}
	want := func(session string) (titles []string) {
		asks, err := s.Asks(t.Context(), session)
		if err != nil {
			t.Fatal(err)
		}
		for _, ask := range asks {
			titles = append(titles, session+ask.Spec.Title.Raw())
		}
		return titles
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 4 {
		some := slices.Clone(sessions)
		random.Shuffle(len(some), func(i, j int) { some[i], some[j] = some[j], some[i] })
		some = some[:random.IntN(len(some)+1)]
		var wanted, got []string
		for _, session := range some {
			wanted = append(wanted, want(session)...)
		}
		for ask, err := range s.WholeAsks(t.Context(), some...) {
			if err != nil || ask.Err != nil || len(ask.Spec.Questions) == 0 {
				t.Fatal(err, ask.Err)
			}
			got = append(got, ask.Session+ask.Spec.Title.Raw())
		}
		if !slices.Equal(got, wanted) {
			t.Fatalf("of %v:\n%v\nwant\n%v", some, got, wanted)
		}
	}
}

package timeline_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"planb/plans"
	"planb/plans/review"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/store/timeline"
)

// records gives the records of a session as a store would.
type records struct {
	session                       store.Session
	asks                          []store.Ask
	plans                         []store.Plan
	sessionErr, asksErr, plansErr error
}

func (r records) Session(context.Context, string) (store.Session, error) {
	return r.session, r.sessionErr
}
func (r records) Asks(context.Context, string) ([]store.Ask, error)   { return r.asks, r.asksErr }
func (r records) Plans(context.Context, string) ([]store.Plan, error) { return r.plans, r.plansErr }

// at is a time in minutes after the session's creation.
func at(minutes int) time.Time {
	return time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC).Add(time.Duration(minutes) * time.Minute)
}

func asked(id string, minutes int) store.Ask {
	return store.Ask{ID: id, Created: at(minutes), Asked: at(minutes)}
}

func settled(ask store.Ask, state questions.State, minutes int) store.Ask {
	ask.Outcome = questions.Outcome{State: state, At: at(minutes), By: "ann@desk"}
	return ask
}

func delivered(ask store.Ask, minutes int) store.Ask {
	ask.Delivered = at(minutes)
	return ask
}

func version(number, minutes int) store.Plan {
	return store.Plan{Version: plans.Version{Number: number, Created: at(minutes)}}
}

func read(t *testing.T, r records) *timeline.Story {
	t.Helper()
	if r.session.Created.IsZero() && r.sessionErr == nil {
		r.session = store.Session{ID: "s", Created: at(0)}
	}
	story, err := timeline.Read(t.Context(), r, "s")
	if err != nil {
		t.Fatal(err)
	}
	return story
}

// word writes an event in a few letters: its kind, its subject, and a ? if the
// clock was wrong.
func word(e timeline.Event) string {
	text := string(e.Kind)
	if e.Ask != "" {
		text += " " + e.Ask
	}
	if e.Plan > 0 {
		text += fmt.Sprintf(" v%d", e.Plan)
	}
	if e.TooLate > 0 {
		text += fmt.Sprintf(" %d", e.TooLate)
	}
	if e.Err != nil {
		text += " !"
	}
	if e.Misdated {
		text += " ?"
	}
	return text
}

func words(story *timeline.Story) string {
	var list []string
	for _, e := range story.Events {
		list = append(list, word(e))
	}
	return strings.Join(list, ", ")
}

const day = 24 * 60

func TestOrder(t *testing.T) {
	broken := errors.New("damaged")
	shown := func(ask store.Ask, minutes int) store.Ask {
		ask.Shown = at(minutes)
		return ask
	}
	again := func(ask store.Ask, minutes int) store.Ask {
		ask.Asked = at(minutes)
		return ask
	}
	late := func(ask store.Ask, minutes int) store.Ask {
		ask.TooLate = append(ask.TooLate, questions.Outcome{State: questions.Answered, At: at(minutes)})
		return ask
	}
	for _, c := range []struct {
		name string
		records
		want string
	}{
		{name: "nothing happened", want: "created"},
		{
			name: "everything an ask can have",
			records: records{asks: []store.Ask{
				late(late(delivered(settled(shown(again(asked("a", 1), 2), 3), questions.Withdrawn, 4), 5), 6), 7),
			}},
			want: "created, asked a, again a, shown a, withdrawn a, delivered a, late a, late a 1",
		},
		{
			name: "side by side",
			records: records{
				asks: []store.Ask{
					delivered(settled(shown(asked("a", 1), 2), questions.Answered, 6), 7),
					settled(asked("b", 3), questions.Discuss, 4),
					settled(asked("c", 5), questions.Expired, 9),
				},
				plans: []store.Plan{version(1, 2), version(2, 8)},
			},
			want: "created, asked a, shown a, planned v1, asked b, discussed b, asked c, answered a, delivered a, planned v2, expired c",
		},
		{
			name: "the person's clock is a day ahead",
			records: records{
				asks:  []store.Ask{delivered(settled(shown(asked("a", 1), 2+day), questions.Answered, 3+day), 4), asked("b", 6)},
				plans: []store.Plan{version(1, 5)},
			},
			want: "created, asked a, shown a, answered a, delivered a ?, planned v1 ?, asked b ?",
		},
		{
			name: "the person's clock is a day behind",
			records: records{
				asks:  []store.Ask{asked("b", 1), delivered(settled(shown(asked("a", 2), 3-day), questions.Declined, 4-day), 5)},
				plans: []store.Plan{version(1, 6)},
			},
			want: "created, asked b, asked a, shown a ?, declined a ?, delivered a, planned v1",
		},
		{
			name:    "the agent's clock was set back",
			records: records{plans: []store.Plan{version(1, 9), version(2, 3), version(3, 4)}, asks: []store.Ask{asked("a", 2)}},
			want:    "created, asked a, planned v1, planned v2 ?, planned v3 ?",
		},
		{
			name:    "older than its session",
			records: records{asks: []store.Ask{asked("a", -5)}, plans: []store.Plan{version(1, -3)}},
			want:    "created, asked a ?, planned v1 ?",
		},
		{
			name: "what cannot be read",
			records: records{
				asks:  []store.Ask{{ID: "a", Created: at(3), Err: broken}, asked("b", 1)},
				plans: []store.Plan{version(1, 2), {Version: plans.Version{Number: 2}, Err: broken}, version(3, 4)},
			},
			want: "created, asked b, planned v1, planned v2 !, asked a !, planned v3",
		},
		{
			name:    "a version whose predecessors are gone",
			records: records{plans: []store.Plan{version(4, 2), version(7, 1)}},
			want:    "created, planned v4, planned v7 ?",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := words(read(t, c.records)); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// However wrong the clocks are, causes stand before effects and no event is
// lost.
func TestOrderIsCausal(t *testing.T) {
	moments := rapid.IntRange(-3, 3*day)
	states := rapid.SampledFrom([]questions.State{
		"", questions.Pending, questions.Expired, questions.Answered, questions.Discuss, questions.Declined, questions.Withdrawn, "of a newer planb",
	})
	rapid.Check(t, func(rt *rapid.T) {
		r := records{session: store.Session{ID: "s", Created: at(0)}}
		for i := range rapid.IntRange(0, 6).Draw(rt, "asks") {
			ask := asked(fmt.Sprint(i), moments.Draw(rt, "created"))
			ask.Asked = at(moments.Draw(rt, "asked"))
			ask.Outcome = questions.Outcome{State: states.Draw(rt, "state"), At: at(moments.Draw(rt, "outcome"))}
			if rapid.Bool().Draw(rt, "is shown") {
				ask.Shown = at(moments.Draw(rt, "shown"))
			}
			if ask.Outcome.State.Final() && rapid.Bool().Draw(rt, "told") {
				ask.Delivered = at(moments.Draw(rt, "delivered"))
				ask.TooLate = make([]questions.Outcome, rapid.IntRange(0, 3).Draw(rt, "late"))
			}
			r.asks = append(r.asks, ask)
		}
		for i := range rapid.IntRange(0, 6).Draw(rt, "plans") {
			r.plans = append(r.plans, version(i+1, moments.Draw(rt, "saved")))
		}
		story := read(t, r)
		checkCauses(rt, story)
		if again := read(t, r); !reflect.DeepEqual(again.Events, story.Events) {
			rt.Fatalf("read twice, the stories differ:\n%s\n%s", words(story), words(again))
		}
	})
}

func checkCauses(rt *rapid.T, story *timeline.Story) {
	rank := map[timeline.Kind]int{
		timeline.Asked: 1, timeline.Shown: 2, timeline.Expired: 3, timeline.Answered: 3, timeline.Discussed: 3,
		timeline.Declined: 3, timeline.Withdrawn: 3, timeline.TooLate: 4,
	}
	stage, number := map[string]int{}, 0
	for i, e := range story.Events {
		if place, ok := story.Find(e.ID); !ok || place != i {
			rt.Fatalf("%s is found at %d, not at %d", word(e), place, i)
		}
		switch {
		case (e.Kind == timeline.Created) != (i == 0):
			rt.Fatalf("the session is not created first: %s", words(story))
		case e.Kind == timeline.Planned:
			if number++; e.Plan != number {
				rt.Fatalf("v%d stands where v%d does: %s", e.Plan, number, words(story))
			}
		case e.Kind == timeline.AskedAgain:
			if stage[e.Ask] == 0 {
				rt.Fatalf("asked again before it was asked: %s", words(story))
			}
		case e.Kind == timeline.Delivered:
			if stage[e.Ask] < 3 {
				rt.Fatalf("delivered before there was anything to deliver: %s", words(story))
			}
		case rank[e.Kind] > 0:
			if rank[e.Kind] < stage[e.Ask] {
				rt.Fatalf("%s came too late: %s", word(e), words(story))
			}
			stage[e.Ask] = rank[e.Kind]
		}
	}
	if number != len(story.Plans) || len(stage) != len(story.Asks) {
		rt.Fatalf("something is missing: %s", words(story))
	}
}

// submitted is the ask for a review of a version.
func submitted(id string, number, minutes int) store.Ask {
	ask := asked(id, minutes)
	ask.Spec = questions.ReviewOf(safe.New("The plan"), questions.PlanRef{Number: number})
	return ask
}

// reviewed answers such an ask with a verdict.
func reviewed(t *testing.T, ask store.Ask, verdict review.Verdict, minutes int) store.Ask {
	t.Helper()
	json, err := review.Brief("x", verdict, safe.Text{}).JSON()
	if err != nil {
		t.Fatal(err)
	}
	ask = settled(ask, questions.Answered, minutes)
	ask.Outcome.Reply.Answers = map[string]questions.Value{questions.ReviewID: questions.TextValue(string(json))}
	return ask
}

// A review is told as a review: its asking as a submission, its answer with the
// verdict.
func TestReviewsInAStory(t *testing.T) {
	first := reviewed(t, submitted("a", 1, 2), review.RequestChanges, 5)
	first.Shown = at(3)
	late := reviewed(t, submitted("a", 1, 2), review.Approve, 6).Outcome
	first.TooLate = []questions.Outcome{late}
	third := settled(submitted("c", 2, 12), questions.Answered, 13)
	third.Outcome.Reply.Answers = map[string]questions.Value{questions.ReviewID: questions.TextValue("{")}
	story := read(t, records{
		asks: []store.Ask{
			delivered(first, 7), settled(submitted("b", 2, 9), questions.Declined, 10), third, submitted("d", 2, 14),
		},
		plans: []store.Plan{version(1, 1), version(2, 8), version(3, 15)},
	})
	const want = "created, planned v1, submitted a, shown a, reviewed a, late a, delivered a, planned v2, submitted b, declined b, submitted c, reviewed c, submitted d, planned v3"
	if got := words(story); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	verdicts := map[string]string{"reviewed a": "Changes requested", "late a": "Approved", "reviewed c": "A review that cannot be read"}
	for _, e := range story.Events {
		of := map[string]int{"a": 1, "b": 2, "c": 2, "d": 2}[e.Ask]
		if e.Reviews != of || e.Verdict != verdicts[word(e)] {
			t.Errorf("%s is of v%d: %q", word(e), e.Reviews, e.Verdict)
		}
	}
	place, ok := story.FindAsk("a")
	if e := story.Events[place]; !ok || e.Kind != timeline.Reviewed || e.Waited != 3*time.Minute || e.Took != 2*time.Minute || e.By != "ann@desk" {
		t.Errorf("it was settled at %+v", e)
	}
	if since := story.Since(2); len(since) != 2 || since[0] != place {
		t.Errorf("v2 follows from %v, not from the review at %d", since, place)
	}
	if next := story.Following(place); !reflect.DeepEqual(next, []int{2, 3}) {
		t.Errorf("the review led to %v", next)
	}
	last, ok := story.FindAsk("d")
	if e := story.Events[last]; !ok || e.Kind != timeline.Submitted {
		t.Errorf("what still waits is found at %+v", e)
	}
	if open := story.Known(last).Open; open != 1 {
		t.Errorf("%d are open", open)
	}
	if open := story.Known(place - 1).Open; open != 1 {
		t.Errorf("%d were open before the review", open)
	}
}

// A submission stands after its version, whatever the clocks say.
func TestNothingIsSubmittedBeforeItIsSaved(t *testing.T) {
	story := read(t, records{
		asks:  []store.Ask{submitted("a", 1, 2), submitted("b", 2, 3), submitted("gone", 7, 4)},
		plans: []store.Plan{version(1, 2), version(2, 5)},
	})
	if got, want := words(story), "created, planned v1, submitted a, submitted gone, planned v2, submitted b ?"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestHowLongItTook(t *testing.T) {
	ask := delivered(settled(asked("a", 1), questions.Answered, 9), 10)
	ask.Shown = at(4)
	events := read(t, records{asks: []store.Ask{ask}}).Events
	answered, told := events[3], events[4]
	if answered.Waited != 8*time.Minute || answered.Took != 5*time.Minute || answered.By != "ann@desk" || told.Waited != time.Minute {
		t.Errorf("got %+v and %+v", answered, told)
	}
	ask.Shown = at(20)
	for _, e := range read(t, records{asks: []store.Ask{ask}}).Events {
		if e.Took != 0 {
			t.Errorf("with clocks that contradict each other it took %v", e.Took)
		}
	}
}

func TestReadWithFaults(t *testing.T) {
	about := &store.FormatError{Key: "s/s", Got: 9, Known: 1}
	story := read(t, records{sessionErr: about, plans: []store.Plan{version(1, 1)}})
	if got := words(story); got != "created !, planned v1" || story.Session.ID != "s" || story.Session.Err == nil {
		t.Errorf("a session whose record cannot be read: %s, %+v", got, story.Session)
	}
	if story = read(t, records{asksErr: about, plans: []store.Plan{version(1, 1)}}); words(story) != "created, planned v1" || story.AsksErr == nil {
		t.Errorf("asks that cannot be listed: %s, %v", words(story), story.AsksErr)
	}
	for _, r := range []records{{sessionErr: &store.UnknownError{What: "session", ID: "s"}}, {asksErr: about, plansErr: about}} {
		if _, err := timeline.Read(t.Context(), r, "s"); err == nil {
			t.Errorf("%+v has a story", r)
		}
	}
}

func TestWhatLedWhere(t *testing.T) {
	story := read(t, records{
		asks: []store.Ask{
			settled(asked("a", 1), questions.Answered, 2),
			settled(asked("b", 3), questions.Declined, 5),
			settled(asked("c", 3), questions.Answered, 6),
			settled(asked("d", 6), questions.Withdrawn, 7),
			asked("e", 8),
		},
		plans: []store.Plan{version(1, 4), version(2, 9), version(3, 10)},
	})
	replies := func(places []int) string {
		var list []string
		for _, place := range places {
			list = append(list, word(story.Events[place]))
		}
		return strings.Join(list, ", ")
	}
	for number, want := range map[int]string{1: "answered a", 2: "declined b, answered c", 3: "", 9: ""} {
		if got := replies(story.Since(number)); got != want {
			t.Errorf("v%d follows from %q, want %q", number, got, want)
		}
	}
	for id, want := range map[string][]int{"a": {1, 2, 3}, "c": {2, 3}, "e": {2, 3}} {
		place, _ := story.FindAsk(id)
		if got := story.Following(place); !reflect.DeepEqual(got, want) {
			t.Errorf("%s led to %v, want %v", id, got, want)
		}
	}
	place, _ := story.FindPlan(2)
	known := story.Known(place)
	if got := replies(known.Replies); got != "answered a, declined b, answered c" || known.Plan != 2 || known.Open != 1 {
		t.Errorf("at v2 was known %+v: %s", known, got)
	}
	if known := story.Known(0); known.Plan != 0 || len(known.Replies) != 0 || known.Open != 0 {
		t.Errorf("at the start was known %+v", known)
	}
	if ask, ok := story.Ask("c"); !ok || ask.ID != "c" {
		t.Errorf("ask c is %+v", ask)
	}
	if plan, ok := story.Plan(3); !ok || plan.Number != 3 {
		t.Errorf("v3 is %+v", plan)
	}
	for _, unknown := range []bool{second(story.Ask("x")), second(story.Plan(9)), second(story.FindAsk("x")), second(story.FindPlan(9))} {
		if unknown {
			t.Error("something unknown was found")
		}
	}
}

func second[T any](_ T, ok bool) bool { return ok }

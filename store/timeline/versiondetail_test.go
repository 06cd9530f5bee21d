package timeline_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"planb/plans"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/store/timeline"
)

// texts gives the texts of a session as a store would.
type texts struct {
	plans map[int]string
	specs map[string][]string // by ask: the ids of its questions
	asks  []store.Ask
	bad   int // a version that cannot be read
	err   error

	plansRead, asksRead int
}

func (x *texts) PlanAsBefore(context.Context, string, int, int) (safe.Text, error) {
	return safe.Text{}, errors.New("only plans of tasks are read so")
}

func (x *texts) WholePlans(_ context.Context, ids ...store.PlanID) iter.Seq2[store.WholePlan, error] {
	return func(yield func(store.WholePlan, error) bool) {
		for _, id := range ids {
			text, ok := x.plans[id.Number]
			if !ok {
				continue
			}
			x.plansRead++
			whole := store.WholePlan{Plan: store.Plan{Version: plans.Version{Number: id.Number}}, Text: safe.New(text)}
			if id.Number == x.bad {
				whole = store.WholePlan{Plan: store.Plan{Version: plans.Version{Number: id.Number}, Err: errDamaged}}
			}
			if !yield(whole, nil) {
				return
			}
		}
		if x.err != nil {
			yield(store.WholePlan{}, x.err)
		}
	}
}

func (x *texts) WholeAsks(context.Context, ...string) iter.Seq2[store.Ask, error] {
	return func(yield func(store.Ask, error) bool) {
		x.asksRead++
		for _, ask := range x.asks {
			for _, id := range x.specs[ask.ID] {
				ask.Spec.Questions = append(ask.Spec.Questions, questions.Question{ID: id})
			}
			if !yield(ask, nil) {
				return
			}
		}
	}
}

var (
	errDamaged = errors.New("damaged")
	errGone    = errors.New("the disk is gone")
)

// told writes a detail in a few letters.
func told(d timeline.Detail) string {
	text := fmt.Sprintf("v%d", d.Plan)
	if d.Counted {
		text += fmt.Sprintf(" +%d −%d", d.Added, d.Removed)
	}
	for _, c := range d.Citations {
		text += fmt.Sprintf(" %s@%d→%s", c.Question, c.Line, c.Ask)
	}
	if d.Err != nil {
		text += " !" + d.Err.Error()
	}
	return text
}

func TestDetails(t *testing.T) {
	asks := []store.Ask{
		settled(asked("a", 1), questions.Answered, 2),
		settled(asked("b", 3), questions.Discuss, 4),
		settled(asked("c", 3), questions.Declined, 4),
		asked("d", 3),
		settled(asked("e", 5), questions.Answered, 12),
	}
	specs := map[string][]string{"a": {"db", "name"}, "b": {"db"}, "c": {"name"}, "d": {"db"}, "e": {"name"}}
	first := "# Plan\n\nSQLite [q:db]\n"
	all := map[int]string{
		1: first,
		2: first,
		3: first + "Postgres [q:db], called [q:name], see [q:nothing]\n```\n[q:db]\n```\n",
		4: "# Plan\n[q:name]",
		5: "# Other",
	}
	versions := []store.Plan{version(1, 3), version(2, 4), version(3, 10), version(4, 13), version(5, 14)}
	for _, c := range []struct {
		name    string
		texts   texts
		numbers []int
		want    string
		err     error
		asks    int // how often the asks were read
	}{
		{
			name: "all", numbers: []int{1, 2, 3, 4, 5}, asks: 1,
			want: "v5 +1 −2, v4 +1 −6 name@2→e, v3 +4 −0 db@3→b db@4→b name@4→a nothing@4→, v2 +0 −0 db@3→b, v1 +3 −0 db@3→a",
		},
		{name: "the last alone needs the one before it", numbers: []int{5}, want: "v5 +1 −2"},
		{name: "in any order and twice", numbers: []int{2, 5, 2}, asks: 1, want: "v5 +1 −2, v2 +0 −0 db@3→b"},
		{name: "what there is not", numbers: []int{9, 0, -1}, want: ""},
		{name: "nothing", want: ""},
		{
			name: "one cannot be read", texts: texts{bad: 4}, numbers: []int{3, 4, 5}, asks: 1,
			want: "v5, v4 !damaged, v3 +4 −0 db@3→b db@4→b name@4→a nothing@4→",
		},
		{name: "the one before is gone", texts: texts{plans: map[int]string{3: "x", 5: "y"}}, numbers: []int{5, 3}, want: "v5, v3"},
		{name: "an error is the last that comes", texts: texts{err: errGone}, numbers: []int{5}, want: "v5 +1 −2", err: errGone},
	} {
		t.Run(c.name, func(t *testing.T) {
			story := read(t, records{asks: asks, plans: versions})
			from := c.texts
			from.asks, from.specs = asks, specs
			if from.plans == nil {
				from.plans = all
			}
			var got []string
			var err error
			for detail, e := range story.Details(t.Context(), &from, c.numbers...) {
				if err = e; err == nil {
					got = append(got, told(detail))
				}
			}
			if strings.Join(got, ", ") != c.want || !errors.Is(err, c.err) {
				t.Errorf("got  %s, %v\nwant %s, %v", strings.Join(got, ", "), err, c.want, c.err)
			}
			if from.asksRead != c.asks {
				t.Errorf("the asks were read %d times", from.asksRead)
			}
		})
	}
}

// A caller that stops early causes no further reads.
// TestEachPlanIsComparedWithItself has a session with two files and a plan of its own.
func TestEachPlanIsComparedWithItself(t *testing.T) {
	named := func(number int, name plans.Name) store.Plan {
		v := version(number, number)
		v.Name = name
		return v
	}
	versions := []store.Plan{named(1, "alpha.md"), named(2, "beta.md"), named(3, "alpha.md"), named(4, ""), named(5, "beta.md"), named(6, "alpha.md")}
	from := texts{plans: map[int]string{1: "a\n", 2: "b\nb\n", 3: "a\nA\n", 4: "own\n", 5: "b\n", 6: "A\n"}}
	for _, test := range []struct {
		numbers []int
		want    string
	}{
		{[]int{1, 2, 3, 4, 5, 6}, "v6 +0 −1, v5 +0 −1, v4 +1 −0, v3 +1 −0, v2 +2 −0, v1 +1 −0"},
		{[]int{6, 2}, "v6 +0 −1, v2 +2 −0"},
		{[]int{5}, "v5 +0 −1"},
	} {
		from.plansRead = 0
		var got []string
		for detail, err := range read(t, records{plans: versions}).Details(t.Context(), &from, test.numbers...) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, told(detail))
		}
		if strings.Join(got, ", ") != test.want || from.plansRead > len(versions) {
			t.Errorf("%v, %d texts read:\ngot  %s\nwant %s", test.numbers, from.plansRead, strings.Join(got, ", "), test.want)
		}
	}
	// Nobody knows of which plan a version is that cannot be read.
	versions[3].Err = errDamaged
	for detail, err := range read(t, records{plans: versions}).Details(t.Context(), &from, 5, 6) {
		if err != nil || detail.Counted {
			t.Errorf("v%d is compared past a damaged version, %v", detail.Plan, err)
		}
	}
}

func TestDetailsStop(t *testing.T) {
	story := read(t, records{plans: []store.Plan{version(1, 1), version(2, 2), version(3, 3), version(4, 4)}})
	from := &texts{plans: map[int]string{1: "a", 2: "b", 3: "c", 4: "d"}}
	for range story.Details(t.Context(), from, 4, 3, 2, 1) {
		break
	}
	if from.plansRead != 2 {
		t.Errorf("%d texts were read for the first detail", from.plansRead)
	}
}

// A citation leads to an ask that has the question and was answered before the
// version. A version that is added later changes no earlier detail.
func TestDetailsStayTrue(t *testing.T) {
	asks := []store.Ask{settled(asked("a", 1), questions.Answered, 2), settled(asked("b", 5), questions.Answered, 6)}
	specs := map[string][]string{"a": {"db"}, "b": {"db"}}
	plans := []store.Plan{version(1, 3), version(2, 4), version(3, 7)}
	from := &texts{plans: map[int]string{1: "[q:db]", 2: "[q:db]\nmore", 3: "[q:db]"}, asks: asks, specs: specs}
	details := func(n int, numbers ...int) (list []string) {
		story := read(t, records{asks: asks, plans: plans[:n]})
		for detail, err := range story.Details(t.Context(), from, numbers...) {
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, told(detail))
		}
		return list
	}
	for detail := range read(t, records{plans: plans}).Details(t.Context(), &texts{plans: map[int]string{1: "text\n## The heading\n"}}, 1) {
		if got := detail.Heading.Raw(); got != "The heading" {
			t.Errorf("the heading is %q", got)
		}
	}
	early, late := details(2, 1, 2), details(3, 1, 2, 3)
	if !slices.Equal(late[1:], early) || late[0] != "v3 +1 −2 db@1→b" {
		t.Errorf("first %v, later %v", early, late)
	}
}

// A citation has the question and the answer in short words, also of another kind than text.
func TestCitationsSayTheAnswer(t *testing.T) {
	ask := settled(asked("a", 1), questions.Answered, 2)
	ask.Spec.Questions = []questions.Question{
		{ID: "keep", Kind: questions.Single, Label: safe.New("How long?"), Options: []questions.Option{{Value: safe.New("30"), Label: safe.New("30 days")}}},
		{ID: "days", Kind: questions.Scale, Label: safe.New("How many?")},
		{ID: "why", Kind: questions.LongText, Label: safe.New("Why?")},
		{ID: "open", Kind: questions.Text, Label: safe.New("Who?")},
	}
	ask.Outcome.Reply.Answers = map[string]questions.Value{
		"keep": questions.TextValue("30"), "days": questions.NumberValue(7), "why": questions.TextValue(strings.Repeat("so\n", 60)),
	}
	from := &texts{plans: map[int]string{1: "[q:keep] [q:days] [q:why] [q:open]"}, asks: []store.Ask{ask}}
	story := read(t, records{asks: from.asks, plans: []store.Plan{version(1, 3)}})
	var got []string
	for detail, err := range story.Details(t.Context(), from, 1) {
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range detail.Citations {
			got = append(got, c.Label+" "+c.Said)
		}
	}
	want := []string{"How long? 30 days", "How many? 7", "Why? " + strings.Repeat("so↵", 19) + "so…", "Who? "}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

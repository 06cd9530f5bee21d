package tasks_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"planb/plans/tasks"
	"planb/questions/safe"
)

// edgesOf tells a plan's kept tasks with their edges.
func edgesOf(p tasks.Plan) string {
	var list []string
	for _, t := range p.Kept() {
		list = append(list, fmt.Sprintf("%d:%s(%s;%s)", t.Number, t.Key, strings.Join(t.DependsOn, " "), strings.Join(t.AlsoAfter, " ")))
	}
	return strings.Join(list, " ")
}

// T17: an amendment adds, rewords, splits and cancels tasks; the others stay as they
// are, and numbers are never used again.
func TestT17Amendment(t *testing.T) {
	before := plan(seed("schema"), seed("api", "schema"), seed("ui", "api"))
	before.Tasks[2].AlsoAfter = []string{"schema"}
	reworded := seed("ui", "api")
	reworded.Description = safe.New("more")
	for name, c := range map[string]struct {
		items   []tasks.Item
		want    string
		changes tasks.Changes
	}{
		"nothing":   {nil, "1:schema(;) 2:api(schema;) 3:ui(api;schema)", tasks.Changes{}},
		"the same":  {[]tasks.Item{item(seed("api", "schema"))}, "1:schema(;) 2:api(schema;) 3:ui(api;schema)", tasks.Changes{}},
		"added":     {[]tasks.Item{item(seed("docs", "ui"))}, "1:schema(;) 2:api(schema;) 3:ui(api;schema) 4:docs(ui;)", tasks.Changes{Added: []int{4}}},
		"reworded":  {[]tasks.Item{item(reworded)}, "1:schema(;) 2:api(schema;) 3:ui(api;schema)", tasks.Changes{Reworded: []int{3}}},
		"an edge":   {[]tasks.Item{item(seed("ui", "api", "schema"))}, "1:schema(;) 2:api(schema;) 3:ui(api schema;)", tasks.Changes{Reworded: []int{3}}},
		"cancelled": {[]tasks.Item{{Seed: seed("api"), Cancel: true}}, "1:schema(;) 3:ui(;schema)", tasks.Changes{Reworded: []int{3}, Cancelled: []int{2}}},
		"split": {[]tasks.Item{{Seed: seed("get"), SplitFrom: "api"}, {Seed: seed("put", "get"), SplitFrom: "api"}},
			"1:schema(;) 3:ui(get put;schema) 4:get(schema;) 5:put(get;)", tasks.Changes{Added: []int{4, 5}, Reworded: []int{3}, Cancelled: []int{2}}},
		"split, a part after the whole": {[]tasks.Item{{Seed: seed("get", "api"), SplitFrom: "api"}},
			"1:schema(;) 3:ui(get;schema) 4:get(schema;)", tasks.Changes{Added: []int{4}, Reworded: []int{3}, Cancelled: []int{2}}},
		"split, a part after a cancelled task": {[]tasks.Item{{Seed: seed("show", "api"), SplitFrom: "ui"}, {Seed: seed("api"), Cancel: true}},
			"1:schema(;) 4:show(;)", tasks.Changes{Added: []int{4}, Cancelled: []int{2, 3}}},
		"split, a part after a task that is cancelled, of one that is not alone": {[]tasks.Item{{Seed: seed("get", "schema"), SplitFrom: "api"}, {Seed: seed("put"), SplitFrom: "api"}, {Seed: seed("schema"), Cancel: true}},
			"3:ui(get put;) 4:get(;) 5:put(;)", tasks.Changes{Added: []int{4, 5}, Reworded: []int{3}, Cancelled: []int{1, 2}}},
	} {
		t.Run(name, func(t *testing.T) {
			after, err := before.Amend(tasks.Proposal{Items: c.items}, tasks.NewMarks(before.Tasks))
			if err != nil {
				t.Fatal(err)
			}
			if got := edgesOf(after); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			if got := tasks.Compare(graph(t, before), graph(t, after)); !reflect.DeepEqual(got, c.changes) || got.None() != (len(c.changes.Added)+len(c.changes.Reworded)+len(c.changes.Cancelled) == 0) {
				t.Errorf("changed are %+v, want %+v", got, c.changes)
			}
		})
	}
	again, err := before.Amend(tasks.Proposal{Items: []tasks.Item{{Seed: seed("ui"), Cancel: true}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if again, err = again.Amend(tasks.Proposal{Title: safe.New("New"), Items: []tasks.Item{item(seed("ui"))}}, nil); err != nil {
		t.Fatal(err)
	}
	if got := edgesOf(again); got != "1:schema(;) 2:api(schema;) 4:ui(;)" || again.Title.Raw() != "New" {
		t.Errorf("a cancelled key used again: %s", got)
	}
}

// T17: an agent rewords a task by the fields that change.
func TestT17WhatARewordingLeavesOutStays(t *testing.T) {
	before := tasks.Plan{Title: safe.New("Auth"), Tasks: must(tasks.ReadProposal([]byte(`{"title":"Auth","tasks":[{"nodeKey":"schema","title":"Schema"},
		{"nodeKey":"api","title":"API","description":"All of it.","executionContract":{"files":["api/"]},
		"verificationContract":{"kind":"command","commands":["go test ./..."]},"dependsOn":["schema"],"estimateMinutes":90}]}`), nil))(t).Plan().Tasks}
	for name, c := range map[string]struct {
		item    string
		changes func(want *tasks.Seed)
	}{
		"the title":         {`{"nodeKey":"api","title":"The API"}`, func(want *tasks.Seed) { want.Title = safe.New("The API") }},
		"fields left empty": {`{"nodeKey":"api","title":"The API","description":"","executionContract":{},"verificationContract":null}`, func(want *tasks.Seed) { want.Title = safe.New("The API") }},
		"the description":   {`{"nodeKey":"api","title":"API","details":"A part."}`, func(want *tasks.Seed) { want.Description = safe.New("A part.") }},
		"the files":         {`{"nodeKey":"api","title":"API","executionContract":{"files":["web/"]}}`, func(want *tasks.Seed) { want.Execution.Files = []safe.Text{safe.New("web/")} }},
		"no verification":   {`{"nodeKey":"api","title":"API","verificationContract":{"kind":"none"}}`, func(want *tasks.Seed) { want.Verification = tasks.Verification{Kind: tasks.None} }},
		"what it waits for": {`{"nodeKey":"api","title":"API","dependsOn":[]}`, func(want *tasks.Seed) { want.DependsOn = nil }},
		"the estimate":      {`{"nodeKey":"api","title":"API","estimateMinutes":30}`, func(want *tasks.Seed) { want.Minutes = 30 }},
		"criteria of elsewhere": {`{"nodeKey":"api","title":"API","acceptanceCriteria":["it is fast"]}`, func(want *tasks.Seed) {
			want.Verification = tasks.Verification{Kind: tasks.Evidence, Criteria: []safe.Text{safe.New("it is fast")}}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			change := must(tasks.ReadProposal([]byte(`{"tasks":[`+c.item+`]}`), graph(t, before)))(t)
			// Until the person decides, an amendment is kept as JSON.
			kept := must(json.Marshal(change))(t)
			change = tasks.Proposal{}
			if err := json.Unmarshal(kept, &change); err != nil {
				t.Fatal(err)
			}
			after := must(before.Amend(change, tasks.NewMarks(before.Tasks)))(t)
			want := before.Tasks[1].Seed
			c.changes(&want)
			if got := after.Tasks[1].Seed; !reflect.DeepEqual(got, want) {
				t.Errorf("got  %+v\nwant %+v", got, want)
			}
		})
	}
}

// must returns what a call returned, or fails the test that it is then given.
func must[T any](value T, err error) func(*testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

func graph(t interface {
	Helper()
	Fatal(...any)
}, p tasks.Plan) *tasks.Graph {
	t.Helper()
	g, err := tasks.Build(p)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// T17: what was begun cannot be cancelled or split by an agent, and what is done
// stays as it is.
func TestT17WhatWasBegunStays(t *testing.T) {
	before := plan(seed("a"), seed("b"), seed("c"), seed("d"))
	marks := tasks.NewMarks(before.Tasks)
	marks.Set(1, tasks.InProgress)
	marks.Set(2, tasks.Done)
	reworded := seed("b")
	reworded.Minutes = 1
	held := seed("a")
	held.Minutes = 1
	_, err := before.Amend(tasks.Proposal{Items: []tasks.Item{
		{Seed: seed("a"), Cancel: true}, {Seed: seed("a1"), SplitFrom: "a"}, item(reworded), {Seed: seed("x"), Cancel: true},
		{Seed: seed("y"), SplitFrom: "x"}, {Seed: seed("c"), SplitFrom: "c"}, {Seed: seed("d"), Cancel: true}, item(seed("d")),
	}}, marks)
	want := `tasks[0]: "a" is in_progress; only your user can cancel what was begun
tasks[1]: "a" is in_progress; only your user can cancel what was begun
tasks[2]: "b" is done and stays as it is; add another task
tasks[3]: there is no such task to be cancelled
tasks[4].splitFrom: "x" is no task of this plan
tasks[5].splitFrom: a part needs a nodeKey of its own
tasks[7]: "d" is split or cancelled by the same proposal`
	if err == nil || err.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
	if _, err := before.Amend(tasks.Proposal{Items: []tasks.Item{item(held), item(seed("b"))}}, marks); err != nil {
		t.Errorf("a task in work is reworded: %v", err)
	}
}

// T17: what no longer applies of an amendment is left out and named; the rest is what
// Amend accepts.
func TestT17WhatStillApplies(t *testing.T) {
	before := plan(seed("a"), seed("b"), seed("c"))
	reworded := seed("a")
	reworded.Minutes = 1
	split := []tasks.Item{{Seed: seed("b1"), SplitFrom: "b"}, {Seed: seed("b2", "b1"), SplitFrom: "b"}, item(seed("x", "b2", "b1", "c"))}
	for name, c := range map[string]struct {
		items    []tasks.Item
		n        int
		state    tasks.State
		outdated string
		want     string
	}{
		"reworded, cancelled":  {[]tasks.Item{item(reworded)}, 1, tasks.Cancelled, "a", "1:a(;) 2:b(;) 3:c(;)"},
		"reworded, done":       {[]tasks.Item{item(reworded)}, 1, tasks.Done, "a", "1:a(;) 2:b(;) 3:c(;)"},
		"reworded, claimed":    {[]tasks.Item{item(reworded)}, 1, tasks.Claimed, "", "1:a(;) 2:b(;) 3:c(;)"},
		"the same, done":       {[]tasks.Item{item(seed("a"))}, 1, tasks.Done, "", "1:a(;) 2:b(;) 3:c(;)"},
		"cancelled, claimed":   {[]tasks.Item{{Seed: seed("a"), Cancel: true}}, 1, tasks.Claimed, "a", "1:a(;) 2:b(;) 3:c(;)"},
		"cancelled, cancelled": {[]tasks.Item{{Seed: seed("a"), Cancel: true}}, 1, tasks.Cancelled, "a", "1:a(;) 2:b(;) 3:c(;)"},
		"split, open":          {split, 1, tasks.Done, "", "1:a(;) 3:c(;) 4:b1(;) 5:b2(b1;) 6:x(b2 b1 c;)"},
		"split, claimed":       {split, 2, tasks.Claimed, "b1 b2", "1:a(;) 2:b(;) 3:c(;) 4:x(b c;)"},
	} {
		t.Run(name, func(t *testing.T) {
			marks := tasks.NewMarks(before.Tasks)
			marks.Set(c.n, c.state)
			after, _, outdated, err := before.AmendWhatApplies(tasks.Proposal{Items: c.items}, marks)
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(outdated, " "); got != c.outdated {
				t.Errorf("left out are %q, want %q", got, c.outdated)
			}
			if got := edgesOf(after); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
	after, err := before.Amend(tasks.Proposal{Items: split}, nil)
	if err != nil {
		t.Fatal(err)
	}
	after, _, outdated, err := after.AmendWhatApplies(tasks.Proposal{Items: append(split, item(seed("y", "b")))}, nil)
	if err != nil || len(outdated) > 0 || !strings.Contains(edgesOf(after), "y(b1 b2;)") {
		t.Errorf("approved in part: %s, without %v, %v", edgesOf(after), outdated, err)
	}
}

// T17: a change that would close a cycle, or exceed a limit, in the plan as a person
// edited it since is left out; a split as a whole.
func TestT17WhatClosesACycleSince(t *testing.T) {
	also := seed("c", "b")
	also.AlsoAfter = []string{"a"}
	var many []string
	edges := []tasks.Seed{seed("a", "b"), seed("b"), seed("c")}
	for i := range tasks.MaxDependsOn {
		many = append(many, fmt.Sprint("t", i))
		edges = append(edges, seed(many[i]))
	}
	edges[0].AlsoAfter = many[1:]
	for name, c := range map[string]struct {
		now      tasks.Plan
		items    []tasks.Item
		outdated string
		want     string
	}{
		"a rewording":       {plan(seed("a", "b"), seed("b"), seed("c")), []tasks.Item{item(seed("c", "a")), item(seed("b", "a"))}, "b", "1:a(b;) 2:b(;) 3:c(a;)"},
		"two on one cycle":  {plan(seed("a"), seed("b"), also), []tasks.Item{item(seed("a", "b")), item(seed("b", "c"))}, "b", "1:a(b;) 2:b(;) 3:c(b;a)"},
		"two cycles":        {plan(seed("a", "c"), seed("b", "c"), seed("c")), []tasks.Item{item(seed("c", "a", "b"))}, "c", "1:a(c;) 2:b(c;) 3:c(;)"},
		"an added edge":     {plan(seed("a"), seed("b"), also), []tasks.Item{item(seed("a", "c"))}, "a", "1:a(;) 2:b(;) 3:c(b;a)"},
		"a split":           {plan(seed("a", "b"), seed("b"), seed("c", "b")), []tasks.Item{{Seed: seed("b1", "a"), SplitFrom: "b"}, {Seed: seed("b2"), SplitFrom: "b"}}, "b1 b2", "1:a(b;) 2:b(;) 3:c(b;)"},
		"too many edges":    {plan(edges...), []tasks.Item{item(seed("a", "b", "c"))}, "a", ""},
		"nothing is closed": {plan(seed("a", "b"), seed("b"), seed("c")), []tasks.Item{item(seed("c", "a"))}, "", "1:a(b;) 2:b(;) 3:c(a;)"},
	} {
		t.Run(name, func(t *testing.T) {
			after, g, outdated, err := c.now.AmendWhatApplies(tasks.Proposal{Items: c.items}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(outdated, " "); got != c.outdated {
				t.Errorf("left out are %q, want %q", got, c.outdated)
			}
			if got := edgesOf(after); c.want != "" && got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			if again, err := tasks.Build(after); err != nil || again.Hash() != g.Hash() {
				t.Errorf("the graph is another one: %v", err)
			}
		})
	}
}

// The Markdown of an amendment, read and applied to the plan before, gives the plan
// after it: what a person reads is what is approved.
func TestAmendmentAsMarkdownGivesTheSamePlan(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before := plan(drawSeeds(t, 6)...)
		var change tasks.Proposal
		for _, task := range before.Tasks {
			s := task.Seed
			switch rapid.IntRange(0, 5).Draw(t, "what") {
			case 0:
				change.Items = append(change.Items, tasks.Item{Seed: s, Cancel: true})
			case 1:
				for i := range rapid.IntRange(1, 2).Draw(t, "parts") {
					part := seed(fmt.Sprintf("%s-part-%d", s.Key, i))
					if rapid.Bool().Draw(t, "waits") {
						part.DependsOn = []string{rapid.SampledFrom(before.Tasks).Draw(t, "for").Key}
					}
					change.Items = append(change.Items, tasks.Item{Seed: part, SplitFrom: s.Key})
				}
			case 2:
				s.Description = safe.New(drawLine(t, "description", "D"))
				change.Items = append(change.Items, item(s))
			}
		}
		if rapid.Bool().Draw(t, "more") {
			change.Items = append(change.Items, item(seed("more")))
		}
		after, err := before.Amend(change, nil)
		if err != nil {
			t.Fatal(err)
		}
		next, err := tasks.Build(after)
		if tasks.CodeOf(err) == tasks.CodeDependencyCycle {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		old := graph(t, before)
		shown := after.Amendment(tasks.Compare(old, next))
		if len(shown.Items) == 0 {
			return
		}
		text := tasks.Render(shown)
		doc, err := tasks.ParseMarkdown(text, old)
		if err != nil {
			t.Fatalf("%s\n%v", text.Raw(), err)
		}
		again, err := before.Amend(doc.Proposal, nil)
		if err != nil {
			t.Fatalf("%s\n%v", text.Raw(), err)
		}
		if got := graph(t, again); got.Hash() != next.Hash() || !slices.Equal(keysOf(got), keysOf(next)) {
			t.Fatalf("%s\ngot  %s\nwant %s", text.Raw(), edgesOf(again), edgesOf(after))
		}
		// What did not change stays unlocked, and nothing else does.
		changes := tasks.Compare(old, next)
		for n, unlocked := range next.Unlocked(old, nil) {
			changed := slices.Contains(changes.Added, n+1) || slices.Contains(changes.Reworded, n+1)
			if !next.Dropped(n+1) && unlocked == changed {
				t.Fatalf("task %d changed: %v, unlocked: %v", n+1, changed, unlocked)
			}
		}
	})
}

func keysOf(g *tasks.Graph) (keys []string) {
	for n := 1; n <= g.Len(); n++ {
		keys = append(keys, fmt.Sprint(n, g.Key(n), g.Dropped(n)))
	}
	return keys
}

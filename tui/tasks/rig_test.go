package tasks

import (
	"context"
	"testing"
	"time"

	rules "planb/plans/tasks"
	"planb/questions/safe"
	kept "planb/store/tasks"
	"planb/themes"
	"planb/tui/tuitest"
)

// desk is a store of plans for tests: each test says how its tasks stand.
type desk struct {
	t     testing.TB
	plans []kept.Whole
	texts map[string][]rules.Task
	past  map[string]kept.Past // by nodeKey
	said  []string             // what was decided
	waits []kept.WaitingChange // of every plan
	fails error                // of every decision
}

const planID = "0190a1b2-0000-7000-8000-00003f9a0000"

// newDesk is a store with one plan, as its Markdown says.
func newDesk(t testing.TB, markdown string, status rules.Status) *desk {
	t.Helper()
	document, err := rules.ParseMarkdown(safe.New(markdown), nil)
	if err != nil {
		t.Fatal(err)
	}
	d := &desk{t: t, texts: map[string][]rules.Task{}}
	d.add(document.Plan(), planID, status)
	return d
}

func (d *desk) add(p rules.Plan, id string, status rules.Status) {
	d.t.Helper()
	graph, err := rules.Build(p)
	if err != nil {
		d.t.Fatal(err)
	}
	w := kept.Whole{
		Plan:  kept.Plan{ID: id, Project: "shop", Title: p.Title, Status: status, Tasks: len(p.Tasks), Created: tuitest.Moment.Add(-time.Hour), Updated: tuitest.Moment.Add(-time.Hour)},
		Graph: graph, Marks: rules.NewMarks(p.Tasks),
	}
	if status != rules.PlanProposed {
		w.Approved = graph
		w.Approval = &kept.Approval{Hash: graph.Hash(), By: "you@desk", At: tuitest.Moment.Add(-3 * time.Hour)}
	}
	d.plans, d.texts[id] = append(d.plans, w), p.Tasks
}

// set puts tasks of the first plan into a state.
func (d *desk) set(state rules.State, keys ...string) *desk {
	for _, key := range keys {
		d.plans[0].Marks.Set(d.number(key), state)
	}
	return d
}

func (d *desk) number(key string) int {
	d.t.Helper()
	n, ok := d.plans[0].Graph.Find(key)
	if !ok {
		d.t.Fatalf("there is no task %q", key)
	}
	return n
}

// claim has an agent work on tasks since some minutes.
func (d *desk) claim(worker string, minutes int, keys ...string) *desk {
	if d.plans[0].Claims == nil {
		d.plans[0].Claims = map[int]kept.Claim{}
	}
	for _, key := range keys {
		at := tuitest.Moment.Add(-time.Duration(minutes) * time.Minute)
		d.plans[0].Claims[d.number(key)] = kept.Claim{State: rules.InProgress, Claim: rules.Claim{ID: "1-9ac0f2d1", Worker: worker, At: at, Heard: at}}
	}
	return d.set(rules.InProgress, keys...)
}

// Plans, Projects, Plan and Tasks make it a Store.
func (d *desk) Plans(context.Context, kept.Caller) ([]kept.Plan, error) {
	var list []kept.Plan
	for _, w := range d.plans {
		list = append(list, w.Plan)
	}
	return list, nil
}

func (d *desk) Projects(context.Context, kept.Caller) ([]kept.Project, error) {
	return []kept.Project{{Project: rules.Project{ID: "shop", Name: safe.New("shop")}}}, nil
}

func (d *desk) Plan(_ context.Context, _ kept.Caller, id string) (kept.Whole, error) {
	plan, _, _ := rules.SplitID(id)
	for _, w := range d.plans {
		if w.ID == plan {
			return w, nil
		}
	}
	return kept.Whole{}, rules.Missing("plan", id, nil)
}

func (d *desk) Tasks(_ context.Context, w kept.Whole, _ ...int) ([]rules.Task, error) {
	return d.texts[w.ID], nil
}

func (d *desk) Past(_ context.Context, _ kept.Caller, id string) (kept.Past, error) {
	_, n, _ := rules.SplitID(id)
	return d.past[d.plans[0].Graph.Key(n)], nil
}

func (d *desk) Unreported(_ context.Context, w kept.Whole) (map[int]kept.Attempt, error) {
	list := map[int]kept.Attempt{}
	for n := 1; n <= w.Graph.Len(); n++ {
		past := d.past[w.Graph.Key(n)].Attempts
		switch {
		case w.Marks.State(n) != rules.NeedsReview:
		case len(past) == 0:
			list[n] = kept.Attempt{}
		case past[len(past)-1].Report == nil:
			list[n] = past[len(past)-1]
		}
	}
	return list, nil
}

func (d *desk) Waiting(context.Context, kept.Whole, *rules.View) ([]kept.WaitingChange, error) {
	return d.waits, nil
}

// Watch never rings.
func (d *desk) Watch(context.Context) (<-chan struct{}, error) { return nil, context.Canceled }

func (d *desk) deps() Deps {
	return Deps{Store: d, Decide: d, Watcher: d, By: "you@desk", Now: func() time.Time { return tuitest.Moment }, After: tuitest.Soon}
}

// open shows the plan.
func (d *desk) open(width, height int, theme themes.Theme) *tuitest.Rig {
	d.t.Helper()
	return tuitest.Open(d.t, New(d.deps(), planID), width, height, theme)
}

// rewrite is a plan of twelve tasks that has everything.
const rewrite = `# Auth rewrite

Sessions move from cookies to tokens.

## Write the schema of tokens {#schema}

estimate: 1h
priority: 1

Tables, indexes, and what a token may hold.

## Move configuration into one file {#config}

estimate: 30m

## API for tokens {#api}

after: schema, config
estimate: 2h30m
priority: 0

What signs a token, and what checks it.

` + "```contract\nfiles:\n- api/\nconstraints:\n- no new dependency\nverification: command\ncommands:\n- go test ./api/...\ncriteria:\n- a token of yesterday is refused\n```" + `

## Sign-in with a passkey, also for people who have two devices {#passkey}

after: api
estimate: 3h

## Client library {#client}

after: api
estimate: 1h30m

## Write the migration of signed-in users {#migrate}

after: schema
estimate: 2h

1. Read the session.
2. Write the token **beside** it, not instead of it.

` + "```contract\nfiles:\n- api/migrate/\nverification: manual\ncriteria:\n- nobody is signed out\n```" + `

## Ask the bank about their tokens {#bank}

estimate: 15m

` + "```contract\nexecution: human\n```" + `

## Load test with 10,000 sessions {#load}

after: passkey, migrate
estimate: 1h

## Documentation 世界 for operators 🚀 {#docs}

after: client
estimate: 45m
priority: 3

## Rate limits {#limits}

after: config
estimate: 40m

## Remove the cookie code {#remove}

after: load, docs
estimate: 20m

## Error pages {#errors}

estimate: 20m
priority: 3
`

package inbox

import (
	"context"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	said "planb/plans/review"
	rules "planb/plans/tasks"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	kept "planb/store/tasks"
	"planb/themes"
	"planb/tui/tasks"
	"planb/tui/tuitest"
)

// withTasks is what the inbox gets of a world with a plan of tasks that an agent proposed.
func withTasks(t *testing.T, w *tuitest.World) (Deps, kept.Proposed) {
	t.Helper()
	agent := kept.Caller{Actor: rules.Agent, Name: "Claude Code"}
	tuitest.Must(w.Store.Tasks().CreateProject(t.Context(), agent, "Shop", ""))
	proposal := tuitest.Must(rules.ReadProposal([]byte(`{"title":"Auth rewrite","tasks":[{"title":"Write the schema"},{"title":"Ask the bank","executionContract":{"kind":"human"}}]}`), nil))
	session := w.Session("Auth", "/home/you/shop")
	plan := tuitest.Must(w.Store.Tasks().Propose(t.Context(), agent, kept.Proposal{Proposal: proposal, Session: session.ID}))
	d := depsOf(w, true)
	d.Tasks = tasks.Deps{Store: w.Store.Tasks(), Decide: w.Store.Tasks(), Watcher: w.Store, By: "you@desk", Now: w.Clock, After: tuitest.Soon}
	return d, plan
}

// review opens the review that approves a plan.
func review(t *testing.T, w *tuitest.World, plan kept.Proposed) store.Ask {
	t.Helper()
	by := kept.Caller{Actor: rules.User, Name: "you@desk"}
	ask := tuitest.Must(w.Store.ReviewTasks(t.Context(), by, plan.ID, store.TaskReview{Session: plan.Session}))
	opened, _, err := w.Store.OpenAsk(t.Context(), ask)
	if err != nil {
		t.Fatal(err)
	}
	return opened
}

// A plan that waits for the person is listed once: by itself, or as the review that is open.
func TestTasksThatNeedThePerson(t *testing.T) {
	t.Parallel()
	w := tuitest.NewWorld(t)
	d, plan := withTasks(t, w)
	r := tuitest.Open(t, New(d), 120, 30, themes.None())
	r.Shows("Tasks that need you  1", "Auth rewrite", "2 tasks to approve")
	r.Keys("s")
	r.Shows("Only what waits for you can be snoozed or withdrawn.")
	r.Keys("a")
	r.Shows("this is a plan of tasks")
	r.Keys("enter")
	if _, ok := r.Top().(*tasks.Screen); !ok {
		t.Fatalf("%T is open", r.Top())
	}
	r.Shows("nothing begins before you approve it")
	review(t, w, plan)
	again := tuitest.Open(t, New(d), 120, 30, themes.None())
	again.Shows("Waiting for you  1", "Auth rewrite")
	again.Hides("Tasks that need you")
	d.Answers = false
	past := tuitest.Open(t, New(d), 120, 30, themes.None())
	past.Hides("Tasks that need you")
}

// Changes of a plan that waits for nothing else are listed and named, until a review of them is open.
func TestChangesOfAPlanThatNeedThePerson(t *testing.T) {
	t.Parallel()
	w := tuitest.NewWorld(t)
	d, plan := withTasks(t, w)
	ask := review(t, w, plan)
	text := tuitest.Must(w.Store.PlanText(t.Context(), ask.Session, ask.Spec.Plan.Number))
	entry := said.NewEntry(text)
	answer := tuitest.Must(entry.Complete(said.Approve))
	tuitest.Must(w.Store.Settle(t.Context(), ask.ID, questions.Outcome{State: questions.Answered, Reply: questions.Reply{
		Answers: map[string]questions.Value{questions.ReviewID: questions.TextValue(string(answer))},
	}}))
	by := kept.Caller{Actor: rules.User, Name: "you@desk"}
	whole := tuitest.Must(w.Store.Tasks().Plan(t.Context(), by, plan.ID))
	tuitest.Must(w.Store.Tasks().Finish(t.Context(), by, whole.TaskID(2), safe.Text{}))
	none := tuitest.Open(t, New(d), 120, 30, themes.None())
	none.Hides("Tasks that need you")
	change := tuitest.Must(rules.ReadProposal([]byte(`{"tasks":[{"nodeKey":"api","title":"Write the API"},{"nodeKey":"write-the-schema","title":"Write all tables"}]}`), whole.Graph))
	tuitest.Must(w.Store.Tasks().Propose(t.Context(), kept.Caller{Actor: rules.Agent, Name: "Claude Code"}, kept.Proposal{Proposal: change, Replaces: plan.ID}))
	r := tuitest.Open(t, New(d), 120, 30, themes.None())
	r.Shows("Tasks that need you  1", "Auth rewrite", "2 to approve", "Write the API", "new, to be approved", "Write all tables", "reworded, to be approved")
	review(t, w, plan)
	again := tuitest.Open(t, New(d), 120, 30, themes.None())
	again.Shows("Waiting for you  1")
	again.Hides("Tasks that need you")
}

// The filter finds plans of tasks by their words.
func TestFilteringTasks(t *testing.T) {
	t.Parallel()
	w := tuitest.NewWorld(t)
	d, _ := withTasks(t, w)
	for filter, listed := range map[string]bool{"rewrite": true, "shop": true, "zzz": false, "status:waiting": true, "status:open": true, "status:archived": false} {
		r := tuitest.Open(t, New(d), 100, 30, themes.None())
		r.Keys("/")
		for _, c := range filter {
			r.Send(tuitest.Key(t, string(c)))
		}
		if got := strings.Contains(r.Text(), "Tasks that need you"); got != listed {
			t.Errorf("%q lists it: %v\n%s", filter, got, r.Text())
		}
	}
}

// The inbox rings once for what comes to need the person, and not for what did so before.
func TestTasksRing(t *testing.T) {
	t.Parallel()
	var rings ringState
	now := time.Now()
	need := func(wants ...string) []Need {
		n := tasks.Need{Plan: kept.Plan{ID: "p", Title: safe.New("Auth rewrite")}, Accept: len(wants)}
		for i, w := range wants {
			n.Tasks = append(n.Tasks, tasks.Needed{ID: string(rune('a' + i)), Title: "T", Wants: w})
		}
		return []Need{needOfPlan(tasks.Deps{}, n)}
	}
	nowhereElse := func(string) elsewhere { return nowhere }
	if rings.saw(nil, need("to be accepted"), now) {
		t.Error("it rings for what was there before")
	}
	if !rings.saw(nil, need("to be accepted", "for you to do"), now) {
		t.Error("it does not ring for a task that came to need the person")
	}
	if ring, _ := rings.turn(nowhereElse); len(ring) != 1 || ring[0] != "b for you to do" {
		t.Errorf("it rings for %q", ring)
	}
	if rings.saw(nil, need("to be accepted", "for you to do"), now) {
		t.Error("it rings again")
	}
	if got := needWords(need("to be accepted")); got != "Tasks: Auth rewrite · 1 to accept" {
		t.Errorf("it says %q", got)
	}
}

// A ring for tasks reaches the terminal.
func TestTheInboxRingsForTasks(t *testing.T) {
	t.Parallel()
	w := tuitest.NewWorld(t)
	d := depsOf(w, true)
	d.Rings = Rings{Message: true}
	var told []string
	d.Announce = func(_ context.Context, text string) error {
		told = append(told, text)
		return nil
	}
	d.After = func(pause time.Duration, msg tea.Msg) tea.Cmd {
		if pause == ringGather {
			pause = 0
		}
		return tuitest.Soon(pause, msg)
	}
	d.Tasks = tasks.Deps{Store: w.Store.Tasks(), Watcher: w.Store, By: "you@desk", Now: w.Clock, After: tuitest.Soon}
	list := New(d)
	r := tuitest.Open(t, list, 100, 30, themes.None())
	withTasks(t, w)
	r.Run(list.read())
	if len(told) != 1 || told[0] != "planb: Tasks: Auth rewrite · 2 tasks to approve" {
		t.Errorf("told %q", told)
	}
}

// The cursor stays on its row when less, or something else, needs the person.
func TestTheCursorStaysWhenWhatNeedsThePersonChanges(t *testing.T) {
	t.Parallel()
	need := func(ids ...string) (needs []Need) {
		for _, id := range ids {
			needs = append(needs, Need{ID: id, Title: safe.New(id)})
		}
		return needs
	}
	sessions := func() []store.Session { return []store.Session{{ID: "session"}} }
	for name, test := range map[string]struct {
		needs []Need
		want  string
		moved bool
	}{
		"one comes in before it": {need("new", "one", "two"), "two", false},
		"one before it is gone":  {need("two"), "two", false},
		"it is gone":             {need("one"), "session", true},
		"all are gone":           {nil, "session", true},
	} {
		s := listState{listed: true}
		s.list.SetLines(20)
		s.replace(nil, need("one", "two"), sessions(), "", tuitest.Moment)
		s.point("two")
		if moved := s.replace(nil, test.needs, sessions(), "", tuitest.Moment); s.current() != test.want || moved != test.moved {
			t.Errorf("%s: the cursor is on %q, moved: %v", name, s.current(), moved)
		}
	}
}

package inbox

import (
	"strings"
	"testing"
	"time"

	rules "planb/drafts"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/store/runs"
	"planb/themes"
	"planb/tui/drafts"
	"planb/tui/screen"
	"planb/tui/tuitest"
)

// A draft that waits for the person is listed once: by itself, or as the form that is open. It
// opens from there.
func TestDraftsThatNeedThePerson(t *testing.T) {
	t.Parallel()
	w := tuitest.NewWorld(t)
	draft := w.Draft(w.Session("Workshop", "/home/you/shop"), "choose")
	d := depsOf(w, true)
	d.Drafts = drafts.Deps{
		Store: w.Store.Drafts(), Watcher: w.Store, By: "you@desk", Now: w.Clock, After: tuitest.Soon,
		Section: rules.Draft.Markdown, Schedule: rules.Draft.Schedule,
	}
	r := tuitest.Open(t, New(d), 120, 30, themes.None())
	r.Shows("Drafts that need you  1", "Repair workshop for appliances and bicycles in Pla…", "waits for you")
	r.Keys("a")
	r.Shows("this is a draft")
	r.Keys("enter")
	if _, ok := r.Top().(*drafts.Screen); !ok {
		t.Fatalf("%T is open", r.Top())
	}
	gate := draft.Draft.ReadySteps()[0]
	form := tuitest.Must(draft.Form(gate))
	_, _, err := w.Store.OpenAsk(t.Context(), store.Ask{Session: draft.Session, Spec: form, Subject: store.Subject{Kind: runs.SubjectKind, ID: draft.Gate(gate).Subject()}})
	if err != nil {
		t.Fatal(err)
	}
	again := tuitest.Open(t, New(d), 120, 30, themes.None())
	again.Shows("Waiting for you  1")
	again.Hides("Drafts that need you")
	d.Answers = false
	past := tuitest.Open(t, New(d), 120, 30, themes.None())
	past.Hides("Drafts that need you")
}

// While an agent has the person's reply to a draft's form, the draft does not need the person. It
// does if the agent has done nothing about the reply for long, or if the form that came after it
// was taken back.
func TestADraftWhoseFormWasRepliedToIsTheAgents(t *testing.T) {
	t.Parallel()
	w := tuitest.NewWorld(t)
	draft := w.Draft(w.Session("Workshop", "/home/you/shop"), "choose")
	now := w.Clock()
	d := depsOf(w, true)
	d.Drafts = drafts.Deps{
		Store: w.Store.Drafts(), Asks: w.Store.Asks, Watcher: w.Store, By: "you@desk", Now: func() time.Time { return now }, After: tuitest.Soon,
		Section: rules.Draft.Markdown, Schedule: rules.Draft.Schedule,
	}
	const section = "Drafts that need you"
	opened := func() *tuitest.Rig { return tuitest.Open(t, New(d), 120, 30, themes.None()) }
	// The list of drafts and what stands about one say the same as the inbox.
	saidAs := func(want, not string) {
		t.Helper()
		for _, s := range []screen.Screen{drafts.NewList(d.Drafts), drafts.New(d.Drafts, draft.ID)} {
			r := tuitest.Open(t, s, 120, 30, themes.None())
			r.Shows(want)
			r.Hides(not)
		}
		if read := tuitest.Must(d.Drafts.Read(t.Context(), draft.ID)); !strings.Contains(read.Standing(), want) {
			t.Errorf("read out is %s", read.Standing())
		}
	}
	gate := draft.Draft.ReadySteps()[0]
	form := store.Ask{Session: draft.Session, Spec: tuitest.Must(draft.Form(gate)), Subject: store.Subject{Kind: runs.SubjectKind, ID: draft.Gate(gate).Subject()}}
	ask, _, err := w.Store.OpenAsk(t.Context(), form)
	if err != nil {
		t.Fatal(err)
	}
	const yours, agents = "waits for you", "you replied: it is the agent's turn"
	saidAs(yours, agents)
	settled := tuitest.Must(w.Store.Settle(t.Context(), ask.ID, questions.Outcome{State: questions.Discuss, Message: safe.New("Is there a cheaper one?")}))
	opened().Hides(section)
	saidAs(agents, yours)
	if err := w.Store.Deliver(t.Context(), ask.ID); err != nil {
		t.Fatal(err)
	}
	opened().Hides(section)
	now = settled.Outcome.At.Add(runs.StallTime + time.Second)
	opened().Shows(section, "waits for you")
	saidAs(yours, agents)
	now = settled.Outcome.At.Add(time.Second)
	opened().Hides(section)
	again, _, err := w.Store.OpenAsk(t.Context(), form)
	if err != nil {
		t.Fatal(err)
	}
	tuitest.Must(w.Store.Settle(t.Context(), again.ID, questions.Outcome{State: questions.Withdrawn}))
	opened().Shows(section, "waits for you")
}

// Tasks and drafts stand in one section.
func TestTasksAndDraftsThatNeedThePerson(t *testing.T) {
	t.Parallel()
	w := tuitest.NewWorld(t)
	d, _ := withTasks(t, w)
	w.Draft(w.Session("Workshop", "/home/you/shop"), "choose")
	d.Drafts = drafts.Deps{
		Store: w.Store.Drafts(), Watcher: w.Store, By: "you@desk", Now: w.Clock, After: tuitest.Soon,
		Section: rules.Draft.Markdown, Schedule: rules.Draft.Schedule,
	}
	r := tuitest.Open(t, New(d), 120, 30, themes.None())
	r.Shows("Tasks and drafts that need you  2", "Auth rewrite", "waits for you")
}

// The inbox rings for a draft once for each thing that it comes to need, however long it is
// stalled.
func TestDraftsRing(t *testing.T) {
	t.Parallel()
	need := func(words string) []Need {
		return []Need{needOfDraft(drafts.Deps{}, drafts.Need{ID: "p", Words: words})}
	}
	var rings ringState
	now := tuitest.Moment
	rings.saw(nil, nil, now)
	for _, turn := range []struct {
		words string
		rings bool
	}{
		{"stalled: nothing was written for 11 min", true},
		{"stalled: nothing was written for 12 min", false},
		{"waits for you: Chosen Scenario", true},
	} {
		rings.fresh = nil
		if got := rings.saw(nil, need(turn.words), now); got != turn.rings {
			t.Errorf("%q rings: %v, want %v", turn.words, got, turn.rings)
		}
	}
}

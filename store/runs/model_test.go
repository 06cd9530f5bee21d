package runs_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"planb/drafts"
	"planb/drafts/draftstest"
	"planb/drafts/schedule"
	"planb/drafts/shape"
	"planb/questions"
	"planb/store/kv/kvtest"
	"planb/store/runs"
)

// acting is a store with one plan, and what it should hold: agents, a person and the
// clock act on it.
type acting struct {
	t      *testing.T
	engine *kvtest.Map
	clock  *clock
	id     string
	state  runs.State
	run    int
	gen    int
	steps  map[string]*modelStep
	events int
	flags  schedule.Flags
	n      int // for texts that differ
}

// modelStep is a step as it should be.
type modelStep struct {
	sha      string            // of the output; empty if there is none
	from     map[string]string // the outputs that it was written from, by step
	asked    string            // the guidance that it was written with
	guidance string            // the guidance that there is now
	flags    schedule.Flags    // that the schedule was made with
	again    bool              // somebody wants it written again
	edited   bool
}

func newActing(t *testing.T) *acting {
	a := &acting{t: t, engine: kvtest.NewMap(), clock: &clock{now: time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)}, steps: map[string]*modelStep{}}
	a.id = a.world().create(t, nil).ID
	a.state, a.run, a.gen, a.events, a.flags = runs.Pending, 1, 1, 1, schedule.DefaultFlags()
	for _, s := range briefSteps() {
		a.steps[s.ID] = &modelStep{}
	}
	return a
}

// world opens the data once more, as another process would.
func (a *acting) world() *world { return worldOver(a.engine, a.clock) }

func (a *acting) plan() runs.Whole { return a.world().read(a.t, a.id) }

// needs are the steps that a step is written from: the table's, the brief, after the
// facts the facts, and for the schedule the project.
func needs(s drafts.Step) []string {
	ids := append(slices.Clone(s.Needs), "brief")
	if s.Number > 8 {
		ids = append(ids, "facts")
	}
	if s.Author == drafts.Code {
		ids = append(ids, "project")
	}
	return slices.DeleteFunc(ids, func(id string) bool { return id == s.ID })
}

func (a *acting) now(s drafts.Step) map[string]string {
	from := map[string]string{}
	for _, id := range needs(s) {
		from[id] = a.steps[id].sha
	}
	return from
}

func (a *acting) clean(s drafts.Step) bool {
	m := a.steps[s.ID]
	return m.sha != "" && !m.again && m.asked == m.guidance && (s.Author != drafts.Code || m.flags == a.flags) && maps.Equal(m.from, a.now(s))
}

func (a *acting) done(s drafts.Step) bool { return a.clean(s) || a.steps[s.ID].edited }

func (a *acting) ready(s drafts.Step) bool {
	if a.done(s) {
		return false
	}
	for _, need := range briefSteps() {
		if slices.Contains(needs(s), need.ID) && !a.done(need) {
			return false
		}
	}
	return true
}

// wrote notes that a step was written.
func (a *acting) wrote(s drafts.Step, edited bool) {
	m := a.steps[s.ID]
	*m = modelStep{sha: a.plan().Draft.Records[s.ID].SHA256, from: a.now(s), asked: m.guidance, guidance: m.guidance, flags: a.flags, edited: edited}
	a.judge()
}

// judge notes what follows for the run, and what the code writes then.
func (a *acting) judge() {
	a.events++
	all := true
	for _, s := range briefSteps() {
		all = all && a.done(s)
	}
	switch {
	case all:
		a.state = runs.Completed
	case a.state == runs.Completed:
		a.state = runs.Pending
		a.run++
	case a.state == runs.Pending:
		a.state = runs.Processing
	}
	a.code()
}

// code notes that the code writes the schedule as soon as it can.
func (a *acting) code() {
	p := a.plan()
	step := draftstest.Step(a.t, p.Draft, "schedule")
	written := p.Draft.Records[step.ID].SHA256 != "" // else Check tells what the store did not do
	if written && a.ready(step) && (a.state == runs.Pending || a.state == runs.Processing) {
		a.wrote(step, false)
	}
}

// pick draws a step for which something holds.
func (a *acting) pick(t *rapid.T, holds func(drafts.Step) bool) drafts.Step {
	var some []drafts.Step
	for _, s := range briefSteps() {
		if holds(s) {
			some = append(some, s)
		}
	}
	if len(some) == 0 {
		t.Skip("there is no such step")
	}
	return rapid.SampledFrom(some).Draw(t, "step")
}

func (a *acting) text() string {
	a.n++
	return fmt.Sprint("Text ", a.n, ".")
}

// variant is an output whose text differs from the one before, where it has a text that
// nothing depends on.
func (a *acting) variant(s drafts.Step, o shape.Object) shape.Object {
	for _, name := range []string{"goal", "why", "notes", "focus"} {
		if _, has := o[name]; has {
			o[name] = a.text()
			break
		}
	}
	return o
}

// Answer has an agent answer a ready step, perhaps twice.
func (a *acting) Answer(t *rapid.T) {
	s := a.pick(t, func(s drafts.Step) bool { return s.Author == drafts.Model && a.ready(s) })
	p := a.plan()
	sent := answer(a.t, p, s)
	sent.Output = a.variant(s, sent.Output)
	if _, err := a.world().Accept(a.t.Context(), codex, sent); err != nil {
		t.Fatalf("%s: %v", s.ID, err)
	}
	a.wrote(s, false)
	if rapid.Bool().Draw(t, "twice") && a.done(s) {
		if _, err := a.world().Accept(a.t.Context(), codex, sent); !errors.As(err, new(*runs.DoneError)) {
			t.Fatalf("%s twice: %v", s.ID, err)
		}
	}
}

// LateAnswer has somebody change the brief while an agent writes a step.
func (a *acting) LateAnswer(t *rapid.T) {
	s := a.pick(t, func(s drafts.Step) bool { return s.Author == drafts.Model && s.Number > 1 && a.ready(s) })
	sent := answer(a.t, a.plan(), s)
	a.edit(t, draftstest.Step(a.t, a.plan().Draft, "brief"))
	_, err := a.world().Accept(a.t.Context(), codex, sent)
	if !errors.As(err, new(*runs.StaleError)) {
		t.Fatalf("%s from an earlier brief: %v", s.ID, err)
	}
	a.events++
}

// Decide has the person answer a gate.
func (a *acting) Decide(t *rapid.T) {
	s := a.pick(t, func(s drafts.Step) bool { return s.Author == drafts.Person && a.ready(s) })
	if err := a.world().decide(a.t, a.plan(), s, questions.Outcome{State: questions.Answered}); err != nil {
		t.Fatal(err)
	}
	a.wrote(s, false)
	a.advance(t)
}

// advance has planb write what the code writes, as the next call of a tool does.
func (a *acting) advance(t *rapid.T) {
	w := a.world()
	if _, err := w.Advance(a.t.Context(), w.read(a.t, a.id)); err != nil {
		t.Fatal(err)
	}
}

func (a *acting) edit(t *rapid.T, s drafts.Step) {
	p := a.plan()
	o := a.variant(s, p.Draft.Output(s.ID))
	if _, _, err := a.world().Edit(a.t.Context(), person, runs.Edit{Plan: a.id, Step: s.ID, SHA256: p.Draft.Records[s.ID].SHA256, Output: o}); err != nil {
		t.Fatalf("%s: %v", s.ID, err)
	}
	a.wrote(s, true)
}

// Edit has the person edit a section.
func (a *acting) Edit(t *rapid.T) {
	a.edit(t, a.pick(t, func(s drafts.Step) bool { return s.Author == drafts.Model && a.steps[s.ID].sha != "" }))
}

// Regenerate has somebody want a section written again.
func (a *acting) Regenerate(t *rapid.T) {
	s := a.pick(t, func(s drafts.Step) bool { return s.Author == drafts.Model && a.steps[s.ID].sha != "" })
	guidance := rapid.SampledFrom([]string{"", "Shorter.", "Longer."}).Draw(t, "guidance")
	m, by := a.steps[s.ID], codex
	if m.edited { // by the person
		_, _, err := a.world().Regenerate(a.t.Context(), codex, a.id, s.ID, m.sha, guidance)
		wantCode(a.t, err, runs.PermissionDenied)
		by = person
	}
	if _, _, err := a.world().Regenerate(a.t.Context(), by, a.id, s.ID, m.sha, guidance); err != nil {
		t.Fatal(err)
	}
	m.again, m.edited, m.guidance = true, false, guidance
	a.judge()
	a.advance(t)
}

// Place has the person change the flags of the schedule.
func (a *acting) Place(t *rapid.T) {
	flags := schedule.Flags{Edges: true, Parallel: rapid.SampledFrom([]int{1, 3, 12}).Draw(t, "parallel")}
	if _, _, err := a.world().Place(a.t.Context(), person, a.id, flags); err != nil {
		t.Fatal(err)
	}
	if flags != a.flags {
		a.flags = flags
		a.judge()
	}
}

// Stop stops the run.
func (a *acting) Stop(t *rapid.T) {
	_, stopped, err := a.world().Stop(a.t.Context(), person, a.id, "lunch")
	if err != nil || stopped == a.state.Ended() {
		t.Fatalf("stopped a plan that is %s: %v, %v", a.state, stopped, err)
	}
	if stopped {
		a.state = runs.Stopped
		a.events++
	}
}

// GoOn resumes the run, or begins it anew.
func (a *acting) GoOn(t *rapid.T) {
	ended := a.state == runs.Stopped || a.state == runs.Failed
	if rapid.Bool().Draw(t, "anew") {
		_, err := a.world().Retry(a.t.Context(), codex, a.id, "")
		if !ended {
			wantCode(a.t, err, runs.PlanNotFailed)
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range a.steps {
			if !m.edited {
				*m = modelStep{guidance: m.guidance}
			}
		}
		a.run++
		a.gen++
	} else {
		_, _, err := a.world().Resume(a.t.Context(), codex, a.id, runs.Resumption{})
		if !ended {
			wantCode(a.t, err, runs.PlanNotResumable)
			return
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	a.state = runs.Pending
	a.events++
	a.advance(t) // all that the schedule needs may have been edited, and is there
	a.code()
}

// Sweep removes texts that nothing refers to.
func (a *acting) Sweep(t *rapid.T) {
	if _, _, err := a.world().ledger.Sweep(a.t.Context()); err != nil {
		t.Error(err)
	}
}

// LoseAnswer has the engine give no answer to the next commit.
func (a *acting) LoseAnswer(t *rapid.T) {
	a.engine.UnclearNextCommit(rapid.Bool().Draw(t, "applied"))
}

// Check compares the store with the model.
func (a *acting) Check(t *rapid.T) {
	p := a.plan()
	if p.State != a.state || p.Number != a.run || p.Generation != a.gen || p.Cursor != a.events {
		t.Fatalf("the run is %s %d.%d with %d events, want %s %d.%d with %d", p.State, p.Number, p.Generation, p.Cursor, a.state, a.run, a.gen, a.events)
	}
	standings, open := p.Draft.Standings(), map[int]bool{} // by number: the summary has two answers
	for _, s := range briefSteps() {
		m := a.steps[s.ID]
		want := drafts.Waiting
		switch {
		case a.clean(s):
			want = drafts.Clean
		case m.edited:
			want = drafts.Kept
		case a.ready(s):
			want = drafts.Ready
		case m.sha != "":
			want = drafts.Dirty
		}
		if got := standings[s.ID]; got != want {
			t.Errorf("%s is %s, want %s", s.ID, got, want)
		}
		r := p.Draft.Records[s.ID]
		if r.SHA256 != m.sha || r.Edited != m.edited || r.Guidance != m.guidance {
			t.Errorf("%s is %+v, want %+v", s.ID, r, m)
		}
		if len(p.History[s.ID]) > 5 {
			t.Errorf("%s has %d earlier outputs", s.ID, len(p.History[s.ID]))
		}
		if !want.Done() {
			open[s.Number] = true
		}
	}
	if want := p.Of - len(open); p.Done != want {
		t.Errorf("%d steps count as written, want %d", p.Done, want)
	}
	if found := a.world().audit(a.t); found != "" {
		t.Errorf("the audit finds: %s", found)
	}
}

// TestADraftAsAModel has agents, a person and the clock act at random on a draft, and
// compares it with the rule of dirtiness after each step: what is dirty, that no edit is
// lost, and how the run stands.
func TestADraftAsAModel(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		a := newActing(t)
		actions := rapid.StateMachineActions(a)
		actions[""] = a.Check
		// Answers are what gets a draft anywhere.
		actions["AnswerMore"], actions["AnswerMost"], actions["DecideMore"] = a.Answer, a.Answer, a.Decide
		r.Repeat(actions)
	})
}

// briefSteps are the answers of a brief draft, in their order.
func briefSteps() []drafts.Step { return drafts.Draft{Detail: drafts.Brief}.Steps() }

package runs_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"planb/drafts"
	"planb/drafts/draftstest"
	"planb/drafts/schedule"
	"planb/drafts/shape"
	"planb/questions"
	"planb/store/kv"
	"planb/store/kv/kvtest"
	"planb/store/ledger"
	"planb/store/runs"
)

const session = "019a0000-0000-7000-8000-000000000000"

// clock is a time that goes on by a second with each look.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(time.Second)
	return c.now
}

func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// world is a store over an engine, and its time.
type world struct {
	*runs.Store
	engine *kvtest.Map
	ledger *ledger.Ledger
	claims *ledger.Claims
	clock  *clock
}

func newWorld() *world {
	return worldOver(kvtest.NewMap(), &clock{now: time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)})
}

// worldOver opens the same data once more, as another process would.
func worldOver(engine *kvtest.Map, c *clock) *world { return worldIn("/p", engine, c) }

// worldIn is worldOver for a process that works in a directory.
func worldIn(dir string, engine *kvtest.Map, c *clock) *world {
	l := ledger.New(engine, ledger.Options{Now: c.Now})
	claims := ledger.NewClaims(l, ledger.ClaimOptions{By: "anna@home"})
	options := runs.Options{Owner: "anna", Session: func(context.Context, *ledger.Change, string) (string, error) { return dir, nil }}
	return &world{runs.New(l, claims, options), engine, l, claims, c}
}

var (
	codex  = runs.Caller{Name: "Codex"}
	person = runs.Caller{Name: "anna@home", Person: true}
)

// dedupTime is for how long equal requests give the plan that is there.
const dedupTime = 10 * time.Minute

func request(t testing.TB) runs.Request {
	d := draftstest.Empty(t)
	return runs.Request{Prompt: d.Prompt, Session: session, Detail: d.Detail, Start: d.Start, Dedup: dedupTime}
}

func (w *world) create(t testing.TB, change func(*runs.Request)) runs.Summary {
	t.Helper()
	r := request(t)
	if change != nil {
		change(&r)
	}
	p, _, err := w.Create(t.Context(), runs.Caller{Name: "Codex", Person: r.NoGates}, r)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func (w *world) read(t testing.TB, id string) runs.Whole {
	t.Helper()
	p, err := w.Plan(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// answer is a good answer to a step of a plan as it is now.
func answer(t testing.TB, p runs.Whole, step drafts.Step) runs.Answer {
	t.Helper()
	return runs.Answer{Plan: p.ID, Step: step.ID, Output: draftstest.Answer(t, p.Draft, step), Inputs: p.Draft.Inputs(step), Generation: p.Generation, Model: "model-a"}
}

// decide has the person answer a gate with what is proposed.
func (w *world) decide(t testing.TB, p runs.Whole, step drafts.Step, outcome questions.Outcome) error {
	t.Helper()
	form, err := p.Form(step)
	if err != nil {
		t.Fatal(err)
	}
	if outcome.State == questions.Answered && outcome.Reply.Answers == nil {
		outcome.Reply = proposed(form)
	}
	outcome.By = person.Name
	return w.ledger.Commit(t.Context(), func(c *ledger.Change) error {
		return w.Settle(t.Context(), c, "the ask", p.Gate(step).Subject(), outcome)
	})
}

// proposed takes all defaults of a form.
func proposed(form questions.Spec) questions.Reply {
	r := questions.Reply{Answers: map[string]questions.Value{}}
	for _, q := range form.Questions {
		if q.Default != nil {
			r.Answers[q.ID] = *q.Default
		}
	}
	return r
}

// write writes the plan until a step is ready, or until nothing more can be written if
// the step is empty.
func (w *world) write(t testing.TB, id, until string) runs.Whole {
	t.Helper()
	for {
		p := w.read(t, id)
		ready := p.Draft.ReadySteps()
		if len(ready) == 0 || p.State.Ended() {
			return p
		}
		step := ready[0]
		if step.ID == until {
			return p
		}
		var err error
		if step.Author == drafts.Person {
			err = w.decide(t, p, step, questions.Outcome{State: questions.Answered})
		} else {
			_, err = w.Accept(t.Context(), codex, answer(t, p, step))
		}
		if err != nil {
			t.Fatalf("%s: %v", step.ID, err)
		}
	}
}

func wantCode(t testing.TB, err error, code runs.Code) {
	t.Helper()
	refused, ok := errors.AsType[*runs.Error](err)
	if !ok || refused.Code != code {
		t.Errorf("got %v, want %s", err, code)
		return
	}
	if plain := runs.Plainly(err).Error(); plain != refused.What || regexp.MustCompile(`\b(plan|step)_[a-z]+|[0-9a-f]{64}`).MatchString(plain) {
		t.Errorf("a person reads %q", plain)
	}
	if !strings.HasPrefix(err.Error(), refused.What) || !strings.HasSuffix(err.Error(), refused.Advice) {
		t.Errorf("an agent reads %q, which lacks the advice %q", err, refused.Advice)
	}
}

// sound fails if an audit finds anything.
func (w *world) sound(t testing.TB) {
	t.Helper()
	if got := w.audit(t); got != "" {
		t.Errorf("the audit finds: %s", got)
	}
}

func (w *world) audit(t testing.TB) string {
	t.Helper()
	var lines []string
	err := w.Audit(t.Context(), runs.Findings{
		Draft:      func() {},
		Problem:    func(format string, values ...any) { lines = append(lines, fmt.Sprintf(format, values...)) },
		Unreadable: func(key kv.Key, _ error) { lines = append(lines, fmt.Sprintf("unreadable %s", key)) },
		Text: func(what string, ref ledger.Ref) {
			if _, err := w.ledger.Texts(t.Context(), ref); err != nil {
				lines = append(lines, fmt.Sprintf("%s: %v", what, err))
			}
		},
		Gone: func(string) bool { return false },
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(lines, "\n")
}

func TestAWholeDraft(t *testing.T) {
	w := newWorld()
	p := w.create(t, nil)
	if p.State != runs.Pending || p.Done != 0 || p.Of != 12 || !p.LastProgress.IsZero() {
		t.Errorf("at first the plan is %+v", p)
	}
	first := w.read(t, p.ID)
	if _, err := w.Accept(t.Context(), codex, answer(t, first, draftstest.Step(t, first.Draft, "brief"))); err != nil {
		t.Fatal(err)
	}
	if got := w.read(t, p.ID); got.State != runs.Processing || got.Done != 1 || got.Title.IsZero() || got.Started.IsZero() {
		t.Errorf("after the first answer the plan is %+v", got.Summary)
	}
	if open, err := w.Open(t.Context(), session); err != nil || len(open) != 1 {
		t.Errorf("open are %+v, %v", open, err)
	}
	done := w.write(t, p.ID, "")
	if done.State != runs.Completed || done.Done != 12 || done.Ended.IsZero() || len(done.Draft.Records) != 14 {
		t.Errorf("at last the plan is %+v", done.Summary)
	}
	if by := done.Draft.Records["schedule"].By; by != runs.Planb {
		t.Errorf("the schedule is by %q", by)
	}
	if by := done.Draft.Output("choose").Text("by"); by != person.Name {
		t.Errorf("the scenario was chosen by %q", by)
	}
	if open, err := w.Open(t.Context(), session); err != nil || len(open) != 0 {
		t.Errorf("open are %+v, %v", open, err)
	}
	events, err := w.Events(t.Context(), done.Summary, 0, 100)
	if err != nil || len(events) != 15 || events[14].State != runs.Completed || events[14].Cursor != done.Cursor {
		t.Errorf("%d events, %+v, %v", len(events), events[len(events)-1], err)
	}
	w.sound(t)
}

// TestAcceptingIsOneSmallCommit counts the writes of each accepted answer.
func TestAcceptingIsOneSmallCommit(t *testing.T) {
	w := newWorld()
	counted := &counting{Engine: w.engine}
	l := ledger.New(counted, ledger.Options{Now: w.clock.Now})
	w.Store, w.ledger = runs.New(l, w.claims, runs.Options{Owner: "anna"}), l
	p := w.create(t, nil)
	counted.batches = nil
	w.write(t, p.ID, "")
	for _, b := range counted.batches {
		if n := len(b.Puts) + len(b.Deletes); n > 6 {
			t.Errorf("%d writes in one commit: %+v", n, b.Puts)
		}
	}
	if len(counted.batches) != 14 {
		t.Errorf("%d commits for 14 answers", len(counted.batches))
	}
}

// counting keeps the batches that were committed.
type counting struct {
	kv.Engine
	batches []kv.Batch
}

func (e *counting) Commit(ctx context.Context, b kv.Batch) error {
	e.batches = append(e.batches, b)
	return e.Engine.Commit(ctx, b)
}

func TestWhoComesFirstWins(t *testing.T) {
	w := newWorld()
	p := w.create(t, nil)
	now := w.write(t, p.ID, "scenarios")
	step := draftstest.Step(t, now.Draft, "scenarios")
	a := answer(t, now, step)
	if _, err := w.Accept(t.Context(), codex, a); err != nil {
		t.Fatal(err)
	}
	_, err := w.Accept(t.Context(), runs.Caller{Name: "Claude Code"}, a)
	if done, ok := errors.AsType[*runs.DoneError](err); !ok || done.By != "Codex" || done.Ago <= 0 {
		t.Errorf("a second answer: %v", err)
	}
}

// after has a task or a subtask wait for others.
func after(list []shape.Object, id string, links ...any) {
	for _, o := range list {
		if o.Text("id") == id {
			o["after"] = append([]any{}, links...)
		}
	}
}

// cycle makes a work breakdown, and two parts of its tasks, each of which is good alone:
// together 1.2.1 waits for 1.1.1, that for 2.1.1, that for 2.2.1, and that for 1.2.1.
func (w *world) cycle(t *testing.T) (now runs.Whole, first, second runs.Answer) {
	t.Helper()
	p := w.create(t, func(r *runs.Request) { r.Detail = drafts.Full })
	now = w.write(t, p.ID, "wbs")
	wbs := answer(t, now, draftstest.Step(t, now.Draft, "wbs"))
	phases := wbs.Output.Records("phases")
	after(phases[0].Records("tasks"), "1.1", "2.1")
	for id, links := range map[string][]any{"2.1": {}, "2.2": {"1.2"}} {
		after(phases[1].Records("tasks"), id, links...)
	}
	if _, err := w.Accept(t.Context(), codex, wbs); err != nil {
		t.Fatal(err)
	}
	now = w.write(t, p.ID, "tasks.1")
	first, second = answer(t, now, draftstest.Step(t, now.Draft, "tasks.1")), answer(t, now, draftstest.Step(t, now.Draft, "tasks.2"))
	after(first.Output.Records("tasks")[1].Records("subtasks"), "1.2.1", "1.1.1")
	after(second.Output.Records("tasks")[0].Records("subtasks"), "2.1.1", "2.2.1")
	for _, a := range []runs.Answer{first, second} {
		step := draftstest.Step(t, now.Draft, a.Step)
		if _, err := now.Draft.Read(step, step.Shape.JSON(a.Output), drafts.MaxLateTries); err != nil {
			t.Fatalf("%s alone: %v", a.Step, err)
		}
	}
	return now, first, second
}

// Two parts of the tasks that are written at once may close a cycle: the second is refused
// with that, however it comes.
func TestTwoPartsThatCloseACycle(t *testing.T) {
	ctx := t.Context()
	w := newWorld()
	before, first, second := w.cycle(t)
	if _, err := w.Accept(ctx, codex, first); err != nil {
		t.Fatal(err)
	}
	_, err := w.Accept(ctx, codex, second)
	if problems, ok := errors.AsType[shape.Problems](err); !ok || !strings.Contains(problems.Error(), "2.1.1") {
		t.Fatalf("the second part: %v", err)
	}
	now := w.read(t, before.ID)
	if now.Cursor != before.Cursor+1 || now.Draft.Output("tasks.2") != nil {
		t.Errorf("it was stored: %+v", now.Summary)
	}
	after(second.Output.Records("tasks")[0].Records("subtasks"), "2.1.1")
	now, err = w.Accept(ctx, codex, second)
	if err != nil {
		t.Fatal(err)
	}
	edited := w.read(t, now.ID).Draft.Output("tasks.2")
	after(edited.Records("tasks")[0].Records("subtasks"), "2.1.1", "2.2.1")
	_, _, err = w.Edit(ctx, person, runs.Edit{Plan: now.ID, Step: "tasks.2", SHA256: now.Draft.Records["tasks.2"].SHA256, Output: edited})
	if _, ok := errors.AsType[shape.Problems](err); !ok {
		t.Errorf("an edit: %v", err)
	}
	w.sound(t)
}

// A step that is given up is looked at again in the commit that fails the run.
func TestGivingUpIsRefusedAsAnAnswerIs(t *testing.T) {
	ctx := t.Context()
	w := newWorld()
	p := w.create(t, nil)
	now := w.write(t, p.ID, "scenarios.1")
	giveUp := func(change func(*runs.Answer)) error {
		a := runs.Answer{Plan: p.ID, Step: "scenarios.1", Inputs: now.Draft.Inputs(draftstest.Step(t, now.Draft, "scenarios.1")), Generation: now.Generation}
		change(&a)
		_, err := w.GiveUp(ctx, codex, a, "too hard")
		return err
	}
	if err := giveUp(func(a *runs.Answer) { a.Step = "brief" }); !errors.As(err, new(*runs.DoneError)) {
		t.Errorf("a step that is written: %v", err)
	}
	if err := giveUp(func(a *runs.Answer) { a.Inputs = "others" }); !errors.As(err, new(*runs.StaleError)) {
		t.Errorf("inputs that have changed: %v", err)
	}
	wantCode(t, giveUp(func(a *runs.Answer) { a.Generation-- }), runs.Conflict)
	wantCode(t, giveUp(func(a *runs.Answer) { a.Step = "choose" }), runs.PermissionDenied)
	if got := w.read(t, p.ID); got.State != runs.Processing || got.Cursor != now.Cursor {
		t.Errorf("the plan is %+v", got.Run)
	}
	if err := giveUp(func(*runs.Answer) {}); err != nil {
		t.Error(err)
	}
	if got := w.read(t, p.ID); got.State != runs.Failed || *got.Error != (runs.Failure{Reason: runs.GenerationError, Step: "scenarios.1", Message: "too hard", Recoverable: true}) {
		t.Errorf("the plan is %+v, %+v", got.State, got.Error)
	}
	w.sound(t)
}

func TestAnAnswerToChangedInputsIsKeptBeside(t *testing.T) {
	w := newWorld()
	p := w.create(t, nil)
	now := w.write(t, p.ID, "scenarios")
	late := answer(t, now, draftstest.Step(t, now.Draft, "scenarios"))
	brief := now.Draft.Output("brief")
	brief["goal"] = "Open a workshop that is smaller."
	if _, _, err := w.Edit(t.Context(), person, runs.Edit{Plan: p.ID, Step: "brief", SHA256: now.Draft.Records["brief"].SHA256, Output: brief}); err != nil {
		t.Fatal(err)
	}
	_, err := w.Accept(t.Context(), codex, late)
	stale, ok := errors.AsType[*runs.StaleError](err)
	if !ok || stale.Changed != "brief" || stale.By != person.Name {
		t.Fatalf("got %v", err)
	}
	got := w.read(t, p.ID)
	if got.Draft.Output("scenarios") != nil || len(got.History["scenarios"]) != 1 || got.History["scenarios"][0].Why != "stale" {
		t.Errorf("its history is %+v", got.History["scenarios"])
	}
	w.sound(t)
}

// again has somebody edit the brief, so that everything after it is dirty.
func (w *world) editBrief(t testing.TB, id, goal string) runs.Whole {
	t.Helper()
	p := w.read(t, id)
	brief := p.Draft.Output("brief")
	brief["goal"] = goal
	got, _, err := w.Edit(t.Context(), person, runs.Edit{Plan: id, Step: "brief", SHA256: p.Draft.Records["brief"].SHA256, Output: brief})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestAnEditMakesDirtyWhatHangsOnIt(t *testing.T) {
	w := newWorld()
	p := w.create(t, nil)
	done := w.write(t, p.ID, "")
	got := w.editBrief(t, p.ID, done.Draft.Output("brief").Text("goal"))
	if got.State != runs.Completed || len(got.Dirty()) != 0 {
		t.Errorf("the same text again: %s, dirty %v", got.State, got.Dirty())
	}
	got = w.editBrief(t, p.ID, "Open a workshop that is smaller.")
	if got.State != runs.Pending || got.Number != 2 || len(got.Dirty()) != 13 || !got.Draft.Records["brief"].Edited {
		t.Errorf("%+v, dirty %v", got.Summary, got.Dirty())
	}
	done = w.write(t, p.ID, "")
	if done.State != runs.Completed || done.Number != 2 {
		t.Errorf("written again: %+v", done.Summary)
	}
	w.sound(t)
}

// What an agent asks for is not told as what the person asked for, also after the step was written
// again and after a retry.
func TestWhoAsksForAStepAgain(t *testing.T) {
	ctx := t.Context()
	for _, by := range []runs.Caller{codex, person} {
		want := codex.Name
		if by.Person {
			want = ""
		}
		w := newWorld()
		p := w.create(t, nil)
		got := w.write(t, p.ID, "facts")
		guided := func(when string) {
			t.Helper()
			if r := w.read(t, p.ID).Draft.Records["assumptions"]; r.Guidance != "Ask about the rent." || r.GuidedBy != want {
				t.Errorf("%s: %q is asked by %q, want %q", when, r.Guidance, r.GuidedBy, want)
			}
		}
		_, _, err := w.Regenerate(ctx, by, p.ID, "assumptions", got.Draft.Records["assumptions"].SHA256, "Ask about the rent.")
		if err != nil {
			t.Fatal(err)
		}
		guided("asked for")
		w.write(t, p.ID, "facts")
		guided("written again")
		if _, _, err := w.Stop(ctx, person, p.ID, "for a while"); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Retry(ctx, person, p.ID, ""); err != nil {
			t.Fatal(err)
		}
		guided("begun anew")
	}
}

// Section 7, 7: the flags of the schedule are the person's. Other flags have the schedule made
// again at once, and what is written from it becomes dirty if it changes.
func TestTheFlagsOfTheSchedule(t *testing.T) {
	ctx := t.Context()
	w := newWorld()
	p := w.create(t, nil)
	done := w.write(t, p.ID, "")
	was, flags := done.Draft.Records["schedule"], done.Flags
	_, _, err := w.Place(ctx, codex, p.ID, schedule.Flags{Edges: true, Parallel: 1})
	wantCode(t, err, runs.PermissionDenied)
	for _, n := range []int{0, schedule.MaxParallel + 1} {
		_, _, err = w.Place(ctx, person, p.ID, schedule.Flags{Parallel: n})
		wantCode(t, err, runs.InvalidArgument)
	}
	if same, dirty, err := w.Place(ctx, person, p.ID, flags); err != nil || same.State != runs.Completed || len(dirty) > 0 || same.Cursor != done.Cursor {
		t.Errorf("the same flags: %+v, dirty %v, %v", same.Summary, dirty, err)
	}
	flags.Parallel = 1
	got, dirty, err := w.Place(ctx, person, p.ID, flags)
	if now := got.Draft.Records["schedule"]; err != nil || now.SHA256 == was.SHA256 || got.State != runs.Processing || got.Number != 2 || !slices.Equal(dirty, []string{"premortem", "summary", "summary.2"}) {
		t.Errorf("one at once: %+v, dirty %v, %v", got.Summary, dirty, err)
	}
	if read := w.read(t, p.ID); read.Flags != flags || read.Draft.Flags != flags {
		t.Errorf("kept were %v", read.Flags)
	}
	flags.Parallel = done.Flags.Parallel
	if got, dirty, err = w.Place(ctx, person, p.ID, flags); err != nil || got.Draft.Records["schedule"].SHA256 != was.SHA256 || got.State != runs.Completed || len(dirty) > 0 {
		t.Errorf("as before: %+v, dirty %v, %v", got.Summary, dirty, err)
	}
	events, err := w.Events(ctx, got.Summary, -1, 100)
	if err != nil || !slices.ContainsFunc(events, func(e runs.Event) bool {
		return e.Action == runs.FlagsSet && e.By == person.Name && e.Why == "at most 1 at once, phases overlap"
	}) {
		t.Errorf("the events are %+v, %v", events, err)
	}
	w.sound(t)
}

func TestOnlyThePersonDecidesGates(t *testing.T) {
	ctx := t.Context()
	w := newWorld()
	p := w.create(t, nil)
	now := w.write(t, p.ID, "choose")
	step := draftstest.Step(t, now.Draft, "choose")
	a := answer(t, now, step)
	_, err := w.Accept(ctx, codex, a)
	wantCode(t, err, runs.PermissionDenied)
	after := w.write(t, p.ID, "facts")
	sha := after.Draft.Records["choose"].SHA256
	_, _, err = w.Edit(ctx, codex, runs.Edit{Plan: p.ID, Step: "choose", SHA256: sha, Output: a.Output})
	wantCode(t, err, runs.PermissionDenied)
	_, _, err = w.Regenerate(ctx, codex, p.ID, "choose", sha, "")
	wantCode(t, err, runs.PermissionDenied)
	brief := after.Draft.Output("brief")
	brief["verdict"] = "unusable"
	_, _, err = w.Edit(ctx, codex, runs.Edit{Plan: p.ID, Step: "brief", SHA256: after.Draft.Records["brief"].SHA256, Output: brief})
	wantCode(t, err, runs.PermissionDenied)
	r := request(t)
	r.NoGates = true
	_, _, err = w.Create(ctx, codex, r)
	wantCode(t, err, runs.PermissionDenied)
}

func TestAPlanWithoutGatesTakesWhatIsProposed(t *testing.T) {
	w := newWorld()
	p := w.create(t, func(r *runs.Request) { r.NoGates = true })
	now := w.write(t, p.ID, "facts")
	for _, gate := range []string{"choose", "confirm"} {
		if by := now.Draft.Output(gate).Text("by"); by != drafts.Nobody {
			t.Errorf("%s was decided by %q", gate, by)
		}
	}
}

func TestADeclinedGateStopsThePlan(t *testing.T) {
	w := newWorld()
	p := w.create(t, nil)
	now := w.write(t, p.ID, "choose")
	step := draftstest.Step(t, now.Draft, "choose")
	if err := w.decide(t, now, step, questions.Outcome{State: questions.Declined}); err != nil {
		t.Fatal(err)
	}
	got := w.read(t, p.ID)
	if got.State != runs.Stopped || got.Stop.By != person.Name || !strings.Contains(got.Stop.Why, "choose") {
		t.Errorf("%+v", got.Summary)
	}
	if _, _, err := w.Resume(t.Context(), codex, p.ID, runs.Resumption{}); err != nil {
		t.Fatal(err)
	}
	w.editBrief(t, p.ID, "Something else.")
	if err := w.decide(t, now, step, questions.Outcome{State: questions.Answered}); err == nil {
		t.Error("an answer to another question was taken")
	}
	if err := w.decide(t, now, step, questions.Outcome{State: questions.Declined}); err != nil || w.read(t, p.ID).State == runs.Stopped {
		t.Errorf("another question was declined: %v", err)
	}
}

func TestRunsBeginAndEnd(t *testing.T) {
	ctx := t.Context()
	w := newWorld()
	p := w.create(t, nil)
	_, _, err := w.Resume(ctx, codex, p.ID, runs.Resumption{})
	wantCode(t, err, runs.PlanNotResumable)
	_, err = w.Retry(ctx, codex, p.ID, "")
	wantCode(t, err, runs.PlanNotFailed)
	now := w.write(t, p.ID, "risks")
	late := answer(t, now, draftstest.Step(t, now.Draft, "risks"))
	if _, stopped, err := w.Stop(ctx, person, p.ID, "lunch"); err != nil || !stopped {
		t.Fatal(err)
	}
	if got, stopped, err := w.Stop(ctx, person, p.ID, "again"); err != nil || stopped || got.Run.Stop.Why != "lunch" {
		t.Errorf("stopped twice: %v, %v", stopped, err)
	}
	if got, err := w.Accept(ctx, codex, late); err != nil || got.State != runs.Stopped || got.Draft.Output("risks") == nil {
		t.Errorf("an answer after a stop: %v", err)
	}
	got, recompute, err := w.Resume(ctx, codex, p.ID, runs.Resumption{})
	if err != nil || got.State != runs.Pending || got.Resumes != 1 || got.Run.Stop != nil || len(recompute) != 0 {
		t.Errorf("resumed: %+v, %v, %v", got.Summary, recompute, err)
	}
	before := got.Draft.Records["brief"].SHA256
	if _, err := w.Fail(ctx, codex, p.ID, runs.Failure{Reason: runs.GenerationError, Step: "facts", Message: strings.Repeat("x", 300), Recoverable: true}); err != nil {
		t.Fatal(err)
	}
	if got := w.read(t, p.ID); got.State != runs.Failed || len([]rune(got.Error.Message)) != 256 {
		t.Errorf("failed: %+v", got.Error)
	}
	got, err = w.Retry(ctx, codex, p.ID, "")
	if err != nil || got.State != runs.Pending || got.Generation != 2 || got.Done != 0 || !got.LastProgress.IsZero() || got.Draft.Output("brief") != nil {
		t.Errorf("retried: %+v, %v", got.Summary, err)
	}
	if h := got.History["brief"]; len(h) != 1 || h[0].SHA256 != before || h[0].Why != "retried" {
		t.Errorf("the history is %+v", h)
	}
	_, err = w.Accept(ctx, codex, late)
	wantCode(t, err, runs.Conflict)
	done := w.write(t, p.ID, "")
	_, _, err = w.Resume(ctx, codex, done.ID, runs.Resumption{})
	wantCode(t, err, runs.PlanNotResumable)
	w.sound(t)
}

// Section 6: calls that failed are kept, also those before an answer and before a failure that
// was resumed; run_error.json has those of its step.
func TestCallsThatFailed(t *testing.T) {
	ctx := t.Context()
	w := newWorld()
	p := w.create(t, nil)
	call := func(outcome string) drafts.Attempt {
		return drafts.Attempt{Model: "model-a", Outcome: outcome, Took: 7, In: 3}
	}
	now := w.read(t, p.ID)
	brief := answer(t, now, draftstest.Step(t, now.Draft, "brief"))
	brief.Failed = []drafts.Attempt{call("503"), call("no JSON")}
	if _, err := w.Accept(ctx, codex, brief); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Fail(ctx, codex, p.ID, runs.Failure{Reason: runs.GenerationError, Step: "scenarios", Message: "400", Recoverable: true}, call("400")); err != nil {
		t.Fatal(err)
	}
	if failed := string(w.read(t, p.ID).RunError()); !strings.Contains(failed, `"outcome":"400"`) || strings.Contains(failed, "503") {
		t.Errorf("the error is %s", failed)
	}
	got, _, err := w.Resume(ctx, codex, p.ID, runs.Resumption{})
	var said []string
	for _, a := range got.Draft.Attempts {
		said = append(said, a.Step+" "+a.Outcome)
	}
	if want := []string{"brief 503", "brief no JSON", "scenarios 400"}; err != nil || !slices.Equal(said, want) {
		t.Errorf("after the resumption there are %q, %v", said, err)
	}
	many := make([]drafts.Attempt, 100)
	if _, err := w.Fail(ctx, codex, p.ID, runs.Failure{Reason: runs.GenerationError, Step: "scenarios"}, many...); err != nil || len(w.read(t, p.ID).Draft.Attempts) != 40 {
		t.Errorf("%d are kept, %v", len(w.read(t, p.ID).Draft.Attempts), err)
	}
	if got, err := w.Retry(ctx, codex, p.ID, ""); err != nil || len(got.Draft.Attempts) != 0 || len(w.read(t, p.ID).Draft.Attempts) != 0 {
		t.Errorf("anew there are %+v, %v", got.Draft.Attempts, err)
	}
	w.sound(t)
}

func TestAnUnusablePromptEndsTheRun(t *testing.T) {
	ctx := t.Context()
	w := newWorld()
	p := w.create(t, nil)
	now := w.read(t, p.ID)
	a := answer(t, now, draftstest.Step(t, now.Draft, "brief"))
	a.Output["verdict"], a.Output["reason"] = "unusable", "too_short"
	got, err := w.Accept(ctx, codex, a)
	if err != nil || got.State != runs.Failed || got.Error.Step != "brief" || got.Error.Reason != runs.GenerationError {
		t.Fatalf("%+v, %v", got.Summary, err)
	}
	_, _, err = w.Resume(ctx, codex, p.ID, runs.Resumption{})
	wantCode(t, err, runs.PlanNotResumable)
	if text := err.Error(); !strings.Contains(text, "the key e on Brief in  planb tui drafts "+p.ID) || strings.Contains(text, "..") {
		t.Errorf("the agent is told %s", text)
	}
	_, err = w.Retry(ctx, codex, p.ID, "")
	wantCode(t, err, runs.PlanNotResumable)
	_, err = w.Retry(ctx, person, p.ID, "")
	if text := err.Error(); !strings.HasSuffix(text, "Only you change that: press e on Brief in planb tui drafts "+p.ID+".") {
		t.Errorf("the person is told %s", text)
	}
	_, _, err = w.Regenerate(ctx, codex, p.ID, "brief", got.Draft.Records["brief"].SHA256, "it is usable")
	wantCode(t, err, runs.PermissionDenied)
	brief := got.Draft.Output("brief")
	brief["verdict"], brief["reason"] = "usable", "usable"
	edited, _, err := w.Edit(ctx, person, runs.Edit{Plan: p.ID, Step: "brief", SHA256: got.Draft.Records["brief"].SHA256, Output: brief})
	if err != nil || edited.State != runs.Pending || edited.Error != nil {
		t.Errorf("edited by the person: %+v, %v", edited.Summary, err)
	}
}

func TestTheSamePromptGivesTheSamePlan(t *testing.T) {
	ctx := t.Context()
	w := newWorld()
	var wait sync.WaitGroup
	ids := make([]string, 50)
	for i := range ids {
		wait.Go(func() {
			p, _, err := w.Create(ctx, codex, request(t))
			if err != nil {
				t.Error(err)
			}
			ids[i] = p.ID
		})
	}
	wait.Wait()
	for _, id := range ids {
		if id != ids[0] {
			t.Fatalf("fifty requests at once made %v", ids)
		}
	}
	other := w.create(t, func(r *runs.Request) { r.Prompt += " And more." })
	never := w.create(t, func(r *runs.Request) { r.Dedup = 0 })
	w.clock.pass(dedupTime)
	later := w.create(t, nil)
	seen := map[string]bool{ids[0]: true, other.ID: true, never.ID: true, later.ID: true}
	if len(seen) != 4 {
		t.Errorf("plans: %v", seen)
	}
	named := w.create(t, func(r *runs.Request) { r.ID, r.Dedup = "mine", 0 })
	if again := w.create(t, func(r *runs.Request) { r.ID, r.Dedup = "mine", 0 }); again.ID != named.ID {
		t.Error("a request id gave two plans")
	}
	r := request(t)
	r.ID, r.Prompt = "mine", "Something else that is long enough."
	_, _, err := w.Create(ctx, codex, r)
	wantCode(t, err, runs.Conflict)
	list, err := w.List(ctx, []string{"/p"}, 3)
	if err != nil || len(list) != 3 || list[0].ID != named.ID || list[1].ID != later.ID {
		t.Errorf("listed are %+v, %v", list, err)
	}
	if list, err := w.List(ctx, []string{"/elsewhere"}, 3); err != nil || len(list) != 0 {
		t.Errorf("elsewhere are %+v, %v", list, err)
	}
	w.sound(t)
}

// V11: an agent of another project can choose the same id, and learns nothing of the plan
// that has it here.
func TestARequestIDCountsInItsProject(t *testing.T) {
	w := newWorld()
	elsewhere := worldIn("/q", w.engine, w.clock)
	first := func(r *runs.Request) { r.ID, r.Dedup = "1", 0 }
	another := func(r *runs.Request) { r.ID, r.Dedup, r.Prompt = "1", 0, "Something else that is long enough." }
	here := w.create(t, first)
	there := elsewhere.create(t, another)
	if there.ID == here.ID || w.create(t, first).ID != here.ID || elsewhere.create(t, another).ID != there.ID {
		t.Errorf("the plans are %s here and %s there", here.ID, there.ID)
	}
	w.sound(t)
}

// An earlier planb kept the ids of requests without their project.
func TestARequestIDOfAnEarlierPlanb(t *testing.T) {
	ctx := t.Context()
	w := newWorld()
	mine := func(r *runs.Request) { r.ID, r.Dedup = "mine", 0 }
	here := w.create(t, mine)
	hash := ledger.Hash(`["anna","request","mine"]`)
	err := w.ledger.Commit(ctx, func(c *ledger.Change) error {
		records, err := w.ledger.Get(ctx, kv.Key("dp/"+here.ID))
		if err != nil {
			return err
		}
		var was struct {
			Request string `json:"request"`
		}
		if err := json.Unmarshal(records[0].Value, &was); err != nil {
			return err
		}
		pointers, err := w.ledger.Get(ctx, kv.Key("dr/"+was.Request))
		if err != nil {
			return err
		}
		c.Delete(pointers[0].Key)
		c.Puts = append(c.Puts, kv.Put{Key: kv.Key("dr/" + hash), Value: pointers[0].Value})
		return w.ledger.Rewrite(c, records[0], "request", hash)
	})
	if err != nil {
		t.Fatal(err)
	}
	w.sound(t)
	if again := w.create(t, mine); again.ID != here.ID {
		t.Error("the request gave another plan")
	}
	r := request(t)
	r.ID, r.Prompt = "mine", "Something else that is long enough."
	_, _, err = w.Create(ctx, codex, r)
	wantCode(t, err, runs.Conflict)
	elsewhere := worldIn("/q", w.engine, w.clock)
	there := elsewhere.create(t, func(r *runs.Request) { r.ID, r.Prompt = "mine", "Something else that is long enough." })
	if there.ID == here.ID {
		t.Error("the request of another project gave the plan")
	}
	w.sound(t)
}

// V17, X4: one claim a plan.
func TestAWorkerIsNeverTwo(t *testing.T) {
	ctx := t.Context()
	w := newWorld()
	p := w.create(t, func(r *runs.Request) { r.Profile = "baseline" })
	if p.Mode != runs.ByWorker {
		t.Errorf("the mode is %s", p.Mode)
	}
	held, err := w.claims.Hold(ctx, runs.WorkerClaim(p.ID), "a worker")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Begin(ctx, codex, held, p.ID); err != nil {
		t.Fatal(err)
	}
	other := worldOver(w.engine, w.clock)
	if _, err := other.claims.Hold(ctx, runs.WorkerClaim(p.ID), "another"); !errors.As(err, new(*ledger.HeldError)) {
		t.Errorf("a second worker: %v", err)
	}
	_, _, err = other.Resume(ctx, codex, p.ID, runs.Resumption{})
	wantCode(t, err, runs.RunActive)
	if got := other.read(t, p.ID); got.State != runs.Processing {
		t.Errorf("while it lives the plan is %s", got.State)
	}
	if err := held.Release(ctx); err != nil {
		t.Fatal(err)
	}
	got := other.read(t, p.ID)
	if got.State != runs.Failed || got.Error.Reason != runs.WorkerError || !got.Error.Recoverable {
		t.Errorf("after its death the plan is %+v", got.Summary)
	}
}

// T9: a plan whose worker never began does not wait for it for ever. It resumes, and has
// the same time again.
func TestT9AWorkerThatNeverBegan(t *testing.T) {
	ctx := t.Context()
	w := newWorld()
	p := w.create(t, func(r *runs.Request) { r.Profile = "baseline" })
	for round := range 2 {
		w.clock.pass(runs.StallTime - time.Minute)
		if got := w.read(t, p.ID); got.State != runs.Pending {
			t.Fatalf("round %d: before the time it is %s", round, got.State)
		}
		w.clock.pass(2 * time.Minute)
		got := w.read(t, p.ID)
		if got.State != runs.Failed || got.Error.Reason != runs.WorkerError || !got.Error.Recoverable || !strings.Contains(got.Error.Message, "no program began") {
			t.Fatalf("round %d: after the time it is %+v", round, got.Summary)
		}
		list, err := w.List(ctx, nil, 5)
		if err != nil || len(list) != 1 || list[0].State != runs.Failed {
			t.Errorf("listed is %+v, %v", list, err)
		}
		resumed, _, err := w.Resume(ctx, codex, p.ID, runs.Resumption{Profile: "baseline"})
		if err != nil || resumed.State != runs.Pending || resumed.Mode != runs.ByWorker {
			t.Fatalf("resumed it is %+v, %v", resumed.Summary, err)
		}
	}
	// Who comes late, but holds the claim, begins nevertheless.
	w.clock.pass(2 * runs.StallTime)
	held, err := w.claims.Hold(ctx, runs.WorkerClaim(p.ID), "a worker")
	if err != nil {
		t.Fatal(err)
	}
	if begun, err := w.Begin(ctx, codex, held, p.ID); err != nil || begun.State != runs.Processing {
		t.Errorf("begun late it is %+v, %v", begun.Summary, err)
	}
	w.sound(t)
}

// The program that wrote a draft has ended with its run. What is written again after that waits
// for whoever comes, an agent too, and does not count as left by the program.
func TestAnEndedWorkersDraftIsWrittenOnByWhoeverComes(t *testing.T) {
	ctx := t.Context()
	for name, verdict := range map[string]string{"a whole draft": "usable", "an unusable prompt": "unusable"} {
		w := newWorld()
		p := w.create(t, nil)
		held, err := w.claims.Hold(ctx, runs.WorkerClaim(p.ID), "a worker")
		if err != nil {
			t.Fatal(err)
		}
		begun, err := w.Begin(ctx, codex, held, p.ID)
		if err != nil {
			t.Fatal(err)
		}
		a := answer(t, begun, draftstest.Step(t, begun.Draft, "brief"))
		if verdict != "usable" {
			a.Output["verdict"], a.Output["reason"] = verdict, "too_short"
		}
		if _, err := w.Accept(ctx, codex, a); err != nil {
			t.Fatal(err)
		}
		w.write(t, p.ID, "")
		if err := held.Release(ctx); err != nil {
			t.Fatal(err)
		}
		brief := w.read(t, p.ID)
		output := brief.Draft.Output("brief")
		output["verdict"], output["reason"], output["goal"] = "usable", "usable", "Open a workshop that is smaller."
		got, _, err := w.Edit(ctx, person, runs.Edit{Plan: p.ID, Step: "brief", SHA256: brief.Draft.Records["brief"].SHA256, Output: output})
		if err != nil || got.State != runs.Pending || got.Mode != runs.ByAgent {
			t.Errorf("%s: edited it is %s by %s, %v", name, got.State, got.Mode, err)
		}
		w.editBrief(t, p.ID, "Open a workshop that is smaller still.")
		w.clock.pass(2 * runs.StallTime)
		if got := w.read(t, p.ID); got.State.Ended() {
			t.Errorf("%s: after two edits it is %s: %+v", name, got.State, got.Error)
		}
		w.sound(t)
	}
}

func TestASessionTakesItsDraftsAlong(t *testing.T) {
	w := newWorld()
	p := w.create(t, func(r *runs.Request) { r.ID = "mine" })
	kept := w.create(t, func(r *runs.Request) { r.Session = "019a0000-0000-7000-8000-000000000001"; r.Prompt += " Also." })
	w.write(t, p.ID, "facts")
	if err := w.DropSession(t.Context(), session); err != nil {
		t.Fatal(err)
	}
	_, err := w.Plan(t.Context(), p.ID)
	wantCode(t, err, runs.PlanNotFound)
	w.read(t, kept.ID)
	w.sound(t)
	for _, r := range w.all(t) {
		if strings.Contains(string(r.Key), p.ID) {
			t.Errorf("%s is left", r.Key)
		}
	}
}

func (w *world) all(t testing.TB) (records []kv.Record) {
	t.Helper()
	for after := kv.Key(""); ; {
		page, err := w.engine.Scan(t.Context(), "", after, kv.MaxPageRecords)
		if err != nil {
			t.Fatal(err)
		}
		if records = append(records, page.Records...); !page.More {
			return records
		}
		after = records[len(records)-1].Key
	}
}

// X2: PIPELINE_VERSION_MISMATCH; black box 18.
func TestANewerPipelineIsReadAndNotWritten(t *testing.T) {
	w := newWorld()
	p := w.create(t, nil)
	err := w.ledger.Commit(t.Context(), func(c *ledger.Change) error {
		records, err := w.ledger.Get(t.Context(), kv.Key("dp/"+p.ID))
		if err != nil {
			return err
		}
		return w.ledger.Rewrite(c, records[0], "pipeline", runs.Pipeline+1)
	})
	if err != nil {
		t.Fatal(err)
	}
	now := w.read(t, p.ID)
	_, err = w.Accept(t.Context(), codex, answer(t, now, draftstest.Step(t, now.Draft, "brief")))
	wantCode(t, err, runs.NewerPipeline)
}

// Section 10: 600 KB of a whole plan in the store.
func TestAWholePlanTakesLittleRoom(t *testing.T) {
	w := newWorld()
	p := w.create(t, func(r *runs.Request) { r.Detail = drafts.Full })
	if done := w.write(t, p.ID, ""); done.State != runs.Completed || done.Done != 24 {
		t.Fatalf("the plan is %+v", done.Summary)
	}
	size := 0
	for _, r := range w.all(t) {
		size += len(r.Key) + len(r.Value)
	}
	if t.Logf("%d bytes", size); size > 600<<10 {
		t.Errorf("it takes %d bytes", size)
	}
}

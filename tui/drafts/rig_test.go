package drafts

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	rules "planb/drafts"
	"planb/drafts/draftstest"
	"planb/drafts/schedule"
	"planb/questions/safe"
	"planb/store"
	"planb/store/runs"
	"planb/themes"
	"planb/tui/retro"
	"planb/tui/screen"
	"planb/tui/tuitest"
)

// desk is a store of drafts for tests: each test says how its steps stand. What was decided is
// noted and changes nothing.
type desk struct {
	t       testing.TB
	drafts  []runs.Whole
	writers map[string]runs.Writer
	said    []string // what was decided
	fails   error    // of every decision
}

const draftID = "0192f0c4-7c1e-7aaa-8bbb-000000003f9a"

// newDesk is a store with one draft, whose steps before one are written.
func newDesk(t testing.TB, d rules.Draft, state runs.State) *desk {
	t.Helper()
	desk := &desk{t: t}
	desk.add(d, draftID, state)
	return desk
}

func (d *desk) add(draft rules.Draft, id string, state runs.State) {
	draft.Flags = schedule.Flags{PhaseOrder: true, Edges: true, Parallel: 3}
	if step, ok := draft.Step(scheduleStep); ok && draft.Output(step.ID) != nil {
		r := draft.Records[step.ID]
		r.Inputs = draft.Inputs(step)
		draft.Records[step.ID] = r
	}
	w := runs.Whole{Draft: draft, Summary: runs.Summary{
		Plan: runs.Plan{ID: id, Session: "0190a1b2-0000-7000-8000-000000000001", Dir: "/home/anna/shop", Excerpt: safe.New("I want to open a repair workshop"),
			Detail: draft.Detail, Start: draft.Start.String(), Created: tuitest.Moment.Add(-2 * time.Hour)},
		Run: runs.Run{State: state, Number: 1, Generation: 1, Mode: runs.ByAgent, LastProgress: tuitest.Moment.Add(-time.Minute)},
	}}
	if draft.Output("brief") != nil {
		w.Title = safe.New("Repair workshop in the old bakery")
	}
	w.Done, w.Of = draft.Progress()
	d.drafts = append(d.drafts, w)
}

// writes has an agent write a step since some minutes.
func (d *desk) writes(who, step string, minutes int) *desk {
	if d.writers == nil {
		d.writers = map[string]runs.Writer{}
	}
	d.writers[step] = runs.Writer{Name: who, Since: tuitest.Moment.Add(-time.Duration(minutes) * time.Minute)}
	return d
}

// List, Plan, Writers and the decisions make it a Store.
func (d *desk) List(context.Context, []string, int) ([]runs.Summary, error) {
	var list []runs.Summary
	for _, w := range d.drafts {
		list = append(list, w.Summary)
	}
	return list, nil
}

func (d *desk) Plan(_ context.Context, id string) (runs.Whole, error) {
	for _, w := range d.drafts {
		if w.ID == id {
			return w, nil
		}
	}
	return runs.Whole{}, &runs.Error{Code: runs.PlanNotFound, What: "There is no plan.", Advice: "Call plan_list."}
}

func (d *desk) Writers(_ context.Context, id string) (map[string]runs.Writer, error) {
	if id != draftID {
		return nil, nil
	}
	return d.writers, nil
}

// decided notes a decision of the person.
func (d *desk) decided(by runs.Caller, format string, args ...any) (runs.Whole, error) {
	d.said = append(d.said, fmt.Sprintf(format, args...))
	if !by.Person || by.Name != "anna@home" {
		d.t.Errorf("decided by %+v", by)
	}
	return d.drafts[0], d.fails
}

func (d *desk) Edit(_ context.Context, by runs.Caller, e runs.Edit) (runs.Whole, []string, error) {
	w, err := d.decided(by, "edit %s", e.Step)
	if want := d.drafts[0].Draft.Records[e.Step].SHA256; e.SHA256 != want {
		d.t.Errorf("edited %q, not %q", e.SHA256, want)
	}
	return w, []string{"risks"}, err
}

func (d *desk) Regenerate(_ context.Context, by runs.Caller, _, step, sha256, guidance string) (runs.Whole, []string, error) {
	w, err := d.decided(by, "write %s again: %q", step, guidance)
	if want := d.drafts[0].Draft.Records[step].SHA256; sha256 != want {
		d.t.Errorf("wrote %q again, not %q", sha256, want)
	}
	return w, []string{step, "choose"}, err
}

func (d *desk) Place(_ context.Context, by runs.Caller, _ string, f schedule.Flags) (runs.Whole, []string, error) {
	w, err := d.decided(by, "place %s", f)
	return w, []string{"premortem"}, err
}

func (d *desk) Stop(_ context.Context, by runs.Caller, _, _ string) (runs.Whole, bool, error) {
	w, err := d.decided(by, "stop")
	return w, true, err
}

func (d *desk) Resume(_ context.Context, by runs.Caller, _ string, r runs.Resumption) (runs.Whole, []string, error) {
	w, err := d.decided(by, "resume %s", r.Detail)
	return w, nil, err
}

func (d *desk) Retry(_ context.Context, by runs.Caller, _, _ string) (runs.Whole, error) {
	return d.decided(by, "retry")
}

// Watch never rings.
func (d *desk) Watch(context.Context) (<-chan struct{}, error) { return nil, context.Canceled }

func (d *desk) deps() Deps {
	return Deps{
		Store: d, Watcher: d, By: "anna@home", Now: func() time.Time { return tuitest.Moment }, After: tuitest.Soon,
		Gate: func(_ context.Context, _ runs.Whole, step rules.Step) (store.Ask, error) {
			d.said = append(d.said, "ask "+step.ID)
			return store.Ask{ID: "the form of " + step.ID}, d.fails
		},
		OpenForm: func(f retro.Form) screen.Screen { return &tuitest.FormStub{Text: func() string { return f.Ask.ID }} },
		OpenReport: func(context.Context, runs.Whole) (string, error) {
			d.said = append(d.said, "report")
			return "The report is open in your browser.", d.fails
		},
		SaveReport: func(context.Context, runs.Whole) (int, error) {
			d.said = append(d.said, "save")
			return 3, d.fails
		},
		Section: section, Schedule: func(of rules.Draft) (schedule.Schedule, error) { return placed(d.t, of.Flags), nil },
	}
}

// section is the text of a step, so that these tests do not change with those of steps.
func section(d rules.Draft, step string) string {
	s, _ := d.Step(step)
	if d.Output(step) == nil {
		return ""
	}
	return "The **" + s.Name + "** in a sentence or two, as a model wrote it for this draft.\n\n" +
		"| Id | What | By |\n|---|---|---|\n| 1 | Sign the lease | Month 3 |\n| 2 | Open two evenings a week | Month 5 |\n"
}

// placed is a schedule with a leaf and a deadline of each kind.
func placed(t testing.TB, f schedule.Flags) schedule.Schedule {
	t.Helper()
	start := tuitest.Must(schedule.ParseDate("2026-12-01"))
	days := func(min, likely, max int) schedule.Days { return schedule.Days{Min: min, Likely: likely, Max: max} }
	made, err := schedule.Make(schedule.Plan{Start: start, Flags: f, Phases: []schedule.Phase{
		{ID: "1", Name: "Lease", Tasks: []schedule.Task{
			{ID: "1.1", Name: "Measure the floor and the wiring", Days: days(5, 10, 20)},
			{ID: "1.2", Name: "Wait for the office's answer", Days: days(30, 45, 90), Wait: true},
			{ID: "1.3", Name: "Sign the lease", Days: days(2, 5, 9), After: []string{"1.2"}, Makes: "M1"},
		}},
		{ID: "2", Name: "Workshop", Tasks: []schedule.Task{
			{ID: "2.1", Name: "Order tools from two offers", Days: days(10, 14, 30)},
			{ID: "2.2", Name: "Build benches, a counter and a ramp at the door", Days: days(20, 40, 70), Makes: "M2"},
		}},
	}, Milestones: []schedule.Milestone{
		{ID: "M1", Name: "Lease signed", Due: start.AddMonths(2)},
		{ID: "M2", Name: "Doors open", Due: start.AddMonths(2).AddDays(20)},
	}})
	if err != nil {
		t.Fatal(err)
	}
	return made
}

func (d *desk) open(width, height int, theme themes.Theme) *tuitest.Rig {
	d.t.Helper()
	return tuitest.Open(d.t, New(d.deps(), draftID), width, height, theme)
}

// begun is a draft of which an agent writes a step.
func begun(t testing.TB) *desk {
	return newDesk(t, draftstest.UpTo(t, "facts"), runs.Processing).writes("Codex", "facts", 3)
}

// atGate is a draft that waits for the person.
func atGate(t testing.TB) *desk { return newDesk(t, draftstest.UpTo(t, "choose"), runs.Processing) }

// done is a draft that is written.
func done(t testing.TB) *desk { return newDesk(t, draftstest.UpTo(t, ""), runs.Completed) }

// brokenOff is a draft that failed.
func brokenOff(t testing.TB) *desk {
	d := newDesk(t, draftstest.UpTo(t, "risks"), runs.Failed)
	d.drafts[0].Error = &runs.Failure{Reason: runs.GenerationError, Step: "risks", Message: "three answers had mistakes", Recoverable: true}
	return d
}

// rejected is a draft whose brief says that its prompt cannot be planned.
func rejected(t testing.TB) *desk {
	of := draftstest.UpTo(t, "scenarios")
	brief := of.Output("brief")
	brief["verdict"], brief["reason"], brief["why"] = "unusable", "no_goal", "It names no goal."
	d := newDesk(t, of, runs.Failed)
	d.drafts[0].Error = &runs.Failure{Reason: runs.GenerationError, Step: "brief", Message: of.Unusable(), Recoverable: true}
	return d
}

// refusedThrice is a draft that failed because a model's answers had mistakes.
func refusedThrice(t testing.TB) *desk {
	d := brokenOff(t)
	const mistakes = "risks[1].owner: got \"the team\"; allowed the name of one person\nrisks[4]: got nothing; allowed 5 to 12 risks"
	call := func(outcome string) rules.Attempt {
		return rules.Attempt{Step: "risks", Model: "model-a", Outcome: outcome}
	}
	d.drafts[0].Attempts = []rules.Attempt{call("the answer has no JSON object"), call("the answer has no JSON object"), call(mistakes)}
	d.drafts[0].Error.Message = "model-a: " + safe.New(mistakes).Line() + " (the last of 3 attempts)"
	return d
}

// several is a list of drafts in all conditions.
func several(t testing.TB) *desk {
	d := atGate(t)
	id := func(n int) string { return fmt.Sprintf("0192f0c4-7c1e-7aaa-8bbb-0000000000%02d", n) }
	d.add(draftstest.UpTo(t, "facts"), id(1), runs.Processing)
	d.drafts[1].LastProgress = tuitest.Moment.Add(-3 * time.Hour)
	d.add(draftstest.Empty(t), id(2), runs.Pending)
	d.add(draftstest.UpTo(t, "wbs"), id(3), runs.Processing)
	d.drafts[3].Mode = runs.ByWorker
	d.add(draftstest.UpTo(t, "risks"), id(4), runs.Stopped)
	d.drafts[4].Stop = &runs.Stop{By: "anna@home", Why: "the lease fell through", At: tuitest.Moment}
	d.add(draftstest.UpTo(t, ""), id(5), runs.Completed)
	d.drafts = append(d.drafts, runs.Whole{Summary: runs.Summary{Plan: runs.Plan{ID: id(6)}, Err: errors.New("record dp/6: checksum differs")}})
	return d
}

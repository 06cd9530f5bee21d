package drafts_test

import (
	"strings"
	"testing"

	"planb/drafts/draftstest"
	"planb/mcp/mcptest"
	"planb/store/runs"
)

// writtenByMany is a plan that several agents write.
type writtenByMany struct {
	t    *testing.T
	w    *mcptest.World
	plan string
}

func (p writtenByMany) call(c *mcptest.Client, tool string, more ...any) mcptest.Answer {
	args := map[string]any{"plan_id": p.plan}
	for i := 0; i < len(more); i += 2 {
		args[more[i].(string)] = more[i+1]
	}
	return c.Tool(tool, args)
}

func (p writtenByMany) read() runs.Whole {
	p.t.Helper()
	w, err := p.w.Store.Drafts().Plan(p.t.Context(), p.plan)
	if err != nil {
		p.t.Fatal(err)
	}
	return w
}

// changeBrief has the person change the brief.
func (p writtenByMany) changeBrief() {
	p.t.Helper()
	w := p.read()
	changed := w.Draft.Output("brief")
	changed["goal"] = "Open a workshop that is smaller."
	person := runs.Caller{Name: "you@example", Person: true}
	if _, _, err := p.w.Store.Drafts().Edit(p.t.Context(), person, runs.Edit{Plan: p.plan, Step: "brief", SHA256: w.Draft.Records["brief"].SHA256, Output: changed}); err != nil {
		p.t.Fatal(err)
	}
}

// A step is given up only by who may write it, and as long as it is to be written.
func TestAGiveUpIsCheckedAsAnAnswerIs(t *testing.T) {
	t.Parallel()
	w, agents := servers(t, 2)
	one, two := agents[0], agents[1]
	p := writtenByMany{t, w, create(t, one)}
	giveUp := func(c *mcptest.Client, step, lease string) mcptest.Answer {
		return p.call(c, "step_submit", "step", step, "lease", lease, "give_up", "It cannot be done.")
	}
	stays := func(about string, got mcptest.Answer, code, words string) {
		t.Helper()
		if state := p.read().State; state == runs.Failed || code != "" && (!got.IsError || got.Data["code"] != code) || !strings.Contains(got.Text(), words) {
			t.Errorf("%s: the plan is %s; told was %.300s", about, state, got.Text())
		}
	}
	before := leaseIn(t, p.call(one, "step_next"))
	p.call(one, "plan_stop")
	p.call(one, "plan_retry")
	stays("a step from before a retry", giveUp(one, "brief", before), "CONFLICT", "begun anew")
	lease := leaseIn(t, p.call(one, "step_next"))
	stays("a gate", giveUp(one, "choose", ""), "PERMISSION_DENIED", "Only the user decides this.")
	stays("a step that is not ready", giveUp(one, "facts", ""), "STEP_NOT_READY", "NOT READY: ")
	stays("a step of another agent", giveUp(two, "brief", ""), "CONFLICT", "brief is being written by agent-0 (")
	stays("the lease of another agent", giveUp(two, "brief", lease), "CONFLICT", "brief is being written by agent-0 (")
	if got := p.call(one, "step_submit", "step", "brief", "lease", lease, "output", string(draftstest.File(t, "brief.json")), "next", false); got.IsError {
		t.Fatal(got.Text())
	}
	stays("a step that is written", giveUp(one, "brief", lease), "", "ALREADY DONE: brief came from ")

	lease = leaseIn(t, p.call(one, "step_next", "step", "scenarios.1"))
	stays("a sub-agent's step without its lease", giveUp(one, "scenarios.1", ""), "CONFLICT", "scenarios.1 is being written by agent-0 (")
	p.changeBrief()
	stale := giveUp(one, "scenarios.1", lease)
	stays("a step whose inputs have changed", stale, "CONFLICT", "STALE: brief was changed by you@example after you got this step, so it was not given up. The step as it is now:\nSTEP 2/12 scenarios.1")
	if p.read().History["scenarios.1"] != nil {
		t.Error("the history has what was given up")
	}
	again := leaseIn(t, stale)
	if got := giveUp(one, "scenarios.1", again).Text(); !strings.HasPrefix(got, "FAILED at scenarios.1: It cannot be done.") || p.read().State != runs.Failed {
		t.Errorf("who has the step is told %s", got)
	}
	p.call(two, "plan_resume")
	if got := giveUp(two, "scenarios.1", "").Text(); !strings.HasPrefix(got, "FAILED at scenarios.1: ") || p.read().State != runs.Failed {
		t.Errorf("of a step that nobody has is told %s", got)
	}
}

// leaseIn is the lease of the step that a text gives.
func leaseIn(t *testing.T, a mcptest.Answer) string {
	t.Helper()
	step := stepLine.FindStringSubmatch(a.Text())
	if step == nil {
		t.Fatalf("no step is given: %s", a.Text())
	}
	return step[2]
}

// A wrong answer to a draft that was stopped is not to be corrected: the agent hears that it stopped.
func TestAWrongAnswerToAStoppedDraft(t *testing.T) {
	t.Parallel()
	w, agents := servers(t, 1)
	one := agents[0]
	p := writtenByMany{t, w, create(t, one)}
	lease := leaseIn(t, p.call(one, "step_next"))
	p.call(one, "plan_stop", "reason", "the user has another idea")
	got := p.call(one, "step_submit", "step", "brief", "lease", lease, "output", map[string]any{"verdict": "nice"})
	if text := got.Text(); !got.IsError || !strings.HasPrefix(text, "NOT ACCEPTED: 7 problems in brief. Nothing was stored.\nSTOPPED by agent-0 at ") ||
		!strings.Contains(text, "the user has another idea. Do no more.") || strings.Contains(text, "Correct them") {
		t.Errorf("told was %s", text)
	}
	p.call(one, "plan_resume")
	if got := p.call(one, "step_submit", "step", "brief", "lease", lease, "output", map[string]any{"verdict": "nice"}); got.Data["code"] != "STEP_INVALID" || !strings.Contains(got.Text(), "Correct them") {
		t.Errorf("after it was resumed: %s", got.Text())
	}
}

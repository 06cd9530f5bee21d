package drafts_test

import (
	"fmt"
	"strings"
	"testing"

	"planb/drafts/draftstest"
	"planb/store/runs"
)

// A lease that is not the one given says nothing of a change, and its answer is kept nowhere.
func TestALeaseThatNobodyWasGiven(t *testing.T) {
	t.Parallel()
	w, agents := servers(t, 2)
	one, two := agents[0], agents[1]
	p := writtenByMany{t, w, create(t, one)}
	lease := leaseIn(t, p.call(one, "step_next"))
	brief := string(draftstest.File(t, "brief.json"))
	for name, wrong := range map[string]string{"one digit is wrong": "fffff" + lease[5:] + "0", "another generation": lease + "-7", "words": "lease " + lease} {
		for _, c := range agents {
			got := p.call(c, "step_submit", "step", "brief", "lease", wrong, "output", brief)
			wantCode(t, got, "CONFLICT")
			if strings.Contains(got.Text(), "was changed by") || strings.Contains(got.Text(), "begun anew") || !strings.HasPrefix(got.Text(), "NOT ACCEPTED: ") || !strings.Contains(got.Text(), wrong) {
				t.Errorf("%s: %.300s", name, got.Text())
			}
		}
	}
	if now := p.read(); len(now.History["brief"]) != 0 || now.Draft.Output("brief") != nil {
		t.Errorf("kept were %v", now.History)
	}
	wantCode(t, p.call(two, "step_submit", "step", "brief", "lease", strings.Repeat("a", 33), "output", brief), "INVALID_ARGUMENT")
	got := p.call(two, "step_submit", "step", "facts", "lease", "words", "output", "{}") // no lease could be told
	wantCode(t, got, "STEP_NOT_READY")
	if !strings.HasPrefix(got.Text(), "NOT READY: facts needs ") {
		t.Errorf("a step that is not ready: %s", got.Text())
	}
}

// An answer that is handed in as another step than its lease is of is not checked as that one's:
// there would be no end of corrections.
func TestALeaseOfAnotherStep(t *testing.T) {
	t.Parallel()
	w, agents := servers(t, 1)
	one := agents[0]
	p := writtenByMany{t, w, create(t, one)}
	lease := leaseIn(t, p.call(one, "step_next"))
	brief := string(draftstest.File(t, "brief.json"))
	got := p.call(one, "step_submit", "step", "facts", "lease", lease, "output", brief)
	wantCode(t, got, "CONFLICT")
	want := fmt.Sprintf("NOT ACCEPTED: the lease %q belongs to the step brief, and you handed this in as facts. Nothing was stored. "+
		`If it was written for brief: step_submit {"plan_id":%q,"step":"brief","lease":%[1]q,…}.`, lease, p.plan)
	if got.Text() != want {
		t.Errorf("told was %s", got.Text())
	}
	if got := p.call(one, "step_submit", "step", "brief", "lease", lease, "output", brief); got.IsError {
		t.Errorf("as the step that it is of: %s", got.Text())
	}
}

// A server that gave nobody a step knows no lease of it: a server before it may have given
// one. It says that somebody changed the inputs only if somebody did.
func TestALeaseThatAServerDoesNotKnow(t *testing.T) {
	t.Parallel()
	const unknown = "STALE: this server never gave out this step with the lease %q, and the step has another lease now"
	for name, test := range map[string]struct {
		mistyped, changed, givenUp bool
		want                       string
	}{
		"mistyped":                    {mistyped: true, want: unknown + ". Yours is kept in its history."},
		"mistyped and given up":       {mistyped: true, givenUp: true, want: unknown + ", so it was not given up."},
		"of a brief that was changed": {changed: true, want: "STALE: brief was changed by you@example after you got this step. Yours is kept in its history."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, agents := servers(t, 2)
			before, after := agents[0], agents[1]
			p := writtenByMany{t, w, create(t, before)}
			p.call(before, "step_submit", "step", "brief", "lease", leaseIn(t, p.call(before, "step_next")), "output", string(draftstest.File(t, "brief.json")), "next", false)
			draft := p.read().Draft
			step, _ := draft.Step("scenarios.1")
			lease := draft.Inputs(step)[:6]
			if test.mistyped {
				lease = lease[1:] + "0"
			}
			if test.changed {
				p.changeBrief()
			}
			field, value := "output", string(draftstest.File(t, "scenarios.1.json"))
			if test.givenUp {
				field, value = "give_up", "It cannot be done."
			}
			got := p.call(after, "step_submit", "step", "scenarios.1", "lease", lease, field, value)
			wantCode(t, got, "CONFLICT")
			want := strings.ReplaceAll(test.want, "%q", fmt.Sprintf("%q", lease)) + " The step as it is now:\nSTEP 2/12 scenarios.1"
			if !strings.HasPrefix(got.Text(), want) {
				t.Errorf("told %.300s, want %s", got.Text(), want)
			}
			if kept := len(p.read().History["scenarios.1"]); kept != map[bool]int{true: 0, false: 1}[test.givenUp] {
				t.Errorf("%d answers are kept", kept)
			}
		})
	}
}

// An answer to a draft that has ended is kept, and claims no other step: nobody is given one.
func TestAnAnswerAfterTheEndClaimsNoStep(t *testing.T) {
	t.Parallel()
	w, agents := servers(t, 2)
	one, two := agents[0], agents[1]
	p := writtenByMany{t, w, create(t, one)}
	p.submit(one, "brief")
	p.call(one, "step_submit", "step", "scenarios.1", "give_up", "It cannot be done.")
	if got := p.call(two, "step_submit", "step", "scenarios.1", "output", string(draftstest.File(t, "scenarios.1.json"))).Text(); !strings.HasPrefix(got, "ACCEPTED scenarios.1 ") || !strings.Contains(got, "\nFAILED at ") {
		t.Fatalf("told is %s", got)
	}
	p.call(one, "plan_resume")
	if got := p.call(one, "step_next").Text(); !strings.HasPrefix(got, "STEP 2/12 scenarios · ") {
		t.Errorf("after the draft was resumed is told %.200s", got)
	}
}

// Nobody writes a draft that was stopped, that failed or that was begun anew: who had a step has
// it no more, and whoever is first has it when the draft goes on. An answer that comes is kept.
func TestClaimsEndWithTheRun(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ ends, goesOn, step string }{
		"stopped and resumed": {"plan_stop", "plan_resume", "scenarios.1"},
		"stopped and retried": {"plan_stop", "plan_retry", "brief"},
		"failed and resumed":  {"", "plan_resume", "scenarios.1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, agents := servers(t, 2)
			one, two := agents[0], agents[1]
			p := writtenByMany{t, w, create(t, one)}
			p.submit(one, "brief")
			lease := leaseIn(t, p.call(one, "step_next", "step", "scenarios.1")) // as a sub-agent of it does
			if test.ends == "" {
				person := runs.Caller{Name: "you@example", Person: true}
				if _, err := w.Store.Drafts().Fail(t.Context(), person, p.plan, runs.Failure{Reason: runs.GenerationError, Step: "scenarios.1", Message: "x", Recoverable: true}); err != nil {
					t.Fatal(err)
				}
			} else {
				p.call(two, test.ends)
			}
			nobody := func(when string) {
				t.Helper()
				if got := p.call(two, "plan_status").Data["writing"]; len(got.([]any)) > 0 {
					t.Errorf("%s: writing are %v", when, got)
				}
			}
			nobody("at the end")
			p.call(two, test.goesOn)
			nobody("afterwards")
			if got := p.call(two, "step_next").Text(); !strings.HasPrefix(got, "STEP ") || !strings.Contains(got, " "+test.step+" · ") {
				t.Errorf("the other agent is told %.200s", got)
			}
			if got := p.call(one, "step_next").Text(); !strings.HasPrefix(got, "BUSY: "+test.step+" is being written by agent-1 (") {
				t.Errorf("who had the step is told %.200s", got)
			}
			p.call(two, "plan_stop")
			p.call(two, "plan_resume")
			if got := p.call(one, "step_next").Text(); !strings.HasPrefix(got, "STEP ") || !strings.Contains(got, " "+test.step+" · ") {
				t.Errorf("who had the step at first is told %.200s", got)
			}
			if test.goesOn == "plan_resume" {
				p.call(two, "plan_stop")
				if got := p.call(one, "step_submit", "step", "scenarios.1", "lease", lease, "output", string(draftstest.File(t, "scenarios.1.json"))).Text(); !strings.HasPrefix(got, "ACCEPTED scenarios.1 ") {
					t.Errorf("an answer after the stop: %.200s", got)
				}
			}
		})
	}
}

// The refusals of a step are counted, whatever lease comes along.
func TestRefusalsCountByStep(t *testing.T) {
	t.Parallel()
	w, agents := servers(t, 1)
	p := writtenByMany{t, w, create(t, agents[0])}
	lease := leaseIn(t, p.call(agents[0], "step_next"))
	for n := 1; n <= 5; n++ {
		named := lease
		if n%2 == 0 {
			named = ""
		}
		got := p.call(agents[0], "step_submit", "step", "brief", "lease", named, "output", `{"verdict":"maybe"}`)
		if strings.Contains(got.Text(), "give_up") != (n > 4) {
			t.Errorf("refused %d times: %s", n, got.Text())
		}
	}
}

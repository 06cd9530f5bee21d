package drafts_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"planb/drafts"
	"planb/drafts/draftstest"
	"planb/drafts/shape"
)

// readBy are the steps that each step is written from, as the contract's table
// says, with the brief after step 1 and the facts after step 7.
func readBy() map[string][]string {
	return map[string][]string{
		"brief": {}, "scenarios.1": {"brief"}, "scenarios": {"brief", "scenarios.1"}, "choose": {"brief", "scenarios"},
		"assumptions": {"brief", "scenarios.1", "choose"},
		"confirm":     {"assumptions", "brief"}, "facts": {"confirm", "choose", "brief", "scenarios.1"},
		"project": {"confirm", "facts", "choose", "brief", "scenarios.1"}, "risks": {"project", "confirm", "choose", "brief", "facts"},
		"wbs": {"project", "risks", "choose", "confirm", "brief", "scenarios.1", "facts"}, "schedule": {"wbs", "brief", "facts", "project"},
		"premortem": {"risks", "project", "confirm", "schedule", "brief", "facts"},
		"summary":   {"scenarios.1", "choose", "confirm", "project", "risks", "wbs", "schedule", "premortem", "brief", "facts"},
		"summary.2": {"confirm", "project", "risks", "schedule", "summary", "brief", "facts"},
	}
}

// growing returns the steps that only a full draft has, and the steps of a brief draft
// that read them.
func growing() map[string][]string {
	work := append([]string{"project", "governance", "resources", "team", "swot", "experts", "documents", "wbs", "schedule"}, parts()...)
	with := func(ids []string, more ...string) []string {
		return slices.Concat(ids, more, []string{"brief", "facts"})
	}
	read := map[string][]string{
		"premise": {"brief"}, "governance": {"risks", "project", "brief", "facts"}, "resources": {"confirm", "project", "brief", "facts"},
		"team": {"project", "resources", "brief", "facts"}, "swot": {"confirm", "project", "resources", "brief", "facts"},
		"experts": {"premise", "risks", "project", "swot", "brief", "facts"}, "documents": {"project", "governance", "team", "brief", "facts"},
		"wbs":      {"project", "risks", "choose", "confirm", "resources", "team", "documents", "brief", "scenarios.1", "facts"},
		"schedule": with(parts(), "wbs", "project"),
		"pitch":    {"project", "experts", "schedule", "brief", "facts"}, "review": with(work, "pitch"),
		"premortem": {"risks", "project", "confirm", "schedule", "review", "brief", "facts"},
		"summary":   {"scenarios.1", "choose", "confirm", "project", "risks", "wbs", "schedule", "review", "premortem", "brief", "facts"},
		"audit":     with(work, "confirm", "pitch", "review", "premortem", "summary", "summary.2"),
		"lint":      with(work, "choose", "confirm", "risks", "pitch", "review", "premortem", "summary", "summary.2", "audit"),
	}
	read["lint.2"] = append([]string{"lint"}, read["lint"]...)
	for _, part := range parts() {
		read[part] = []string{"wbs", "team", "brief", "facts"}
	}
	return read
}

// parts are the parts of step 17 in the workshop's draft, one for each of its phases.
func parts() []string { return []string{"tasks.1", "tasks.2", "tasks.3", "tasks.4"} }

// readIn are the steps that each step of a detail is written from.
func readIn(detail drafts.Detail) map[string][]string {
	read := readBy()
	if detail == drafts.Full {
		maps.Copy(read, growing())
	}
	return read
}

// A step asked for by its id is the one among all.
func TestAStepByItsID(t *testing.T) {
	t.Parallel()
	for _, detail := range drafts.Details() {
		for _, target := range drafts.Targets() {
			d := draftstest.FullUpTo(t, "")
			d.Detail, d.Target = detail, target
			steps := map[string]drafts.Step{}
			for _, s := range d.Steps() {
				steps[s.ID] = s
			}
			for _, id := range []string{"brief", "premise", "choose", "facts", "wbs", "tasks", "tasks.2", "tasks.9", "schedule", "review", "lint", "lint.2", "lint.3", "x", ""} {
				got, ok := d.Step(id)
				want, found := steps[id]
				if ok != found || fmt.Sprint(got.Title, got.Number, got.Part, got.Needs) != fmt.Sprint(want.Title, want.Number, want.Part, want.Needs) {
					t.Errorf("%s, %s, %s: got %v %s %v, want %v %s %v", detail, target, id, ok, got.Title, got.Needs, found, want.Title, want.Needs)
				}
			}
		}
	}
}

// Section 2: a full draft has all 24 steps, each from the steps that the table names. A
// brief one that grows keeps what it has, but for the steps that get another input or
// other limits; what is written from those follows.
func TestABriefDraftGrows(t *testing.T) {
	t.Parallel()
	d := draftstest.UpTo(t, "")
	d.Detail = drafts.Full
	var again, missing []string
	for _, s := range d.Steps() {
		switch standing := d.Standings()[s.ID]; {
		case standing == drafts.Clean:
		case d.Output(s.ID) == nil:
			missing = append(missing, s.ID)
		default:
			again = append(again, s.ID)
		}
	}
	if got, want := fmt.Sprint(again), "[wbs schedule premortem summary summary.2]"; got != want {
		t.Errorf("%s are written again, want %s", got, want)
	}
	if got, want := fmt.Sprint(missing), "[premise governance resources team swot experts documents tasks.1 tasks.2 tasks.3 tasks.4 pitch review audit lint]"; got != want {
		t.Errorf("%s are missing, want %s", got, want)
	}
	for i, s := range drafts.Steps(drafts.Full) {
		if s.Number != i+1 {
			t.Errorf("step %d has the number %d", i+1, s.Number)
		}
	}
}

// Section 2: a step has those of its needs that the detail has.
func TestTheStepsOfADetail(t *testing.T) {
	t.Parallel()
	want := readBy()
	numbers := []int{1, 3, 4, 5, 6, 7, 8, 9, 16, 18, 21, 22}
	for i, s := range drafts.Steps(drafts.Brief) {
		if s.Number != numbers[i] {
			t.Errorf("step %d is %d", i, s.Number)
		}
		for _, need := range s.Needs {
			if _, found := want[need]; !found {
				t.Errorf("%s needs %s, which a brief draft has not", s.ID, need)
			}
		}
	}
	if steps := drafts.Steps(drafts.Ping); len(steps) != 1 || steps[0].ID != "brief" {
		t.Errorf("ping has %d steps", len(steps))
	}
}

// Section 3, dirty: after any edits, new versions and accepted outputs each step
// stands as a plain model of the rule says, and no edit is replaced.
func TestDirtinessFollowsTheRule(t *testing.T) {
	t.Parallel()
	t.Run("brief", func(t *testing.T) { dirtiness(t, draftstest.UpTo(t, "")) })
	t.Run("full", func(t *testing.T) { dirtiness(t, draftstest.FullUpTo(t, "")) })
}

// As many steps are behind one as are written again if each of their texts changes, too.
func TestHowManyStepsAreBehindOne(t *testing.T) {
	t.Parallel()
	for _, changed := range draftstest.UpTo(t, "").Steps() {
		d := draftstest.UpTo(t, "")
		edited := d.Records["risks"]
		edited.Edited = changed.ID != "risks"
		d.Records["risks"] = edited
		want := d.Behind(changed)
		anew := func(s drafts.Step) {
			r := d.Records[s.ID]
			r.Inputs, r.SHA256 = d.Inputs(s), "another"
			d.Records[s.ID] = r
		}
		anew(changed)
		n := 0
		for _, s := range d.Steps() {
			if !d.Standings()[s.ID].Done() {
				anew(s)
				n++
			}
		}
		if n != want {
			t.Errorf("once %s changed, %d were written again; %d are behind it", changed.ID, n, want)
		}
	}
}

func dirtiness(t *testing.T, whole drafts.Draft) {
	t.Parallel()
	read := readIn(whole.Detail)
	rapid.Check(t, func(t *rapid.T) {
		d := whole
		d.Records = maps.Clone(whole.Records)
		seen := map[string]map[string]string{} // for each step, the outputs it was written from
		edited := map[string]bool{}
		current := map[string]string{}
		for id, r := range d.Records {
			current[id] = r.SHA256
		}
		note := func(id string) {
			from := map[string]string{}
			for _, need := range read[id] {
				from[need] = current[need]
			}
			seen[id] = from
		}
		for id := range d.Records {
			note(id)
		}
		steps := d.Steps()
		for range rapid.IntRange(1, 12).Draw(t, "changes") {
			s := steps[rapid.IntRange(0, len(steps)-1).Draw(t, "step")]
			r := d.Records[s.ID]
			switch rapid.SampledFrom([]string{"edit", "write", "the same"}).Draw(t, "change") {
			case "edit": // a person's edit: the output is theirs, whatever it was written from
				r.SHA256, r.Edited = drafts.Sum([]byte(rapid.String().Draw(t, "text"))), true
				r.Inputs = d.Inputs(s)
				edited[s.ID] = true
			case "write":
				r.SHA256, r.Edited = drafts.Sum([]byte(rapid.String().Draw(t, "text"))), false
				r.Inputs = d.Inputs(s)
				edited[s.ID] = false
			case "the same":
				r.Inputs = d.Inputs(s)
			}
			d.Records[s.ID] = r
			current[s.ID] = r.SHA256
			note(s.ID)
		}
		got := d.Standings()
		done := map[string]bool{}
		for _, s := range steps {
			clean := true
			settled := true
			for _, need := range read[s.ID] {
				clean = clean && seen[s.ID][need] == current[need]
				settled = settled && done[need]
			}
			want := drafts.Dirty
			switch {
			case clean:
				want = drafts.Clean
			case edited[s.ID]:
				want = drafts.Kept
			case settled:
				want = drafts.Ready
			}
			done[s.ID] = want.Done()
			if got[s.ID] != want {
				t.Fatalf("%s is %s, want %s", s.ID, got[s.ID], want)
			}
		}
	})
}

// Section 3, dirty: guidance, another start and another prompt change what a step
// is written from; flags change the schedule alone.
func TestWhatInputsDependOn(t *testing.T) {
	t.Parallel()
	d := draftstest.UpTo(t, "")
	for name, c := range map[string]struct {
		change func(*drafts.Draft)
		dirty  []string
	}{
		"nothing":  {func(*drafts.Draft) {}, nil},
		"a prompt": {func(d *drafts.Draft) { d.Prompt += " More." }, []string{"brief"}},
		"flags":    {func(d *drafts.Draft) { d.Flags.Parallel = 1 }, []string{"schedule"}},
		"guidance": {func(d *drafts.Draft) {
			r := d.Records["risks"]
			r.Guidance = "More about the winter."
			d.Records["risks"] = r
		}, []string{"risks"}},
	} {
		changed := d
		changed.Records = maps.Clone(d.Records)
		c.change(&changed)
		var dirty []string
		for _, s := range drafts.Steps(d.Detail) {
			if changed.Records[s.ID].Inputs != changed.Inputs(s) {
				dirty = append(dirty, s.ID)
			}
		}
		if len(dirty) != len(c.dirty) || len(dirty) == 1 && dirty[0] != c.dirty[0] {
			t.Errorf("%s makes %v dirty, want %v", name, dirty, c.dirty)
		}
	}
}

// What can be written next, from the beginning to the end. Section 2: the two gates
// stand among the first six.
func TestReadySteps(t *testing.T) {
	t.Parallel()
	d := draftstest.Empty(t)
	var order []string
	for {
		ready := d.ReadySteps()
		if len(ready) == 0 {
			break
		}
		s := ready[0]
		order = append(order, s.ID)
		draftstest.Accept(d, s, draftstest.Answer(t, d, s))
	}
	if done, of := d.Progress(); done != of || len(order) != of+2 || order[3] != "choose" || order[5] != "confirm" {
		t.Errorf("%d of %d: %v", done, of, order)
	}
}

// Section 2: an unusable prompt and a refusal end the plan, and say why.
func TestUnusable(t *testing.T) {
	t.Parallel()
	d := draftstest.UpTo(t, "scenarios")
	if why := d.Unusable(); why != "" {
		t.Errorf("a usable prompt: %s", why)
	}
	brief := d.Output("brief")
	brief["verdict"], brief["reason"], brief["why"] = "unusable", "no_goal", "It names no goal."
	if why := d.Unusable(); why != "no goal: It names no goal." {
		t.Errorf("got %q", why)
	}
	brief["redline"] = "refuse"
	if why := d.Unusable(); why != "refused: It names no goal." {
		t.Errorf("got %q", why)
	}
}

// Section 5: the words of each outcome.
func TestOutcomes(t *testing.T) {
	t.Parallel()
	d := draftstest.UpTo(t, "facts")
	d.ID = "P"
	var problems shape.Problems
	problems.Add("scenarios[1].settings.L4", "5", "1 to 3, L4 has 3 options", "2")
	line := "NOT ACCEPTED: 1 problem in scenarios. Nothing was stored. Correct them and call step_submit again with the whole object.\nscenarios[1].settings.L4: got 5; allowed 1 to 3, L4 has 3 options; example 2"
	waiting := draftstest.UpTo(t, "choose")
	waiting.ID = "P"
	facts, _ := waiting.Step("facts")
	early := drafts.Draft{ID: "P"}
	for got, want := range map[string]string{
		drafts.Accepted("scenarios", 2, 12, "9c1fabc"):            "ACCEPTED scenarios (2 of 12), sha256 9c1f….",
		drafts.NotAccepted("P", "scenarios", "4f2a", problems, 4): line,
		drafts.NotAccepted("P", "scenarios", "4f2a", problems, 5): line + "\nIf it cannot be done: step_submit {\"plan_id\":\"P\",\"step\":\"scenarios\",\"lease\":\"4f2a\",\"give_up\":\"why\"}.",
		drafts.Stale("brief", "anna@home", drafts.StaleKept):      "STALE: brief was changed by anna@home after you got this step. Yours is kept in its history. The step as it is now:",
		drafts.AlreadyDone("scenarios", "Codex", "2 min"):         "ALREADY DONE: scenarios came from Codex 2 min ago. Yours was not needed.",
		waiting.NotReady(facts, nil):                              `NOT READY: facts needs confirm; choose, which waits for the user. Call step_next {"plan_id":"P"}.`,
		early.NotReady(facts, []string{"brief"}):                  `NOT READY: facts needs confirm; choose; brief; scenarios.1. Ready: brief. Call step_next {"plan_id":"P"}.`,
		d.NoSuchStep("scenario"):                                  `NO SUCH STEP "scenario"; nearest: scenarios.`,
		d.NoSuchStep("hammer"):                                    `NO SUCH STEP "hammer"; there are: brief, scenarios.1, scenarios, choose, assumptions, confirm, facts, project, risks, wbs, schedule, premortem, summary, summary.2.`,
		d.Busy([]string{"wbs is being written by Codex (2 min)"}): `BUSY: wbs is being written by Codex (2 min). Nothing else is ready. Call step_next {"plan_id":"P","wait_seconds":120}.`,
		d.Stopped("anna@home", "14:02", "dinner"):                 `STOPPED by anna@home at 14:02: dinner. Do no more. If the user wants to go on: plan_resume {"plan_id":"P"}.`,
		d.Failed("facts", "given up: no numbers"):                 `FAILED at facts: given up: no numbers. Do no more. If the user wants to go on: plan_resume {"plan_id":"P"}.`,
		d.Failed("", "it ended without a word"):                   `FAILED: it ended without a word. Do no more. If the user wants to go on: plan_resume {"plan_id":"P"}.`,
		d.WrittenByWorker():                                       `A WORKER writes this plan. Call plan_status {"plan_id":"P","wait_seconds":300}.`,
	} {
		if got != want {
			t.Errorf("got:\n%s\nwant:\n%s", got, want)
		}
	}
}

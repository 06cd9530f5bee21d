package drafts

import (
	"fmt"
	"strings"

	"planb/drafts/shape"
	"planb/questions/lenient"
)

// The texts in which step_next and step_submit answer. They are words for a model
// that knows nothing but them.

// Accepted says that an output was stored. done and of count the steps.
func Accepted(step string, done, of int, sha256 string) string {
	return fmt.Sprintf("ACCEPTED %s (%d of %d), sha256 %s….", step, done, of, sha256[:min(len(sha256), 4)])
}

// mostTries is how many answers are refused before the model is told how to give
// the step up.
const mostTries = 4

// Refused says that an output with these problems was not stored. What the model does next follows.
func Refused(step string, problems shape.Problems) string {
	return fmt.Sprintf("NOT ACCEPTED: %s in %s. Nothing was stored.", shape.Counted(len(problems), "problem"), step)
}

// NotAccepted says what is wrong with an output. tries counts this refusal, too.
func NotAccepted(plan, step, lease string, problems shape.Problems, tries int) string {
	text := Refused(step, problems) + " Correct them and call step_submit again with the whole object.\n" + problems.Error()
	if tries > mostTries {
		text += fmt.Sprintf("\nIf it cannot be done: step_submit {\"plan_id\":%q,\"step\":%q,\"lease\":%q,\"give_up\":\"why\"}.", plan, step, lease)
	}
	return text
}

// What became of a submission to a step that has changed.
const (
	StaleKept       = ". Yours is kept in its history"
	StaleNotGivenUp = ", so it was not given up"
)

// Stale says that an output was written from inputs that somebody has changed. The
// step as it is now follows.
func Stale(changed, by, became string) string {
	return fmt.Sprintf("STALE: %s was changed by %s after you got this step%s. The step as it is now:", changed, by, became)
}

// StaleLease is Stale for a lease that this server did not give, where nothing is known to have
// changed.
func StaleLease(lease, became string) string {
	return fmt.Sprintf("STALE: this server never gave out this step with the lease %q, and the step has another lease now%s. The step as it is now:", lease, became)
}

// NotTheLease says that nobody was given a step under that lease. The step as it is now
// follows.
func NotTheLease(lease string) string {
	return fmt.Sprintf("NOT ACCEPTED: step_next never gave out this step with the lease %q. Nothing was stored. If you wrote it from the step as it is now, submit it again with the lease below. The step as it is now:", lease)
}

// LeaseOfAnother says that the lease of one step was given with the id of another.
func LeaseOfAnother(plan, lease, of, step string) string {
	return fmt.Sprintf("NOT ACCEPTED: the lease %q belongs to the step %s, and you handed this in as %s. Nothing was stored. "+
		"If it was written for %s: step_submit {\"plan_id\":%q,\"step\":%q,\"lease\":%q,…}.", lease, of, step, of, plan, of, lease)
}

// AlreadyDone says that somebody else's output came first.
func AlreadyDone(step, by, ago string) string {
	return fmt.Sprintf("ALREADY DONE: %s came from %s %s ago. Yours was not needed.", step, by, ago)
}

// NotReady says what a step waits for. ready are the ids of the steps that can be
// written.
func (d Draft) NotReady(step Step, ready []string) string {
	standings := d.Standings()
	var needs []string
	for _, id := range d.reads(step) {
		if standings[id].Done() {
			continue
		}
		if s, ok := d.Step(id); ok && s.Author == Person && standings[id] == Ready {
			id += ", which waits for the user"
		}
		needs = append(needs, id)
	}
	text := fmt.Sprintf("NOT READY: %s needs %s.", step.ID, strings.Join(needs, "; "))
	if len(ready) > 0 {
		text += " Ready: " + strings.Join(ready, ", ") + "."
	}
	return text + d.nextCall("")
}

// nextCall tells the model to ask for the next step.
func (d Draft) nextCall(more string) string {
	return fmt.Sprintf(` Call step_next {"plan_id":%q%s}.`, d.ID, more)
}

// NoSuchStep says that there is no step with that name, and names similar ones.
func (d Draft) NoSuchStep(id string) string {
	var ids []string
	for _, s := range d.own() {
		ids = append(ids, s.ID)
	}
	text := "NO SUCH STEP " + lenient.Quote(id)
	if near, ok := lenient.Nearest(id, ids); ok {
		return text + "; nearest: " + near + "."
	}
	return text + "; there are: " + strings.Join(ids, ", ") + "."
}

// Busy says that all ready steps are being written by others. Each of writing says
// which and by whom: "wbs is being written by Codex (2 min)".
func (d Draft) Busy(writing []string) string {
	return "BUSY: " + strings.Join(writing, "; ") + ". Nothing else is ready." + d.nextCall(`,"wait_seconds":120`)
}

// Stopped says that the plan goes on only if the user wants it.
func (d Draft) Stopped(by, at, why string) string {
	return fmt.Sprintf("STOPPED by %s at %s: %s. ", by, at, why) + d.resume()
}

// Failed says why the plan failed, and at which step; empty if it was at none.
func (d Draft) Failed(step, why string) string {
	failed := "FAILED"
	if step != "" {
		failed += " at " + step
	}
	if d.Rejected() != "" {
		return fmt.Sprintf("%s: %s. Do no more. ", failed, why) + d.OnRejection()
	}
	return fmt.Sprintf("%s: %s. ", failed, why) + d.resume()
}

// OnRejection tells the model what can be done about a brief that rejects the prompt. No call of
// the model lets such a draft go on.
func (d Draft) OnRejection() string {
	return fmt.Sprintf("Only the user changes that verdict: tell them why, and that they can change it with the key e on Brief in  planb tui drafts %s . "+
		"Or agree with them on a better prompt, and call plan_create with it.", d.ID)
}

func (d Draft) resume() string {
	return fmt.Sprintf(`Do no more. If the user wants to go on: plan_resume {"plan_id":%q}.`, d.ID)
}

// WrittenByWorker says that a worker without the agent writes the plan.
func (d Draft) WrittenByWorker() string {
	return fmt.Sprintf(`A WORKER writes this plan. Call plan_status {"plan_id":%q,"wait_seconds":300}.`, d.ID)
}

// Done says that the plan is written, and what to do with it.
func (d Draft) Done() string {
	done, of := d.Progress()
	found := "code's checks: " + shape.Counted(len(d.Lint()), "problem")
	if d.Output("lint") != nil {
		found += fmt.Sprintf("; consistency: %d high left", d.Unrepaired())
	}
	return fmt.Sprintf("DONE: %d of %d; %s. Call plan_download {\"plan_id\":%q}, tell the user the path, and that it is a draft. "+
		"For tasks, the user runs planb draft tasks %s.", done, of, found, d.ID, d.ID)
}

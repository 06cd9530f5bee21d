package planning

import (
	"context"
	"fmt"

	"planb/mcp/tool"
	"planb/plans"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
)

// review has the person review a version of a plan, and waits for what they say.
func (s *toolset) review(ctx context.Context, c *tool.Caller, submitted submission) *tool.Result {
	plan := submitted.plan
	last, err := s.lastReview(ctx, plan.Session, plan.Name)
	if err != nil {
		return tool.NotStored(plan.Session, "What the user said of the plan before cannot be read, so it was not submitted", err)
	}
	for _, id := range submitted.done {
		if !last.has(id) {
			return tool.Failed(plan.Session, fmt.Sprintf("done names %q, %s.", tool.Shortened(id), last.lacks()))
		}
	}
	answer := s.Room.Ask(ctx, c, store.Ask{Session: plan.Session, Spec: questions.ReviewOf(planTitle(plan, plan.Name, submitted.text), questions.PlanRef{
		Name: string(plan.Name), Number: plan.Number, Digest: plan.Digest, Path: submitted.path, Since: last.ask.ID, Done: submitted.done,
	})})
	if of := answer.Ask.Spec.Plan; of != nil && of.Number > plan.Number {
		answer.Notes = append(answer.Notes, olderText(plan.Number, *of))
	}
	if again := last.approvedBefore(plan); again != "" && len(submitted.done) == 0 && answer.Wants == nil && !overrules(answer.Ask) {
		answer.Notes = append(answer.Notes, again)
	}
	return answer
}

// overrules reports whether the user, asked again, said something else than that they approve
// the plan.
func overrules(ask store.Ask) bool {
	said := reviewIn(ask)
	return hasSpoken(ask) && (said == nil || !said.Approved())
}

// hasSpoken reports whether the review ended by something that the user did.
func hasSpoken(ask store.Ask) bool {
	state := ask.Outcome.State
	return state == questions.Answered || state == questions.Discuss || state == questions.Declined
}

// planTitle is the name under which a person knows the plan.
func planTitle(plan store.Plan, name plans.Name, text safe.Text) safe.Text {
	if !plan.Title.Blank() {
		return plan.Title
	}
	if heading := plans.Heading(text); !heading.Blank() && len(heading.Raw()) <= questions.MaxTitleBytes {
		return heading
	}
	if name != "" {
		return safe.New(string(name))
	}
	return safe.New("The plan")
}

// olderText is for a version that was submitted while a newer one was under review.
func olderText(submitted int, newer questions.PlanRef) string {
	return fmt.Sprintf("You submitted version %d, which is older than version %d: the user does not read it, and the review is that of version %d. "+
		"To have the older text reviewed, write it into the plan again, and submit that.", submitted, newer.Number, newer.Number)
}

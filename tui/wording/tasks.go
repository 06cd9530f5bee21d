package wording

import (
	"fmt"
	"strings"

	"planb/plans/tasks"
	"planb/questions/safe"
	kept "planb/store/tasks"
)

// WhyNot tells the person why agents cannot have task n: the same obstacles that agents
// are told, in words for the person. It is empty if an agent can have it. Of a plan that
// is not active it names what else the task waits for.
func WhyNot(v *tasks.View, n int, names tasks.Names) string {
	const most = 4
	var parts []string
	more := 0
	list := v.Obstacles(n)
	for _, o := range list {
		switch {
		case o.Why == tasks.NotActive && len(list) > 1:
			continue // the plan says so itself
		case len(parts) == most:
			more++
			continue
		}
		parts = append(parts, Obstacle(v, o, names))
	}
	if more > 0 {
		parts = append(parts, fmt.Sprintf("%d more", more))
	}
	return strings.Join(parts, ", ")
}

// Obstacle is one obstacle of a task in words for the person, without the task.
func Obstacle(v *tasks.View, o tasks.Obstacle, names tasks.Names) string {
	switch o.Why {
	case tasks.NotActive:
		if v.Status == tasks.PlanProposed {
			return "waits for your approval"
		}
		return "its plan is " + v.Status.Standing().Word
	case tasks.Paused:
		return "its plan is paused"
	case tasks.Locked:
		return "waits for your approval"
	case tasks.WaitsFor:
		return fmt.Sprintf("waits for %s (%s)", Quote(names(o.Task).Line()), stands(v, o))
	case tasks.Person:
		return "is for you to do"
	case tasks.Overlap:
		other := ""
		if o.Other != nil {
			other = Quote(o.Other.Title.Line()) + " of " + Quote(o.Other.Plan.Line())
		} else {
			other = Quote(names(o.Task).Line())
		}
		return fmt.Sprintf("touches %s, as %s does (%s)", safe.New(o.File).Line(), other, stands(v, o))
	case tasks.Taken, tasks.HolderGone:
		return stands(v, o)
	case tasks.Review:
		return "waits for you to accept it"
	}
	return o.State.Standing().Word
}

// stands says where the task of an obstacle stands, and who has it.
func stands(v *tasks.View, o tasks.Obstacle) string {
	word := o.State.Standing().Word
	switch {
	case !o.Until.IsZero():
		return fmt.Sprintf("its agent is gone; free in %s", Lasted(o.Until.Sub(v.Now)))
	case o.Who == "":
		return word
	}
	return fmt.Sprintf("%s, %s, %s", word, safe.New(o.Who).Line(), Lasted(v.Now.Sub(o.Since)))
}

// Unreported tells, without a full stop, what the agent said last in an attempt after which its task
// waits for the person without a report.
func Unreported(a kept.Attempt) string {
	who := safe.New(a.Worker).Line()
	if who == "" {
		who = "Its agent"
	}
	does := "cannot go on without you"
	if a.End == kept.EndedByAgent {
		does = "gave it back, as others did before"
	}
	said := a.Said()
	if said.Blank() {
		return who + " " + does + " and did not say why"
	}
	return who + " says “" + said.Line() + "” and " + does // whole: it is what they decide about
}

// Attempt says how an attempt on a task ended, in a few words.
func Attempt(end kept.Ending) string {
	switch end {
	case "":
		return "in work"
	case kept.EndedByAgent:
		return "given back"
	case kept.EndedByLease:
		return "silent for longer than its lease"
	case kept.EndedByExit:
		return "its agent is gone"
	case kept.EndedStuck:
		return "could not go on without you"
	case kept.EndedReported:
		return "reported"
	case kept.EndedAccepted:
		return "accepted by you"
	case kept.EndedSentBack:
		return "sent back by you"
	case kept.EndedByRelease:
		return "released by you"
	case kept.EndedByCancel:
		return "cancelled by you"
	case kept.EndedByFinish:
		return "finished by you"
	case kept.EndedUnreadable:
		return "its claim was lost"
	}
	return safe.New(string(end)).Line()
}

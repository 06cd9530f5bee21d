package tasks

import (
	"fmt"
	"strings"
	"time"

	"planb/questions/safe"
)

// Names returns the title of task n. The caller reads it: a packed graph holds no titles.
type Names func(n int) safe.Text

func (names Names) quoted(n int) string { return `"` + names(n).Line() + `"` }

// other is the other task of an obstacle.
func (names Names) other(o Obstacle) string {
	if o.Other != nil {
		return fmt.Sprintf(`"%s" of the plan "%s"`, o.Other.Title.Line(), o.Other.Plan.Line())
	}
	return names.quoted(o.Task)
}

// Words returns the obstacle as the end of a sentence that begins with the task:
// `waits for "Schema" (in work)`.
func (v *View) Words(o Obstacle, names Names) string {
	switch o.Why {
	case NotActive:
		return v.Status.waiting()
	case Paused:
		return "waits until your user lets the plan go on"
	case Locked:
		return "waits for your user's approval"
	case WaitsFor:
		stands := o.stands(v.Now)
		if v.Wants(o.Task) == WantsDoing {
			stands = "for your user to do"
		}
		return fmt.Sprintf("waits for %s (%s)", names.quoted(o.Task), stands)
	case Person:
		return "is for your user to do"
	case Overlap:
		other := names.other(o)
		return fmt.Sprintf("touches %s, as %s does (%s)", safe.New(o.File).Line(), other, o.stands(v.Now))
	case Taken:
		return "is " + o.inWork(v.Now)
	case HolderGone:
		return o.stands(v.Now)
	case Review:
		return "waits for your user"
	}
	return "is " + string(o.State)
}

// waiting says what keeps the tasks of a plan that is not active.
func (s Status) waiting() string {
	if s == PlanProposed {
		return "waits until your user approves the plan"
	}
	return "is in a plan that is " + string(s)
}

// stands says where the task of an obstacle stands.
func (o Obstacle) stands(now time.Time) string {
	switch o.State {
	case Claimed, InProgress:
		if !o.Until.IsZero() {
			return fmt.Sprintf("was in work; its agent is gone; planb keeps the task for it for another %s", Lasted(o.Until.Sub(now)))
		}
		if o.Who == "" {
			return "in work"
		}
		return fmt.Sprintf("in work: %s, %s", safe.New(o.Who).Line(), Lasted(now.Sub(o.Since)))
	case NeedsReview:
		return "waits for your user"
	}
	return string(o.State)
}

// inWork says who works on the task of an obstacle.
func (o Obstacle) inWork(now time.Time) string {
	if o.Who == "" {
		return "in work"
	}
	return fmt.Sprintf("in work (%s, %s)", safe.New(o.Who).Line(), Lasted(now.Sub(o.Since)))
}

// Lasted is a time that has passed, in its largest unit of which there are two or more.
func Lasted(d time.Duration) string {
	switch {
	case d < 2*time.Minute:
		return fmt.Sprintf("%d s", max(0, int(d/time.Second)))
	case d < 2*time.Hour:
		return fmt.Sprintf("%d min", int(d/time.Minute))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h", int(d/time.Hour))
	}
	return fmt.Sprintf("%d days", int(d/(24*time.Hour)))
}

// Why says why task n cannot be worked on; empty if an agent may have it.
func (v *View) Why(n int, names Names) string {
	var parts []string
	const most = 4
	rest := 0
	for o := range v.obstacles(n) {
		if len(parts) == most {
			rest++
			continue
		}
		parts = append(parts, v.Words(v.detailed(n, o), names))
	}
	if rest > 0 {
		parts = append(parts, fmt.Sprintf("and %d more", rest))
	}
	return strings.Join(parts, "; ")
}

// Explanation says why one task is not ready.
type Explanation struct {
	Number int
	Why    string
}

// Explain gives the reason for each open task that agents cannot have, in the order of
// the tasks. It stops after most bytes of words; rest counts the others.
func (v *View) Explain(names Names, most int) (list []Explanation, rest int) {
	for n := 1; n <= v.Graph.Len(); n++ {
		if !v.tasks[n-1].open || v.Offered(n) {
			continue
		}
		if rest > 0 {
			rest++
			continue
		}
		why := v.Why(n, names)
		if most -= len(why) + len(names(n).Raw()); most < 0 {
			rest++
			continue
		}
		list = append(list, Explanation{n, why})
	}
	return list, rest
}

// NothingReady tells an agent that gets no task what the open ones wait for; empty
// if no task is open. Tasks that only wait for others are counted, not named.
func (v *View) NothingReady(names Names) string {
	switch {
	case v.Status == PlanProposed:
		return "Nothing is ready: the plan waits until your user approves it. Do not start it."
	case v.Status == PlanActive && v.Paused:
		return "Nothing is ready: the plan waits until your user lets it go on. Do not start it."
	}
	const most = 4
	var parts []string
	own, others, more, waiting := 0, 0, 0, 0
	for n := 1; n <= v.Graph.Len(); n++ {
		if !v.tasks[n-1].open {
			continue
		}
		first, offered := v.first(n)
		if v.Claims[n].Own {
			own++
		} else {
			others++
		}
		switch {
		case offered:
			return ""
		case first.Why == WaitsFor:
			waiting++
		case len(parts) == most:
			more++
		default:
			parts = append(parts, names.quoted(n)+" "+v.Words(v.detailed(n, first), names))
		}
	}
	if more > 0 {
		parts = append(parts, fmt.Sprintf("%d more for such reasons", more))
	}
	if waiting > 0 {
		parts = append(parts, fmt.Sprintf("%d for those", waiting))
	}
	if len(parts) == 0 {
		return ""
	}
	instead := " Do not start them."
	switch {
	case others == 0:
		instead = ""
	case own > 0:
		instead = " Do not start the others."
	}
	return "Nothing is ready: " + strings.Join(parts, ", ") + "." + instead
}

// NothingApproved tells an agent that gets no task which plans wait for the approval; empty if
// none does.
func NothingApproved(titles []safe.Text) string {
	const most = 4
	var shown []string
	for _, title := range titles[:min(len(titles), most)] {
		shown = append(shown, `"`+title.Line()+`"`)
	}
	rest := ""
	if more := len(titles) - len(shown); more > 0 {
		rest = fmt.Sprintf(" and %d more", more)
	}
	switch len(titles) {
	case 0:
		return ""
	case 1:
		return "Nothing is ready: the plan " + shown[0] + " waits until your user approves it. Do not start it."
	}
	return "Nothing is ready: the plans " + strings.Join(shown, ", ") + rest + " wait until your user approves them. Do not start them."
}

// first returns the first obstacle of task n.
func (v *View) first(n int) (o Obstacle, offered bool) {
	for o := range v.obstacles(n) {
		return o, false
	}
	return Obstacle{}, true
}

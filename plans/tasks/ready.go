package tasks

import (
	"iter"
	"time"
)

// Reason says why a task cannot be worked on.
type Reason uint8

// The reasons. Those up to WaitsFor block a task that is free; Person and Overlap
// leave it ready, but keep it from agents.
const (
	NotActive  Reason = iota // its plan is proposed, done or cancelled
	Paused                   // its plan is paused
	Locked                   // no person approved it with its present words; its plan is active
	WaitsFor                 // Task must be done or cancelled first
	Person                   // only a person can do it
	Overlap                  // Task, or one of another plan, is in work and touches File, too
	Taken                    // somebody has it
	HolderGone               // somebody had it, and may come back until Until
	Review                   // a person must look at it
	Final                    // it is done or cancelled
)

// Blocks reports whether a task with the obstacle is blocked, and not only kept
// from agents.
func (r Reason) Blocks() bool { return r <= WaitsFor }

// Obstacle is one reason why a task cannot be worked on.
type Obstacle struct {
	Why   Reason
	Task  int       // the other task; 0 if there is none
	State State     // of that task, else of the task itself
	File  string    // that both touch
	Who   string    // who works on it
	Since time.Time // when Who began
	Until time.Time // when that task is free again whose agent is gone; else zero
	// Other is a task of another plan; then Task is 0. Nil: there is none.
	Other *Elsewhere
}

// Obstacles returns why task n cannot be worked on; nothing if an agent may have it.
// Everything that planb does or says about readiness comes from this list.
func (v *View) Obstacles(n int) (list []Obstacle) {
	for o := range v.obstacles(n) {
		list = append(list, v.detailed(n, o))
	}
	return list
}

// obstacles yields why task n cannot be worked on, without the details that only
// words need.
func (v *View) obstacles(n int) iter.Seq[Obstacle] {
	return func(yield func(Obstacle) bool) {
		if why, occupied := v.occupied(n); occupied {
			yield(Obstacle{Why: why})
			return
		}
		_ = v.blocked(n, yield) && v.kept(n, yield)
	}
}

// occupied returns the reason why task n is not free.
func (v *View) occupied(n int) (why Reason, occupied bool) {
	switch stored := v.stored(n); {
	case v.free(n, stored):
		return 0, false
	case stored.Final():
		return Final, true
	case stored == NeedsReview:
		return Review, true
	case v.Claims[n].Gone.IsZero():
		return Taken, true
	}
	return HolderGone, true
}

// blocked yields what blocks a task that is free: nothing if it is ready.
func (v *View) blocked(n int, yield func(Obstacle) bool) bool {
	if v.ready(n) {
		return true
	}
	switch {
	case v.Status != PlanActive && !yield(Obstacle{Why: NotActive}):
		return false
	case v.Paused && !yield(Obstacle{Why: Paused}):
		return false
	case v.Status == PlanActive && !v.Unlocked[n-1] && !yield(Obstacle{Why: Locked}): // else NotActive says it
		return false
	case v.tasks[n-1].waits == 0:
		return true
	}
	for _, e := range v.Graph.Edges(n) {
		if e.Kind.Hard() && v.tasks[e.On-1].open && !yield(Obstacle{Why: WaitsFor, Task: e.On}) {
			return false
		}
	}
	return true
}

// kept yields what keeps agents from a task that is free.
func (v *View) kept(n int, yield func(Obstacle) bool) bool {
	if v.Graph.Human(n) && !yield(Obstacle{Why: Person}) {
		return false
	}
	for _, o := range v.overlaps(n) {
		if !yield(o) {
			return false
		}
	}
	return true
}

// detailed adds the state of the task that the obstacle is about, and who has it.
func (v *View) detailed(n int, o Obstacle) Obstacle {
	about := n
	switch {
	case o.Other != nil:
		o.State = InProgress
		return o.heldBy(o.Other.Claim, v.Grace)
	case o.Task != 0:
		about = o.Task
	}
	if o.State = v.State(about); !o.State.Held() {
		return o
	}
	return o.heldBy(v.Claims[about], v.Grace)
}

// heldBy adds who has the task that the obstacle is about.
func (o Obstacle) heldBy(claim Claim, grace time.Duration) Obstacle {
	o.Who, o.Since = claim.who(), claim.At
	if !claim.Gone.IsZero() {
		o.Until, _ = claim.lapsesAt(grace)
	}
	return o
}

// Want is what a task wants of the person.
type Want uint8

// What a task may want.
const (
	WantsNothing Want = iota
	// WantsAcceptance: its report waits, or it was given back too often.
	WantsAcceptance
	// WantsApproval: no person has approved it as it is, and none has held it back.
	WantsApproval
	// WantsDoing: only a person can do it, and it is its turn.
	WantsDoing
)

// Wants returns what task n wants of the person. It alone decides that: whatever lists, counts or
// marks tasks that need the person asks it.
func (v *View) Wants(n int) Want {
	switch state := v.State(n); {
	case state.Final(), state.Held():
		return WantsNothing
	case v.Status == PlanProposed:
		return WantsApproval
	case state == NeedsReview:
		return WantsAcceptance
	case v.locked(n):
		return WantsApproval
	case state == Ready && v.Graph.Human(n):
		return WantsDoing
	}
	return WantsNothing
}

// Shown returns the state of task n as boards and lists show it: NeedsReview, which is worded
// "needs you", for a task of an active plan that wants something of the person.
func (v *View) Shown(n int) State {
	if v.Status == PlanActive && v.Wants(n) != WantsNothing {
		return NeedsReview
	}
	return v.State(n)
}

// locked reports whether task n of an active plan waits for an approval: an agent or a command
// added or reworded it, and the person has not held it back.
func (v *View) locked(n int) bool {
	return v.Status == PlanActive && !v.Unlocked[n-1] && (v.back == nil || !v.back[n-1])
}

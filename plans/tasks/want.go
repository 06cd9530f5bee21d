package tasks

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

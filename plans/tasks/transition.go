package tasks

import "slices"

// Actor says who does something to a task.
type Actor uint8

// The actors. Planb acts when it notices that a claim has lapsed.
const (
	Agent Actor = iota
	User
	Planb
)

// Action is what is done to a task.
type Action string

// The actions.
const (
	ActClaim    Action = "claim"
	ActBegin    Action = "begin"     // the holder says that it works on it
	ActGiveBack Action = "give_back" // the holder gives it back
	ActLapse    Action = "lapse"     // the holder is gone, or silent for longer than its lease
	ActRelease  Action = "release"   // the person takes it from its holder
	ActStuck    Action = "stuck"     // the holder cannot go on without the person
	ActComplete Action = "complete"  // the contract is met
	ActReport   Action = "report"    // the contract is met, and a person must accept it
	ActAccept   Action = "accept"    // the person accepts the report
	ActSendBack Action = "send_back" // the person wants more, and says what
	ActFinish   Action = "finish"    // the person has done a task of kind human
	ActCancel   Action = "cancel"
)

// Transition is a row of the state machine.
type Transition struct {
	From   []State
	Action Action
	By     Actor
	To     State
}

// Transitions is the state machine of a task. Blocked and Ready are derived; a task
// that comes back to Open is one of them.
func Transitions() []Transition {
	held := []State{Claimed, InProgress}
	return []Transition{
		{[]State{Ready}, ActClaim, Agent, Claimed},
		{held, ActBegin, Agent, InProgress},
		{held, ActGiveBack, Agent, Open},
		{held, ActLapse, Planb, Open},
		{held, ActRelease, User, Open},
		{held, ActStuck, Agent, NeedsReview},
		{held, ActComplete, Agent, Done},
		{held, ActReport, Agent, NeedsReview},
		{[]State{NeedsReview}, ActAccept, User, Done},
		{[]State{NeedsReview}, ActSendBack, User, Open},
		{[]State{Ready}, ActFinish, User, Done},
		{[]State{Blocked, Ready, Claimed, InProgress, NeedsReview}, ActCancel, User, Cancelled},
	}
}

// After returns the state that an action leads to. ok is false if the action is not
// allowed in this state, or not to this actor.
func (s State) After(a Action, by Actor) (to State, ok bool) {
	for _, row := range Transitions() {
		if row.Action == a && row.By == by && slices.Contains(row.From, s) {
			return row.To, true
		}
	}
	return s, false
}

// GivenBack returns the state of a task after that many attempts were given back or
// lapsed. An attempt whose client was closed does not count.
func GivenBack(attempts int) State {
	if attempts >= MaxAttempts {
		return NeedsReview
	}
	return Open
}

// Leads reports whether a plan may go from one status to another.
func (s Status) Leads(to Status) bool {
	switch to {
	case PlanActive:
		return s == PlanProposed
	case PlanDone:
		return s == PlanActive
	case PlanCancelled:
		return s == PlanProposed || s == PlanActive
	}
	return false
}

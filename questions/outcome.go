package questions

import (
	"fmt"
	"time"

	"planb/questions/lenient"
	"planb/questions/safe"
)

// State is where an ask stands.
type State string

// The states of an ask. Pending is the first. An Expired ask may still be
// answered. All other states are final.
const (
	Pending   State = "pending"
	Expired   State = "expired"   // no answer within the ask's time; late ones are welcome
	Answered  State = "answered"  // the form was submitted
	Discuss   State = "discuss"   // "reply without finishing": a message, and the answers so far
	Declined  State = "declined"  // the person does not want to be asked this
	Withdrawn State = "withdrawn" // the agent took the question back
)

// Final reports whether no other state can follow.
func (s State) Final() bool {
	switch s {
	case Answered, Discuss, Declined, Withdrawn:
		return true
	}
	return false
}

// Outcome says how an ask ended, or that it is still pending.
type Outcome struct {
	State   State     `json:"state"`
	Reply   Reply     `json:"reply,omitzero"`   // answered: the answers; discuss: those so far
	Message safe.Text `json:"message,omitzero"` // discuss: the message; declined: the reason, if given
	At      time.Time `json:"at,omitzero"`      // when the ask reached this state
	By      string    `json:"by,omitempty"`     // who brought it there: a person as user@host, a client by its name; empty if nobody did
	// Next is the id of the ask that replaces this withdrawn one; the person's
	// answer goes there. Empty if no ask replaces it.
	Next string `json:"next,omitempty"`
}

// Settle is the state machine of an ask: the ask has the outcome now, the outcome next
// arrives, and Settle returns the outcome that the ask has then. The zero Outcome
// counts as pending.
//
//	pending → expired, answered, discuss, declined, withdrawn
//	expired → answered, discuss, declined, withdrawn; expired again stays as it was
//
// The first final outcome wins: for every later one Settle returns the first and
// a *SettledError. No state leads back to pending. Settle does not check whether
// next fits the form (CheckOutcome does), and it has no clock: the caller decides
// when an ask expires.
func Settle(now, next Outcome) (Outcome, error) {
	if now.State == "" {
		now.State = Pending
	}
	switch {
	case now.State.Final():
		return now, &SettledError{Winner: now}
	case now.State != Pending && now.State != Expired:
		return now, fmt.Errorf("an ask in the state %s cannot be settled: this planb does not know it", lenient.Quote(string(now.State)))
	case next.State.Final():
		return next, nil
	case next.State != Expired:
		return now, fmt.Errorf("an ask cannot become %s: allowed are answered, discuss, declined, withdrawn and expired",
			lenient.Quote(string(next.State)))
	case now.State == Expired:
		return now, nil
	}
	return next, nil
}

// SettledError tells a late writer that an ask already has a final outcome, and
// which one.
type SettledError struct {
	Winner Outcome // the outcome that holds
}

// Error names the final outcome, who caused it, and when.
func (e *SettledError) Error() string {
	what := "already " + string(e.Winner.State)
	by := ""
	if e.Winner.By != "" {
		by = " by " + safe.New(e.Winner.By).Line()
	}
	switch e.Winner.State {
	case Discuss:
		what = "already answered with a message instead"
	case Withdrawn:
		what = "withdrawn"
		switch {
		case e.Winner.Next != "":
			what, by = "replaced by a later one", ""
		case e.Winner.Message.Blank(): // a person's withdrawal has a message
			by = " by the agent"
		}
	}
	if !e.Winner.At.IsZero() {
		by += " at " + e.Winner.At.Format("2006-01-02 15:04:05 MST")
	}
	return "this question was " + what + by
}

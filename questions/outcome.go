package questions

import (
	"fmt"
	"time"

	"planb/questions/safe"
)

// State is where an ask stands.
type State string

// The states of an ask. Pending is the first. Expired may still be answered;
// the others after it are final.
const (
	Pending   State = "pending"
	Expired   State = "expired"   // no answer within the ask's time; late ones are welcome
	Answered  State = "answered"  // the form was submitted
	Discuss   State = "discuss"   // "reply without finishing": a message, and the answers so far
	Declined  State = "declined"  // the person does not want to be asked this
	Withdrawn State = "withdrawn" // the agent took the question back
)

// Final reports whether nothing can follow the state.
func (s State) Final() bool {
	switch s {
	case Answered, Discuss, Declined, Withdrawn:
		return true
	}
	return false
}

// Outcome is how an ask ended, or that it has not.
type Outcome struct {
	State   State     `json:"state"`
	Reply   Reply     `json:"reply,omitzero"`   // answered: the answers; discuss: those so far
	Message safe.Text `json:"message,omitzero"` // discuss: the message; declined: the reason, if given
	At      time.Time `json:"at,omitzero"`      // when it came about
	By      string    `json:"by,omitempty"`     // who did it, user@host
	// Next is the id of the ask that has taken the place of one that was withdrawn:
	// what is said goes there. Empty where nothing has.
	Next string `json:"next,omitempty"`
}

// Settle is the state machine of an ask: it returns the outcome that holds
// when next arrives while now holds. The zero Outcome counts as pending.
//
//	pending → expired, answered, discuss, declined, withdrawn
//	expired → answered, discuss, declined, withdrawn; expired again stays as it was
//
// The first final outcome wins: after it the error is a *SettledError, and the
// outcome returned is still the first. Nothing goes back to pending. Whether
// next fits the form is for CheckOutcome to say, and when an ask expires for
// whoever has a clock.
func Settle(now, next Outcome) (Outcome, error) {
	if now.State == "" {
		now.State = Pending
	}
	switch {
	case now.State.Final():
		return now, &SettledError{Winner: now}
	case now.State != Pending && now.State != Expired:
		return now, fmt.Errorf("an ask in the state %s cannot be settled: this planb does not know it", quote(string(now.State)))
	case next.State.Final():
		return next, nil
	case next.State != Expired:
		return now, fmt.Errorf("an ask cannot become %s: allowed are answered, discuss, declined, withdrawn and expired",
			quote(string(next.State)))
	case now.State == Expired:
		return now, nil
	}
	return next, nil
}

// SettledError tells a late writer that an ask already has its final outcome,
// and which.
type SettledError struct {
	Winner Outcome // the outcome that holds
}

// Error says what the outcome is, who brought it about and when.
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
		case e.Winner.Message.Blank(): // a person's withdrawal says that it is one
			by = " by the agent"
		}
	}
	if !e.Winner.At.IsZero() {
		by += " at " + e.Winner.At.Format("2006-01-02 15:04:05 MST")
	}
	return "this question was " + what + by
}

package questions

import (
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
}

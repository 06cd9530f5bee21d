package archive

import (
	"planb/questions"
	"planb/questions/safe"
)

// StateWord is the state of an ask, or of a review of a plan, as a reader is told
// of it; one that a later planb wrote is named as it is.
func StateWord(state questions.State, review bool) string {
	switch state {
	case questions.Answered:
		if review {
			return "Reviewed"
		}
		return "Answered"
	case questions.Discuss:
		return "Replied without finishing"
	case questions.Declined:
		return "Declined"
	case questions.Withdrawn:
		return "Withdrawn"
	case questions.Expired:
		return "No answer in time"
	case questions.Pending, "":
		return "Open"
	}
	return "In the state " + safe.New(string(state)).Line()
}

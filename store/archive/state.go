package archive

import (
	"planb/questions"
	"planb/questions/safe"
)

// StateWord names the state of an ask, or of a plan's review, for a reader. A
// state of a later planb is named as it is written.
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

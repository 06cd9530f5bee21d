package themes

import "planb/questions"

// Role names a colour of the palette by what it says about the thing that is drawn
// in it.
type Role int

// The roles that tell how something stands.
const (
	RoleInfo Role = iota
	RoleSuccess
	RoleWarning
	RoleRequired // it waits for the person
	RoleFaint    // it matters no more
)

// RoleOf returns the role of an ask's state. Its mark and its words are in
// questions.Standing.
func RoleOf(state questions.State) Role {
	switch state {
	case questions.Pending, "":
		return RoleRequired
	case questions.Expired, questions.Declined:
		return RoleWarning
	case questions.Answered:
		return RoleSuccess
	case questions.Withdrawn:
		return RoleFaint
	}
	return RoleInfo
}

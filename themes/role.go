package themes

import (
	"planb/drafts"
	"planb/plans/tasks"
	"planb/questions"
)

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

// RoleOfTask returns the role of a task's state. Its mark and its word are in
// tasks.Standing.
func RoleOfTask(state tasks.State) Role {
	switch state {
	case tasks.NeedsReview:
		return RoleRequired
	case tasks.Claimed, tasks.InProgress:
		return RoleWarning
	case tasks.Done:
		return RoleSuccess
	case tasks.Open, tasks.Blocked, tasks.Cancelled:
		return RoleFaint
	}
	return RoleInfo
}

// RoleOfTasks returns the role of the status of a plan of tasks.
func RoleOfTasks(status tasks.Status) Role {
	switch status {
	case tasks.PlanProposed:
		return RoleRequired
	case tasks.PlanDone:
		return RoleSuccess
	case tasks.PlanCancelled:
		return RoleFaint
	case tasks.PlanActive: // as a task in work, which has the same mark
		return RoleWarning
	}
	return RoleInfo
}

// RoleOfStep returns the role of the state of a draft's step. Its mark and its word are in
// drafts.StepState.
func RoleOfStep(state drafts.StepState) Role {
	switch state {
	case drafts.StepForYou, drafts.StepFailed:
		return RoleRequired
	case drafts.StepInWork, drafts.StepAgain:
		return RoleWarning
	case drafts.StepKept, drafts.StepWritten:
		return RoleSuccess
	case drafts.StepLater:
		return RoleFaint
	}
	return RoleInfo
}

// RoleOfDraft returns the role of a draft's condition. Its mark and its word are in
// drafts.Condition.
func RoleOfDraft(c drafts.Condition) Role {
	switch c {
	case drafts.DraftForYou, drafts.DraftStalled, drafts.DraftFailed:
		return RoleRequired
	case drafts.DraftReplied, drafts.DraftBeingWritten, drafts.DraftInWork:
		return RoleWarning
	case drafts.DraftStopped:
		return RoleFaint
	case drafts.DraftWritten:
		return RoleSuccess
	}
	return RoleInfo
}

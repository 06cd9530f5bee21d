package themes

import (
	"testing"

	"planb/plans/tasks"
	"planb/questions"
)

func TestStatesThatMeanOppositesHaveOtherColours(t *testing.T) {
	for state, want := range map[questions.State]Role{
		"": RoleRequired, questions.Pending: RoleRequired, questions.Expired: RoleWarning, questions.Answered: RoleSuccess,
		questions.Discuss: RoleInfo, questions.Declined: RoleWarning, questions.Withdrawn: RoleFaint, "postponed": RoleInfo,
	} {
		if got := RoleOf(state); got != want {
			t.Errorf("%q has the role %d, want %d", state, got, want)
		}
	}
}

func TestTasksThatNeedSomethingElseOfThePersonHaveOtherColours(t *testing.T) {
	for state, want := range map[tasks.State]Role{
		"": RoleInfo, tasks.Ready: RoleInfo, tasks.Blocked: RoleFaint, tasks.InProgress: RoleWarning, tasks.Claimed: RoleWarning,
		tasks.NeedsReview: RoleRequired, tasks.Done: RoleSuccess, tasks.Cancelled: RoleFaint,
	} {
		if got := RoleOfTask(state); got != want {
			t.Errorf("%q has the role %d, want %d", state, got, want)
		}
	}
	for status, want := range map[tasks.Status]Role{
		tasks.PlanProposed: RoleRequired, tasks.PlanActive: RoleWarning, tasks.PlanDone: RoleSuccess, tasks.PlanCancelled: RoleFaint,
	} {
		if got := RoleOfTasks(status); got != want {
			t.Errorf("%q has the role %d, want %d", status, got, want)
		}
	}
}

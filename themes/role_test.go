package themes

import (
	"testing"

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

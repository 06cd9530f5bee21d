package draft

import (
	"testing"

	rules "planb/plans/tasks"
)

// The person is sent to approve only what waits for them.
func TestTasksThatWereProposedBefore(t *testing.T) {
	t.Parallel()
	for there, want := range map[rules.Status]string{
		"":                 "12 tasks are proposed. Look at them and approve them with  planb tasks approve 3f9a1c",
		rules.PlanProposed: "The 12 tasks were proposed before, and wait for you. Look at them and approve them with  planb tasks approve 3f9a1c",
		rules.PlanActive:   "You approved the 12 tasks before. Look at them with  planb tasks show 3f9a1c",
		rules.PlanDone:     "You approved the 12 tasks before. Look at them with  planb tasks show 3f9a1c",
	} {
		if got := proposed(12, "3f9a1c", there); got != want {
			t.Errorf("a plan that is %q: %s", there, got)
		}
	}
}

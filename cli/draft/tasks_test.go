package draft

import (
	"strings"
	"testing"

	"planb/drafts/draftstest"
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

// The task of one day is on that day.
func TestATaskOfOneDay(t *testing.T) {
	t.Parallel()
	d := draftstest.UpTo(t, "")
	first := d.Output("schedule").Records("leaves")[0]
	first["days"], first["end"] = 1.0, first["start"]
	want := "On " + first.Text("start") + ". By "
	if got := leaves(d)[0].Description; !strings.HasPrefix(got, want) {
		t.Errorf("described is %q, want %q", got, want)
	}
}

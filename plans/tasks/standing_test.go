package tasks_test

import (
	"testing"

	"github.com/charmbracelet/x/ansi"

	"planb/plans/tasks"
)

func TestEveryStateHasAMarkAndAWordOfItsOwn(t *testing.T) {
	seen := map[tasks.Standing]tasks.State{}
	for _, state := range []tasks.State{
		tasks.Blocked, tasks.Ready, tasks.Claimed, tasks.InProgress, tasks.NeedsReview, tasks.Done, tasks.Cancelled,
	} {
		got := state.Standing()
		if ansi.StringWidth(got.Mark) != 1 || got.Word == "" || seen[got] != "" {
			t.Errorf("%s has %+v, as %q", state, got, seen[got])
		}
		seen[got] = state
	}
	if tasks.Open.Standing() != tasks.Blocked.Standing() {
		t.Error("a task that is open and not known to be ready is shown as something else than blocked")
	}
	if got := tasks.State("a\x1b[31mb").Standing().Word; got != "a␛[31mb" {
		t.Errorf("a state of a newer planb is shown as %q", got)
	}
}

func TestEveryStatusHasAMarkAndAWordOfItsOwn(t *testing.T) {
	seen := map[tasks.Standing]bool{}
	for _, status := range []tasks.Status{tasks.PlanProposed, tasks.PlanActive, tasks.PlanDone, tasks.PlanCancelled, "later"} {
		got := status.Standing()
		if ansi.StringWidth(got.Mark) != 1 || got.Word == "" || seen[got] {
			t.Errorf("%s has %+v", status, got)
		}
		seen[got] = true
	}
}

package tasks

import (
	"fmt"
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"

	rules "planb/plans/tasks"
	"planb/questions/safe"
	kept "planb/store/tasks"
	"planb/tui/tuitest"
)

// begun is the plan in the middle of its work.
func begun(t testing.TB) *desk {
	d := newDesk(t, rewrite, rules.PlanActive).set(rules.Done, "schema", "config").
		claim("Claude Code", 12, "api").set(rules.NeedsReview, "migrate").set(rules.Cancelled, "errors")
	zero, output := 0, "ok  \tapi/migrate\t0.412s\n"
	at := tuitest.Moment.Add(-50 * time.Minute)
	d.past = map[string]kept.Past{"migrate": {Count: 2, GivenBack: 1, Attempts: []kept.Attempt{
		{Worker: "Codex", At: at.Add(-time.Hour), Ended: at.Add(-40 * time.Minute), End: kept.EndedByExit, Notes: []kept.Note{{Text: safe.New("Reading what is there.")}}},
		{Worker: "Claude Code", At: at, Ended: at.Add(20 * time.Minute), End: kept.EndedReported,
			Claimed: kept.Repository{Head: "3f9a1c02aa", Branch: "auth"}, Completed: kept.Repository{Head: "7bc10de4bb", Branch: "auth"},
			Report: &rules.Report{Summary: safe.New("Signed-in users get a token at their next request."), Evidence: []rules.Proof{
				{Criterion: "nobody is signed out", Text: safe.New("TestNobodyIsSignedOut walks 500 sessions")},
				{Command: safe.New("go test ./api/migrate/..."), ExitCode: &zero, Output: &output},
			}}},
	}}}
	return d
}

// TestTasksScreens compares the screens with their golden files. After a wanted change run
// go test ./tui/tasks -run TasksScreens -update  and look at the files with
// cat testdata/TestTasksScreens/NAME.golden  before you accept them.
func TestTasksScreens(t *testing.T) {
	t.Parallel()
	views := []struct {
		name string
		desk func(testing.TB) *desk
		keys string
		list bool
	}{
		{name: "board", desk: begun},
		{name: "boardright", desk: begun, keys: "right right down"},
		{name: "proposed", desk: func(t testing.TB) *desk { return newDesk(t, rewrite, rules.PlanProposed) }},
		{name: "toapprove", desk: func(t testing.TB) *desk { return newDesk(t, rewrite, rules.PlanProposed) }, keys: "tab down down"},
		{name: "why", desk: begun, keys: "right end w"},
		{name: "filter", desk: begun, keys: "/ t o k e n s"},
		{name: "graph", desk: begun, keys: "tab"},
		{name: "task", desk: begun, keys: "enter"},
		{name: "taskcontract", desk: begun, keys: "left enter"},
		{name: "help", desk: begun, keys: "?"},
		{name: "list", desk: begun, list: true},
		{name: "listproposed", desk: func(t testing.TB) *desk { return newDesk(t, rewrite, rules.PlanProposed) }, list: true},
		{name: "empty", desk: func(t testing.TB) *desk { return &desk{t: t} }, list: true},
	}
	for _, view := range views {
		for _, look := range tuitest.Looks([][2]int{{40, 16}, {80, 24}, {120, 40}}) {
			t.Run(fmt.Sprintf("%s-%d-%s", view.name, look.Width, look.Theme.Name), func(t *testing.T) {
				d := view.desk(t)
				var r *tuitest.Rig
				if view.list {
					r = tuitest.Open(t, NewList(d.deps()), look.Width, look.Height, look.Theme)
				} else {
					r = d.open(look.Width, look.Height, look.Theme)
				}
				r.Keys(view.keys)
				tuitest.OnlySGR(t, view.name, r.Content(), look.Width, look.Height)
				golden.RequireEqual(t, r.Content())
			})
		}
	}
}

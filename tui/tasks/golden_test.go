package tasks

import (
	"fmt"
	"testing"

	"github.com/charmbracelet/x/exp/golden"

	rules "planb/plans/tasks"
	"planb/themes"
	"planb/tui/tuitest"
)

// begun is the plan in the middle of its work.
func begun(t testing.TB) *desk {
	return newDesk(t, rewrite, rules.PlanActive).set(rules.Done, "schema", "config").
		claim("Claude Code", 12, "api").set(rules.NeedsReview, "migrate").set(rules.Cancelled, "errors")
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
		{name: "why", desk: begun, keys: "right w"},
		{name: "filter", desk: begun, keys: "/ t o k e n s"},
		{name: "graph", desk: begun, keys: "tab"},
		{name: "help", desk: begun, keys: "?"},
		{name: "list", desk: begun, list: true},
		{name: "empty", desk: func(t testing.TB) *desk { return &desk{t: t} }, list: true},
	}
	for _, view := range views {
		for _, size := range [][2]int{{40, 16}, {80, 24}, {120, 40}} {
			for _, theme := range []themes.Theme{themes.Default(true), themes.Default(false), themes.None()} {
				t.Run(fmt.Sprintf("%s-%d-%s", view.name, size[0], theme.Name), func(t *testing.T) {
					d := view.desk(t)
					var r *tuitest.Rig
					if view.list {
						r = tuitest.Open(t, NewList(d.deps()), size[0], size[1], theme)
					} else {
						r = d.open(size[0], size[1], theme)
					}
					r.Keys(view.keys)
					tuitest.OnlySGR(t, view.name, r.Content(), size[0], size[1])
					golden.RequireEqual(t, r.Content())
				})
			}
		}
	}
}

package inbox

import (
	"fmt"
	"slices"
	"testing"

	"github.com/charmbracelet/x/exp/golden"

	"planb/store/kv"
	"planb/tui/tuitest"
)

// TestInboxScreens compares the inbox with its golden files. After a wanted change run
// go test ./tui/inbox -run InboxScreens -update  and look at the files with
// cat testdata/TestInboxScreens/NAME.golden  before you accept them.
func TestInboxScreens(t *testing.T) {
	t.Parallel()
	w, crowd, plans := tuitest.NewWorld(t), tuitest.NewWorld(t), tuitest.NewWorld(t)
	w.Past()
	crowd.Crowd()
	plans.Rounds()
	views := []struct {
		name    string
		answers bool
		keys    string
		empty   bool // a store with nothing in it
		many    bool // 300 forms wait
		plans   bool // a plan was reviewed, and is again
	}{
		{name: "inbox", answers: true},
		{name: "retro", keys: "down"},
		{name: "filter", keys: "/ h o o k"},
		{name: "help", keys: "?"},
		{name: "welcome", answers: true, empty: true},
		{name: "withdraw", answers: true, keys: "w"},
		{name: "snooze", answers: true, keys: "s"},
		{name: "snoozed", answers: true, keys: "s 2"},
		{name: "inboxhelp", answers: true, keys: "?"},
		{name: "many", answers: true, keys: "down", many: true},
		{name: "manysnoozed", answers: true, keys: "/ 2 2 0", many: true},
		{name: "archived", keys: "down a"},
		{name: "delete", keys: "down D"},
		{name: "deleted", keys: "down D y"},
		{name: "filterhelp", keys: "/"},
		{name: "filterwrong", keys: "/ s t a t u s : x"},
		{name: "filterarchived", keys: "down a / s t a t u s : a"},
		{name: "unreadable", keys: "down down"},
		{name: "reviewwaits", answers: true, plans: true},
	}
	writing := []string{"snoozed", "archived", "filterarchived", "unreadable"}
	for _, view := range views {
		for _, look := range tuitest.Looks([][2]int{{40, 16}, {80, 24}, {120, 30}}) {
			t.Run(fmt.Sprintf("%s-%d-%s", view.name, look.Width, look.Theme.Name), func(t *testing.T) {
				from := w
				switch {
				case view.empty:
					from = tuitest.NewWorld(t)
				case view.many:
					from = crowd
				case view.plans:
					from = plans
				case slices.Contains(writing, view.name):
					from = tuitest.NewWorld(t)
					from.Past()
					if view.name == "unreadable" {
						from.Damage(kv.Key("s/" + from.Sessions()[2].ID))
					}
				}
				r := openInbox(from, view.answers, look.Width, look.Height, look.Theme)
				r.T = t
				r.Keys(view.keys)
				golden.RequireEqual(t, r.Content())
			})
		}
	}
}

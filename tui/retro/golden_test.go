package retro

import (
	"fmt"
	"testing"

	"github.com/charmbracelet/x/exp/golden"

	"planb/tui/screen"
	"planb/tui/tuitest"
)

// TestRetroScreens compares the screens of the past with their golden files. After a wanted
// change run  go test ./tui/retro -run RetroScreens -update  and look at the files with
// cat testdata/TestRetroScreens/NAME.golden  before you accept them.
func TestRetroScreens(t *testing.T) {
	t.Parallel()
	w, plans := tuitest.NewWorld(t), tuitest.NewWorld(t)
	w.Past()
	plans.Rounds()
	story := func(w *tuitest.World) screen.Screen { return NewSession(pastOf(w), w.Sessions()[0]) }
	find := func(w *tuitest.World) screen.Screen { return NewSearch(pastOf(w)) }
	views := []struct {
		name  string
		world *tuitest.World
		root  func(*tuitest.World) screen.Screen
		keys  string
	}{
		{"session", w, story, ""},
		{"sessionanswer", w, story, "home down down"},
		{"plan", w, story, "enter"},
		{"outline", w, story, "enter o"},
		{"led", w, story, "p w"},
		{"reviewstory", plans, story, ""},
		{"reviewtold", plans, story, "home down down down"},
		{"find", w, find, "c u s t o m e r down"},
		{"findhelp", w, find, ""},
	}
	for _, view := range views {
		for _, look := range tuitest.Looks([][2]int{{40, 16}, {80, 24}, {120, 30}}) {
			t.Run(fmt.Sprintf("%s-%d-%s", view.name, look.Width, look.Theme.Name), func(t *testing.T) {
				r := tuitest.Open(t, view.root(view.world), look.Width, look.Height, look.Theme)
				golden.RequireEqual(t, r.Keys(view.keys).Content())
			})
		}
	}
}

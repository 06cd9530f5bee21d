package drafts

import (
	"fmt"
	"testing"

	"github.com/charmbracelet/x/exp/golden"

	"planb/drafts/draftstest"
	"planb/store/runs"
	"planb/themes"
	"planb/tui/screen"
	"planb/tui/tuitest"
)

// TestDraftScreens compares the screens with their golden files. After a wanted change run
// go test ./tui/drafts -run DraftScreens -update  and look at the files with
// cat testdata/TestDraftScreens/NAME.golden  before you accept them.
func TestDraftScreens(t *testing.T) {
	t.Parallel()
	full := func(t testing.TB) *desk {
		return newDesk(t, draftstest.FullUpTo(t, "pitch"), runs.Processing).writes("Codex", "pitch", 1)
	}
	views := []struct {
		name string
		desk func(testing.TB) *desk
		keys string
		list bool
	}{
		{name: "steps", desk: begun},
		{name: "gate", desk: atGate},
		{name: "written", desk: done},
		{name: "failed", desk: refusedThrice},
		{name: "graph", desk: full, keys: "tab"},
		{name: "schedule", desk: done, keys: "tab tab down down"},
		{name: "section", desk: begun, keys: "home enter"},
		{name: "origin", desk: begun, keys: "home i"},
		{name: "guidance", desk: begun, keys: "home g m o r e"},
		{name: "review", desk: begun, keys: "home r down down c d a y"},
		{name: "placing", desk: done, keys: "f right p"},
		{name: "help", desk: begun, keys: "?"},
		{name: "list", desk: several, list: true},
		{name: "empty", desk: func(t testing.TB) *desk { return &desk{t: t} }, list: true},
	}
	for _, view := range views {
		d := view.desk(t) // which no view changes
		for _, look := range tuitest.Looks([][2]int{{40, 16}, {80, 24}, {120, 40}}) {
			t.Run(fmt.Sprintf("%s-%d-%s", view.name, look.Width, look.Theme.Name), func(t *testing.T) {
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

// Section 10: the first paint of a draft and of the list within 100 ms.
func BenchmarkFirstPaint(b *testing.B) {
	full := newDesk(b, draftstest.FullUpTo(b, ""), runs.Completed)
	many := several(b)
	for name, root := range map[string]func() screen.Screen{
		"draft": func() screen.Screen { return New(full.deps(), draftID) },
		"list":  func() screen.Screen { return NewList(many.deps()) },
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if tuitest.Open(b, root(), 120, 40, themes.Default(true)).Content() == "" {
					b.Fatal("nothing is painted")
				}
			}
		})
	}
}

package tui

import (
	"fmt"
	"testing"

	"github.com/charmbracelet/x/exp/golden"

	"planb/themes"
)

// TestBrowseScreens compares every screen for looking around with what was
// looked at before. After a wanted change run  go test ./tui -run BrowseScreens
// -update  and look at the files with  cat testdata/TestBrowseScreens/NAME.golden
// before accepting it.
func TestBrowseScreens(t *testing.T) {
	w := newWorld(t)
	w.past()
	views := []struct {
		name    string
		answers bool
		keys    string
	}{
		{"companion", true, ""},
		{"retro", false, "down"},
		{"filter", false, "/ h o o k"},
		{"session", true, "down down enter down"},
		{"plan", false, "enter end up enter"},
		{"help", false, "?"},
	}
	for _, view := range views {
		for _, size := range [][2]int{{40, 16}, {80, 24}, {120, 30}} {
			for _, theme := range []themes.Theme{themes.Default(true), themes.Default(false), themes.None()} {
				t.Run(fmt.Sprintf("%s-%d-%s", view.name, size[0], theme.Name), func(t *testing.T) {
					r := w.browse(view.answers, size[0], size[1], theme)
					r.t = t
					r.keys(view.keys)
					golden.RequireEqual(t, r.content())
				})
			}
		}
	}
}

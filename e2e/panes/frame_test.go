package panes_test

import (
	"strings"
	"testing"
	"unicode"

	"github.com/charmbracelet/x/ansi"

	"planb/e2e/rig"
)

// tmux adds up the widths of characters, whatever their script. The frame stays
// intact there, and nothing of one tab is left on the next.
func TestScriptsKeepTheFrameInTmux(t *testing.T) {
	t.Parallel()
	tm := rig.StartTmux(t, 120, 34)
	form := tm.Open(t.TempDir(), "ask", "testdata/specs/scripts.json")
	tm.Ready(form)
	tm.Keys(form, "Right")
	// Wait for the whole layout: the table in the panel, and the label's
	// emphasis.
	tm.Shows(form, "Other…", "とても速い", "यह स्थान सुरक्षित है")
	first := tm.Screen(form)
	edge := map[int]bool{}
	for _, line := range strings.Split(first, "\n") {
		if before, _, found := strings.Cut(line, "│"); found {
			edge[tmuxWidth(before)] = true
		}
	}
	if len(edge) != 1 {
		t.Errorf("the panel's edge is in columns %v:\n%s", edge, first)
	}
	tm.Keys(form, "Left")
	tm.Shows(form, "हर रात")
	tm.Keys(form, "C-NPage", "C-NPage")
	tm.Shows(form, "not set")
	tm.Keys(form, "C-PPage")
	rig.Until(t, "the tab is as it was", func() bool { return tm.Screen(form) == first })
}

// tmuxWidth returns how many cells tmux gives to a line.
func tmuxWidth(line string) (cells int) {
	for _, r := range line {
		if !unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf) {
			cells += ansi.StringWidth(string(r))
		}
	}
	return cells
}

package main_test

import (
	"strings"
	"testing"
	"unicode"

	"github.com/charmbracelet/x/ansi"
)

// In a real tmux, which adds up the widths of characters, whatever their script, the
// frame stands, and nothing of one tab is left on the next.
func TestScriptsKeepTheFrameInTmux(t *testing.T) {
	t.Parallel()
	tm := startTmux(t, 120, 34)
	form := tm.open(t.TempDir(), "ask", "testdata/specs/scripts.json")
	tm.ready(form)
	tm.keys(form, "Right")
	// Until all of it is laid out: the table of the panel, and the label's emphasis.
	tm.shows(form, "Other…", "とても速い", "यह स्थान सुरक्षित है")
	first := tm.screen(form)
	edge := map[int]bool{}
	for _, line := range strings.Split(first, "\n") {
		if before, _, found := strings.Cut(line, "│"); found {
			edge[tmuxWidth(before)] = true
		}
	}
	if len(edge) != 1 {
		t.Errorf("the panel's edge is in columns %v:\n%s", edge, first)
	}
	tm.keys(form, "Left")
	tm.shows(form, "हर रात")
	tm.keys(form, "C-NPage", "C-NPage")
	tm.shows(form, "not set")
	tm.keys(form, "C-PPage")
	until(t, "the tab is as it was", func() bool { return tm.screen(form) == first })
}

// tmuxWidth is how many cells tmux gives to a line.
func tmuxWidth(line string) (cells int) {
	for _, r := range line {
		if !unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf) {
			cells += ansi.StringWidth(string(r))
		}
	}
	return cells
}

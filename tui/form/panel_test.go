package form

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"planb/tui/form/field"
	"planb/tui/screen"
	"planb/tui/tuitest"
)

// panelHead returns the title of a panel beside the options. It stands on the row of the first
// question.
func panelHead(r *formRig) string {
	lines := strings.Split(r.screen(), "\n")
	_, head, _ := strings.Cut(lines[r.q().panel.at.Y+1], "│")
	return strings.TrimSpace(head)
}

// TestFormPanelNamesWhatItShows holds that the panel shows the illustration of the option under
// the cursor if it has one, and always names the option that it shows.
func TestFormPanelNamesWhatItShows(t *testing.T) {
	r := rig(t, formInputOf(tuitest.Parse(t, tuitest.RichForm)), 120, 40).keys("right")
	for _, step := range []struct{ keys, want string }{
		{"", "CSV"},
		{"down", "JSON"},
		{"down", "shown: CSV"}, // XML has none
		{"up space", "JSON"},
		{"down", "shown: JSON"}, // the chosen one's
		{"down", "Other…"},      // and no illustration of another option
	} {
		if got := panelHead(r.keys(step.keys)); got != step.want {
			t.Errorf("after %q the panel is headed %q, want %q\n%s", step.keys, got, step.want, r.screen())
		}
	}
}

// TestFormPanelStaysBesideAPlainQuestion holds that no row moves when the focus comes to a
// question without illustrations: the panel keeps its illustration, which does not scroll, and
// the zoom shows the question.
func TestFormPanelStaysBesideAPlainQuestion(t *testing.T) {
	r := rig(t, formInputOf(tuitest.Parse(t, tuitest.RichForm)), 120, 40).keys("right down")
	before := strings.Split(r.screen(), "\n")
	r.keys("tab")
	if got := panelHead(r); got != "JSON · Which format?" || !strings.Contains(r.screen(), `{"id": 1}`) {
		t.Errorf("the panel is headed %q:\n%s", got, r.screen())
	}
	for i, line := range strings.Split(r.screen(), "\n") {
		if left, _, ok := strings.Cut(line, "│"); ok && strings.Trim(left, "▌▎ ") != strings.Trim(before[i][:strings.Index(before[i], "│")], "▌▎ ") {
			t.Errorf("row %d moved: %q was %q", i, left, before[i])
		}
	}
	if r.q().panel.over(r.q().panel.at.X+2, r.q().panel.at.Y+2) {
		t.Error("an illustration that is only kept scrolls")
	}
	if r.keys("z"); r.sheet == nil || !strings.Contains(r.screen(), "Which fields?") {
		t.Errorf("zoom shows something else:\n%s", r.screen())
	}
	// Below the options it gives way: nothing moves but what comes into view.
	r.keys("esc").Resize(80, 24)
	if r.send(screen.Relaid{}); strings.Contains(r.screen(), "JSON ─") {
		t.Errorf("a panel below the options stays:\n%s", r.screen())
	}
}

// TestFormPanelWithoutACursorBefore holds that a tab entered at a plain
// question shows the nearest illustration.
func TestFormPanelWithoutACursorBefore(t *testing.T) {
	r := rig(t, formInputOf(tuitest.Parse(t, tuitest.RichForm)), 120, 40)
	r.q().state.focusQuestion(r.q().state.index("fields"), field.Straight)
	r.send(tea.MouseWheelMsg{}) // draws
	if got := panelHead(r); got != "CSV · Which format?" {
		t.Errorf("the panel is headed %q:\n%s", got, r.screen())
	}
}

// The cursor stood on "Other…" in a form without room for a panel, and went on to a question
// without illustrations. A larger window shows the first illustration of the tab.
func TestAPanelComesUpBesideOther(t *testing.T) {
	r := rig(t, formInputOf(tuitest.Parse(t, tuitest.RichForm)), 40, 12).keys("right down down down down tab")
	r.Resize(120, 40)
	if got := r.keys("down").screen(); !strings.Contains(got, "CSV · Which format?") {
		t.Errorf("the panel shows no illustration:\n%s", got)
	}
}

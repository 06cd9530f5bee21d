package form

import (
	"strings"
	"testing"

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
		{"down", "for example: CSV"}, // XML has none
		{"up space", "JSON"},
		{"down", "chosen: JSON"},
		{"down", "Other…"}, // and no illustration of another option
	} {
		if got := panelHead(r.keys(step.keys)); got != step.want {
			t.Errorf("after %q the panel is headed %q, want %q\n%s", step.keys, got, step.want, r.screen())
		}
	}
}

// TestFormPanelIsEmptyBesideAPlainQuestion holds that no illustration of another question stands
// beside a question without illustrations, that no row of the questions moves when the focus
// comes to it, and that the zoom shows it.
func TestFormPanelIsEmptyBesideAPlainQuestion(t *testing.T) {
	r := rig(t, formInputOf(tuitest.Parse(t, tuitest.RichForm)), 120, 40).keys("right down")
	before := strings.Split(r.screen(), "\n")
	r.keys("tab")
	at, to := r.q().panel.at, r.q().panel.to
	for _, line := range strings.Split(r.screen(), "\n")[at.Y:to.Y] {
		if _, right, ok := strings.Cut(line, "│"); !ok || strings.TrimSpace(right) != "" {
			t.Errorf("the panel is not empty: %q", line)
		}
	}
	for i, line := range strings.Split(r.screen(), "\n") {
		if left, _, ok := strings.Cut(line, "│"); ok && strings.Trim(left, "▌▎ ") != strings.Trim(before[i][:strings.Index(before[i], "│")], "▌▎ ") {
			t.Errorf("row %d moved: %q was %q", i, left, before[i])
		}
	}
	if r.q().panel.over(r.q().panel.at.X+2, r.q().panel.at.Y+2) {
		t.Error("an empty panel scrolls")
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

// TestThePositionStandsBelowWhatItCounts holds that the position of the questions stands left of
// a panel beside them, and that the words on a panel's title say which rows it counts.
func TestThePositionStandsBelowWhatItCounts(t *testing.T) {
	r := rig(t, formInputOf(tuitest.Parse(t, tuitest.RichForm)), 120, 20).keys("right")
	lines := strings.Split(r.screen(), "\n")
	left, right, ok := strings.Cut(lines[len(lines)-3], "┴")
	if !ok || !strings.HasSuffix(left, " of 16 ─") || strings.Trim(right, "─") != "" {
		t.Errorf("the questions' position is not below them:\n%s", r.screen())
	}
	if r = rig(t, formInputOf(tuitest.Parse(t, tuitest.RichForm)), 80, 24).keys("right"); !strings.Contains(r.screen(), "── above: 1–") {
		t.Errorf("nothing says what the position counts:\n%s", r.screen())
	}
}

package form

import (
	"strings"
	"testing"

	"planb/questions"
	"planb/questions/safe"
	"planb/tui/keymap"
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
		{"up space", "XML"},
	} {
		if got := panelHead(r.keys(step.keys)); got != step.want {
			t.Errorf("after %q the panel is headed %q, want %q\n%s", step.keys, got, step.want, r.screen())
		}
	}
	if !strings.Contains(r.screen(), "no illustration of this option") || strings.Contains(r.screen(), "1;20.00") {
		t.Errorf("another option's illustration passes for that of the chosen one:\n%s", r.screen())
	}
}

// TestNoPanelBesideAPlainQuestion holds that neither a border nor an illustration of another
// question stands beside a question without illustrations, that no row of the questions changes
// when the focus comes to it, and that the zoom shows it.
func TestNoPanelBesideAPlainQuestion(t *testing.T) {
	r := rig(t, formInputOf(tuitest.Parse(t, tuitest.RichForm)), 120, 40).keys("right down")
	before := strings.Split(r.screen(), "\n")
	r.keys("tab")
	at, to := r.q().panel.at, r.q().panel.to
	after := strings.Split(r.screen(), "\n")
	if strings.ContainsAny(r.screen(), "│┬┴") {
		t.Errorf("an empty panel has a border:\n%s", r.screen())
	}
	for i := at.Y; i < to.Y; i++ {
		if was, _, _ := strings.Cut(before[i], "│"); strings.Trim(after[i], "▌▎ ") != strings.Trim(was, "▌▎ ") {
			t.Errorf("row %d changed: %q was %q", i, after[i], was)
		}
	}
	for _, hint := range r.q().Hints() {
		if hint.Act == keymap.Larger || hint.Act == keymap.Smaller {
			t.Errorf("a hint offers a %s of no panel", hint.Does)
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

// TestALongTextUsesThePanelsPlace holds that a person who writes a long text where no panel is
// drawn sees lines as long as on a tab without illustrations, and that all else keeps its width.
func TestALongTextUsesThePanelsPlace(t *testing.T) {
	r := rig(t, formInputOf(tuitest.Parse(t, `{"title":"Where","questions":[
		{"id":"a","kind":"single","label":"Which?","options":[{"value":"x","markdown":"# X"},"y"]},
		{"id":"b","kind":"longtext","label":"What else should I know before I begin, and whom else should I ask about it?"}]}`)), 120, 40)
	said := strings.Repeat("word ", 15) + "end"
	r.keys("tab").write(said)
	if !strings.Contains(r.screen(), said) || !strings.Contains(r.screen(), "▎ whom else should I ask about it?") {
		t.Errorf("the text is not in one line below a label in two:\n%s", r.screen())
	}
	if r.keys("shift+tab"); strings.Contains(r.screen(), said) || panelHead(r) != "x" {
		t.Errorf("the text reaches into the panel:\n%s", r.screen())
	}
}

// TestThePanelBelowIsAsHighAsItsIllustrations holds that a panel below the questions leaves them
// the rows that no illustration of the question needs, takes those that they leave free, and
// keeps its height with each option of a question under the cursor.
func TestThePanelBelowIsAsHighAsItsIllustrations(t *testing.T) {
	short := rig(t, formInputOf(tuitest.Parse(t, tuitest.RichForm)), 80, 24).keys("right")
	long := rig(t, formInputOf(tuitest.Parse(t, costsForm())), 80, 24)
	for name, r := range map[string]*formRig{"short": short, "long": long} {
		first := r.q().panel.plan.rows
		if want := map[string]int{"short": 3, "long": 11}[name]; first != want {
			t.Errorf("%s: %d rows, want %d\n%s", name, first, want, r.screen())
		}
		for range 3 {
			if rows := r.keys("down").q().panel.plan.rows; rows != first {
				t.Errorf("%s: the panel has %d rows after a move, and had %d\n%s", name, rows, first, r.screen())
			}
		}
	}
}

// TestThePanelBelowGivesWhatItLeavesEmpty holds that a panel below the questions gives its empty
// rows to lines that would else be hidden.
func TestThePanelBelowGivesWhatItLeavesEmpty(t *testing.T) {
	in := formInputOf(tuitest.Parse(t, tuitest.RichForm))
	in.ReadOnly = true
	in.Ask.Outcome = questions.Outcome{State: questions.Answered, At: tuitest.Moment, By: "you@home", Reply: questions.Reply{
		Answers: map[string]questions.Value{"format": questions.TextValue("json"), "fields": questions.ItemsValue("id", "VAT")},
		Notes:   map[string]safe.Text{"format": safe.New("a note")},
	}}
	r := rig(t, in, 80, 24).keys("right")
	if !strings.Contains(r.screen(), "Other: VAT") || !strings.Contains(r.screen(), `{"id": 1}`) {
		t.Errorf("an answer is hidden, or the illustration:\n%s", r.screen())
	}
	if r.keys("up"); !strings.Contains(r.screen(), "1;20.00") {
		t.Errorf("a longer illustration is cut:\n%s", r.screen())
	}
}

// TestNoPanelHidesOptionsForNothing holds that a panel below the questions goes while it has no
// illustration to show and lines are hidden, and that no key is offered that makes it larger.
func TestNoPanelHidesOptionsForNothing(t *testing.T) {
	r := rig(t, formInputOf(tuitest.Parse(t, tuitest.RichForm)), 80, 22).keys("right 3")
	if r.keys("shift+tab"); r.where() != "format/xml" {
		t.Fatalf("the focus is on %s", r.where())
	}
	if strings.Contains(r.screen(), noIllustration) || !strings.Contains(r.screen(), "5  Other…") || strings.Contains(r.screen(), "larger") {
		t.Errorf("an empty panel hides options:\n%s", r.screen())
	}
	if r.keys("<"); !strings.Contains(r.screen(), noIllustration) {
		t.Errorf("the key for a larger panel does not say why it does nothing:\n%s", r.screen())
	}
	if r.keys("up up"); !strings.Contains(r.screen(), "1;20.00") {
		t.Errorf("an illustration is not shown:\n%s", r.screen())
	}
}

// TestThePositionStandsBelowWhatItCounts holds that the position of the questions stands left of
// a panel beside them, that the words on a panel's title say which rows it counts, and that no
// position stands below questions that are all in view.
func TestThePositionStandsBelowWhatItCounts(t *testing.T) {
	r := rig(t, formInputOf(tuitest.Parse(t, tuitest.RichForm)), 120, 19).keys("right")
	lines := strings.Split(r.screen(), "\n")
	left, right, ok := strings.Cut(lines[len(lines)-3], "┴")
	if !ok || !strings.HasSuffix(left, " lines 1–13 of 14 ─") || strings.Trim(right, "─") != "" {
		t.Errorf("the questions' position is not below them:\n%s", r.screen())
	}
	if r = rig(t, formInputOf(tuitest.Parse(t, tuitest.RichForm)), 80, 21).keys("right"); !strings.Contains(r.screen(), "── above: lines 1–12 of 14 ─") {
		t.Errorf("nothing says what the position counts:\n%s", r.screen())
	}
	r.Resize(80, 24)
	if r.send(screen.Relaid{}); strings.Contains(r.screen(), "above:") {
		t.Errorf("lines are said to be hidden, and none is:\n%s", r.screen())
	}
}

package form

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"planb/tui/tuitest"
)

// rowOf returns the number of the row that has a text, or -1.
func (r *formRig) rowOf(text string) int {
	for i, line := range strings.Split(r.screen(), "\n") {
		if strings.Contains(line, text) {
			return i
		}
	}
	return -1
}

// TestMessagesStandAboveTheKeys holds that a message to the person hides no keys, and goes
// with the next key.
func TestMessagesStandAboveTheKeys(t *testing.T) {
	const message = "Pasted text needs a text field"
	for _, size := range [][2]int{{120, 40}, {80, 24}, {60, 14}} {
		r := rig(t, formInputOf(tuitest.Parse(t, tuitest.RichForm)), size[0], size[1]).keys("right")
		r.send(tea.PasteMsg{Content: "x"})
		if at := r.rowOf(message); at < size[1]-4 || at > size[1]-2 || !strings.HasPrefix(lastRow(r), "enter choose") {
			t.Errorf("%v: the message stands on row %d:\n%s", size, at, r.screen())
		}
		if r.keys("down"); r.rowOf(message) >= 0 {
			t.Errorf("%v: the message stays after a key:\n%s", size, r.screen())
		}
	}
}

// TestSecretsAreWarnedOfInTexts holds that the form warns of secrets where one could be
// typed, and nowhere else.
func TestSecretsAreWarnedOfInTexts(t *testing.T) {
	for keys, warns := range map[string]bool{"": false, "right": false, "right n": true, "end": true, "end tab": false, "end up": false} {
		r := rig(t, formInputOf(tuitest.Parse(t, tuitest.RichForm)), 80, 24).keys(keys)
		if told := r.rowOf("no passwords or secret") >= 0; told != warns {
			t.Errorf("after %q the form warns: %v\n%s", keys, told, r.screen())
		}
	}
}

// TestProgressStandsBesideTheTabs holds what the header of a high form counts, and that the
// footer does not count it again.
func TestProgressStandsBesideTheTabs(t *testing.T) {
	for _, test := range []struct{ keys, bar string }{
		{"", "▱▱▱▱▱ 0/8"}, {"right 1", "▰▱▱▱▱ 1/8"}, {"right 1 1 2 tab a tab right tab right tab 4", "▰▰▰▱▱ 6/8"},
	} {
		r := rig(t, formInputOf(tuitest.Parse(t, tuitest.RichForm)), 120, 40).keys(test.keys)
		if at := r.rowOf(test.bar); at < 0 || at != r.rowOf("Delivery") || strings.Contains(r.screen(), "answered") {
			t.Errorf("after %q %s is not beside the tabs, or told twice:\n%s", test.keys, test.bar, r.screen())
		}
	}
	one := rig(t, formInputOf(tuitest.Parse(t, `{"title":"t","questions":[{"id":"q","kind":"text","label":"l"}]}`)), 120, 40).write("x")
	if !strings.Contains(one.screen(), "▰▰▰▰▰ 1/1 ─") {
		t.Errorf("a form of one tab does not tell it in the rule:\n%s", one.screen())
	}
}

// TestARequiredMarkBecomesATick holds it for the question and for its tab: for the tab once all
// its questions are answered, because a tick on it would else hide those that are open.
func TestARequiredMarkBecomesATick(t *testing.T) {
	for _, width := range []int{50, 80, 120} {
		r := rig(t, formInputOf(tuitest.Parse(t, tuitest.RichForm)), width, 24).keys("right")
		for _, want := range []string{"Which format?  ●", "Format ●"} {
			if !strings.Contains(r.screen(), want) {
				t.Errorf("%d columns: no %q:\n%s", width, want, r.screen())
			}
		}
		for _, step := range []struct{ keys, tab string }{{"1", "Format 1/2"}, {"tab 1", "Format ✓"}} {
			r.keys(step.keys)
			for _, want := range []string{"Which format?  ✓", step.tab} {
				if !strings.Contains(r.screen(), want) {
					t.Errorf("%d columns, answered: no %q:\n%s", width, want, r.screen())
				}
			}
		}
	}
}

// TestAnAnswerIsTicked holds that a question that need not be answered is ticked, too, once it is,
// and that its label moves nowhere then.
func TestAnAnswerIsTicked(t *testing.T) {
	t.Parallel()
	label := strings.Repeat("word ", 15) + "what" // as wide as the form but for the mark
	for _, width := range []int{40, 80, 120} {
		r := rig(t, formInputOf(tuitest.Parse(t, `{"title":"t","questions":[{"id":"a","kind":"multi","label":"`+label+`","options":["x","y"]}]}`)), width, 24)
		before := r.screen()
		r.keys("1")
		if after := r.screen(); strings.Contains(before, "✓") || !strings.Contains(after, "what  ✓") || strings.Count(before[:strings.Index(before, "what")], "\n") != rowOf(r, "what") {
			t.Errorf("%d columns:\n%s\nbecomes\n%s", width, before, after)
		}
	}
}

// TestThePanelMeetsTheRules holds that its border ends in the rules above and below it.
func TestThePanelMeetsTheRules(t *testing.T) {
	r := rig(t, formInputOf(tuitest.Parse(t, tuitest.RichForm)), 120, 40).keys("right")
	column := func(row int, glyph string) int {
		before, _, ok := strings.Cut(strings.Split(r.screen(), "\n")[row], glyph)
		if !ok {
			return -1
		}
		return len([]rune(before))
	}
	x := borderOf(r)
	if column(3, "┬") != x || column(4, "│") != x || column(37, "┴") != x {
		t.Errorf("the border is in column %d, its ends in %d and %d:\n%s", x, column(3, "┬"), column(37, "┴"), r.screen())
	}
}

// TestThreeOptionsAreSeen holds that in 80 columns and 24 rows the person sees three options
// wherever the cursor is: the panel below the options gives way to them, and only to them.
func TestThreeOptionsAreSeen(t *testing.T) {
	form := func(description string) string {
		var options []string
		for i := range 6 {
			options = append(options, fmt.Sprintf(`{"value":"o%d","label":"Option %d","description":"%s","markdown":"A picture of %d."}`,
				i, i, strings.Repeat("words of a description ", 6), i))
		}
		return `{"title":"t","questions":[{"id":"q","kind":"single","label":"Which?","description":"` + description + `","options":[` + strings.Join(options, ",") + `]}]}`
	}
	for name, test := range map[string]struct {
		form  string
		panel bool
	}{
		"a short question": {tuitest.OptionsForm(true), true},
		"tall options":     {form("Choose."), true},
		"a long question":  {form(strings.Repeat(`A paragraph of the question.\n\n`, 7)), false},
	} {
		r := rig(t, formInputOf(tuitest.Parse(t, test.form)), 80, 24)
		for step := range 6 {
			seen := 0
			for _, line := range strings.Split(r.screen(), "\n") {
				if strings.Contains(line, "○ ") {
					seen++
				}
			}
			if seen < 3 {
				t.Errorf("%s: after %d steps %d options are seen:\n%s", name, step, seen, r.screen())
			}
			if shown := r.q().panel.plan.of > 0; shown != test.panel {
				t.Errorf("%s: after %d steps there is a panel: %v\n%s", name, step, shown, r.screen())
			}
			r.keys("down")
		}
	}
}

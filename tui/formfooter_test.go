package tui

import (
	"strings"
	"testing"
)

// lastRow is the footer's line of keys.
func lastRow(r *formRig) string {
	lines := strings.Split(r.screen(), "\n")
	return strings.TrimSpace(lines[len(lines)-1])
}

// TestFormFooterLeadsToTheEnd holds what the footer offers on the way from the
// first question of a form to its submission, at the size of a plain terminal.
func TestFormFooterLeadsToTheEnd(t *testing.T) {
	const small = `{"title":"t","questions":[
		{"id":"when","kind":"single","required":true,"label":"When?","options":["now","later"]},
		{"id":"who","kind":"text","label":"Who?"}]}`
	r := rig(t, formInputOf(parseForm(t, small)), 80, 24)
	for _, step := range []struct{ keys, begins, says string }{
		{"", "enter choose", "n note"},
		{"enter", "enter next question", "ctrl+s submit"},
		{"enter", "enter go on to submit", "↓ note"},
		{"x", "ctrl+s submit", "✓ 2/2 answered"},
		{"enter", "enter submit   ↑ questions   esc menu", "✓ 2/2 answered"},
		{"tab", "ctrl+s submit   enter look over all answers", "↑ questions"},
		{"tab", "ctrl+s submit   enter open the menu", "↑ questions"},
	} {
		if got := lastRow(r.keys(step.keys)); !strings.HasPrefix(got, step.begins) || !strings.Contains(r.screen(), step.says) {
			t.Errorf("after %q the keys of the moment are %q, want %q first and %q said\n%s", step.keys, got, step.begins, step.says, r.screen())
		}
	}
}

// TestFormFooterNamesWhatIsUseful holds that at 80 columns the keys of a
// question with everything still have room for notes and the way on.
func TestFormFooterNamesWhatIsUseful(t *testing.T) {
	if got, want := lastRow(richRig(t).keys("right")), "enter choose   d default   z zoom   esc menu   ? help   n note   → next tab"; got != want {
		t.Errorf("the keys of the moment are %q, want %q", got, want)
	}
	if got := lastRow(richRig(t).keys("end tab")); strings.Contains(got, "next tab") {
		t.Errorf("on the last tab the keys of the moment are %q", got)
	}
}

// TestFormFooterNamesEscapeOnce holds that while Esc closes something inside a
// question, the footer says that and not that it opens the menu.
func TestFormFooterNamesEscapeOnce(t *testing.T) {
	for keys, want := range map[string]string{"right": "esc menu", "right n": "esc back", "right 4": "esc back to the options"} {
		if got := lastRow(richRig(t).keys(keys)); strings.Count(got, "esc") != 1 || !strings.Contains(got, want) {
			t.Errorf("after %q: %q, want %q alone", keys, got, want)
		}
	}
}

// TestFormFooterNeverCutsAButton holds that the count gives way to the buttons.
func TestFormFooterNeverCutsAButton(t *testing.T) {
	for width := leastWidth; width <= 120; width++ {
		r := rig(t, formInputOf(parseForm(t, richForm)), width, 24).keys("right")
		if screen := r.screen(); !strings.Contains(screen, "Menu ") || !strings.Contains(screen, "0/8") {
			t.Fatalf("%d columns:\n%s", width, screen)
		}
	}
}

package form

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"planb/tui/tuitest"
)

// lastRow returns the line of keys.
func lastRow(r *formRig) string {
	lines := strings.Split(r.screen(), "\n")
	return strings.TrimSpace(lines[len(lines)-1])
}

// TestFormFooterLeadsToTheEnd holds the keys in the footer on the way from the first question
// of a form to its submission, at the size of a plain terminal.
func TestFormFooterLeadsToTheEnd(t *testing.T) {
	const small = `{"title":"t","questions":[
		{"id":"when","kind":"single","required":true,"label":"When?","options":["now","later"]},
		{"id":"who","kind":"text","label":"Who?"}]}`
	r := rig(t, formInputOf(tuitest.Parse(t, small)), 80, 24)
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
	if got, want := lastRow(richRig(t).keys("right")), "enter choose   z zoom   d take what is proposed   esc menu   ? help   n note"; got != want {
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
	t.Parallel()
	for width := 40; width <= 120; width++ {
		r := rig(t, formInputOf(tuitest.Parse(t, tuitest.RichForm)), width, 24).keys("right")
		if screen := r.screen(); !strings.Contains(screen, "Menu ") || !strings.Contains(screen, "0/8") {
			t.Fatalf("%d columns:\n%s", width, screen)
		}
		if r.Resize(width, 14); !strings.Contains(r.screen(), "Menu ") { // where the view is stands beside them
			t.Fatalf("%d columns, few rows:\n%s", width, r.screen())
		}
	}
}

// TestFormFooterAlwaysHelps holds that the footer names the key for help at each width and with
// each focus. The help leads to all other keys.
func TestFormFooterAlwaysHelps(t *testing.T) {
	for width := 40; width <= 100; width += 6 {
		for _, keys := range []string{"", "up", "right", "right n", "right tab", "right 4", "alt+right alt+right tab", "end", "end tab", "r", "r up"} {
			r := rig(t, formInputOf(tuitest.Parse(t, tuitest.RichForm)), width, 20).keys(keys)
			if got := lastRow(r); !strings.Contains(got, "? help") && !strings.Contains(got, "f1 help") {
				t.Fatalf("%d columns, after %q: %q", width, keys, got)
			}
		}
	}
}

// TestFormFooterOfText holds that the footer names the keys of a text while they do something.
func TestFormFooterOfText(t *testing.T) {
	const basic = "enter new line   tab next question   ctrl+s submit   esc menu   f1 help   "
	r := rig(t, formInputOf(tuitest.Parse(t, tuitest.RichForm)), 120, 24)
	for _, step := range []struct{ keys, want string }{
		{"end", basic + "ctrl+g editor"},
		{"a", basic + "ctrl+z undo"},
		{"ctrl+z", basic + "ctrl+y redo"},
		{"tab up n b", "ctrl+s keep   enter new line   esc back   f1 help   ctrl+z undo   ctrl+g editor"},
		{"ctrl+s", "enter write a note   tab next question   backspace clear   esc menu   ? help"},
	} {
		if got := lastRow(r.keys(step.keys)); got != step.want {
			t.Errorf("after %q: %q, want %q", step.keys, got, step.want)
		}
	}
}

// TestZoomNamesOnlyKeysThatLead holds that the zoom names no key that goes on from
// the last illustration, or back from the first.
func TestZoomNamesOnlyKeysThatLead(t *testing.T) {
	r := richRig(t)
	for _, step := range []struct{ keys, want, not string }{
		{"right z", "tab next", "previous"},
		{"tab", "shift+tab previous", "next"},
	} {
		if got := lastRow(r.keys(step.keys)); !strings.Contains(got, step.want) || strings.Contains(got, step.not) {
			t.Errorf("after %q: %q", step.keys, got)
		}
	}
}

// TestReminderIsNeverCut holds that the warning of secrets is whole, or shorter where it does
// not fit.
func TestReminderIsNeverCut(t *testing.T) {
	r := rig(t, formInputOf(tuitest.Parse(t, tuitest.RichForm)), 80, 24)
	for width := 60; width <= 120; width++ {
		for _, more := range []string{"", "line 1 of 35", "1–13 of 61 · ←→ 1–58 of 72"} {
			line := ansi.Strip((&Canvas{styles: &r.look.Styles, Width: width}).rule(reminderWithin(besideOnRule(width, more)), more))
			if !strings.Contains(line, "no passwords or secret") || strings.Contains(line, "…") || ansi.StringWidth(line) != width {
				t.Errorf("in %d cells beside %q: %q", width, more, line)
			}
		}
	}
}

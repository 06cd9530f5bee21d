package form

import (
	"strings"
	"testing"

	"planb/tui/marks"
	"planb/tui/tuitest"
)

// scaleRig is a form of one scale, and a text question behind it.
func scaleRig(t *testing.T, scale string, width int) *formRig {
	t.Helper()
	return rig(t, formInputOf(tuitest.Parse(t, `{"title":"t","questions":[{"id":"n","kind":"scale","label":"How much?",`+scale+`},{"id":"x","kind":"text","label":"x"}]}`)), width, 24)
}

// TestScaleIsTyped holds that each point of a scale can be typed. The digits count as soon as
// they are a point; until then the form waits for more.
func TestScaleIsTyped(t *testing.T) {
	const wide, negative, far = `"min":0,"max":1000,"step":0.5`, `"min":-50,"max":50`, `"min":10,"max":90,"step":7`
	for _, test := range []struct{ scale, keys, want, says string }{
		{wide, "1 2", `{"n":12}`, ""},
		{wide, "1 2 . 5", `{"n":12.5}`, ""},
		{wide, "1 2 . 3", `{}`, "▲ 12.3 is not on the scale: 0 to 1000 in steps of 0.5"},
		{wide, "1 0 0 0", `{"n":1000}`, ""},
		{wide, "0 . 5", `{"n":0.5}`, ""},
		{wide, "1 2 . 5 backspace", `{"n":12}`, ""},
		{negative, "- 7", `{"n":-7}`, ""},
		{negative, "- 5 0", `{"n":-50}`, ""},
		{negative, "7 - 8", `{"n":-8}`, ""}, // a sign begins anew
		{far, "1", `{}`, "10 to 90 in steps of 7"},
		{far, "1 7", `{"n":17}`, ""},
		{far, "1 7 1", `{"n":17}`, "10 to 90 in steps of 7"},
		{far, "1 enter", `{}`, "▲ 1 is not on the scale: 10 to 90 in steps of 7"},
		{far, "1 8 enter", `{}`, "▲ 8 is not on the scale"},
		{far, "1 tab", `{}`, "▲ 1 is not on the scale"},
		{far, "right 1 esc", `{"n":17}`, ""},
		{far, "right 1 backspace", `{"n":17}`, ""}, // only what was typed is erased
		{far, "right 1 backspace backspace", `{}`, ""},
		{far, "1 7 enter", `{"n":17}`, ""},
		{`"min":100,"max":200`, "1 5 0", `{"n":150}`, ""},
		{`"min":0.05,"max":0.5,"step":0.05`, "0 . 2 5", `{"n":0.25}`, ""},
		{`"min":-2,"max":-1,"step":0.25`, "- 1 . 7 5", `{"n":-1.75}`, ""},
		{`"min":1,"max":5`, "7", `{}`, "▲ 7 is not on the scale: 1 to 5"},
		{`"min":1,"max":5`, "4", `{"n":4}`, ""},
	} {
		r := scaleRig(t, test.scale, 80).keys(test.keys)
		if got := r.answersNow(); got != test.want {
			t.Errorf("%s: %s: %s, want %s\n%s", test.scale, test.keys, got, test.want, r.screen())
		}
		if !strings.Contains(r.screen(), test.says) {
			t.Errorf("%s: %s: the screen does not say %q\n%s", test.scale, test.keys, test.says, r.screen())
		}
	}
}

// TestScaleHasTicks holds how a scale is drawn: its track up to the value, the numbers below
// it, the value in its place, and the default.
func TestScaleHasTicks(t *testing.T) {
	for _, test := range []struct {
		scale, keys string
		width       int
		want        []string
	}{
		{`"min":1,"max":5`, "4", 40, []string{"○ 1   ○ 2   ○ 3   ◉ 4   ○ 5"}},
		{`"min":0,"max":1000,"step":0.5`, "5 0 0 esc", 80, []string{
			"━━━━━━━━━━━━━━━━━━━━●────────────────────   500",
			"0      200     400     600     800   1000"}},
		{`"min":-50,"max":50`, "", 80, []string{
			"◌────────────────────────────────────────   not set",
			"-50    -30     -10      10      30     50"}},
		{`"min":0,"max":2,"step":0.1,"default":0.2`, "", 80, []string{
			"────◌────────────────────────────────────   not set",
			"0      0.4     0.8     1.2     1.6      2   proposed 0.2"}},
		{`"min":0,"max":2,"step":0.1,"default":0.2`, "right right", 80, []string{
			"━━━━◇━━━●────────────────────────────────   0.4",
			"0      0.4     0.8     1.2     1.6      2   proposed 0.2"}},
		{`"min":0,"max":1000,"step":0.5`, "5 0 0 esc", 40, []string{"━━━━━━━━━━━━━●─────────────   500", "0           500        1000"}},
		{`"min":1,"max":5,"default":3`, "", 80, []string{"○ 1   ○ 2   ◌ 3   ○ 4   ○ 5   not set · proposed 3"}},
		{`"min":1,"max":5,"default":3`, "2", 80, []string{"○ 1   ◉ 2   ○ 3   ○ 4   ○ 5   proposed 3"}},
	} {
		screen := scaleRig(t, test.scale, test.width).keys(test.keys).screen()
		for _, want := range test.want {
			if !strings.Contains(screen, want) {
				t.Errorf("%s at %d after %q: want\n%s\nin\n%s", test.scale, test.width, test.keys, want, screen)
			}
		}
	}
}

// TestScaleShowsTyping holds that a number to which a digit may come stands in a field with a
// caret, and a whole one like a number that was chosen.
func TestScaleShowsTyping(t *testing.T) {
	t.Parallel()
	const wide, ten = `"min":0,"max":1000,"step":0.5`, `"min":1,"max":10`
	for _, test := range []struct {
		scale, keys string
		typing      bool
	}{
		{wide, "1", true}, {wide, "1 2", true}, {wide, "1 2 . 5", false}, {wide, "1 2 esc", false}, {wide, "1 2 right", false},
		{ten, "1", true}, {ten, "7", false},
	} {
		if got := scaleRig(t, test.scale, 80).keys(test.keys).View().Cursor != nil; got != test.typing {
			t.Errorf("%s: %s: a caret stands there: %t", test.scale, test.keys, got)
		}
	}
}

// What is wrong with a typed number is said whole, also in a narrow form.
func TestWhatIsWrongWithANumberIsWhole(t *testing.T) {
	t.Parallel()
	screen := scaleRig(t, `"min":0.05,"max":0.5,"step":0.05`, 40).keys("3").screen()
	said := strings.Join(strings.Fields(strings.ReplaceAll(screen, marks.Bar, " ")), " ")
	if want := "▲ 3 is not on the scale: 0.05 to 0.5 in steps of 0.05"; !strings.Contains(said, want) {
		t.Errorf("want %q in\n%s", want, screen)
	}
}

// TestScaleIsClicked holds that each cell of a track, and each point that is
// drawn, can be clicked.
func TestScaleIsClicked(t *testing.T) {
	for _, test := range []struct{ scale, at, want string }{
		{`"min":1,"max":5`, "○ 4", `{"n":4}`},
		{`"min":0,"max":100`, "─   not set", `{"n":100}`},
		{`"min":0,"max":100`, "◌──", `{"n":0}`},
		{`"min":0,"max":100`, "60", `{"n":60}`},
	} {
		r := scaleRig(t, test.scale, 80)
		r.clickOn(test.at)
		if got := r.answersNow(); got != test.want {
			t.Errorf("%s: a click on %q: %s, want %s\n%s", test.scale, test.at, got, test.want, r.screen())
		}
	}
}

// TestRadiosGoOn holds that a digit on a scale of radio buttons answers and goes on as on a
// single choice, and that Enter after it does nothing. A number that may grow waits.
func TestRadiosGoOn(t *testing.T) {
	const small, ten, far = `"kind":"scale","min":1,"max":5`, `"kind":"scale","min":1,"max":10`, `"kind":"scale","min":0,"max":100`
	for _, test := range []struct{ first, second, keys, answers, where string }{
		{small, small, "4", `{"a":4}`, "b"},
		{small, small, "4 2", `{"a":4,"b":2}`, "b"},
		{small, small, "4 enter", `{"a":4}`, "b"},
		{small, `"kind":"multi","options":["x","y"]`, "4 1", `{"a":4,"b":["x"]}`, "b/x"},
		{small, far, "4", `{"a":4}`, "a"},
		{small, `"kind":"text"`, "4", `{"a":4}`, "a"},
		{small, `"kind":"text"`, "4 5", `{"a":5}`, "a"},
		{ten, small, "1", `{"a":1}`, "a"},
		{ten, small, "1 0", `{"a":10}`, "b"},
		{ten, small, "7", `{"a":7}`, "b"},
		{`"kind":"single","options":["x","y"]`, small, "1", `{"a":"x"}`, "a/x"},
	} {
		r := rig(t, formInputOf(tuitest.Parse(t, `{"title":"t","questions":[{"id":"a","label":"A?",`+test.first+`},{"id":"b","label":"B?",`+test.second+`}]}`)), 80, 24).keys(test.keys)
		if got := r.answersNow(); got != test.answers || r.where() != test.where {
			t.Errorf("%s, then %s: %q answers %s and leads to %s, want %s and %s", test.first, test.second, test.keys, got, r.where(), test.answers, test.where)
		}
	}
}

// TestHalfTypedNumberIsNotPassedOver holds that a form is neither sent nor looked over with the
// answer from before, while what was typed in its place is no point of the scale.
func TestHalfTypedNumberIsNotPassedOver(t *testing.T) {
	for _, keys := range []string{"ctrl+s", "ctrl+c s"} {
		r := rig(t, formInputOf(tuitest.Parse(t, `{"title":"t","questions":[{"id":"n","kind":"scale","label":"How much?","min":10,"max":100}]}`)), 80, 24)
		r.keys("5 0 enter up") // the answer is 50
		r.keys("5").keys(keys)
		if sent, ok := last[SettleRequested](r); ok {
			t.Errorf("%s: sent %s", keys, r.in.Ask.Spec.AnswersJSON(sent.Outcome.Reply))
		}
		if !strings.Contains(r.screen(), "▲ 5 is not on the scale") {
			t.Errorf("%s: the screen does not say what is wrong\n%s", keys, r.screen())
		}
	}
}

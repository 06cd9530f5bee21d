package form

import (
	"fmt"
	"strings"
	"testing"

	"planb/tui/marks"
	"planb/tui/tuitest"
)

// longListForm is a form with one question of many options, and another.
func longListForm(kind string) string {
	var options []string
	for i := range 120 {
		options = append(options, fmt.Sprintf(`{"value":"host-%03d","label":"Host %d","description":"rack %d, %s"}`, i, i, i/10, []string{"Zürich", "Oslo", "Porto"}[i%3]))
	}
	return `{"title":"Hosts","questions":[{"id":"q","kind":"` + kind + `","label":"Which hosts?","options":[` + strings.Join(options, ",") + `]},
		{"id":"x","kind":"text","label":"Else?"}]}`
}

func longListRig(t *testing.T, kind string, width int) *formRig {
	t.Helper()
	return rig(t, formInputOf(tuitest.Parse(t, longListForm(kind))), width, 24)
}

// TestFilterFindsWords holds that the filter finds words in any order in labels, values and
// descriptions, and tells how many options have them.
func TestFilterFindsWords(t *testing.T) {
	t.Parallel()
	for words, want := range map[string]string{
		"":                "120 of 120",
		"host":            "120 of 120",
		"zürich rack":     "40 of 120",
		"RACK 11, oslo":   "3 of 120",
		"oslo 11, rack":   "3 of 120",
		"host-007":        "1 of 120",
		"nowhere at all":  "0 of 120",
		"oslo zürich":     "0 of 120",
		"  porto   119  ": "1 of 120",
	} {
		r := longListRig(t, "single", 80).keys("/").write(words)
		if !strings.Contains(r.screen(), want) {
			t.Errorf("%q: want %q\n%s", words, want, r.screen())
		}
	}
}

// TestFilterIsFoundAndLeft holds that a long list says that it can be filtered,
// that a click does it as well as the key, and that neither moves the list.
func TestFilterIsFoundAndLeft(t *testing.T) {
	for _, width := range []int{40, 80, 120} {
		r := longListRig(t, "multi", width)
		if !strings.Contains(r.screen(), "/ filters 120 options") || !strings.Contains(lastRow(r), "/ filter") {
			t.Errorf("at %d columns a long list does not tell of its filter:\n%s", width, r.screen())
		}
		row := rowOf(r, "Host 0")
		r.clickOn("/ filters")
		if r.q().state.text() == nil || rowOf(r, "Host 0") != row {
			t.Errorf("a click on it does not open the filter in its place:\n%s", r.screen())
		}
		if r.keys("esc"); rowOf(r, "Host 0") != row || r.dialog != nil {
			t.Errorf("esc does not take it away:\n%s", r.screen())
		}
		r.keys("/").write("119").keys("esc")
		if got := r.where(); got != "q/host-119" || !strings.Contains(r.screen(), "Host 118") {
			t.Errorf("esc does not show what is around the option that was found (%s):\n%s", got, r.screen())
		}
	}
}

// TestLongListCountsOptions holds that a position in a long list counts options, as the list
// does, and not lines.
func TestLongListCountsOptions(t *testing.T) {
	t.Parallel()
	for keys, want := range map[string]string{
		"down":      "─ options 1–17 of 120 ─",
		"pgdown":    "─ options 10–28 of 120 ─",
		"/ 1 enter": "─ options 1–17 of 39 ─",
	} {
		if r := longListRig(t, "multi", 80).keys(keys); !strings.Contains(r.screen(), want) {
			t.Errorf("%s: want %q\n%s", keys, want, r.screen())
		}
	}
}

// TestALongListIsDense holds that options of a list that does not fit have their descriptions
// beside them if these fit there, in one column, and that nothing moves while the filter does.
func TestALongListIsDense(t *testing.T) {
	for _, width := range []int{40, 80, 120} {
		r := longListRig(t, "multi", width)
		if !strings.Contains(r.screen(), "Host 0     rack 0, Zürich") || !strings.Contains(r.screen(), "Host 10    rack 1, Oslo") {
			t.Errorf("at %d columns:\n%s", width, r.screen())
		}
		before := rowOf(r, "Which hosts?")
		if r.keys("/").write("rack 11 oslo"); rowOf(r, "Which hosts?") != before {
			t.Errorf("at %d columns the filter moves its question:\n%s", width, r.screen())
		}
	}
	long := strings.ReplaceAll(longListForm("multi"), "rack 1,", "the rack beside the window on the second floor of the house in")
	r := rig(t, formInputOf(tuitest.Parse(t, long)), 80, 24).keys("pgdown")
	if row := lineOf(r.screen(), "Host 10"); strings.Contains(row, "rack") || !strings.Contains(r.screen(), "the house in Oslo") {
		t.Errorf("a description stands where it does not fit, or is cut:\n%s", r.screen())
	}
}

func rowOf(r *formRig, text string) int {
	for y, line := range strings.Split(r.screen(), "\n") {
		if strings.Contains(line, text) {
			return y
		}
	}
	return -1
}

// TestFilterKeepsWhatIsChosen holds that options hidden by the filter stay chosen, and that
// the form says so.
func TestFilterKeepsWhatIsChosen(t *testing.T) {
	r := longListRig(t, "multi", 80).keys("1 2 /").write("porto 119").keys("enter 1")
	if got := r.answersNow(); got != `{"q":["host-000","host-001","host-119"]}` {
		t.Errorf("chosen: %s", got)
	}
	if !strings.Contains(r.screen(), "■ 2 chosen options not shown") {
		t.Errorf("it is not said that chosen options are hidden:\n%s", r.screen())
	}
	if r.clickOn("2 chosen options not shown"); !strings.Contains(r.screen(), "Host 118") {
		t.Errorf("a click on that does not show them:\n%s", r.screen())
	}
	one := longListRig(t, "single", 80).keys("down space /").write("119")
	if !strings.Contains(one.screen(), "◉ 1 chosen option not shown") {
		t.Errorf("a single choice that is hidden is not told of:\n%s", one.screen())
	}
	if one.keys("enter space"); one.answersNow() != `{"q":"host-119"}` {
		t.Errorf("another choice did not replace the hidden one: %s", one.answersNow())
	}
}

// TestAllThenNone holds that * chooses all options that are shown, and then unpicks them. It
// changes neither the options hidden by the filter nor the text under "Other…".
func TestAllThenNone(t *testing.T) {
	for _, step := range []struct{ keys, want string }{
		{"right tab *", `{"fields":["id","total","date","customer"]}`},
		{"right tab * *", `{}`},
		{"right tab 2 *", `{"fields":["id","total","date","customer"]}`},
		{"right tab 5 x esc * *", `{"fields":["x"]}`},
		{"right *", `{}`}, // one choice of several can't be all
	} {
		if got := richRig(t).keys(step.keys).answersNow(); got != step.want {
			t.Errorf("%s: %s, want %s", step.keys, got, step.want)
		}
	}
	r := longListRig(t, "multi", 80).keys("1 /").write("rack 11 oslo").keys("enter *")
	if got := r.answersNow(); got != `{"q":["host-000","host-112","host-115","host-118"]}` {
		t.Errorf("all that are shown: %s", got)
	}
	if !strings.Contains(lastRow(r), "* none") {
		t.Errorf("the footer does not tell of none: %s", lastRow(r))
	}
	if r.keys("*"); r.answersNow() != `{"q":["host-000"]}` {
		t.Errorf("none of them: %s", r.answersNow())
	}
	if !strings.Contains(lastRow(r), "* all shown") {
		t.Errorf("the footer does not tell of all: %s", lastRow(r))
	}
}

// TestLongListKeepsItsQuestion holds that the question and the cursor stay in view in a list
// longer than the screen.
func TestLongListKeepsItsQuestion(t *testing.T) {
	for _, width := range []int{40, 120} {
		r := longListRig(t, "multi", width)
		for _, keys := range []string{strings.Repeat("down ", 16), strings.Repeat("up ", 10), "tab up n"} {
			for _, key := range strings.Fields(keys) {
				r.keys(key)
				if screen := r.screen(); strings.HasPrefix(r.where(), "q/") && (!strings.Contains(screen, "Which hosts?") || !strings.Contains(screen, marks.Focus) && r.View().Cursor == nil) {
					t.Fatalf("%d columns, at %s:\n%s", width, r.where(), screen)
				}
			}
		}
	}
}

// TestTheCursorBeginsOnWhatIsProposed holds that a person who comes to an open question finds
// the cursor on the option that the agent proposes, and that this answers nothing. ↓ walks row
// by row, so that ↑ is always its way back.
func TestTheCursorBeginsOnWhatIsProposed(t *testing.T) {
	t.Parallel()
	const one = `{"id":"a","kind":"single","label":"A?","options":["x","y","z"],"default":"z"}`
	const after = `{"id":"0","kind":"single","label":"0?","options":["x","y"]},`
	const tabs = `{"id":"0","kind":"single","label":"0?","tab":"One","options":["x","y"]},{"id":"a","kind":"single","label":"A?","tab":"Two","options":["x","y","z"],"default":"z"}`
	for _, test := range []struct{ name, questions, keys, want string }{
		{"as the form opens", one, "", "a/z"},
		{"a proposal of several", `{"id":"a","kind":"multi","label":"A?","options":["x","y","z"],"default":["y","z"]}`, "", "a/y"},
		{"by tab", after + one, "tab", "a/z"},
		{"by a number", after + one, "1", "a/z"},
		{"by enter", after + one, "enter enter", "a/z"},
		{"but by the arrow from the question above on its first row", after + one, "down down down down", "a/x"},
		{"from below on its last", after + one, "tab down down down up", "a/other"},
		{"again where it was", after + one, "tab up shift+tab tab", "a/y"},
		{"by the next tab", tabs, "right", "a/z"},
		{"from the strip", tabs, "right shift+tab down", "a/z"},
		{"by the button", tabs, "down down down down enter", "a/z"},
		{"on the answer once there is one", after + one, "tab 1 shift+tab tab", "a/x"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := rig(t, formInputOf(tuitest.Parse(t, `{"title":"t","questions":[`+test.questions+`]}`)), 80, 24).keys(test.keys)
			if got := r.where(); got != test.want {
				t.Errorf("the focus is on %s, want %s\n%s", got, test.want, r.screen())
			}
			if answer, open := r.reply().Answers["a"], !strings.Contains(test.keys, "tab 1"); open && !answer.IsZero() {
				t.Errorf("the form answered the question by itself: %v", answer)
			}
		})
	}
}

// TestOtherStandsAsItWasWritten holds that the person's own words have the same lines while they
// write them and afterwards.
func TestOtherStandsAsItWasWritten(t *testing.T) {
	t.Parallel()
	const words = "Neither of them, for both hold a lock through all of the night"
	for _, width := range []int{48, 60} {
		r := rig(t, formInputOf(tuitest.Parse(t, tuitest.RichForm)), width, 24).keys("right 4").write(words)
		lines := func() string {
			from := r.rowOf("Other: Neither")
			var kept []string
			for _, row := range strings.Split(r.screen(), "\n")[from : from+2] {
				kept = append(kept, strings.TrimLeft(strings.TrimRight(row, " "), "▌▎"))
			}
			return strings.Join(kept, "\n")
		}
		writing := lines()
		if r.keys("esc"); strings.Replace(lines(), "◉", "○", 1) != strings.Replace(writing, "◉", "○", 1) {
			t.Errorf("at %d columns there stands\n%s\nand while it was written\n%s", width, lines(), writing)
		}
	}
}

// TestLettersOpenOther holds that who types on "Other…" writes there, also a letter that is a
// key elsewhere, and that digits and signs that are keys stay keys.
func TestLettersOpenOther(t *testing.T) {
	t.Parallel()
	const single = `{"id":"a","kind":"single","label":"A?","options":["x","y"],"default":"x"}`
	for _, test := range []struct{ name, questions, keys, want, where string }{
		{"a word", single, "down down p a n d a s", `{"a":"pandas"}`, "a/other"},
		{"one that begins with the key of a note", single, "down down n o n e", `{"a":"none"}`, "a/other"},
		{"with that of what is proposed", single, "down down d u c k", `{"a":"duck"}`, "a/other"},
		{"with that of the answers' page", single, "down down r u s t", `{"a":"rust"}`, "a/other"},
		{"with a sign", single, `down down " x`, `{"a":"\"x"}`, "a/other"},
		{"beside ticks", `{"id":"a","kind":"multi","label":"A?","options":["x","y"]}`, "space down down z s t d", `{"a":["x","zstd"]}`, "a/other"},
		{"in place of a choice", single, "1 down down o f f", `{"a":"off"}`, "a/other"},
		{"and enter goes on", single + `,{"id":"b","kind":"text","label":"B?"}`, "down down o n enter", `{"a":"on"}`, "b"},
		{"but only with a text", single, "1 down down enter esc", `{"a":"x"}`, "a/other"},
		{"which may be taken away again", single, "1 down down o backspace esc", `{"a":"x"}`, "a/other"},
		{"a digit is the option's", single, "down down 2", `{"a":"y"}`, "a/y"},
		{"a sign that is a key stays one", single, "down down ? esc", `{}`, "a/other"},
		{"what was written is not written on by a key", single, "down down o n esc n", `{"a":"on"}`, "a/note"},
		{"nor are other options a text", single, "o f f", `{}`, "a/x"},
		{"the row of the note is no part of it", single, "down down down x", `{}`, "a/note"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := rig(t, formInputOf(tuitest.Parse(t, `{"title":"t","questions":[`+test.questions+`]}`)), 80, 24).keys(test.keys)
			if got := r.answersNow(); got != test.want || r.where() != test.where {
				t.Errorf("%s: the answers are %s on %s, want %s on %s\n%s", test.keys, got, r.where(), test.want, test.where, r.screen())
			}
		})
	}
	r := rig(t, formInputOf(tuitest.Parse(t, `{"title":"t","questions":[`+single+`]}`)), 80, 24).keys("down down")
	if keys := lastRow(r); !strings.Contains(keys, "enter or type to write") || strings.Contains(keys, "n note") || strings.Contains(keys, "d take") {
		t.Errorf("the footer does not say that letters write here: %s", keys)
	}
}

// A form that ended while the cursor was in an empty "Other…" comes back as if that had not been
// chosen: the first letter begins the text.
func TestAnEmptyOtherComesBackUnchosen(t *testing.T) {
	t.Parallel()
	for kind, want := range map[string]string{"single": `{"a":"new"}`, "multi": `{"a":["new"]}`} {
		in := formInputOf(tuitest.Parse(t, `{"title":"t","questions":[{"id":"a","kind":"`+kind+`","label":"A?","options":["x","y"]}]}`))
		in.Entry = rig(t, in, 80, 24).keys("down down enter").Entry()
		again := rig(t, in, 80, 24)
		if strings.Contains(again.screen(), marks.Chosen) || strings.Contains(again.screen(), marks.Ticked) {
			t.Errorf("%s: something is chosen:\n%s", kind, again.screen())
		}
		if got := again.keys("down down n e w").answersNow(); got != want {
			t.Errorf("%s: the answers are %s, want %s\n%s", kind, got, want, again.screen())
		}
	}
}

// The mark of a proposed option never stands alone on a line.
func TestProposedStandsBesideWords(t *testing.T) {
	const label = "Open small and register beside it"
	spec := tuitest.Parse(t, `{"title":"A way","questions":[{"id":"way","kind":"single","label":"Which way?","default":"small","options":[
	 {"value":"small","label":"`+label+`"},{"value":"bold","label":"All at once"}]}]}`)
	for width := 36; width < 70; width++ {
		for line := range strings.Lines(rig(t, formInputOf(spec), width, 20).screen()) {
			if words := strings.Fields(strings.Trim(line, "▌▎ \n")); len(words) > 0 && words[0] == "proposed" {
				t.Errorf("in %d cells the mark stands alone", width)
			}
		}
	}
}

package form

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"planb/questions"
	"planb/questions/safe"
	"planb/tui/tuitest"
)

// halfRig is tuitest.RichForm, partly answered, with notes.
func halfRig(t *testing.T, width, height int) *formRig {
	t.Helper()
	return rig(t, formInputOf(tuitest.Parse(t, tuitest.RichForm)), width, height).
		keys("right 2 shift+tab n").write("ask the bank").keys("ctrl+s tab 1 5").write("currency").
		keys("esc ctrl+pgdown").write("orders.csv").keys("tab tab right N").write("in a hurry").keys("ctrl+s")
}

// onSummary names the stop under the cursor on the page with all answers.
func (r *formRig) onSummary() string {
	if asked(r.Form).summary == nil {
		return "the form: " + r.where()
	}
	switch stop := asked(r.Form).summary.here(); stop.kind {
	case stopQuestion:
		return r.q().state.controls[stop.question].q.ID
	case stopNote:
		return "note"
	default:
		return summaryButton(stop.kind, Narrow)
	}
}

// TestSummaryShowsEverything holds that the page has each question with its answer as the form
// showed it, its note, or the word open, and the counts.
func TestSummaryShowsEverything(t *testing.T) {
	t.Parallel()
	for _, width := range []int{40, 80, 120} {
		screen := halfRig(t, width, 60).keys("r").screen()
		for _, want := range []string{
			"Your answers", map[int]string{40: "● 4/8, 1 required open"}[width], map[int]string{80: "● 4 of 8 answered, 1 required open"}[width],
			"Format", "✓ Which format?", "JSON", "✎ ask the bank", "✓ Which fields?", "id · currency",
			"Delivery", "orders.csv", "○ When does it leave?", "open; proposed: 03:00", "31", "○ How sure are you?",
			"Last words", "● May I start?",
			"✎ Your note on the whole form", "in a hurry",
		} {
			if !strings.Contains(screen, want) {
				t.Errorf("at %d columns the page does not say %q:\n%s", width, want, screen)
			}
		}
	}
	done := richRig(t).keys("right 1 * ctrl+pgdown o tab enter tab 3 tab 4 ctrl+pgdown w tab 1 r").screen()
	if !strings.Contains(done, "✓ 8 of 8 answered") {
		t.Errorf("a form answered to the end:\n%s", done)
	}
}

// TestSummaryDrawnAgainIsTheSame holds that drawing the page again changes nothing: a note keeps
// its one mark.
func TestSummaryDrawnAgainIsTheSame(t *testing.T) {
	t.Parallel()
	for _, width := range []int{40, 80, 120} {
		r := halfRig(t, width, 60).keys("r")
		first := r.screen()
		if again := r.keys("up down up down").screen(); again != first {
			t.Errorf("at %d columns, after moving about:\n%s\nbefore:\n%s", width, again, first)
		}
	}
}

// TestSummaryMoves holds where keys move the cursor on the page, and out of it.
func TestSummaryMoves(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ keys, want string }{
		{"r", "keep"}, // where the form's focus is
		{"r up", "time"},
		{"r home", "format"},
		{"r home up", "format"},
		{"r end", "note"},
		{"r end down", "Submit"},
		{"r end down down", "Submit"},
		{"r end down right", "Reply without finishing"},
		{"r end down right right right", "Back to the form"},
		{"r end down right up", "note"},
		{"r end down left", "Submit"},
		{"r end tab tab tab tab", "format"},
		{"r home shift+tab", "Back to the form"},
		{"r left right", "keep"},
		{"r r", "the form: keep"},
		{"r esc", "the form: keep"},
		{"r enter", "the form: keep"},
		{"r home enter", "the form: format/json"},
		{"r home enter r", "format"},
		{"r home n", "the form: format/note"},
		{"r end down right right enter", "the form: keep"},
		{"r 1 d x a backspace", "keep"},
		{"esc r", "keep"},
		{"r ctrl+c r", "the form: keep"},
	} {
		r := halfRig(t, 80, 24).keys(test.keys)
		if got := r.onSummary(); got != test.want {
			t.Errorf("%s: the cursor is on %s, want %s\n%s", test.keys, got, test.want, r.screen())
		}
		if got := r.answersNow(); got != `{"format":"json","fields":["id","currency"],"name":"orders.csv","keep":31}` {
			t.Errorf("%s changed the answers: %s", test.keys, got)
		}
	}
}

// TestSummaryLeadsToWhatIsOpen holds that sending from the page leads to an open required
// question, as sending from the form does, and that it sends once that is answered.
func TestSummaryLeadsToWhatIsOpen(t *testing.T) {
	r := halfRig(t, 80, 24).keys("r ctrl+s")
	if r.onSummary() != "the form: go/yes" || !strings.Contains(r.screen(), "Not submitted: answers are missing.") {
		t.Fatalf("with a required question open:\n%s", r.screen())
	}
	r.keys("1 ctrl+s")
	if r.onSummary() != "Submit" || !strings.Contains(r.screen(), "5 of 8 answered, 3 open") {
		t.Fatalf("with optional ones open, on the way to sending:\n%s", r.screen())
	}
	if r.keys("enter"); r.stage != sending {
		t.Errorf("enter on Submit does not send:\n%s", r.screen())
	}
	r.send(Settled{AskID: "the-ask", Err: fmt.Errorf("full")}).enter().keys("b")
	if !strings.HasPrefix(r.onSummary(), "the form") {
		t.Errorf("back to the form is %s", r.onSummary())
	}
}

// TestSummaryShowsLongAnswersInFull holds that the page marks an answer as cut, and that z shows
// all of it.
func TestSummaryShowsLongAnswersInFull(t *testing.T) {
	var text strings.Builder
	for i := range 300 {
		fmt.Fprintf(&text, "line %d of what was written\n", i)
	}
	r := richRig(t).keys("end").send(tea.PasteMsg{Content: text.String()}).keys("tab r up")
	if screen := r.screen(); !strings.Contains(screen, "line 2 of what was written …") || strings.Contains(screen, "line 3 ") {
		t.Errorf("a long answer on the page:\n%s", screen)
	}
	if !strings.Contains(lastRow(r), "z zoom") {
		t.Errorf("the footer does not say how to see all of it: %s", lastRow(r))
	}
	if r.keys("z end"); !strings.Contains(r.screen(), "line 299") {
		t.Errorf("in full:\n%s", r.screen())
	}
	if r.keys("esc"); r.onSummary() != "why" {
		t.Errorf("esc leads to %s", r.onSummary())
	}
}

// TestSummaryIsClicked holds that a click on a question or a button does the same as Enter, and
// that the wheel scrolls.
func TestSummaryIsClicked(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"How sure are you?":           "the form: mood",
		"ask the bank":                "the form: format/json",
		"Your note on the whole form": "note",
		"Back to the form":            "the form: keep",
		"Reply without finishing":     "Reply without finishing",
		"Submit":                      "the form: go/yes",
		"asked at 14:02":              "keep", // nothing is there
	} {
		r := halfRig(t, 80, 34).keys("r").clickOn(text)
		if got := r.onSummary(); got != want {
			t.Errorf("a click on %q leads to %s, want %s\n%s", text, got, want, r.screen())
		}
	}
	r := halfRig(t, 40, 16).keys("r home")
	before := r.screen()
	r.send(tea.MouseWheelMsg{X: 3, Y: 8, Button: tea.MouseWheelDown})
	if r.screen() == before {
		t.Error("the wheel does not scroll")
	}
}

// TestSummaryOfAFormThatIsRead holds that a form that can only be read has the page as an
// overview, which sends and changes nothing.
func TestSummaryOfAFormThatIsRead(t *testing.T) {
	in := formInputOf(tuitest.Parse(t, tuitest.RichForm))
	in.ReadOnly = true
	in.Ask.Outcome = questions.Outcome{
		State: questions.Answered, At: tuitest.Moment, By: "you@host",
		Reply: questions.Reply{
			Answers: map[string]questions.Value{"format": questions.TextValue("my own"), "keep": questions.NumberValue(12)},
			Notes:   map[string]safe.Text{"format": safe.New("a note")},
			Note:    safe.New("on the whole"),
		},
	}
	r := rig(t, in, 80, 40).keys("r")
	for _, want := range []string{"2 of 8 answered", "my own", "✎ a note", "12", "(no answer)", "on the whole", "Back to the form"} {
		if !strings.Contains(r.screen(), want) {
			t.Errorf("the page does not say %q:\n%s", want, r.screen())
		}
	}
	for _, never := range []string{"Submit", "required", "open", "proposed", "Reply"} {
		if strings.Contains(r.screen(), never) {
			t.Errorf("the page says %q:\n%s", never, r.screen())
		}
	}
	if r.keys("home n N ctrl+s"); len(r.Told) != 0 || r.dialog != nil {
		t.Errorf("keys told %v:\n%s", r.Told, r.screen())
	}
	if r.keys("enter"); r.onSummary() != "the form: format/other" {
		t.Errorf("enter leads to %s", r.onSummary())
	}
}

// TestReplyWithoutFinishingSaysWhatGoesAlong holds that the message's dialog
// names the answers that are sent with it.
func TestReplyWithoutFinishingSaysWhatGoesAlong(t *testing.T) {
	said := boxed(halfRig(t, 80, 30).keys("esc m").screen())
	for _, want := range []string{"the answers so far", "With it:", "• Which format? → JSON", "• Which fields? → id, currency", "• 1 more"} {
		if !strings.Contains(said, want) {
			t.Errorf("the dialog does not say %q: %s", want, said)
		}
	}
	if said := boxed(richRig(t).keys("esc m").screen()); strings.Contains(said, "With it:") {
		t.Errorf("without an answer: %s", said)
	}
}

// TestSummaryInFewRows holds that the page wastes no row on a low screen, and tells that it has
// more rows.
func TestSummaryInFewRows(t *testing.T) {
	r := halfRig(t, 40, 15).keys("r home")
	lines := strings.Split(r.screen(), "\n")
	if strings.TrimSpace(lines[2]) == "" || !strings.Contains(r.screen(), "1–11 of ") || !strings.Contains(r.screen(), "Back ") {
		t.Errorf("in 15 rows:\n%s", r.screen())
	}
}

// TestSummaryBeginsAtAWholeQuestion holds that the page never begins in the middle of a
// question while the cursor moves through it.
func TestSummaryBeginsAtAWholeQuestion(t *testing.T) {
	t.Parallel()
	for _, width := range []int{40, 80} {
		r := halfRig(t, width, 18).keys("r home")
		for range 10 {
			r.keys("down").screen()
			top := asked(r.Form).summary.top
			_, spans := asked(r.Form).layOutSummary(width - 1)
			for i, s := range spans {
				if s.Top < top && top <= s.Bottom {
					t.Errorf("at %d columns, on %s, the page begins in row %d of question %d:\n%s", width, r.onSummary(), top-s.Top+1, i+1, r.screen())
				}
			}
		}
	}
}

// The menu over the page with all answers changes no question below the page: the person sees
// the cursor on another one, or none.
func TestTheMenuOverTheSummaryIsAboutThePage(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, keys, letter string }{
		{"an earlier answer is not taken over", "right r down down ctrl+c", "a"},
		{"nor read", "right r down down ctrl+c", "b"},
		{"no text is changed", "right right down x esc r down ctrl+c", "u"},
		{"and the zoom is of the answer there", "right 3 r up ctrl+c", "z"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := remembering(t, 80).keys(test.keys)
			before := r.answersNow()
			r.keys(test.letter)
			if after := r.answersNow(); after != before {
				t.Errorf("the answers were %s and are %s", before, after)
			}
			if zooms := test.letter == "z"; zooms != (r.sheet != nil && strings.Contains(r.screen(), "XML")) {
				t.Errorf("it shows\n%s", r.screen())
			}
		})
	}
}

package form

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"

	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/tui/form/field"
	"planb/tui/marks"
	"planb/tui/tuitest"
)

// earlierIn returns answers that were given three days ago, in another session, to questions
// of the rich form.
func earlierIn(spec questions.Spec, answers map[string]questions.Value) map[string]store.EarlierAnswer {
	found := map[string]store.EarlierAnswer{}
	for id, answer := range answers {
		q, _ := spec.Question(id)
		found[id] = store.EarlierAnswer{
			Ask: "an-earlier-ask", Session: store.Session{ID: "another", Title: safe.New("Weekly export")},
			Question: q, Answer: answer, At: tuitest.Moment.AddDate(0, 0, -3),
		}
	}
	return found
}

// rememberingInput is the rich form with an earlier answer to some questions.
func rememberingInput(t testing.TB) Input {
	spec := tuitest.Parse(t, tuitest.RichForm)
	in := formInputOf(spec)
	in.EarlierAnswers = earlierIn(spec, map[string]questions.Value{
		"format": questions.TextValue("xml"),
		"fields": questions.ItemsValue("id", "date"),
		"name":   questions.TextValue("old.csv"),
		"keep":   questions.NumberValue(12),
		"why":    questions.TextValue(strings.Repeat("a long story ", 20) + "\nand its end"),
	})
	noted := in.EarlierAnswers["format"]
	noted.Note = safe.New("the bank insists")
	in.EarlierAnswers["format"] = noted
	// What is asked now is offered without one of the fields, and with other ends.
	was := in.EarlierAnswers["fields"]
	was.Question.Options = append(was.Question.Options[:2:2], questions.Option{Value: safe.New("VAT")}, was.Question.Options[2])
	was.Answer = questions.ItemsValue("id", "VAT")
	in.EarlierAnswers["fields"] = was
	return in
}

func remembering(t testing.TB, width int) *formRig {
	t.Helper()
	return rig(t, rememberingInput(t), width, 24)
}

// lineOf returns the line of a screen that has the words; empty for none.
func lineOf(screen, words string) string {
	for line := range strings.Lines(screen) {
		if strings.Contains(line, words) {
			return strings.TrimSpace(line)
		}
	}
	return ""
}

func TestFormShowsWhatWasAnsweredBefore(t *testing.T) {
	r := remembering(t, 80)
	if got := r.answersNow(); got != `{}` {
		t.Fatalf("an earlier answer was filled in by itself: %s", got)
	}
	for _, step := range []struct{ keys, want string }{
		{"right", "answered before: XML ✎ the bank insists · Tuesday  press a to take it over"},
		{"tab", "answered before: id, VAT (not all is offered now)  press a to take it over"},
		{"right down", "answered before: old.csv · Tuesday · Weekly ex…  press ctrl+r to take it over"},
		{"tab", "answered before: old.csv · Tuesday · Weekly export\n"},
	} {
		if r.keys(step.keys); !strings.Contains(r.screen(), step.want) {
			t.Errorf("the screen does not say %q:\n%s", step.want, r.screen())
		}
	}
	wide := rig(t, rememberingInput(t), 120, 24).keys("right right down")
	if want := "old.csv · Tuesday, 17 Nov 14:07 · Weekly export"; !strings.Contains(wide.screen(), want) {
		t.Errorf("the wide screen does not say %q:\n%s", want, wide.screen())
	}
}

func TestFormTakesAnEarlierAnswerOverAndPutsBackWhatWasThere(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ keys, want, note string }{
		"taken over":                       {"right a", `{"format":"xml"}`, "the bank insists"},
		"and put back":                     {"right a a", `{}`, ""},
		"and taken again":                  {"right a a a", `{"format":"xml"}`, "the bank insists"},
		"undone by backspace":              {"right 1 shift+tab a backspace", `{"format":"csv"}`, ""},
		"backspace twice clears":           {"right 1 shift+tab a backspace backspace", `{}`, ""},
		"instead of another answer":        {"right 1 shift+tab a", `{"format":"xml"}`, "the bank insists"},
		"which is put back":                {"right 1 shift+tab a a", `{"format":"csv"}`, ""},
		"answered otherwise since":         {"right a 2 shift+tab a", `{"format":"xml"}`, "the bank insists"},
		"and that put back":                {"right a 2 shift+tab a a", `{"format":"json"}`, "the bank insists"},
		"the same answer by hand":          {"right 3 shift+tab a", `{"format":"xml"}`, ""},
		"what was written now stays":       {"right n w o w ctrl+s a", `{"format":"xml"}`, "wow"},
		"of one as much as is offered":     {"right tab a", `{"fields":["id"]}`, ""},
		"a question that nobody answered":  {"right right down tab tab tab a", `{}`, ""},
		"in a text the letter is a letter": {"right right down a", `{"name":"a"}`, ""},
		"in a text with its own key":       {"right right down ctrl+r", `{"name":"old.csv"}`, ""},
		"over a text begun, and put back":  {"right right down n e w ctrl+r ctrl+r", `{"name":"new"}`, ""},
		"over a text begun, and undone":    {"right right down n e w ctrl+r ctrl+z", `{"name":"new"}`, ""},
		"and undone after more was typed":  {"right right down n e w ctrl+r x ctrl+z ctrl+z", `{"name":"new"}`, ""},
		"put back without the note's end":  {"right a n x ctrl+s a", `{}`, "the bank insistsx"},
		"a number":                         {"right right down tab tab a", `{"keep":12}`, ""},
		"on the tabs nothing":              {"right shift+tab a", `{}`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			r := remembering(t, 80).keys(test.keys)
			if got := r.answersNow(); got != test.want {
				t.Errorf("answers: %s, want %s\n%s", got, test.want, r.screen())
			}
			if got := r.q().state.answers().reply.Notes["format"].Raw(); got != test.note {
				t.Errorf("the note is %q, want %q", got, test.note)
			}
		})
	}
}

// TestFormSaysHowAnAnswerStandsToTheEarlierOne holds that the line is there with any answer, so
// that nothing moves when the answer changes.
func TestFormSaysHowAnAnswerStandsToTheEarlierOne(t *testing.T) {
	r := remembering(t, 80).keys("right")
	rows := strings.Index(r.screen(), "answered before: XML")
	for _, step := range []struct{ keys, want string }{
		{"1 shift+tab", "answered before: XML ✎ the bank insists · Tuesday  press a to take it over"},
		{"a", "as before: XML · Tuesday · Weekly export  press a to undo"},
		{"a 3 shift+tab", "as before: XML ✎ the bank insists · Tuesday · Weekly export"},
		{"tab", "as before: XML ✎ the bank insists · Tuesday · Weekly export"},
	} {
		r.keys(step.keys)
		if got := lineOf(r.screen(), "before: XML"); strings.TrimLeft(got, marks.Bar+" ") != step.want {
			t.Errorf("after %s: %q, want %q", step.keys, got, step.want)
		}
		if at := strings.Index(r.screen(), "before: XML"); strings.Count(r.screen()[:at], "\n") != strings.Count(r.screen()[:rows], "\n") {
			t.Errorf("after %s the line moved:\n%s", step.keys, r.screen())
		}
	}
}

func TestFormSaysWhatCannotBeTakenOver(t *testing.T) {
	in := rememberingInput(t)
	gone := in.EarlierAnswers["format"]
	gone.Question.Options = []questions.Option{{Value: safe.New("toml"), Label: safe.New("TOML")}}
	gone.Answer, gone.Note = questions.TextValue("toml"), safe.Text{}
	in.EarlierAnswers["format"] = gone
	scale := in.EarlierAnswers["keep"]
	scale.Question.Range = &questions.Range{Min: 1, Max: 10, Step: 1}
	scale.Answer = questions.NumberValue(7)
	in.EarlierAnswers["keep"] = scale
	r := rig(t, in, 80, 24).keys("right 1 shift+tab a")
	if got := r.answersNow(); got != `{"format":"csv"}` {
		t.Errorf("answers: %s", got)
	}
	for _, want := range []string{"answered before: TOML (not offered now) · Tuesday · Weekly export", "That is not offered any more."} {
		if !strings.Contains(r.screen(), want) {
			t.Errorf("the screen does not say %q:\n%s", want, r.screen())
		}
	}
	if strings.Contains(lineOf(r.screen(), "TOML"), "takes") {
		t.Error("it is offered all the same")
	}
	r.keys("right down tab tab a")
	for _, want := range []string{"answered before: 7 of 1 to 10 (another scale) · Tuesday · Weekly export", "That was on another scale."} {
		if !strings.Contains(r.screen(), want) {
			t.Errorf("the screen does not say %q:\n%s", want, r.screen())
		}
	}
}

// TestFormWhollyAskedBefore holds that one key takes over all earlier answers as long as the
// form offers that, and that after it each question offers its own.
func TestFormWhollyAskedBefore(t *testing.T) {
	in := rememberingInput(t)
	delete(in.EarlierAnswers, "why")
	in.EarlierForm = &store.Ask{ID: "prior", Session: "another", Outcome: questions.Outcome{
		State: questions.Answered, At: tuitest.Moment.AddDate(0, 0, -9),
		Reply: questions.Reply{Answers: map[string]questions.Value{
			"format": questions.TextValue("json"), "why": questions.TextValue("because"),
		}},
	}}
	r := rig(t, in, 80, 24).keys("right")
	if state := r.q().state; !slices.Equal(state.answers().unanswered, state.spec.Unanswered(questions.Reply{})) {
		t.Errorf("before anything was answered, open are only %q", state.answers().unanswered)
	}
	if want := "answered before: JSON · 11 Nov  press a to take all over"; !strings.Contains(r.screen(), want) {
		t.Errorf("the screen does not say %q:\n%s", want, r.screen())
	}
	r.keys("a")
	if got := r.answersNow(); got != `{"format":"json","why":"because"}` {
		t.Errorf("taken over: %s", got)
	}
	if want := "answered before: XML ✎ the bank insists · Tuesday  press a to take it over"; !strings.Contains(r.screen(), want) {
		t.Errorf("the screen does not say %q:\n%s", want, r.screen())
	}
	r.keys("a")
	if got := r.answersNow(); got != `{"format":"xml","why":"because"}` {
		t.Errorf("then taken over: %s", got)
	}
}

// TestNotesAreNotCountedAsAnswers holds that a note on a question that was left open comes along,
// and that no answer is told of it.
func TestNotesAreNotCountedAsAnswers(t *testing.T) {
	in := rememberingInput(t)
	in.EarlierForm = &store.Ask{ID: "prior", Session: "another", Outcome: questions.Outcome{
		State: questions.Answered, At: tuitest.Moment.AddDate(0, 0, -9),
		Reply: questions.Reply{
			Answers: map[string]questions.Value{"format": questions.TextValue("json")},
			Notes:   map[string]safe.Text{"why": safe.New("ask me later")},
		},
	}}
	r := rig(t, in, 80, 24).keys("right a")
	if want := "1 earlier answer taken over."; !strings.Contains(r.screen(), want) {
		t.Errorf("the screen does not say %q:\n%s", want, r.screen())
	}
	if note := r.reply().Notes["why"]; note.Raw() != "ask me later" {
		t.Errorf("the note is %q", note.Raw())
	}
}

// TestFormEarlierAnswersThatCameLate holds that earlier answers which are read late move
// nothing while the person answers.
func TestFormEarlierAnswersThatCameLate(t *testing.T) {
	open := func() (*formRig, EarlierFound) {
		in := rememberingInput(t)
		found := EarlierFound{AskID: in.Ask.ID, Answers: in.EarlierAnswers}
		in.EarlierAnswers = nil
		return rig(t, in, 80, 24), found
	}
	r, found := open()
	r.q().state.focusQuestion(0, field.Straight)
	r.send(found)
	if !strings.Contains(r.screen(), "answered before: XML") {
		t.Errorf("it is not shown, though nothing was begun:\n%s", r.screen())
	}
	r, found = open()
	r.keys("right 1 shift+tab")
	before := r.screen()
	r.send(found)
	if r.screen() != before {
		t.Errorf("the screen changed under the fingers:\n%s", r.screen())
	}
	r.keys("down space")
	if strings.Contains(r.screen(), "answered before") {
		t.Errorf("the screen changed while a question was answered:\n%s", r.screen())
	}
	r.keys("tab")
	if !strings.Contains(r.screen(), "answered before: XML") {
		t.Errorf("it is not shown at the next question:\n%s", r.screen())
	}
	r.send(EarlierFound{AskID: "another ask"})
	if !strings.Contains(r.screen(), "answered before: XML") {
		t.Error("it is not shown any more")
	}
}

// TestFormReadsAnEarlierAnswerInFull holds that an earlier answer that is cut can be read in
// full.
func TestFormReadsAnEarlierAnswerInFull(t *testing.T) {
	for _, keys := range []string{"end esc b", "end z"} {
		r := remembering(t, 80).keys("end")
		if line := lineOf(r.screen(), "answered before: a long story"); !strings.Contains(line, "…") || !strings.Contains(line, "press ctrl+r to take it over") {
			t.Errorf("the line is %q", line)
		}
		if keys == "end z" {
			r.keys("esc") // out of the text, where letters are commands
		} else {
			r.keys("esc b")
		}
		if keys == "end z" {
			r.keys("z")
		}
		for _, want := range []string{"Answered before, 17 Nov 14:07, in “Weekly export”:", "and its end"} {
			if !strings.Contains(r.screen(), want) {
				t.Errorf("%s: the sheet does not say %q:\n%s", keys, want, r.screen())
			}
		}
	}
}

func TestFormsThatRememberNothing(t *testing.T) {
	for name, change := range map[string]func(*Input){
		"only read":      func(in *Input) { in.ReadOnly = true },
		"carried":        func(in *Input) { in.CarriedFrom = "an-earlier-ask" },
		"nothing before": func(in *Input) { in.EarlierAnswers = nil },
	} {
		in := rememberingInput(t)
		change(&in)
		r := rig(t, in, 80, 24).keys("right a")
		if strings.Contains(r.screen(), "answered before:") || r.answersNow() != `{}` {
			t.Errorf("%s: %s\n%s", name, r.answersNow(), r.screen())
		}
	}
}

// TestFormMemoryScreens compares the lines at every width.
func TestFormMemoryScreens(t *testing.T) {
	t.Parallel()
	for _, look := range tuitest.Looks([][2]int{{40, 20}, {80, 24}, {120, 40}}) {
		for name, keys := range map[string]string{"offered": "right", "taken": "right a", "text": "right right down"} {
			t.Run(fmt.Sprintf("%s-%dx%d-%s", name, look.Width, look.Height, look.Theme.Name), func(t *testing.T) {
				r := rigIn(t, rememberingInput(t), look.Width, look.Height, look.Theme).keys(keys)
				golden.RequireEqual(t, r.View().Content)
			})
		}
	}
}

// TestEarlierLinesKeepTheirWidth holds that no line is wider than its question, with any
// answer in any script.
func TestEarlierLinesKeepTheirWidth(t *testing.T) {
	t.Parallel()
	for _, answer := range []string{"x", strings.Repeat("wide ", 60), strings.Repeat("語", 90), "\x1b[31mred\x1b[m\a", "👩‍👩‍👧 family", "שלום"} {
		for width := 40; width <= 130; width += 9 {
			in := rememberingInput(t)
			was := in.EarlierAnswers["name"]
			was.Answer, was.Note = questions.TextValue(answer), safe.New(answer)
			was.Session.Title, was.At = safe.New(answer), time.Time{}.AddDate(2025, 1, 1)
			in.EarlierAnswers["name"] = was
			r := rig(t, in, width, 30).keys("right right down")
			for line := range strings.Lines(r.screen()) {
				if n := ansi.StringWidth(strings.TrimRight(line, "\n")); n > width {
					t.Fatalf("a line has %d of %d cells: %q", n, width, line)
				}
			}
			if !strings.Contains(lineOf(r.screen(), "before:"), "press ctrl+r to take it") {
				t.Errorf("at %d cells the key is cut away: %q", width, lineOf(r.screen(), "before:"))
			}
		}
	}
}

// An earlier answer that is taken over is an answer: nothing says any longer that
// one is missing.
func TestFormAsksForNothingThatWasTakenOver(t *testing.T) {
	const missing = "An answer is required."
	r := remembering(t, 80).keys("ctrl+s")
	if !strings.Contains(r.screen(), missing) {
		t.Fatalf("the screen does not say %q:\n%s", missing, r.screen())
	}
	if r.keys("a"); strings.Contains(r.screen(), missing) || !strings.Contains(r.screen(), "press a to undo") {
		t.Errorf("taken over, the screen says:\n%s", r.screen())
	}
}

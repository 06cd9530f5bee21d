package form

import (
	"fmt"
	"testing"

	"github.com/charmbracelet/x/exp/golden"

	"planb/questions"
	"planb/questions/safe"
	"planb/tui/tuitest"
)

// TestFormScreens compares what is drawn with the screens in testdata. Look at
// them with  cat testdata/TestFormScreens/NAME.golden  before accepting a change.
func TestFormScreens(t *testing.T) {
	t.Parallel()
	spec := tuitest.Parse(t, tuitest.RichForm)
	screens := []struct {
		name string
		play func(in *Input) func(*formRig)
	}{
		{"first", func(*Input) func(*formRig) { return func(*formRig) {} }},
		{"options", func(*Input) func(*formRig) { return func(r *formRig) { r.keys("right down") } }},
		{"half", func(in *Input) func(*formRig) {
			in.QueueAt, in.QueueOf = 1, 2
			return func(r *formRig) {
				r.keys("right 2 shift+tab n").write("ask the bank").keys("ctrl+s tab 1 3 5").write("currency").
					keys("esc alt+right").write("orders.csv").keys("tab tab right tab 4")
			}
		}},
		{"long", func(*Input) func(*formRig) {
			return func(r *formRig) { r.keys("end").write("first line").keys("enter").write("second") }
		}},
		{"missing", func(*Input) func(*formRig) { return func(r *formRig) { r.keys("ctrl+s") } }},
		{"menu", func(*Input) func(*formRig) { return func(r *formRig) { r.keys("right esc") } }},
		{"reply", func(*Input) func(*formRig) { return func(r *formRig) { r.keys("right 1 esc m").write("why XML?") } }},
		{"help", func(*Input) func(*formRig) { return func(r *formRig) { r.keys("?") } }},
		{"answers", func(*Input) func(*formRig) {
			return func(r *formRig) {
				r.keys("right 2 shift+tab n").write("ask the bank").keys("ctrl+s tab 1 5").write("currency").
					keys("esc ctrl+pgdown").write("orders.csv").keys("tab tab right N").write("in a hurry").keys("ctrl+s r")
			}
		}},
		{"answerssend", func(*Input) func(*formRig) { return func(r *formRig) { r.answerRequired().keys("ctrl+s") } }},
		{"answersread", func(in *Input) func(*formRig) {
			in.ReadOnly = true
			in.Ask.Outcome = questions.Outcome{State: questions.Answered, At: tuitest.Moment, By: "you@home",
				Reply: questions.Reply{Answers: map[string]questions.Value{"format": questions.TextValue("json"), "keep": questions.NumberValue(12)}}}
			return func(r *formRig) { r.keys("r") }
		}},
		{"filter", func(in *Input) func(*formRig) {
			in.Ask.Spec = tuitest.Parse(t, longListForm("multi"))
			return func(r *formRig) { r.keys("1 2 /").write("rack 11").keys("enter down") }
		}},
		{"longlist", func(in *Input) func(*formRig) {
			in.Ask.Spec = tuitest.Parse(t, longListForm("multi"))
			return func(r *formRig) { r.keys("1") }
		}},
		{"scales", func(in *Input) func(*formRig) {
			in.Ask.Spec = tuitest.Parse(t, `{"title":"Scales","questions":[
				{"id":"a","kind":"scale","label":"How sure are you?","min":1,"max":5},
				{"id":"b","kind":"scale","label":"How much slower may it be?","min":0,"max":2,"step":0.1,"default":0.2},
				{"id":"c","kind":"scale","label":"What may it cost?","min":0,"max":1000,"step":0.5},
				{"id":"d","kind":"scale","label":"How many days earlier or later?","min":-50,"max":50}]}`)
			return func(r *formRig) { r.keys("4 tab right right tab 1 2 . 5 tab 1") }
		}},
		{"zoom", func(*Input) func(*formRig) { return func(r *formRig) { r.keys("right z") } }},
		{"error", func(*Input) func(*formRig) {
			return func(r *formRig) {
				r.answerRequired().keys("ctrl+s ctrl+s").
					send(Settled{AskID: "the-ask", Err: passing("can't be written: no space left on device. Free some space, then try again.")})
			}
		}},
		{"done", func(*Input) func(*formRig) {
			return func(r *formRig) {
				r.answerRequired().keys("ctrl+s ctrl+s").send(Settled{AskID: "the-ask", Ask: r.in.Ask})
			}
		}},
		{"readonly", func(in *Input) func(*formRig) {
			in.ReadOnly = true
			in.Ask.Outcome = questions.Outcome{
				State: questions.Answered, At: tuitest.Moment, By: "you@home",
				Reply: questions.Reply{
					Answers: map[string]questions.Value{"format": questions.TextValue("json"), "fields": questions.ItemsValue("id", "VAT")},
					Notes:   map[string]safe.Text{"format": safe.New("the bank insists")},
				},
			}
			return func(r *formRig) { r.keys("right") }
		}},
	}
	sizes := [][2]int{{40, 20}, {80, 24}, {120, 40}}
	for _, screen := range screens {
		for _, look := range tuitest.Looks(sizes) {
			t.Run(fmt.Sprintf("%s-%dx%d-%s", screen.name, look.Width, look.Height, look.Theme.Name), func(t *testing.T) {
				in := formInputOf(spec)
				play := screen.play(&in)
				r := rigIn(t, in, look.Width, look.Height, look.Theme)
				play(r)
				golden.RequireEqual(t, r.View().Content)
			})
		}
	}
}

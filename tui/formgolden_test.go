package tui

import (
	"errors"
	"fmt"
	"testing"

	"github.com/charmbracelet/x/exp/golden"

	"planb/questions"
	"planb/questions/safe"
	"planb/themes"
)

// TestFormScreens compares what is drawn with the screens in testdata. Look at
// them with  cat testdata/TestFormScreens/NAME.golden  before accepting a change.
func TestFormScreens(t *testing.T) {
	spec := parseForm(t, richForm)
	screens := []struct {
		name string
		play func(in *formInput) func(*formRig)
	}{
		{"first", func(*formInput) func(*formRig) { return func(*formRig) {} }},
		{"options", func(*formInput) func(*formRig) { return func(r *formRig) { r.keys("right down") } }},
		{"half", func(in *formInput) func(*formRig) {
			in.QueueAt, in.QueueOf = 1, 2
			return func(r *formRig) {
				r.keys("right 2 n").write("ask the bank").keys("enter tab 1 3 5").write("currency").
					keys("esc alt+right").write("orders.csv").keys("tab tab right tab 4")
			}
		}},
		{"long", func(*formInput) func(*formRig) {
			return func(r *formRig) { r.keys("end").write("first line").keys("enter").write("second") }
		}},
		{"missing", func(*formInput) func(*formRig) { return func(r *formRig) { r.keys("ctrl+s") } }},
		{"menu", func(*formInput) func(*formRig) { return func(r *formRig) { r.keys("right esc") } }},
		{"reply", func(*formInput) func(*formRig) { return func(r *formRig) { r.keys("right 1 esc r").write("why XML?") } }},
		{"help", func(*formInput) func(*formRig) { return func(r *formRig) { r.keys("?") } }},
		{"zoom", func(*formInput) func(*formRig) { return func(r *formRig) { r.keys("right z") } }},
		{"error", func(*formInput) func(*formRig) {
			return func(r *formRig) {
				r.answerRequired().keys("ctrl+s ctrl+s").
					send(settled{AskID: "the-ask", Err: errors.New("planb.db can't be written: no space left on device. Free some space, then try again.")})
			}
		}},
		{"done", func(*formInput) func(*formRig) {
			return func(r *formRig) {
				r.answerRequired().keys("ctrl+s ctrl+s").send(settled{AskID: "the-ask", Ask: r.in.Ask})
			}
		}},
		{"readonly", func(in *formInput) func(*formRig) {
			in.ReadOnly = true
			in.Ask.Outcome = questions.Outcome{
				State: questions.Answered, At: aMoment, By: "you@home",
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
		for _, size := range sizes {
			for _, theme := range []themes.Theme{themes.Default(true), themes.Default(false), themes.None()} {
				t.Run(fmt.Sprintf("%s-%dx%d-%s", screen.name, size[0], size[1], theme.Name), func(t *testing.T) {
					in := formInputOf(spec)
					play := screen.play(&in)
					r := rigIn(t, in, size[0], size[1], theme)
					play(r)
					golden.RequireEqual(t, r.View().Content)
				})
			}
		}
	}
	t.Run("too-small", func(t *testing.T) {
		golden.RequireEqual(t, rig(t, formInputOf(spec), 39, 11).View().Content)
	})
}

package form

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"planb/questions"
	"planb/questions/safe"
	"planb/questions/safe/safetest"
	"planb/store"
	"planb/themes"
	"planb/tui/screen"
	"planb/tui/tuitest"
)

// TestFormDrawsNothingButSGR puts every evil text into every place that takes
// text, walks through the form, and reads the raw bytes it would draw.
func TestFormDrawsNothingButSGR(t *testing.T) {
	t.Parallel()
	texts := safetest.Hostile()
	maps.Copy(texts, safetest.Markdown())
	n := 0
	for name, evil := range texts {
		n++ // alternate: one size is enough for each text
		size := [][2]int{{40, 12}, {120, 40}}[n%2]
		t.Run(name, func(t *testing.T) {
			r := rigIn(t, evilInput(t, evil), size[0], size[1], themes.Default(true))
			check := func(keys string) {
				t.Helper()
				r.keys(keys)
				f := r.View()
				onlySGR(t, keys, f.Content, size[0], size[1])
				if i := strings.IndexFunc(f.Title, func(c rune) bool { return c < ' ' || c >= 0x7f && c < 0xa0 }); i >= 0 {
					t.Errorf("the title has a control: %q", f.Title)
				}
			}
			check("")
			check("z")
			check("esc right d")
			check("down z")
			check("esc n")
			r.send(tea.PasteMsg{Content: evil})
			check("enter")
			check("tab 1")
			check("alt+right")
			r.send(tea.PasteMsg{Content: evil})
			check("tab")
			r.send(tea.PasteMsg{Content: evil})
			check("tab right")
			check("esc m")
			r.send(tea.PasteMsg{Content: evil})
			check("esc")
			check("esc y esc")
			r.send(EntrySaved{AskID: "the-ask", Err: fmt.Errorf("bad %s", evil)})
			check("ctrl+s")
			r.stage = sending
			r.send(Settled{AskID: "the-ask", Err: fmt.Errorf("bad %s", evil)})
			check("")
			ask := r.in.Ask
			ask.Outcome = questions.Outcome{State: questions.Answered, By: evil, At: tuitest.Moment}
			r.send(AskChanged{Ask: ask})
			check("")
			for _, msg := range r.Told {
				if quit, ok := msg.(screen.Quit); ok {
					onlySGR(t, "notice", quit.Notice, 1<<20, 1)
				}
			}
		})
	}
}

// evilInput is a form with a text in every place.
func evilInput(t *testing.T, text string) Input {
	evil := safe.New(text)
	proposed := questions.TextValue(text)
	option := questions.Option{Value: evil, Label: evil, Description: evil, Markdown: evil}
	other := option
	other.Value = safe.New(text + "2")
	spec := questions.Spec{
		Title: evil, IntroTitle: evil, Intro: evil,
		Questions: []questions.Question{
			{ID: "s", Kind: questions.Single, Label: evil, Description: evil, Tab: evil, Options: []questions.Option{option, other}, Other: true, Default: &proposed, Required: true},
			{ID: "m", Kind: questions.Multi, Label: evil, Description: evil, Tab: evil, Options: []questions.Option{option, other}, Other: true},
			{ID: "t", Kind: questions.Text, Label: evil, Tab: safe.New("b" + text), Placeholder: evil},
			{ID: "l", Kind: questions.LongText, Label: evil, Tab: safe.New("b" + text), Default: &proposed},
			{ID: "n", Kind: questions.Scale, Label: evil, Tab: safe.New("b" + text), Range: &questions.Range{Min: 1, Max: 5, Step: 1}},
		},
	}
	in := formInputOf(spec)
	client := store.Client{Name: evil, Title: evil, Version: evil}
	in.Ask.Client, in.Session.Client = client, client
	in.Session.Title, in.Session.Project, in.Session.Intent = evil, evil, evil
	in.Carried = true
	in.EarlierForm = &store.Ask{Outcome: questions.Outcome{At: tuitest.Moment}}
	return in
}

func onlySGR(t *testing.T, at, content string, width, height int) {
	t.Helper()
	tuitest.OnlySGR(t, at, content, width, height)
}

package panes_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"planb/e2e/rig"
)

// A person answers every kind of question by keys, in every way to answer it.
// The client receives exactly the JSON, the store keeps it, and retro shows it.
func TestEveryKindAnsweredByKeys(t *testing.T) {
	t.Parallel()
	spec, err := os.ReadFile("testdata/specs/heavy.json")
	if err != nil {
		t.Fatal(err)
	}
	data, tm := t.TempDir(), rig.StartTmux(t, 200, 50)
	home := tm.FirstPane()
	a := rig.StartAgent(t, data, tm.Environment(home))
	session := a.Session("Every kind")
	call := a.Start("ask_user", rig.Arguments(t, session, string(spec)))
	form := tm.NewPane(home)
	tm.Ready(form)

	next := []string{"Tab"}
	tab := []string{"C-NPage"}
	steps := []struct {
		see  string // must be on the screen before the keys
		text string
		keys []string
	}{
		{see: "0/18", keys: tab},
		// strategy: with the arrows and Space, then a note on it
		{see: "0/18", keys: []string{"Down", "Space"}},
		{see: "1/18", text: "n"},
		{text: "Ask the replica's owner first.", keys: []string{"C-s"}},
		{see: "Ask the replica's owner first.", keys: next},
		// promises: two by number in the wrong order, and one in the person's
		// own words
		{text: "31"},
		{see: "2/18", text: "5"},
		{text: "Nightly export stays as it is"},
		{see: "Nightly export stays as it is", keys: next},
		// slower_checkout: typed
		{text: "1.3", keys: []string{"Enter"}}, // sets it and goes to the next question
		// overlooked: two lines
		{text: "Line one", keys: []string{"Enter"}},
		{see: "Line one", text: "Line two"},
		{see: "Line two", keys: tab},
		// pace: with the arrows and Space
		{see: "4/18", keys: []string{"Down", "Space"}},
		{see: "5/18", keys: next},
		// io_share: with the arrows
		{keys: []string{"Right"}}, // from the default of 0.2
		{see: "6/18", keys: next},
		// first_tables: toggled on and off again, then another one
		{text: "114"},
		{see: "7/18", keys: next},
		// api_type: "Other…" with the arrows
		{text: "4"},
		{text: "uuid"},
		{see: "8/18", keys: next},
		// dashboard: left unanswered
		{keys: tab},
		{text: "21"}, // window: the second number corrects the first, as no choice comes next
		{see: "9/18", keys: next},
		{keys: next}, // lock_timeout: untouched; its lowest value is no answer
		{text: "23"}, // abort
		{see: "10/18", keys: next},
		{text: "3"}, // undo
		{see: "11/18", keys: tab},
		{text: "52"}, // agree
		{see: "12/18", keys: next},
		{text: "0"},               // rehearsals: zero is an answer, and goes on to the next choice
		{see: "13/18", text: "1"}, // verdict
		{see: "14/18", keys: []string{"C-s"}},
		// With optional questions open, the form first shows all answers.
		{see: "14 of 18 answered, 4 open", keys: []string{"C-s"}},
	}
	for _, step := range steps {
		if step.see != "" {
			tm.Shows(form, step.see)
		}
		if step.text != "" {
			tm.Text(form, step.text)
		}
		if step.keys != nil {
			tm.Keys(form, step.keys...)
		}
	}

	got := call.Reply()
	want := `{"strategy":"replica","promises":["no-lost-order","reports","Nightly export stays as it is"],"slower_checkout":1.3,` +
		`"overlooked":"Line one\nLine two","pace":"night","io_share":0.25,"first_tables":["order_lines"],"api_type":"uuid",` +
		`"window":"sun-04","abort":["lag","checksum"],"undo":"forward","agree":["Payments","Support"],"rehearsals":0,"verdict":"go"}`
	if got.Texts[0] != want {
		t.Errorf("the agent received\n%s\nwant\n%s", got.Texts[0], want)
	}
	besides := strings.Join(got.Texts[1:], "\n")
	for _, line := range []string{
		"The user left open: dashboard, lock_timeout, status_page, missing.",
		`Written by the user under "Other…": promises, api_type.`,
		"Notes from the user:", "strategy: Ask the replica's owner first.",
	} {
		if !strings.Contains(besides, line) {
			t.Errorf("the agent was not told %q:\n%s", line, besides)
		}
	}
	if data, err := json.Marshal(got.Data); err != nil || !strings.Contains(string(data), `"answered"`) {
		t.Errorf("_meta planb/result is %s (%v)", data, err)
	}

	tm.Gone(form)
	retro := tm.Open(data, "tui", "retro", session)
	tm.Shows(retro, "14 answers")
	tm.Keys(retro, "Enter")
	tm.Shows(retro, "Answered at")
	tm.Keys(retro, "Right")
	tm.Shows(retro, "Line two")
}

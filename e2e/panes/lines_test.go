package panes_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"planb/e2e/rig"
)

// A person who wants nothing drawn, or whose terminal cannot draw, answers line
// by line, in the pane that opened beside the agent. The agent gets the same
// answer as from a drawn form.
func TestFormIsAnsweredLineByLine(t *testing.T) {
	t.Parallel()
	data, tm := t.TempDir(), rig.StartTmux(t, 200, 50)
	home := tm.FirstPane()
	a := rig.StartAgent(t, data, append(tm.Environment(home), "ACCESSIBLE=1"))
	session := a.Session("Every kind")
	call := a.Start("ask_user", rig.Arguments(t, session, `{"title":"Before the export","questions":[
	 {"id":"format","kind":"single","label":"Which format?","options":["csv","json"]},
	 {"id":"fields","kind":"multi","label":"Which fields?","options":["id","total","date"]},
	 {"id":"keep","kind":"scale","label":"Days?","min":1,"max":90},
	 {"id":"name","kind":"text","label":"Its name?","required":true},
	 {"id":"why","kind":"longtext","label":"Anything else?"}]}`))
	pane := tm.NewPane(home)
	for _, step := range []struct{ see, text string }{
		{"Type answer to begin", "y"}, // the key was meant for another program
		{"Type answer to begin, or later to put it off: y", "answer"},
		{"Question 1 of 5.", "2"},
		{"Question 2 of 5.", "3 1"},
		{"Question 3 of 5.", ""},
		{"Question 4 of 5, required.", "orders"},
		{"with only a dot ends it:", "One"},
		{"ends it: One", "two"},
		{"two", "."},
		{"Your answers: 4 of 5 questions.", "send"},
	} {
		tm.Shows(pane, step.see)
		tm.Text(pane, step.text)
		tm.Keys(pane, "Enter")
	}
	got := call.Reply()
	if want := `{"format":"json","fields":["id","date"],"name":"orders","why":"One\ntwo"}`; got.Texts[0] != want {
		t.Errorf("the agent received\n%s\nwant\n%s", got.Texts[0], want)
	}
	if rest := strings.Join(got.Texts[1:], "\n"); !strings.Contains(rest, "The user left open: keep") {
		t.Errorf("the agent was told %q", rest)
	}
	if told, err := json.Marshal(got.Data); err != nil || !strings.Contains(string(told), `"answered"`) {
		t.Errorf("_meta planb/result is %s (%v)", told, err)
	}
	tm.Gone(pane)

	// On a dumb terminal nothing is drawn either, and the answers are printed.
	answers := filepath.Join(tm.Home, "answers")
	pane = tm.NewWindow("-e", "PLANB_DATA_DIR="+data, "--",
		"sh", "-c", `TERM=dumb exec "$1" ask testdata/specs/light.json > "$2"`, "sh", rig.Planb(t), answers)
	for _, step := range []struct{ see, text string }{
		{"Question 1 of 2, required.", "2"},
		{"Question 2 of 2.", ""},
		{"Your answers: 1 of 2 questions.", "send"},
	} {
		tm.Shows(pane, step.see)
		tm.Text(pane, step.text)
		tm.Keys(pane, "Enter")
	}
	tm.Gone(pane)
	if text, err := os.ReadFile(answers); err != nil || !strings.Contains(string(text), `"24h"`) {
		t.Errorf("answered %q, %v", text, err)
	}
}

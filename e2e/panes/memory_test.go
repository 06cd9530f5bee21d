package panes_test

import (
	"strings"
	"testing"

	"planb/e2e/rig"
)

const (
	firstAsked = `{"title": "Where the orders go", "questions": [
		{"id": "db", "kind": "single", "label": "Which database?", "required": true,
		 "options": [{"value": "pg", "label": "Postgres"}, {"value": "lite", "label": "SQLite"}]},
		{"id": "name", "kind": "text", "label": "What shall it be called?"}]}`
	// The same two questions among others, in another context, with other ids
	// and other values.
	askedAgain = `{"title": "The reports", "intro": "They are built from the orders.", "questions": [
		{"id": "q1", "kind": "single", "tab": "Storage", "label": "Which database", "required": true,
		 "options": [{"value": "mysql", "label": "MySQL"}, {"value": "postgres", "label": "Postgres"}]},
		{"id": "label", "kind": "text", "tab": "Storage", "label": "What shall it be called?"},
		{"id": "when", "kind": "text", "tab": "Storage", "label": "When are they due?"}]}`
)

// A person answered questions in one session. When another session of the
// project asks them again, the form shows the earlier answers. A key enters
// one, and it is sent like any other answer.
func TestWhatWasAnsweredBeforeIsTakenOverByAKey(t *testing.T) {
	t.Parallel()
	data, tm := t.TempDir(), rig.StartTmux(t, 160, 40)
	home := tm.FirstPane()
	a := rig.StartAgent(t, data, tm.Environment(home))

	call := a.Start("ask_user", rig.Arguments(t, a.Session("Orders"), firstAsked))
	form := tm.NewPane(home)
	tm.Ready(form)
	if strings.Contains(tm.Screen(form), "before:") {
		t.Errorf("something was answered before in a new store:\n%s", tm.Screen(form))
	}
	tm.Keys(form, "1", "Tab")
	tm.Text(form, "Aurora")
	tm.Shows(form, "Aurora")
	tm.Keys(form, "C-s")
	if got, want := call.Reply().String(), `{"db":"pg","name":"Aurora"}`; got != want {
		t.Fatalf("the agent received %q, want %q", got, want)
	}
	tm.Gone(form)

	call = a.Start("ask_user", rig.Arguments(t, a.Session("Reports"), askedAgain))
	form = tm.NewPane(home)
	tm.Ready(form)
	tm.Keys(form, "Right")
	tm.Shows(form, "before: Postgres · just now", "press a to take it", "before: Aurora · just now")
	if strings.Contains(tm.Screen(form), "◉") {
		t.Errorf("an answer was filled in by itself:\n%s", tm.Screen(form))
	}
	tm.Keys(form, "a")
	tm.Shows(form, "press a to undo", "◉ 2  Postgres")
	tm.Keys(form, "Tab")
	tm.Shows(form, "press ctrl+r to take it")
	tm.Keys(form, "C-r")
	tm.Shows(form, "› Aurora", "press ctrl+r to undo")
	tm.Keys(form, "Tab")
	tm.Text(form, "Monday")
	tm.Shows(form, "Monday")
	tm.Keys(form, "C-s")
	if got, want := call.Reply().String(), `{"q1":"postgres","label":"Aurora","when":"Monday"}`; got != want {
		t.Fatalf("the agent received %q, want %q", got, want)
	}
}

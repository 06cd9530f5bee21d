package main_test

import (
	"strings"
	"testing"
)

const (
	firstAsked = `{"title": "Where the orders go", "questions": [
		{"id": "db", "kind": "single", "label": "Which database?", "required": true,
		 "options": [{"value": "pg", "label": "Postgres"}, {"value": "lite", "label": "SQLite"}]},
		{"id": "name", "kind": "text", "label": "What shall it be called?"}]}`
	// The same two questions among others, in other words around them, with other
	// ids and other values.
	askedAgain = `{"title": "The reports", "intro": "They are built from the orders.", "questions": [
		{"id": "q1", "kind": "single", "tab": "Storage", "label": "Which database", "required": true,
		 "options": [{"value": "mysql", "label": "MySQL"}, {"value": "postgres", "label": "Postgres"}]},
		{"id": "label", "kind": "text", "tab": "Storage", "label": "What shall it be called?"},
		{"id": "when", "kind": "text", "tab": "Storage", "label": "When are they due?"}]}`
)

// What a person answered in one session is shown when another session of the
// project asks it again, taken over by a key, and sent as an answer like any other.
func TestWhatWasAnsweredBeforeIsTakenOverByAKey(t *testing.T) {
	t.Parallel()
	data, tm := t.TempDir(), startTmux(t, 160, 40)
	home := tm.panes()[0]
	a := startAgent(t, data, tm.environment(home))

	call := a.start("ask_user", arguments(t, a.session("Orders"), firstAsked))
	form := tm.newPane(home)
	tm.ready(form)
	if strings.Contains(tm.screen(form), "before:") {
		t.Errorf("something was answered before in a new store:\n%s", tm.screen(form))
	}
	tm.keys(form, "1", "Tab")
	tm.text(form, "Aurora")
	tm.shows(form, "Aurora")
	tm.keys(form, "C-s")
	if got, want := call.reply().String(), `{"db":"pg","name":"Aurora"}`; got != want {
		t.Fatalf("the agent received %q, want %q", got, want)
	}
	tm.gone(form)

	call = a.start("ask_user", arguments(t, a.session("Reports"), askedAgain))
	form = tm.newPane(home)
	tm.ready(form)
	tm.keys(form, "Right")
	tm.shows(form, "before: Postgres · just now", "a takes it", "before: Aurora · just now")
	if strings.Contains(tm.screen(form), "◉") {
		t.Errorf("an answer was filled in by itself:\n%s", tm.screen(form))
	}
	tm.keys(form, "a")
	tm.shows(form, "a puts back", "◉ 2  Postgres")
	tm.keys(form, "Tab")
	tm.shows(form, "ctrl+r takes it")
	tm.keys(form, "C-r")
	tm.shows(form, "› Aurora", "ctrl+r puts back")
	tm.keys(form, "Tab")
	tm.text(form, "Monday")
	tm.shows(form, "Monday")
	tm.keys(form, "C-s")
	if got, want := call.reply().String(), `{"q1":"postgres","label":"Aurora","when":"Monday"}`; got != want {
		t.Fatalf("the agent received %q, want %q", got, want)
	}
}

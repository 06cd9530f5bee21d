package main_test

import (
	"testing"
)

const nameSpec = `{"title": "Name the project", "questions": [
	{"id": "name", "kind": "text", "label": "What shall it be called?", "required": true}]}`

// The main job: an agent asks, a person answers with the keyboard in a tmux
// pane beside it, the agent receives the JSON, and retro shows it.
func TestAskedInTmuxAndAnsweredByKeys(t *testing.T) {
	t.Parallel()
	data, tm := t.TempDir(), startTmux(t, 160, 40)
	home := tm.panes()[0]
	a := startAgent(t, data, tm.environment(home))
	session := a.session("A first question")

	call := a.start("ask_user", arguments(t, session, nameSpec))
	form := tm.newPane(home)
	tm.shows(form, "What shall it be called?")
	tm.ready(form)
	tm.text(form, "Aurora")
	tm.shows(form, "Aurora")
	tm.keys(form, "C-s")

	if got, want := call.reply().String(), `{"name":"Aurora"}`; got != want {
		t.Fatalf("the agent received %q, want %q", got, want)
	}
	tm.gone(form)

	saved := a.call("save_plan", map[string]any{"sessionId": session, "plan": "# Aurora\n\nBuild it."})
	if want := "Saved plan v1 for session " + session; saved.texts[0][:len(want)] != want {
		t.Fatalf("save_plan gave %q", saved)
	}

	retro := tm.open(data, "tui", "retro", session)
	tm.shows(retro, "Name the project", "v1")
}

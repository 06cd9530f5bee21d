package panes_test

import (
	"testing"

	"planb/e2e/rig"
)

// The main job: an agent asks, a person answers with the keyboard in a tmux
// pane beside it, the agent receives the JSON, and retro shows it.
func TestAskedInTmuxAndAnsweredByKeys(t *testing.T) {
	t.Parallel()
	data, tm := t.TempDir(), rig.StartTmux(t, 160, 40)
	home := tm.FirstPane()
	a := rig.StartAgent(t, data, tm.Environment(home))
	session := a.Session("A first question")

	call := a.Start("ask_user", rig.Arguments(t, session, rig.NameForm))
	form := tm.NewPane(home)
	tm.Shows(form, "What shall it be called?")
	tm.Ready(form)
	tm.Text(form, "Aurora")
	tm.Shows(form, "Aurora")
	tm.Keys(form, "C-s")

	if got, want := call.Reply().String(), `{"name":"Aurora"}`; got != want {
		t.Fatalf("the agent received %q, want %q", got, want)
	}
	tm.Gone(form)

	saved := a.Call("save_plan", map[string]any{"sessionId": session, "plan": "# Aurora\n\nBuild it."})
	if want := "Saved plan v1 for session " + session; saved.Texts[0][:len(want)] != want {
		t.Fatalf("save_plan gave %q", saved)
	}

	retro := tm.Open(data, "tui", "retro", session)
	tm.Shows(retro, "Name the project", "v1")
}

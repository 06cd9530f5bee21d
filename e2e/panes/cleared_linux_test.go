package panes_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"planb/e2e/rig"
)

// TestAClientThatClearsTheEnvironment starts servers as a client does that
// passes none of its variables on. The form opens beside the agent all the
// same.
func TestAClientThatClearsTheEnvironment(t *testing.T) {
	t.Parallel()
	for name, start := range map[string][]string{
		"and whose shell knows tmux": {"sh"},
		"and nobody above knows tmux": {
			"env", "-i", "PATH=" + os.Getenv("PATH"), "sh",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tm, data := rig.StartTmux(t, 200, 50), t.TempDir()
			a, client := tm.StartCleared(data, start)
			session := a.Session("Cleared")
			ask := a.Start("ask_user", nameForm(session))
			form := tm.NewPane(tm.FirstPane(), client)
			if got, want := tm.Format(form, "#{window_id}"), tm.Format(client, "#{window_id}"); got != want {
				t.Errorf("the form is in window %s, the agent in %s", got, want)
			}
			tm.Ready(form)
			tm.Text(form, "me")
			tm.Keys(form, "C-s")
			if got := ask.Reply(); !strings.Contains(got.String(), `"me"`) {
				t.Errorf("the agent got %s", got)
			}
			tm.Gone(form)
		})
	}
}

// TestNoTmuxIsGuessed starts a server outside of the only tmux.
func TestNoTmuxIsGuessed(t *testing.T) {
	t.Parallel()
	tm, data := rig.StartTmux(t, 200, 50), t.TempDir()
	a := tm.ConnectCleared(data, func(words ...string) {
		// Once this shell has ended, the server has no ancestor in tmux.
		words = append([]string{"-c", `"$@" &`, "sh"}, words...)
		if err := exec.Command("sh", words...).Run(); err != nil {
			t.Fatal(err)
		}
	})
	got := a.Call("ask_user", nameForm(a.Session("Outside")))
	want := "NOT ANSWERED YET: no pane could be opened (tmux runs (" + tm.Socket + "), but planb runs in none of its panes; " +
		"have the client pass TMUX and TMUX_PANE on, or set them, or another opener (PLANB_OPENER), for planb). "
	if !strings.HasPrefix(got.String(), want) {
		t.Errorf("got  %s\nwant %s…", got, want)
	}
	if n := len(tm.Panes()); n != 1 {
		t.Errorf("there are %d panes", n)
	}
}

func nameForm(session string) map[string]any {
	return rig.TextForm(session, "A name", "Who is it?")
}

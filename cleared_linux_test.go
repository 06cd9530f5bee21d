package main_test

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"golang.org/x/sys/unix"
)

// TestAClientThatClearsTheEnvironment starts servers as clients do that pass none
// of their variables on: the form opens beside the agent all the same.
func TestAClientThatClearsTheEnvironment(t *testing.T) {
	for name, start := range map[string][]string{
		"and whose shell knows tmux": {"sh"},
		"and nobody above knows tmux": {
			"env", "-i", "PATH=" + os.Getenv("PATH"), "sh",
		},
	} {
		t.Run(name, func(t *testing.T) {
			tm, data := startTmux(t, 200, 50), t.TempDir()
			a, client := tm.startCleared(data, start)
			session := a.session("Cleared")
			ask := a.start("ask_user", nameForm(session))
			form := tm.newPane(append(tm.first(), client)...)
			if got, want := tm.run("display-message", "-p", "-t", form, "#{window_id}"), tm.run("display-message", "-p", "-t", client, "#{window_id}"); got != want {
				t.Errorf("the form is in window %s, the agent in %s", got, want)
			}
			tm.ready(form)
			tm.text(form, "me")
			tm.keys(form, "C-s")
			if got := ask.reply(); !strings.Contains(got.String(), `"me"`) {
				t.Errorf("the agent got %s", got)
			}
			tm.gone(form)
		})
	}
}

// TestNoTmuxIsGuessed starts a server outside of the only tmux there is.
func TestNoTmuxIsGuessed(t *testing.T) {
	tm, data := startTmux(t, 200, 50), t.TempDir()
	a := tm.connectCleared(data, func(words ...string) {
		// Nobody is above it when this shell has ended.
		words = append([]string{"-c", `"$@" &`, "sh"}, words...)
		if err := exec.Command("sh", words...).Run(); err != nil {
			t.Fatal(err)
		}
	})
	got := a.call("ask_user", nameForm(a.session("Outside")))
	want := "NOT ANSWERED YET: no pane could be opened (tmux runs (" + tm.socket + "), but this server is in none of its panes; " +
		"have the client pass TMUX and TMUX_PANE on, or set them, or another opener (PLANB_OPENER), for planb). "
	if !strings.HasPrefix(got.String(), want) {
		t.Errorf("got  %s\nwant %s…", got, want)
	}
	if n := len(tm.panes()); n != 1 {
		t.Errorf("there are %d panes", n)
	}
}

// startCleared starts a server without any variable of tmux's, by a shell that
// runs in a window of its own, and returns that window's pane.
func (tm *tmuxServer) startCleared(data string, shell []string) (a *agent, pane string) {
	tm.t.Helper()
	a = tm.connectCleared(data, func(words ...string) {
		command := append([]string{"new-window", "-d", "-P", "-F", "#{pane_id}", "--"}, shell...)
		command = append(command, "-c", `"$@"; exec cat`, "sh")
		pane = tm.run(append(command, words...)...)
	})
	return a, pane
}

// connectCleared has a server started with nothing in its environment but what it
// needs, and talks to it through two pipes.
func (tm *tmuxServer) connectCleared(data string, start func(words ...string)) *agent {
	t := tm.t
	t.Helper()
	in, out := filepath.Join(data, "in"), filepath.Join(data, "out")
	for _, path := range []string{in, out} {
		if err := unix.Mkfifo(path, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	start("env", "-i", "HOME="+data, "PATH="+os.Getenv("PATH"), "LC_ALL=C.UTF-8", "PLANB_DATA_DIR="+data, "TMUX_TMPDIR="+tm.home,
		"sh", "-c", `exec "$0" mcp <"$1" >"$2" 2>/dev/null`, planb(t), in, out)
	to, from := openFIFO(t, in, os.O_WRONLY), openFIFO(t, out, os.O_RDONLY)
	a := &agent{t: t, client: client.NewClient(transport.NewIO(from, to, io.NopCloser(strings.NewReader(""))))}
	a.shakeHands()
	return a
}

func nameForm(session string) map[string]any {
	return map[string]any{
		"sessionId": session, "title": "A name",
		"questions": []any{map[string]any{"id": "name", "kind": "text", "label": "Who is it?"}},
	}
}

func openFIFO(t testing.TB, path string, flag int) *os.File {
	t.Helper()
	file, err := os.OpenFile(path, flag, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = file.Close() }) // the client may have done so
	return file
}

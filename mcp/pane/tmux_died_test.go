package pane_test

import (
	"net"
	"os/exec"
	"path/filepath"
	"testing"

	"planb/mcp/pane"
)

func TestOnlyATmuxThatAnswersLives(t *testing.T) {
	t.Parallel()
	m := startTmux(t, 80, 24)
	died := func(socket string) bool {
		env := map[string]string{"TMUX": socket + ",1,0", "TMUX_PANE": "%0"}
		return pane.TmuxDied(func(name string) string { return env[name] })
	}
	if died(m.socket) {
		t.Error("a tmux that answers is told to have died")
	}

	// A dying tmux: its socket still accepts connections, but nothing answers.
	dying := filepath.Join(filepath.Dir(m.socket), "dying")
	listener, err := net.Listen("unix", dying)
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			_ = conn.Close()
		}
	}()
	if !died(dying) {
		t.Error("a tmux whose socket closes without an answer is told to live")
	}
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	if !died(dying) {
		t.Error("a tmux without a socket is told to live")
	}

	if out, err := exec.Command("tmux", "-S", m.socket, "kill-server").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if !died(m.socket) {
		t.Error("a tmux that was ended is told to live")
	}
}

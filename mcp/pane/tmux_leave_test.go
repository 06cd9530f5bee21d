package pane_test

import (
	"os/exec"
	"slices"
	"strconv"
	"testing"

	"planb/mcp/pane"
)

func TestTmuxCloses(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name    string
		another bool // another command runs in the pane
		remain  string
		closes  bool
	}{
		{"a pane that planb opened", false, "off", true},
		{"a pane in which another command runs", true, "off", false},
		{"a pane that is to stay", false, "on", false},
		{"a pane that is to stay on failure", false, "failed", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			m := startTmux(t, 200, 50)
			form := m.do("split-window", "-P", "-F", "#{pane_id}", "-t", m.agent, "--", "/bin/sleep", "1000")
			m.do("set-option", "-p", "-t", form, "remain-on-exit", test.remain)
			process, err := strconv.Atoi(m.do("display-message", "-p", "-t", form, "#{pane_pid}"))
			if err != nil {
				t.Fatal(err)
			}
			if test.another {
				process++
			}
			m.do(pane.CloseArgs(form, process)...)
			if closed := !slices.Contains(m.panes(""), form); closed != test.closes {
				t.Errorf("closed: %v, want %v", closed, test.closes)
			}
		})
	}
}

// A pane that planb did not open is not even asked about.
func TestAPaneOfThePersonsOwnStays(t *testing.T) {
	t.Parallel()
	m := startTmux(t, 200, 50)
	own := m.at(m.agent)
	if err := exec.Command("tmux", "-S", m.socket, "kill-server").Run(); err != nil {
		t.Fatal(err)
	}
	if err := own.Close(t.Context()); err != nil {
		t.Errorf("tmux was asked: %v", err)
	}
}

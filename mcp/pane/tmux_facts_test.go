package pane_test

import (
	"testing"
	"time"
)

func TestTmuxFacts(t *testing.T) {
	t.Parallel()
	m := startTmux(t, 120, 40)
	m.do("set-option", "-s", "escape-time", "321")
	facts, err := m.at(m.agent).Facts(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if facts.Version == "" || facts.EscapeTime != 321*time.Millisecond || facts.RGB {
		t.Errorf("with nobody attached: %+v", facts)
	}
	m.do("kill-server")
	if facts, err := m.at(m.agent).Facts(t.Context()); err == nil {
		t.Errorf("a tmux that is gone tells %+v", facts)
	}
}

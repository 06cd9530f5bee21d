package pane_test

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"planb/mcp/pane"
)

// Beside a zoomed agent, the form's size depends on the unzoomed size of the
// agent's pane.
func TestAZoomedAgentKeepsItsRoom(t *testing.T) {
	t.Parallel()
	m := startTmux(t, 200, 50)
	m.do("set-option", "-g", "status", "off")
	m.do("split-window", "-h", "-d", "-l", "139", "-t", m.agent, "--", "/bin/sleep", "1000") // leaves the agent 60 columns
	m.do("resize-pane", "-Z", "-t", m.agent)
	m.types("please also ")
	if err := m.at(m.agent).Open(t.Context(), pane.Command{Argv: []string{"/bin/sleep", "999"}}); err != nil {
		t.Fatal(err)
	}
	if form := m.form("#{pane_width}x#{pane_height} #{pane_active}"); form != "60x29 0" {
		t.Errorf("the form is %q, want it below the agent, 60x29 and behind", form)
	}
	if agent := m.do("display-message", "-p", "-t", m.agent, "#{pane_width}x#{pane_height} #{pane_active}"); agent != "60x20 1" {
		t.Errorf("the agent is left %q, want 60x20 and the focus", agent)
	}
}

// If a form has no room beside an agent at which the person types, it opens in
// a background window, and the person's window stays unchanged.
func TestAFormBehindIsLargeEnough(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name          string
		width, height int // of the agent's pane
		zoomed        bool
		want          string // of the form
	}{
		{"the least rows below", 80, 17, false, "80x12 beside"},
		{"a row less", 80, 16, false, "200x50 elsewhere"},
		{"a row less, zoomed", 80, 16, true, "200x50 elsewhere"},
		{"too few columns", 39, 30, false, "200x50 elsewhere"},
		{"wide, too few rows", 180, 11, false, "200x50 elsewhere"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			m := startTmux(t, 200, 50)
			m.do("set-option", "-g", "status", "off")
			m.do("split-window", "-v", "-d", "-l", fmt.Sprint(50-1-test.height), "-t", m.agent, "--", "/bin/sleep", "1000")
			m.do("split-window", "-h", "-d", "-l", fmt.Sprint(200-1-test.width), "-t", m.agent, "--", "/bin/sleep", "1000")
			if test.zoomed {
				m.do("resize-pane", "-Z", "-t", m.agent)
			}
			seen := m.types("please also ")
			const window = "#{window_id} #{window_zoomed_flag} #{window_layout} #{pane_id}"
			before := m.do("display-message", "-p", window)
			command := pane.Command{Argv: []string{"/bin/sleep", "999"}, Notice: "Claude Code asks: Name"}
			if err := m.at(m.agent).Open(t.Context(), command); err != nil {
				t.Fatal(err)
			}
			where, notice := "beside", command.Notice
			if m.form("#{window_id}") != m.do("display-message", "-p", "-t", m.agent, "#{window_id}") {
				where, notice = "elsewhere", notice+" (window "+m.form("#{window_index}")+")"
				if after := m.do("display-message", "-p", window); after != before {
					t.Errorf("the person's window was %s and is %s", before, after)
				}
			}
			if form := m.form("#{pane_width}x#{pane_height}") + " " + where; form != test.want {
				t.Errorf("the form is %s, want %s", form, test.want)
			}
			m.until("the person is told where", func() bool { return strings.Contains(seen.text(), notice) })
		})
	}
}

// A window without room for another pane stays zoomed if the split fails.
func TestASplitThatFailsLeavesTheZoom(t *testing.T) {
	t.Parallel()
	m := startTmux(t, 80, 24)
	beside := m.do("split-window", "-v", "-d", "-l", "22", "-P", "-F", "#{pane_id}", "-t", m.agent, "--", "/bin/sleep", "1000")
	for _, zoomed := range []string{m.agent, beside} {
		m.do("select-pane", "-t", zoomed)
		m.do("resize-pane", "-Z", "-t", zoomed)
		if err := m.at(m.agent).Open(t.Context(), pane.Command{Argv: []string{"/bin/sleep", "999"}}); err == nil {
			t.Fatal("a pane of one row was split")
		}
		if got := m.do("display-message", "-p", "#{pane_id} #{window_zoomed_flag} #{window_panes}"); got != zoomed+" 1 2" {
			t.Errorf("the window shows %q, want %s alone, of 2", got, zoomed)
		}
	}
}

// types attaches a terminal of 200×50 to the agent's window and types text
// there.
func (m *tmux) types(text string) *screen {
	m.t.Helper()
	seen := m.attachSized(m.agent, 200, 50)
	if _, err := io.WriteString(seen.keys, text); err != nil {
		m.t.Fatal(err)
	}
	return seen
}

// form formats the pane that runs sleep 999.
func (m *tmux) form(format string) string {
	m.t.Helper()
	return m.do("list-panes", "-a", "-f", "#{m:*999*,#{pane_start_command}}", "-F", format)
}

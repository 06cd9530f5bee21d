package panes_test

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/creack/pty"

	"planb/e2e/rig"
)

// The output of commands fits the terminal. A path, an id or a command that a
// person may copy stands whole in a line. In a pipe no line is broken.
func TestWhatCommandsSayFitsTheTerminal(t *testing.T) {
	t.Parallel()
	const width = 60
	const session = "3f0d5c1e-6a52-4a3e-9d55-0c7a2f3b9e11"
	home := t.TempDir()
	data := filepath.Join(home, "a directory of data with a long name", "planb")
	env := []string{"TERM=dumb", "HOME=" + home, "PLANB_DATA_DIR=" + data, "PATH=/usr/bin:/bin", "TZ=UTC"}
	command := func(args []string) *exec.Cmd {
		cmd := exec.Command(rig.Planb(t), args...)
		cmd.Env = env
		return cmd
	}
	if out, err := command([]string{"import", "testdata/planb-mcp"}).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, test := range []struct {
		args  []string
		whole []string // each in one line
	}{
		{[]string{"sessions"}, []string{"2f3b9e11", "harbour"}},
		{[]string{"show", session}, []string{"/home/ann/src/harbour", "2f3b9e11"}},
		{[]string{"show", session + "@v9"}, []string{"session 2f3b9e11"}},
		{[]string{"show", "nothing"}, []string{"`planb sessions`"}},
		{[]string{"backup"}, []string{filepath.Join(data, "backups", "planb-")}},
		{[]string{"restore"}, []string{filepath.Join(data, "planb.db"), filepath.Join(data, "backups", "planb-")}},
		{[]string{"prune"}, []string{"/home/ann/src/harbour"}},
		{[]string{"export", session, "--to", filepath.Join(home, "out")}, []string{filepath.Join(home, "out", "sessions", session)}},
		{[]string{"import", "testdata/planb-mcp"}, nil},
		{[]string{"import", "testdata/specs"}, []string{"~/.browser-plan"}},
		{[]string{"diff", session, "v1", "v9"}, []string{"session 2f3b9e11"}},
		{[]string{"setup"}, []string{"\n  planb setup claude\r\n", "~/.claude.json", "~/.config/opencode/opencode.json"}},
		{[]string{"setup", "nobody"}, []string{"claude-desktop"}},
		{[]string{"doctor"}, nil},
		{[]string{"config"}, []string{"`planb config edit`"}},
		{[]string{"config", "keys"}, nil},
		{[]string{"config", "set", "theme", "nrod"}, nil},
		{[]string{"nothing"}, nil},
		{[]string{"tui", "ask"}, []string{"\n      planb tui retro\r\n"}},
	} {
		t.Run(strings.Join(test.args, " "), func(t *testing.T) {
			text := onTerminal(t, command(test.args), width)
			for _, whole := range test.whole {
				if !strings.Contains(text, whole) {
					t.Errorf("%q is broken:\n%s", whole, text)
				}
			}
			for line := range strings.Lines(text) {
				line = strings.TrimRight(line, "\r\n")
				isPath := strings.HasPrefix(strings.TrimSpace(line), home)
				if ansi.StringWidth(line) > width && strings.Contains(strings.TrimSpace(line), " ") && !isPath {
					t.Errorf("%d columns: %s", ansi.StringWidth(line), line)
				}
			}
		})
	}
	out, err := command([]string{"sessions"}).Output()
	if lines := strings.Count(string(out), "\n"); err != nil || lines != 3 {
		t.Errorf("%d lines in a pipe for 3 sessions, error %v:\n%s", lines, err, out)
	}
}

// onTerminal returns what a command shows on a terminal of that width, where
// nobody answers.
func onTerminal(t *testing.T, cmd *exec.Cmd, width int) string {
	t.Helper()
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Cols: uint16(width), Rows: 50})
	if err != nil {
		t.Fatal(err)
	}
	defer tty.Close()
	if _, err := tty.WriteString("\n"); err != nil {
		t.Fatal(err)
	}
	var screen rig.Output
	<-screen.Drain(tty)
	_ = cmd.Wait() // another test checks how it ends
	return ansi.Strip(screen.Text())
}

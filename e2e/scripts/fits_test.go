package scripts_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/creack/pty"

	"planb/cli/frame"
	"planb/e2e/rig"
	"planb/e2e/rig/inprocess"
)

// The output of commands fits the terminal. A path, an id or a command that a
// person may copy stands whole in a line. In a file no line is broken.
func TestWhatCommandsSayFitsTheTerminal(t *testing.T) {
	t.Parallel()
	const width = 60
	const session = "3f0d5c1e-6a52-4a3e-9d55-0c7a2f3b9e11"
	home := t.TempDir()
	data := filepath.Join(home, "a directory of data with a long name", "planb")
	command := inprocess.Command{Dir: ".", Program: rig.Planb(t), Env: frame.Environment{
		"TERM": "dumb", "HOME": home, "PLANB_DATA_DIR": data, "PATH": "/usr/bin:/bin", "TZ": "UTC",
	}}
	runs := func(args ...string) string {
		t.Helper()
		command := command
		command.Args = args
		end, err := command.Run(t.Context())
		if err != nil || end.Code != 0 {
			t.Fatalf("exit code %d, %v\n%s", end.Code, err, end.Stderr)
		}
		return string(end.Stdout)
	}
	runs("import", "testdata/planb-mcp")
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
			command := command
			command.Args = test.args
			text := onTerminal(t, command, width)
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
	if out := runs("sessions"); strings.Count(out, "\n") != 3 {
		t.Errorf("not one line for each of 3 sessions in a file:\n%s", out)
	}
}

// onTerminal returns what a command shows on a terminal of that width, where
// nobody answers.
func onTerminal(t *testing.T, command inprocess.Command, width int) string {
	t.Helper()
	tty, terminal, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer tty.Close()
	if err := pty.Setsize(terminal, &pty.Winsize{Cols: uint16(width), Rows: 50}); err != nil {
		t.Fatal(err)
	}
	if _, err := tty.WriteString("\n"); err != nil {
		t.Fatal(err)
	}
	var screen rig.Output
	drained := screen.Drain(tty)
	command.Terminal = terminal
	_, err = command.Run(t.Context()) // another test checks with which code it ends
	_ = terminal.Close()
	<-drained
	if err != nil {
		t.Fatal(err)
	}
	return ansi.Strip(screen.Text())
}

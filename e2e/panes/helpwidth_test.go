package panes_test

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/creack/pty"

	"planb/e2e/rig"
)

// On a terminal of 80 columns no line of a help is wider, and no word is
// broken.
func TestHelpFitsTheTerminal(t *testing.T) {
	t.Parallel()
	for _, command := range []string{"", "mcp", "config", "export", "review"} {
		t.Run(command, func(t *testing.T) {
			t.Parallel()
			cmd := exec.Command(rig.Planb(t), append(strings.Fields(command), "--help")...)
			cmd.Env = []string{"TERM=dumb", "HOME=" + t.TempDir()}
			tty, err := pty.StartWithSize(cmd, &pty.Winsize{Cols: 80, Rows: 100})
			if err != nil {
				t.Fatal(err)
			}
			defer tty.Close()
			var screen rig.Output
			drained := screen.Drain(tty)
			if err := cmd.Wait(); err != nil {
				t.Fatal(err)
			}
			<-drained
			text := screen.Text()
			if !strings.Contains(text, "Usage") {
				t.Fatalf("no help:\n%s", text)
			}
			for line := range strings.Lines(text) {
				line = strings.TrimRight(line, " \r\n")
				if ansi.StringWidth(line) > 80 {
					t.Errorf("%d columns: %s", ansi.StringWidth(line), line)
				}
			}
			if strings.Contains(text, "-\r\n") {
				t.Errorf("a word is broken:\n%s", text)
			}
		})
	}
}

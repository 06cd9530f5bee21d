package panes_test

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/creack/pty"

	"planb/e2e/rig"
)

// colour is the part of an SGR sequence that sets a foreground or background.
var colour = regexp.MustCompile(`\x1b\[(?:[0-9;:]*;)?(?:3[0-8]|4[0-8]|9[0-7]|10[0-7])(?:[;:][0-9;:]*)?m`)

// Any value of NO_COLOR but the empty one removes all colours.
func TestNoColorIsHonoured(t *testing.T) {
	t.Parallel()
	for value, coloured := range map[string]bool{"": true, "1": false, "yes": false, "0": false} {
		t.Run("NO_COLOR="+value, func(t *testing.T) {
			t.Parallel()
			cmd := exec.Command(rig.Planb(t), "ask", "testdata/specs/light.json")
			cmd.Env = []string{
				"HOME=" + t.TempDir(), "PATH=" + os.Getenv("PATH"), "TERM=xterm-256color", "COLORTERM=truecolor",
				"LC_ALL=C.UTF-8", "NO_COLOR=" + value,
			}
			tty, err := pty.StartWithSize(cmd, &pty.Winsize{Cols: 100, Rows: 30})
			if err != nil {
				t.Fatal(err)
			}
			defer tty.Close()
			t.Cleanup(func() { _ = cmd.Process.Kill() }) // it has ended already if the test succeeded
			var screen rig.Output
			drained := screen.Drain(tty)
			for _, line := range []string{"see After 24 hours", "key ctrl+c", "see Decline", "key ctrl+c"} {
				if err := rig.PerformLine(tty, &screen, line); err != nil {
					t.Fatal(err)
				}
			}
			<-drained
			_ = cmd.Wait() // a form that was left has an exit code of its own
			found := colour.FindAllString(string(screen.Bytes()), 3)
			if got := len(found) > 0; got != coloured {
				t.Errorf("colours %v (%s), want %v", got, strings.ReplaceAll(strings.Join(found, " "), "\x1b", "ESC"), coloured)
			}
		})
	}
}

package external

import (
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// TestTheTerminalIsNotBackAtOnce holds that a process that ends at once, or that cannot
// even begin, keeps the terminal until Bubble Tea has ended its drawing.
func TestTheTerminalIsNotBackAtOnce(t *testing.T) {
	for _, process := range []*exec.Cmd{exec.Command(os.Args[0], "-test.run=^$"), exec.Command("no-such-program")} {
		began := time.Now()
		err := loan{process}.Run()
		if took := time.Since(began); took < leastLoan {
			t.Errorf("%s: the terminal is back after %v, with the error %v", process, took, err)
		}
		if (err != nil) != strings.HasPrefix(process.Path, "no-such") {
			t.Errorf("%s: %v", process, err)
		}
	}
}

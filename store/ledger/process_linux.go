package ledger

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// processStart returns when the process started, in ticks since boot. A PID
// that was given to another process has another start.
func processStart(pid int) (string, processState) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	switch {
	case errors.Is(err, fs.ErrNotExist) || errors.Is(err, unix.ESRCH):
		// /proc may hide the processes of others, a signal's answer does not.
		if errors.Is(unix.Kill(pid, 0), unix.ESRCH) {
			return "", processGone
		}
		return "", processUnknown
	case err != nil:
		return "", processUnknown
	}
	// The second field is the program's name in parentheses and may hold any
	// byte; the state is the first field after it, the start the twentieth.
	name := bytes.LastIndexByte(stat, ')')
	if name < 0 {
		return "", processUnknown
	}
	fields := strings.Fields(string(stat[name+1:]))
	if len(fields) < 20 {
		return "", processUnknown
	}
	if fields[0] == "Z" || fields[0] == "X" {
		return fields[19], processGone // only its exit status is left
	}
	return fields[19], processRuns
}

package ledger

import (
	"errors"
	"io/fs"

	"golang.org/x/sys/unix"

	"planb/store/machine"
)

// processStart returns when the process started, in ticks since boot. A PID
// that was given to another process has another start.
func processStart(pid int) (string, processState) {
	stat, err := machine.ReadStat("/proc", pid)
	switch {
	case errors.Is(err, fs.ErrNotExist) || errors.Is(err, unix.ESRCH):
		// /proc may hide the processes of others, a signal's answer does not.
		if errors.Is(unix.Kill(pid, 0), unix.ESRCH) {
			return "", processGone
		}
		return "", processUnknown
	case err != nil:
		return "", processUnknown
	case stat.Ended:
		return stat.Start, processGone
	}
	return stat.Start, processRuns
}

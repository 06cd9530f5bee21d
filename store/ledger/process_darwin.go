package ledger

import (
	"errors"
	"strconv"

	"golang.org/x/sys/unix"
)

// processStart returns when the process started, in microseconds since 1970. A
// PID that was given to another process has another start.
func processStart(pid int) (string, processState) {
	if errors.Is(unix.Kill(pid, 0), unix.ESRCH) {
		return "", processGone
	}
	info, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil || info == nil {
		return "", processUnknown
	}
	start := info.Proc.P_starttime
	return strconv.FormatInt(start.Sec*1e6+int64(start.Usec), 10), processRuns
}

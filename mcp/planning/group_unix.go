//go:build unix

package planning

import (
	"errors"
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// inOwnGroup puts a command that was not started yet into a process group of its
// own. When its context ends the whole group is told to end; kill ends what is
// left of it then.
func inOwnGroup(command *exec.Cmd) (kill func()) {
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	command.Cancel = func() error {
		if err := unix.Kill(-command.Process.Pid, unix.SIGTERM); !errors.Is(err, unix.ESRCH) {
			return err
		}
		return os.ErrProcessDone
	}
	return func() { _ = unix.Kill(-command.Process.Pid, unix.SIGKILL) } // that it is gone is what is wanted
}

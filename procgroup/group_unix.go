//go:build unix

package procgroup

import (
	"errors"
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// Own puts a command that was not started yet into a process group of its own. When its
// context ends, the whole group is asked to end. How long the command has for that is the
// caller's to say, in its WaitDelay. kill then ends the processes that stay.
func Own(command *exec.Cmd) (kill func()) {
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	command.Cancel = func() error {
		if err := unix.Kill(-command.Process.Pid, unix.SIGTERM); !errors.Is(err, unix.ESRCH) {
			return err
		}
		return os.ErrProcessDone
	}
	return func() {
		if command.Process != nil { // else it never started, because its context had ended
			_ = unix.Kill(-command.Process.Pid, unix.SIGKILL) // an error means that it is gone
		}
	}
}

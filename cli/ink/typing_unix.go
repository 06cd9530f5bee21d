//go:build unix

package ink

import (
	"os"

	"golang.org/x/sys/unix"
)

// inForeground reports whether this process may read from the terminal without being stopped.
func inForeground(terminal *os.File) bool {
	group, err := unix.IoctlGetInt(int(terminal.Fd()), unix.TIOCGPGRP)
	return err == nil && group == unix.Getpgrp()
}

// typedAhead reports whether something waits to be read from a terminal in raw mode.
func typedAhead(terminal *os.File) bool {
	list := []unix.PollFd{{Fd: int32(terminal.Fd()), Events: unix.POLLIN}}
	n, err := unix.Poll(list, 0)
	return err != nil || n > 0
}

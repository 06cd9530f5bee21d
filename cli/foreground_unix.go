//go:build unix

package cli

import (
	"os"

	"golang.org/x/sys/unix"
)

// inForeground reports whether this process has a terminal and runs in its
// foreground. A background process that reads from the terminal is stopped.
func inForeground() bool {
	tty, err := os.Open("/dev/tty")
	if err != nil {
		return false
	}
	defer tty.Close()
	group, err := unix.IoctlGetInt(int(tty.Fd()), unix.TIOCGPGRP)
	return err == nil && group == unix.Getpgrp()
}

//go:build unix

package frame

import (
	"os"

	"golang.org/x/sys/unix"
)

// InForeground reports whether this process has a terminal and runs in its
// foreground. A background process that reads from the terminal is stopped.
func InForeground() bool {
	tty, err := os.Open("/dev/tty")
	if err != nil {
		return false
	}
	defer tty.Close()
	group, err := unix.IoctlGetInt(int(tty.Fd()), unix.TIOCGPGRP)
	return err == nil && group == unix.Getpgrp()
}

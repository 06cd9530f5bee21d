//go:build unix

package logfile

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// lockLog keeps other processes from renaming the same file.
func lockLog(file *os.File) (unlock func(), err error) {
	for {
		switch err := unix.Flock(int(file.Fd()), unix.LOCK_EX); {
		case err == nil:
			return func() { _ = unix.Flock(int(file.Fd()), unix.LOCK_UN) }, nil // closing the file unlocks it, too
		case !errors.Is(err, unix.EINTR):
			return nil, err
		}
	}
}

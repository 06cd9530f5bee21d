//go:build unix

package cli

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// lockLog keeps other processes from setting the same file aside.
func lockLog(file *os.File) (unlock func(), err error) {
	for {
		switch err := unix.Flock(int(file.Fd()), unix.LOCK_EX); {
		case err == nil:
			return func() { _ = unix.Flock(int(file.Fd()), unix.LOCK_UN) }, nil // it ends with the file at the latest
		case !errors.Is(err, unix.EINTR):
			return nil, err
		}
	}
}

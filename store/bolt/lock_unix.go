//go:build !windows

package bolt

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// turnThroughout says whether the turnstile is held for the whole operation.
// A flock belongs to the open file, so bbolt's own lock on the same open file succeeds
// at once.
const turnThroughout = false

// openFile opens a file as os.OpenFile does, with a mode for the user alone. os.OpenFile
// also tries to make the file pollable, which no regular file is: that is five system
// calls for each of the three files of an operation.
func openFile(path string, flag int) (*os.File, error) {
	for {
		fd, err := unix.Open(path, flag|unix.O_CLOEXEC, 0o600)
		if err == nil {
			return os.NewFile(uintptr(fd), path), nil
		}
		if !errors.Is(err, unix.EINTR) {
			return nil, &os.PathError{Op: "open", Path: path, Err: err}
		}
	}
}

// lock locks f and reports whether it did. If it may wait, it waits in the kernel.
func lock(f *os.File, exclusive, wait bool) (bool, error) {
	how := unix.LOCK_SH
	if exclusive {
		how = unix.LOCK_EX
	}
	if !wait {
		how |= unix.LOCK_NB
	}
	err := flock(f, how)
	if errors.Is(err, unix.EWOULDBLOCK) {
		return false, nil
	}
	return err == nil, err
}

func unlock(f *os.File) error { return flock(f, unix.LOCK_UN) }

func flock(f *os.File, how int) error {
	for {
		err := unix.Flock(int(f.Fd()), how)
		if err == nil {
			return nil
		}
		if !errors.Is(err, unix.EINTR) {
			return &os.PathError{Op: "flock", Path: f.Name(), Err: err}
		}
	}
}

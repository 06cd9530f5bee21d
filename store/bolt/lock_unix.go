//go:build !windows

package bolt

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// turnThroughout says whether the turnstile is held for the whole operation.
// flock locks belong to the open file, so that bbolt's lock on the very file
// that is locked already succeeds at once.
const turnThroughout = false

// lock waits in the kernel for the lock on f.
func lock(f *os.File, exclusive bool) error {
	how := unix.LOCK_SH
	if exclusive {
		how = unix.LOCK_EX
	}
	return flock(f, how)
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

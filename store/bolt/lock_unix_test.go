//go:build !windows

package bolt

import (
	"os"

	"golang.org/x/sys/unix"
)

// tryLock takes the lock on f, or fails at once.
func tryLock(f *os.File) error { return flock(f, unix.LOCK_EX|unix.LOCK_NB) }

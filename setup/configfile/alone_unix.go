//go:build unix

package configfile

import (
	"errors"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// lockDirectory locks a directory until the time at most, and returns what gives
// the lock back. A directory that is not there yet has no file to lose.
func lockDirectory(dir string, until time.Time) (unlock func()) {
	d, err := os.Open(dir)
	if err != nil {
		return func() {}
	}
	for {
		err := unix.Flock(int(d.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		if !errors.Is(err, unix.EWOULDBLOCK) && !errors.Is(err, unix.EINTR) || time.Now().After(until) {
			return func() { _ = d.Close() } // and with it the lock, if there is one
		}
		time.Sleep(alonePause)
	}
}

//go:build unix

package configfile

import (
	"errors"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// lockDirectory waits for a lock on a directory, at most until the given time,
// and returns the function that unlocks it. A directory that does not exist
// needs no lock: there is no file to lose.
func lockDirectory(dir string, until time.Time) (unlock func()) {
	d, err := os.Open(dir)
	if err != nil {
		return func() {}
	}
	for {
		err := unix.Flock(int(d.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		if !errors.Is(err, unix.EWOULDBLOCK) && !errors.Is(err, unix.EINTR) || time.Now().After(until) {
			return func() { _ = d.Close() } // this also unlocks it
		}
		time.Sleep(alonePause)
	}
}

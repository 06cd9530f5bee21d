//go:build unix

package mcp

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

const (
	planLockTime = 10 * time.Second
	planLockPoll = 5 * time.Millisecond
)

// lockPlans waits until no other planb works on the plan files of the directory.
// The lock ends when dir is closed. Where the file system knows no such locks
// there is none: two servers that write one plan at the same moment then keep all
// that they wrote as versions, and each may take the other's for somebody else's.
func lockPlans(ctx context.Context, dir *os.File) error {
	deadline := time.NewTimer(planLockTime)
	defer deadline.Stop()
	for {
		switch err := unix.Flock(int(dir.Fd()), unix.LOCK_EX|unix.LOCK_NB); {
		case errors.Is(err, unix.EINTR):
			continue
		case !errors.Is(err, unix.EWOULDBLOCK):
			return nil
		}
		select {
		case <-time.After(planLockPoll):
		case <-ctx.Done():
			return ctx.Err()
		case <-deadline.C:
			return fmt.Errorf("another process has held the lock on %s for %s; try again, and if it stays so, tell your user", dir.Name(), inWords(planLockTime))
		}
	}
}

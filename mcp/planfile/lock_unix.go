//go:build unix

package planfile

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"planb/mcp/tool"
)

const (
	lockTime = 10 * time.Second
	lockPoll = 5 * time.Millisecond
)

// lockFile waits until no other planb works on the plan files of the directory. The
// lock ends when file is closed. On a file system without locks it always succeeds.
func lockFile(ctx context.Context, file *os.File, dir string) error {
	deadline := time.NewTimer(lockTime)
	defer deadline.Stop()
	for {
		if locked, err := tryLock(file); locked || err != nil {
			return nil
		}
		select {
		case <-time.After(lockPoll):
		case <-ctx.Done():
			return ctx.Err()
		case <-deadline.C:
			return fmt.Errorf("another planb has worked on the plans in %s for %s; try again, and if it stays so, tell your user", dir, tool.InWords(lockTime))
		}
	}
}

// tryLock locks the file, unless another planb has it locked.
func tryLock(file *os.File) (locked bool, err error) {
	for {
		switch err := unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB); {
		case errors.Is(err, unix.EINTR):
			continue
		case errors.Is(err, unix.EWOULDBLOCK):
			return false, nil
		default:
			return err == nil, err
		}
	}
}

// identity tells one directory from another. It is the inode alone: two containers
// may see the directory by different paths and device numbers. Two directories that
// share a number by chance only wait for each other.
func identity(info fs.FileInfo, _ string) string {
	return strconv.FormatUint(uint64(info.Sys().(*syscall.Stat_t).Ino), 16)
}

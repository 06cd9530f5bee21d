//go:build !windows

package bolt

import (
	"errors"

	"golang.org/x/sys/unix"
)

// isFull reports whether an error means that no more bytes fit: on the disk, into a
// quota, or into a file of limited size.
func isFull(err error) bool {
	return errors.Is(err, unix.ENOSPC) || errors.Is(err, unix.EDQUOT) || errors.Is(err, unix.EFBIG)
}

// room is how many bytes this user may still write in the directory.
func room(dir string) (int64, error) {
	var fs unix.Statfs_t
	if err := unix.Statfs(dir, &fs); err != nil {
		return 0, err
	}
	return int64(fs.Bavail) * int64(fs.Bsize), nil
}

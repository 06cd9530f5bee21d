//go:build !windows

package bolt

import (
	"errors"

	"golang.org/x/sys/unix"
)

// isFull tells errors that mean no more bytes fit: the disk, a quota, or the
// limit on a file's size.
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

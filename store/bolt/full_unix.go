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

package bolt

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// occupy reserves that many bytes of the disk for the file.
func occupy(f *os.File, bytes int64) error {
	for {
		err := unix.Fallocate(int(f.Fd()), 0, 0, bytes)
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case errors.Is(err, unix.EOPNOTSUPP), errors.Is(err, unix.ENOSYS):
			return fillUp(f, bytes)
		case err != nil:
			return &os.PathError{Op: "fallocate", Path: f.Name(), Err: err}
		}
		return nil
	}
}

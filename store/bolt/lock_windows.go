package bolt

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// turnThroughout says whether the turnstile is held for the whole operation.
// A lock on the store's file would conflict with bbolt's own.
const turnThroughout = true

// openFile opens a file, with a mode for the user alone.
func openFile(path string, flag int) (*os.File, error) { return os.OpenFile(path, flag, 0o600) }

// lock locks f and reports whether it did. It locks one byte past any content, because
// others can neither read nor write a locked byte.
func lock(f *os.File, exclusive, wait bool) (bool, error) {
	var flags uint32
	if exclusive {
		flags |= windows.LOCKFILE_EXCLUSIVE_LOCK
	}
	if !wait {
		flags |= windows.LOCKFILE_FAIL_IMMEDIATELY
	}
	err := windows.LockFileEx(windows.Handle(f.Fd()), flags, 0, 1, 0, lockedByte())
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return false, nil
	}
	return err == nil, err
}

func unlock(f *os.File) error {
	return windows.UnlockFileEx(windows.Handle(f.Fd()), 0, 1, 0, lockedByte())
}

func lockedByte() *windows.Overlapped {
	return &windows.Overlapped{OffsetHigh: 1 << 30}
}

package bolt

import (
	"os"

	"golang.org/x/sys/windows"
)

// turnThroughout says whether the turnstile is held for the whole operation.
// A lock on the store's file would conflict with the one bbolt takes.
const turnThroughout = true

// lock waits for the lock on f: on one byte past any content, because a locked
// byte can be neither read nor written by others.
func lock(f *os.File, exclusive bool) error {
	var flags uint32
	if exclusive {
		flags = windows.LOCKFILE_EXCLUSIVE_LOCK
	}
	return windows.LockFileEx(windows.Handle(f.Fd()), flags, 0, 1, 0, lockedByte())
}

func unlock(f *os.File) error {
	return windows.UnlockFileEx(windows.Handle(f.Fd()), 0, 1, 0, lockedByte())
}

func lockedByte() *windows.Overlapped {
	return &windows.Overlapped{OffsetHigh: 1 << 30}
}

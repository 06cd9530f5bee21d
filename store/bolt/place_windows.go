package bolt

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/windows"
)

// checkOwner refuses nothing: a user's directories are closed to others here,
// and an elevated prompt is the same user.
func checkOwner(string, int) error { return nil }

// CheckExposed refuses nothing: Windows controls who may write to a directory.
func CheckExposed(string) error { return nil }

// link gives the file a second name, which must be free. On a file system without links
// it renames the file: the caller has seen that the name is free, and holds the
// turnstile.
func link(from, to string) error {
	err := os.Link(from, to)
	switch {
	case errors.Is(err, fs.ErrExist):
		return nil
	case err != nil:
		return os.Rename(from, to)
	}
	return nil
}

// syncAbove does nothing: the system writes names itself.
func syncAbove(string, int) error { return nil }

// checkFileSystem refuses a directory on another machine.
func checkFileSystem(dir string) error {
	root, err := windows.UTF16PtrFromString(filepath.VolumeName(dir) + string(os.PathSeparator))
	if err != nil {
		return fault(dir, err, false)
	}
	if windows.GetDriveType(root) == windows.DRIVE_REMOTE {
		return networked(dir, "a network drive")
	}
	return nil
}

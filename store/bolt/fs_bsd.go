//go:build darwin || freebsd

package bolt

import (
	"golang.org/x/sys/unix"
)

// checkFileSystem refuses a directory on another machine.
func checkFileSystem(dir string) error {
	var fs unix.Statfs_t
	if err := unix.Statfs(dir, &fs); err != nil {
		return fault(dir, err, false)
	}
	switch kind := unix.ByteSliceToString(fs.Fstypename[:]); kind {
	case "nfs", "smbfs", "afpfs", "webdav":
		return networked(dir, kind)
	}
	return nil
}

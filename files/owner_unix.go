//go:build unix

package files

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// keepOwner gives a new file the owner and the group of the file it replaces.
func keepOwner(file *os.File, old fs.FileInfo) error {
	was, ok := old.Sys().(*syscall.Stat_t)
	if !ok {
		return nil
	}
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if now, ok := info.Sys().(*syscall.Stat_t); ok && now.Uid == was.Uid && now.Gid == was.Gid {
		return nil
	}
	if err := file.Chown(int(was.Uid), int(was.Gid)); err != nil {
		if at, ok := errors.AsType[*fs.PathError](err); ok {
			err = at.Err // it names the pending file
		}
		return fmt.Errorf("it belongs to user %d and group %d, which can't be kept (%w); run the command as that user", was.Uid, was.Gid, err)
	}
	// Changing the owner may have cleared bits of the mode.
	return file.Chmod(old.Mode().Perm())
}

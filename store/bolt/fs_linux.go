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
	if kind := networkKind(uint32(fs.Type)); kind != "" {
		return networked(dir, kind)
	}
	return nil
}

// networkKind names the network file system of that magic number; empty for any
// other. 9p is not among them: containers and WSL use it for local disks.
func networkKind(magic uint32) string {
	switch magic {
	case unix.NFS_SUPER_MAGIC:
		return "NFS"
	case unix.SMB_SUPER_MAGIC, unix.SMB2_SUPER_MAGIC, unix.CIFS_SUPER_MAGIC:
		return "SMB"
	case unix.AFS_SUPER_MAGIC, unix.AFS_FS_MAGIC:
		return "AFS"
	case unix.CODA_SUPER_MAGIC:
		return "Coda"
	}
	return ""
}

package kvtest

import "golang.org/x/sys/unix"

// memoryDisk is a directory on a disk in memory; empty if there is none with room for all
// tests, or if it runs no programs.
func memoryDisk() string {
	const dir, room = "/dev/shm", 2 << 30
	var fs unix.Statfs_t
	if err := unix.Statfs(dir, &fs); err != nil || fs.Type != unix.TMPFS_MAGIC || fs.Flags&unix.ST_NOEXEC != 0 {
		return ""
	}
	if fs.Bavail*uint64(fs.Bsize) < room || unix.Access(dir, unix.W_OK|unix.X_OK) != nil {
		return ""
	}
	return dir
}

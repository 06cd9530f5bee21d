//go:build !windows

package bolt

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"

	"planb/files"
	"planb/store/kv"
)

// checkOwner refuses a directory of another user: its owner could not use the files
// that this user, or sudo, makes there.
func checkOwner(dir string, euid int) error {
	info, err := os.Stat(dir)
	if err != nil {
		return fault(dir, err, false)
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok || int(stat.Uid) == euid {
		return nil
	}
	owner, me := userName(int(stat.Uid)), userName(euid)
	return &kv.Fault{
		Kind: kv.FaultNotOwner,
		Path: dir,
		What: fmt.Sprintf("belongs to %s and you are %s", owner, me),
		Do:   fmt.Sprintf("run planb as %s, without sudo, or set PLANB_DATA_DIR to a directory of your own", owner),
	}
}

// CheckExposed refuses a directory that others can write to: they could put a store of
// their own there. Others may read the directory, since its files are for their owner
// alone. On many systems each user has a group with the user's own number, which nobody
// else is in; such a group may write. The error is a *kv.Fault.
func CheckExposed(dir string) error {
	info, err := os.Stat(dir)
	if err != nil {
		return fault(dir, err, false)
	}
	mode := info.Mode().Perm()
	stat, ok := info.Sys().(*syscall.Stat_t)
	if mode&0o002 == 0 && (mode&0o020 == 0 || ok && stat.Gid == stat.Uid) {
		return nil
	}
	return &kv.Fault{
		Kind: kv.FaultExposed,
		Path: dir,
		What: fmt.Sprintf("can be written to by other users (its mode is %04o)", mode),
		Do:   "run  chmod 700 " + dir + "  if nobody else uses it, or set PLANB_DATA_DIR to a directory of your own",
	}
}

func userName(uid int) string {
	if uid == 0 {
		return "root"
	}
	return "user " + strconv.Itoa(uid)
}

// link gives the file a second name, which must be free. On a file system without links
// it renames the file: the caller has seen that the name is free, and holds the
// turnstile.
func link(from, to string) error {
	err := os.Link(from, to)
	switch {
	case errors.Is(err, unix.EPERM), errors.Is(err, unix.ENOTSUP), errors.Is(err, unix.ENOSYS), errors.Is(err, unix.EMLINK):
		return os.Rename(from, to)
	case errors.Is(err, unix.EEXIST):
		return nil
	}
	return err
}

// syncAbove makes durable the names of dir and of those directories above it that may
// be new: of this user and on the same disk. A directory that the user may not read is
// not new.
func syncAbove(dir string, euid int) error {
	here, err := statDir(dir)
	if err != nil {
		return err
	}
	for here.owner == euid {
		above := filepath.Dir(dir)
		there, err := statDir(above)
		if err != nil || above == dir || there.device != here.device {
			return err
		}
		if err := files.SyncDir(above); err != nil {
			return err
		}
		dir, here = above, there
	}
	return nil
}

// dirStat says who owns a directory, and on which disk it is.
type dirStat struct {
	owner  int
	device uint64
}

func statDir(dir string) (dirStat, error) {
	var stat unix.Stat_t
	if err := unix.Stat(dir, &stat); err != nil {
		return dirStat{}, &fs.PathError{Op: "stat", Path: dir, Err: err}
	}
	return dirStat{owner: int(stat.Uid), device: uint64(stat.Dev)}, nil
}

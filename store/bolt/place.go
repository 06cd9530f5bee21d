package bolt

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"go.etcd.io/bbolt"

	"planb/files"
	"planb/store/kv"
)

// ensure makes the store if there is none. The directory must be the user's own and
// its file system must have locks that can be trusted.
func (e *Engine) ensure(ctx context.Context, mustExist bool) error {
	_, err := os.Stat(e.path)
	if mustExist && errors.Is(err, fs.ErrNotExist) {
		return &kv.Fault{
			Kind: kv.FaultMissing,
			Path: e.path,
			What: "does not exist",
			Do:   "check PLANB_DATA_DIR",
			Err:  err,
		}
	}
	if err := ensureDir(filepath.Dir(e.path), os.Geteuid()); err != nil {
		return err
	}
	if err == nil {
		return nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return fault(e.path, err, false)
	}
	if told, err := readBell(e.bell); err == nil && told[0].rev > 0 {
		if _, err := os.Stat(e.path); err == nil {
			return nil // another process made the store meanwhile, and wrote to it
		}
		return &kv.Fault{
			Kind: kv.FaultMissing,
			Path: e.path,
			What: fmt.Sprintf("is gone, though %s says that it held data", filepath.Base(e.bell)),
			Do:   "if you moved it, move it back; otherwise go back to a backup with  planb restore. Only if it is gone for good, remove " + e.bell + " to start with an empty store",
		}
	}
	return e.make(ctx)
}

// ensureDir makes the directory if there is none. It refuses one that is not the user's
// own, that others can write to, or that is on a network.
func ensureDir(dir string, euid int) error {
	if err := ownDir(dir, euid); err != nil {
		return err
	}
	if err := CheckExposed(dir); err != nil {
		return err
	}
	return checkFileSystem(dir)
}

// CheckPlace returns why no store could be made in the directory, nil if one could. It
// makes nothing: if the directory does not exist, it checks the closest one above. The
// error is a *kv.Fault.
func CheckPlace(dir string) error {
	if _, err := os.Stat(dir); err == nil {
		return ensureDir(dir, os.Geteuid())
	}
	above := existing(dir)
	if os.Geteuid() == 0 {
		if err := checkOwner(above, 0); err != nil {
			return err
		}
	}
	return checkFileSystem(above)
}

// OwnDir makes the directory with mode 0700 if there is none, and refuses one that
// belongs to another user. The error is a *kv.Fault.
func OwnDir(dir string) error { return ownDir(dir, os.Geteuid()) }

// ownDir is OwnDir for that user. Only root can make a directory inside another user's. So
// only for root it looks at the directory above first.
func ownDir(dir string, euid int) error {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if euid == 0 {
			if err := checkOwner(existing(dir), euid); err != nil {
				return err
			}
		}
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return fault(dir, err, true)
		}
	case err != nil:
		return fault(dir, err, false)
	case !info.IsDir():
		return &kv.Fault{
			Kind: kv.FaultNotStore,
			Path: dir,
			What: "is a file, and a store needs a directory",
			Do:   "move the file away, or set PLANB_DATA_DIR to another directory",
		}
	}
	return checkOwner(dir, euid)
}

// existing is the closest directory above dir that exists.
func existing(dir string) string {
	for {
		up := filepath.Dir(dir)
		if _, err := os.Stat(up); err == nil || up == dir {
			return up
		}
		dir = up
	}
}

func networked(dir, kind string) *kv.Fault {
	return &kv.Fault{
		Kind: kv.FaultNetworkFS,
		Path: dir,
		What: fmt.Sprintf("is on a network file system (%s), where locks and shared memory cannot be trusted", kind),
		Do:   "set PLANB_DATA_DIR to a directory on a local disk",
	}
}

// make makes an empty store under another name, and links it into place once all of it
// is on the disk: if bbolt made the file in place and the power failed meanwhile, the
// file could not be read. The directories that lead to it are on the disk before that,
// whichever process made them, so a process that finds a store may write to it. The
// turnstile keeps two makers apart.
func (e *Engine) make(ctx context.Context) error {
	l := &locks{paths: e.paths, write: true, turnOnly: true}
	return e.locked(ctx, l, func(*os.File) error { return e.makeFile() })
}

func (e *Engine) makeFile() error {
	if _, err := os.Stat(e.path); err == nil {
		return nil // another process was quicker
	}
	dir := filepath.Dir(e.path)
	if err := sweepNew(e.path); err != nil {
		return fault(dir, err, true)
	}
	made, err := emptyBeside(e.path)
	if err != nil {
		return fault(dir, err, true)
	}
	err = fill(made)
	if err == nil {
		err = syncAbove(dir, os.Geteuid())
	}
	if err == nil {
		err = link(made, e.path)
	}
	if removed := os.Remove(made); err == nil && !errors.Is(removed, fs.ErrNotExist) {
		err = removed
	}
	if err != nil {
		return fault(e.path, err, true)
	}
	if err := files.SyncDir(dir); err != nil {
		return fault(dir, err, true)
	}
	return nil
}

// newPattern is the end of the names of files that are to become the store.
const newPattern = ".new-*"

// emptyBeside makes an empty file beside the store, to become the store.
func emptyBeside(path string) (string, error) {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+newPattern)
	if err != nil {
		return "", err
	}
	return f.Name(), f.Close()
}

// sweepNew removes the files that killed processes left while they made a store. No
// process is making one now: the caller has the turnstile.
func sweepNew(path string) error {
	left, err := FilesIn(filepath.Dir(path), filepath.Base(path)+newPattern)
	if err != nil {
		return err
	}
	for _, name := range left {
		if err := os.Remove(name); err != nil {
			return err
		}
	}
	return nil
}

// fill makes the empty file at path an empty store, on the disk when it returns.
func fill(path string) error {
	db, err := bbolt.Open(path, 0o600, nil)
	if err != nil {
		return err
	}
	return errors.Join(db.Update(create), db.Sync(), db.Close())
}

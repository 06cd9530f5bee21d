package bolt

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"planb/files"
	"planb/store/kv"
)

// Copy implements kv.Keeper. The file has the mode 0600. Others go on reading
// meanwhile; writers wait as long as the bytes take, which is no time at all where the
// file system can share blocks. The directory must exist.
func (e *Engine) Copy(ctx context.Context, to string) error {
	if _, err := os.Lstat(to); err == nil {
		return &fs.PathError{Op: "copy", Path: to, Err: fs.ErrExist}
	}
	return unlessFault(to, files.WriteNewFunc(to, func(w io.Writer) error {
		return e.locked(ctx, &locks{paths: e.paths}, func(f *os.File) error {
			if err := e.inspect(f, false); err != nil {
				return err
			}
			_, err := io.Copy(w, f)
			return err
		})
	}))
}

// CopyFile copies like Copy, but any file, which nobody may write to meanwhile.
func CopyFile(from, to string) error {
	source, _, err := files.Open(from)
	if _, other := errors.AsType[*files.KindError](err); other {
		return inTheWay(from, "is not a regular file")
	}
	if err != nil {
		return fault(from, err, false)
	}
	defer source.Close()
	return unlessFault(to, files.WriteNewFunc(to, func(w io.Writer) error {
		_, err := io.Copy(w, source)
		return err
	}))
}

// MoveFile gives a file another name, also on another disk, durably. The name must be free,
// else the error is fs.ErrExist. The old name may stay. The file needs its room a second
// time only if the copy is on another disk.
func MoveFile(from, to string) error {
	err := os.Link(from, to)
	if errors.Is(err, fs.ErrExist) {
		return err
	}
	if err != nil {
		if _, there := os.Lstat(to); errors.Is(there, fs.ErrNotExist) && os.Rename(from, to) == nil {
			return unlessFault(to, files.SyncDir(filepath.Dir(to))) // a disk without hard links
		}
		part := to + ".part"
		if err := os.Remove(part); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fault(part, err, true)
		}
		if err := CopyFile(from, part); err != nil {
			return err
		}
		if err := os.Rename(part, to); err != nil {
			return fault(to, err, true)
		}
	}
	return unlessFault(to, files.SyncDir(filepath.Dir(to)))
}

// unlessFault turns an error into a fault, unless it is one already; fs.ErrExist and the
// ends of contexts and engines stay as they are.
func unlessFault(path string, err error) error {
	if _, already := errors.AsType[*kv.Fault](err); err == nil || already || errors.Is(err, fs.ErrExist) || errors.Is(err, context.Canceled) {
		return err
	}
	if errors.Is(err, kv.ErrClosed) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return fmt.Errorf("copying failed: %w", fault(path, err, true))
}

// Package files reads and writes files that other programs read and write at the
// same moment.
//
// A file is written whole or not at all: WriteNew and Replace write it under another
// name, wait until the disk has it, and give it its name in one step. Create is the
// same in steps.
//
// Opening to read never blocks. A FIFO without a writer would block its reader for
// ever, and checking the file before opening it is not enough: another one may have
// taken its place. So Open and Read check what they have opened, and OpenDir opens
// nothing but a directory.
//
// Watch tells when a file may have changed, even before its directory exists.
//
// The package knows nothing of what is in a file.
package files

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// KindError says that a path does not lead to a regular file.
type KindError struct{ Mode fs.FileMode }

func (e *KindError) Error() string { return "it is " + e.Kind() + ", not a file" }

// Kind names what the path leads to instead, with an article.
func (e *KindError) Kind() string {
	switch {
	case e.Mode.IsDir():
		return "a directory"
	case e.Mode&fs.ModeSymlink != 0:
		return "a link"
	}
	return "a device, a pipe or a socket"
}

// SizeError says that a file is larger than the caller's limit, in bytes.
type SizeError struct{ Size, Limit int64 }

func (e *SizeError) Error() string {
	return fmt.Sprintf("it has %d bytes, the limit is %d", e.Size, e.Limit)
}

// readOnly makes opening a FIFO return at once. Windows has no FIFOs in its
// directories.
const readOnly = os.O_RDONLY | syscall.O_NONBLOCK

// Open opens a regular file for reading.
func Open(path string) (*os.File, fs.FileInfo, error) {
	if info, err := os.Stat(path); err != nil {
		return nil, nil, err
	} else if !info.Mode().IsRegular() { // opening a device may do something
		return nil, nil, &KindError{info.Mode()}
	}
	file, err := os.OpenFile(path, readOnly, 0)
	return regular(file, err)
}

// OpenIn opens a regular file below the root for reading. It does not follow a link
// that leads out of the root.
func OpenIn(root *os.Root, name string) (*os.File, fs.FileInfo, error) {
	if info, err := root.Stat(name); err != nil {
		return nil, nil, err
	} else if !info.Mode().IsRegular() {
		return nil, nil, &KindError{info.Mode()}
	}
	file, err := root.OpenFile(name, readOnly, 0)
	return regular(file, err)
}

// OpenDir opens a directory. os.OpenRoot waits for the writer of a FIFO that has the name of a
// directory.
func OpenDir(path string) (*os.Root, error) { return asDir(path, os.OpenRoot) }

// OpenDirIn opens a directory below the root. It does not follow a link that leads out of the
// root.
func OpenDirIn(root *os.Root, name string) (*os.Root, error) { return asDir(name, root.OpenRoot) }

// asDir opens the path as only a directory has it: behind a separator the system looks for a
// directory, and opens nothing else. An error names the path as the caller did.
func asDir(path string, open func(string) (*os.Root, error)) (*os.Root, error) {
	if path == "" {
		return open(path)
	}
	root, err := open(path + string(filepath.Separator))
	if failed, ok := errors.AsType[*fs.PathError](err); ok {
		failed.Path = path
	}
	return root, err
}

// regular checks the opened file, because another one may have taken its place
// since the first check.
func regular(file *os.File, err error) (*os.File, fs.FileInfo, error) {
	if err != nil {
		return nil, nil, err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = &KindError{info.Mode()}
	}
	if err != nil {
		file.Close() // planb wrote nothing, so the error does not matter
		return nil, nil, err
	}
	return file, info, nil
}

// Read returns the content of a regular file. A file of more than limit bytes is a
// *SizeError.
func Read(path string, limit int64) ([]byte, fs.FileInfo, error) {
	file, info, err := Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer file.Close()
	text, err := All(file, info, limit)
	return text, info, err
}

// All reads an open file. A file of more than limit bytes is a *SizeError.
func All(file io.Reader, info fs.FileInfo, limit int64) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(file, limit+1))
	if err == nil && int64(len(text)) > limit {
		return nil, &SizeError{max(info.Size(), int64(len(text))), limit}
	}
	return text, err
}

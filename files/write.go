package files

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"
)

// Pending is a file that is written under another name in its directory, until New or
// Replace gives it its own in one step. So no reader and no power failure ever meets a
// part of it. Close removes the file if it has got no name by then.
type Pending struct {
	root       *os.Root
	name, part string
	file       *os.File
	finished   bool // the disk has all bytes, and file is closed
}

// Create begins the file with that name below the root. The mode is reduced by the
// umask, as always.
func Create(root *os.Root, name string, mode fs.FileMode) (*Pending, error) {
	part := filepath.Join(filepath.Dir(name), partPrefix(name)+rand.Text()[:8]+partSuffix)
	file, err := root.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return nil, err
	}
	return &Pending{root: root, name: name, part: part, file: file}, nil
}

// These surround the random part of a pending file's name.
const partSuffix = ".tmp"

func partPrefix(name string) string { return "." + filepath.Base(name) + "." }

// Write appends to the file.
func (p *Pending) Write(data []byte) (int, error) { return p.file.Write(data) }

// ReadFrom appends what r gives. If the file system can share blocks between two files,
// that takes no time.
func (p *Pending) ReadFrom(r io.Reader) (int64, error) { return p.file.ReadFrom(r) }

// Chmod sets the mode, whatever the umask is.
func (p *Pending) Chmod(mode fs.FileMode) error { return p.file.Chmod(mode) }

// KeepOwner gives the file the owner and the group of the file that it replaces.
func (p *Pending) KeepOwner(old fs.FileInfo) error { return keepOwner(p.file, old) }

// New gives the file its name, which must be free, else the error is fs.ErrExist.
// When it returns, the disk has the file.
func (p *Pending) New() error {
	if err := p.Finish(); err != nil {
		return err
	}
	err := p.root.Link(p.part, p.name) // unlike Rename, Link fails if the name is taken
	if _, there := p.root.Lstat(p.name); err != nil && errors.Is(there, fs.ErrNotExist) {
		err = p.root.Rename(p.part, p.name) // a file system without hard links
	}
	if err != nil {
		return err
	}
	return syncDir(p.root, filepath.Dir(p.name))
}

// Replace gives the file its name; a file with that name is gone then. When it
// returns, the disk has the file.
func (p *Pending) Replace() error {
	if err := p.Finish(); err != nil {
		return err
	}
	if err := p.root.Rename(p.part, p.name); err != nil {
		return err
	}
	return syncDir(p.root, filepath.Dir(p.name))
}

// Finish ends the writing and waits until the disk has it all. New, Replace and Same
// call it; a caller that checks something before them calls it before the check.
func (p *Pending) Finish() error {
	if p.finished {
		return nil
	}
	p.finished = true
	return errors.Join(p.file.Sync(), p.file.Close())
}

// Same reports whether the file that has the name now has the same content.
func (p *Pending) Same() (bool, error) {
	if err := p.Finish(); err != nil {
		return false, err
	}
	return sameContent(p.root, p.part, p.name)
}

// Close removes the file unless it got its name.
func (p *Pending) Close() error {
	var err error
	if !p.finished {
		p.finished = true
		err = p.file.Close()
	}
	if gone := p.root.Remove(p.part); gone != nil && !errors.Is(gone, fs.ErrNotExist) {
		err = errors.Join(err, gone)
	}
	return err
}

// Sweep removes the files that killed writers of that file left, if they are older than
// age. A file that cannot be removed stays for the next Sweep.
func Sweep(root *os.Root, name string, age time.Duration) {
	dir := filepath.Dir(name)
	entries, err := fs.ReadDir(root.FS(), filepath.ToSlash(dir))
	if err != nil {
		return // writing reports it
	}
	for _, entry := range entries {
		if left := entry.Name(); strings.HasPrefix(left, partPrefix(name)) && strings.HasSuffix(left, partSuffix) {
			if info, err := entry.Info(); err == nil && time.Since(info.ModTime()) > age {
				_ = root.Remove(filepath.Join(dir, left))
			}
		}
	}
}

// WriteNew writes a file that must not exist, for its owner only. If the name is
// taken, the error is fs.ErrExist.
func WriteNew(path string, data []byte) error { return write(path, all(data), (*Pending).New) }

// WriteNewFunc is WriteNew of what fill writes.
func WriteNewFunc(path string, fill func(io.Writer) error) error {
	return write(path, fill, (*Pending).New)
}

// Replace writes a file, for its owner only, in the place of what has its name.
func Replace(path string, data []byte) error { return write(path, all(data), (*Pending).Replace) }

func all(data []byte) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	}
}

func write(path string, fill func(io.Writer) error, place func(*Pending) error) (err error) {
	root, err := OpenDir(filepath.Dir(path))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	file, err := Create(root, filepath.Base(path), 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	if err := fill(file); err != nil {
		return err
	}
	return place(file)
}

// MakeDir makes a directory with all that lead to it, as os.MkdirAll does, and waits until
// the disk knows the names of those that are new.
func MakeDir(dir string, mode fs.FileMode) error {
	var above []string // the directories that get a new name, the lowest first
	for at := filepath.Clean(dir); ; at = filepath.Dir(at) {
		if _, err := os.Stat(at); !errors.Is(err, fs.ErrNotExist) || at == filepath.Dir(at) {
			break
		}
		above = append(above, filepath.Dir(at))
	}
	if err := os.MkdirAll(dir, mode); err != nil {
		return err
	}
	for _, holds := range above {
		if err := SyncDir(holds); err != nil {
			return err
		}
	}
	return nil
}

// SyncDir waits until the disk knows the names in a directory. Windows, some file systems,
// and a directory that may only be written cannot do that; they write names when they
// like.
func SyncDir(dir string) error {
	return syncNames(func() (*os.File, error) { return os.Open(dir) })
}

// syncDir is SyncDir of a directory below the root.
func syncDir(root *os.Root, name string) error {
	return syncNames(func() (*os.File, error) { return root.Open(name) })
}

// syncNames is SyncDir of the directory that open opens.
func syncNames(open func() (*os.File, error)) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	dir, err := open()
	if errors.Is(err, fs.ErrPermission) {
		return nil
	}
	if err != nil {
		return err
	}
	err = dir.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported) {
		err = nil
	}
	return errors.Join(err, dir.Close())
}

func sameContent(root *os.Root, one, other string) (bool, error) {
	var readers [2]*bufio.Reader
	for i, name := range []string{one, other} {
		f, _, err := OpenIn(root, name)
		if err != nil {
			return false, err
		}
		defer f.Close()
		readers[i] = bufio.NewReader(f)
	}
	var parts [2][4096]byte
	for {
		n, errOne := io.ReadFull(readers[0], parts[0][:])
		m, errOther := io.ReadFull(readers[1], parts[1][:])
		if !bytes.Equal(parts[0][:n], parts[1][:m]) {
			return false, nil
		}
		for _, err := range []error{errOne, errOther} {
			if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
				return false, err
			}
		}
		if errOne != nil || errOther != nil {
			return true, nil
		}
	}
}

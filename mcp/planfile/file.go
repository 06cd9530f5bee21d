package planfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"planb/files"
	"planb/mcp/tool"
	"planb/plans"
)

// File is the file of one plan.
type File struct {
	dir  *directory
	name plans.Name
}

// Path is where the file is, as agents and people are told it.
func (f File) Path() string { return filepath.Join(f.dir.path, f.name.File()) }

// key is the one path that the store knows the file by.
func (f File) key() string { return filepath.Join(f.dir.real, f.name.File()) }

// Held is what a plan file holds.
type Held struct {
	there bool
	Text  string
	info  fs.FileInfo // nil if there is no file
}

// read returns what the file holds; the zero Held if there is no file. A text that
// cannot be a plan is an error. A blank text is not.
func (f File) read() (Held, error) {
	info, err := f.dir.root.Lstat(f.name.File())
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Held{}, nil
	case err != nil:
		return Held{}, f.unreadable(err)
	case !info.Mode().IsRegular():
		return Held{}, Refuse("Plan path is no file of its own: %s is %s", f.Path(), (&files.KindError{Mode: info.Mode()}).Kind())
	}
	data, err := f.held(info)
	if large, ok := errors.AsType[*files.SizeError](err); ok {
		return Held{}, Refuse("Plan file is too large: %s has %d bytes; at most %d are read", f.Path(), large.Size, large.Limit)
	} else if err != nil {
		return Held{}, f.unreadable(err)
	}
	if at := tool.NotUTF8(string(data)); at >= 0 {
		return Held{}, Refuse("Plan file is not UTF-8: %s; its byte %d is 0x%02x", f.Path(), at+1, data[at])
	}
	return Held{true, string(data), info}, nil
}

// errExchanged says that a link or another file has taken the file's place.
var errExchanged = errors.New("it was exchanged while it was opened; try again")

// held reads the file. It must still be the file that found describes.
func (f File) held(found fs.FileInfo) ([]byte, error) {
	file, info, err := files.OpenIn(f.dir.root, f.name.File())
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if !os.SameFile(found, info) {
		return nil, errExchanged
	}
	return files.All(file, info, plans.MaxPlanBytes)
}

// unreadable says why the file cannot be read, with its whole path.
func (f File) unreadable(err error) error {
	if at, ok := errors.AsType[*fs.PathError](err); ok {
		err = at.Err
	}
	return Refuse("Plan file cannot be read: %s: %s", f.Path(), tool.OneLine(err.Error()))
}

// writable refuses a file that its owner has made read-only. Replacing it would
// need no permission, so it must be checked.
func (f File) writable(held Held) error {
	if held.there && held.info.Mode()&0o200 == 0 {
		return Refuse("Plan file is read-only: %s; tell your user, who may have made it so", f.Path())
	}
	return nil
}

// errMoved says that another program wrote the file after it was read.
var errMoved = errors.New("the file was changed meanwhile")

// write puts the text into the file in one step. The error is errMoved if the file has
// changed since it was read.
func (f File) write(text string, was Held) (err error) {
	mode := fs.FileMode(0o644) // other people work on the project, too
	if was.there {
		mode = was.info.Mode().Perm()
	}
	files.Sweep(f.dir.root, f.name.File(), staleTemp)
	file, err := files.Create(f.dir.root, f.name.File(), mode)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	_, err = file.Write([]byte(text))
	if was.there && err == nil {
		err = file.Chmod(mode)
		_ = file.KeepOwner(was.info) // only root can; for any other user the file becomes theirs
	}
	if err = errors.Join(err, file.Finish()); err != nil {
		return err
	}
	now, err := f.read()
	if err != nil {
		return err
	}
	if now.there != was.there || now.Text != was.Text {
		return errMoved
	}
	return file.Replace()
}

// staleTemp is the age at which a pending text was left by a server that was killed.
const staleTemp = time.Minute

package configfile

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"planb/files"
)

// errChanged says that another program wrote the file between Plan and Write.
var errChanged = errors.New("another program has changed it since it was read; nothing was written, so run the command again")

// Write puts the new text in place and keeps the old file as backup beside it;
// backup is empty if the file is new. On an error the file is unchanged, but
// there may be a backup.
func (r *Rewrite) Write(now time.Time) (backup string, err error) {
	if err := r.put(now, &backup); err != nil {
		return backup, fmt.Errorf("%s can't be written: %w", r.Path, bare(err))
	}
	return backup, nil
}

// Overwrite is Write without a backup. It is for planb's own settings, where
// the person knows the one value they change.
func (r *Rewrite) Overwrite() error {
	if err := r.put(time.Time{}, nil); err != nil {
		return fmt.Errorf("%s can't be written: %w", r.Path, bare(err))
	}
	return nil
}

// put makes a backup if backup is not nil, and stores its path there.
func (r *Rewrite) put(now time.Time, backup *string) error {
	mode := fs.FileMode(0o600)
	if r.Exists {
		mode = r.info.Mode().Perm()
		if mode&0o200 == 0 {
			return fmt.Errorf("it is read-only (mode %04o); if another program generates it, change it there", mode)
		}
	}
	if err := r.unchanged(); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(r.target), 0o755); err != nil {
		return fmt.Errorf("its directory can't be created: %w", err)
	}
	if r.Exists && backup != nil {
		var err error
		if *backup, err = r.backUp(now, mode); err != nil {
			return fmt.Errorf("no backup can be made: %w", err)
		}
	}
	return r.write(r.target, mode, r.After, r.place)
}

// backUp copies the old text to a new file. Its name ends in a number if there
// is already a backup of that second.
func (r *Rewrite) backUp(now time.Time, mode fs.FileMode) (string, error) {
	name := r.target + ".planb-backup-" + now.Format("20060102-150405")
	path := name
	for i := 2; ; i++ {
		err := r.write(path, mode, r.Before, (*files.Pending).New)
		if !errors.Is(err, fs.ErrExist) {
			return path, err
		}
		path = fmt.Sprintf("%s-%d", name, i)
	}
}

// write writes a file in the directory of the target, with the mode and the owner
// of the file it replaces. place gives it its name.
func (r *Rewrite) write(path string, mode fs.FileMode, text []byte, place func(*files.Pending) error) (err error) {
	dir, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, dir.Close()) }()
	file, err := files.Create(dir, filepath.Base(path), mode)
	if err != nil {
		return bare(err) // with a name that no person has seen
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	_, err = file.Write(text)
	if r.Exists {
		// Set the mode again, because the umask has reduced it.
		err = errors.Join(err, file.Chmod(mode), file.KeepOwner(r.info))
	}
	if err != nil {
		return err
	}
	return place(file)
}

// place gives the new file its name, unless the old one has changed since it was read.
func (r *Rewrite) place(file *files.Pending) error {
	if err := errors.Join(file.Finish(), r.unchanged()); err != nil { // checked again, as late as possible
		return err
	}
	return r.name(file)
}

// name gives the new file its name. It does not overwrite a file that another program has
// created meanwhile.
func (r *Rewrite) name(file *files.Pending) error {
	if r.Exists {
		return file.Replace()
	}
	if err := file.New(); !errors.Is(err, fs.ErrExist) {
		return err
	}
	return errChanged
}

// unchanged checks whether the file is still as it was read.
func (r *Rewrite) unchanged() error {
	target, err := resolveLinks(r.Path)
	if err != nil {
		return err
	}
	info, text, err := readFile(target)
	if err != nil {
		return err
	}
	if target != r.target || (info != nil) != r.Exists || !bytes.Equal(text, r.Before) {
		return errChanged
	}
	return nil
}

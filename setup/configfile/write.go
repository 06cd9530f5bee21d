package configfile

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// ErrChanged says that another program wrote the file between Plan and Write.
var ErrChanged = errors.New("another program has changed it since it was read; nothing was written, so run the command again")

// Write puts the new text in place and keeps the old file as backup beside it;
// backup is empty if the file is new. On an error the file is unchanged, but
// there may be a backup.
func (r *Rewrite) Write(now time.Time) (backup string, err error) {
	if err := r.write(now, &backup); err != nil {
		return backup, fmt.Errorf("%s can't be written: %w", r.Path, bare(err))
	}
	return backup, nil
}

// Overwrite is Write without a backup. It is for planb's own settings, where
// the person knows the one value they change.
func (r *Rewrite) Overwrite() error {
	if err := r.write(time.Time{}, nil); err != nil {
		return fmt.Errorf("%s can't be written: %w", r.Path, bare(err))
	}
	return nil
}

// write makes a backup if backup is not nil, and stores its path there.
func (r *Rewrite) write(now time.Time, backup *string) error {
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
	return r.replace(mode)
}

// backUp copies the old text to a new file. Its name ends in a number if there
// is already a backup of that second.
func (r *Rewrite) backUp(now time.Time, mode fs.FileMode) (string, error) {
	name := r.target + ".planb-backup-" + now.Format("20060102-150405")
	path := name
	for i := 2; ; i++ {
		err := r.create(path, mode, r.Before)
		if !errors.Is(err, fs.ErrExist) {
			return path, err
		}
		path = fmt.Sprintf("%s-%d", name, i)
	}
}

// replace writes the new file beside the old one and renames it.
func (r *Rewrite) replace(mode fs.FileMode) error {
	temporary, err := r.createBeside(mode)
	if err != nil {
		return err
	}
	err = r.unchanged() // checked again, as late as possible
	if err == nil {
		err = r.rename(temporary)
	}
	if err != nil {
		return errors.Join(err, os.Remove(temporary))
	}
	return syncDir(filepath.Dir(r.target))
}

// createBeside writes the new file under an unused name.
func (r *Rewrite) createBeside(mode fs.FileMode) (path string, err error) {
	for i := 1; ; i++ {
		path = fmt.Sprintf("%s.planb-new-%d-%d", r.target, os.Getpid(), i)
		if err := r.create(path, mode, r.After); !errors.Is(err, fs.ErrExist) {
			return path, err
		}
	}
}

// rename gives the new file its name. If the file did not exist before and the
// file system supports links, it overwrites no file that another program has
// created meanwhile.
func (r *Rewrite) rename(temporary string) error {
	if !r.Exists {
		switch err := os.Link(temporary, r.target); {
		case err == nil:
			return os.Remove(temporary)
		case errors.Is(err, fs.ErrExist):
			return ErrChanged
		}
	}
	return os.Rename(temporary, r.target)
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
		return ErrChanged
	}
	return nil
}

// create writes a file that must not exist yet, with the owner of the file it
// replaces, and syncs it to the disk.
func (r *Rewrite) create(path string, mode fs.FileMode, text []byte) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	if r.Exists {
		// Set the mode again, because the umask has reduced it.
		err = errors.Join(err, file.Chmod(mode), keepOwner(file, r.info))
	}
	if err := errors.Join(err, file.Sync(), file.Close()); err != nil {
		return errors.Join(err, os.Remove(path))
	}
	return nil
}

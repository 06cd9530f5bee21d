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

// ErrChanged says that a file was written by somebody else between Plan and
// Write.
var ErrChanged = errors.New("another program has changed it since it was read; nothing was written, so run the command again")

// Write puts the new text in place. What was there is kept beside the file, in
// the backup it names; there is none if the file is new. An error means that
// the file is as it was; a backup may have been made.
func (r *Rewrite) Write(now time.Time) (backup string, err error) {
	if err := r.write(now, &backup); err != nil {
		return backup, fmt.Errorf("%s can't be written: %w", r.Path, bare(err))
	}
	return backup, nil
}

// Overwrite puts the new text in place like Write, and keeps no backup: for a
// file of planb's own, of which a person changes one value and knows which. An
// error means that the file is as it was.
func (r *Rewrite) Overwrite() error {
	if err := r.write(time.Time{}, nil); err != nil {
		return fmt.Errorf("%s can't be written: %w", r.Path, bare(err))
	}
	return nil
}

// write keeps a backup if it is told where to name it.
func (r *Rewrite) write(now time.Time, backup *string) error {
	mode := fs.FileMode(0o600)
	if r.Exists {
		mode = r.info.Mode().Perm()
		if mode&0o200 == 0 {
			return fmt.Errorf("it is read-only (mode %04o); perhaps another program makes it, then change it there", mode)
		}
	}
	if err := r.unchanged(); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(r.target), 0o755); err != nil {
		return fmt.Errorf("its directory can't be made: %w", err)
	}
	if r.Exists && backup != nil {
		var err error
		if *backup, err = r.backUp(now, mode); err != nil {
			return fmt.Errorf("no backup can be made: %w", err)
		}
	}
	return r.replace(mode)
}

// backUp keeps the old text under a name of its own, which has a number if
// there is a backup of that second.
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

// replace makes the new file beside the old one and has it take its name.
func (r *Rewrite) replace(mode fs.FileMode) error {
	temporary, err := r.createBeside(mode)
	if err != nil {
		return err
	}
	err = r.unchanged() // once more, as late as possible
	if err == nil {
		err = r.rename(temporary)
	}
	if err != nil {
		return errors.Join(err, os.Remove(temporary))
	}
	return syncDir(filepath.Dir(r.target))
}

// createBeside makes the new file under a name that nothing has.
func (r *Rewrite) createBeside(mode fs.FileMode) (path string, err error) {
	for i := 1; ; i++ {
		path = fmt.Sprintf("%s.planb-new-%d-%d", r.target, os.Getpid(), i)
		if err := r.create(path, mode, r.After); !errors.Is(err, fs.ErrExist) {
			return path, err
		}
	}
}

// rename gives the new file its name: never one that somebody else has made in the
// meantime, where the file is new and the file system can tell.
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

// unchanged looks whether the file is still the one that was read.
func (r *Rewrite) unchanged() error {
	target, err := behindLinks(r.Path)
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

// create makes a file that must not be there yet, with the owner of the one it
// stands for, and does not return before it is on the disk.
func (r *Rewrite) create(path string, mode fs.FileMode, text []byte) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	if r.Exists {
		// Not what the umask has left of it.
		err = errors.Join(err, file.Chmod(mode), keepOwner(file, r.info))
	}
	if err := errors.Join(err, file.Sync(), file.Close()); err != nil {
		return errors.Join(err, os.Remove(path))
	}
	return nil
}

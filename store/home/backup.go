package home

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"planb/files"
	"planb/store/bolt"
	"planb/store/kv"
)

// backupsDir is the directory beside the store for backups without a name of their
// own.
const backupsDir = "backups"

// BackupsDir is the directory of the backups without a name of their own.
func (h *Home) BackupsDir() string { return filepath.Join(h.Dir(), backupsDir) }

// Backups lists the paths of the backups in BackupsDir, the newest last.
func (h *Home) Backups() ([]string, error) { return bolt.FilesIn(h.BackupsDir(), "planb-*.db") }

// NewBackup returns a path in BackupsDir for a backup made now.
func (h *Home) NewBackup(now time.Time) string {
	return filepath.Join(h.BackupsDir(), "planb-"+now.UTC().Format(fileTime)+".db")
}

// Backup copies the store to a new file at to, while the store is in use, and checks
// the copy. It overwrites no file, and refuses a damaged store.
func (h *Home) Backup(ctx context.Context, to string) (found Checked, err error) {
	if _, err := os.Lstat(to); err == nil {
		return Checked{}, fmt.Errorf("%s is there already, and a backup overwrites no file; name another file", to)
	}
	engine, err := keeper(ctx, h.path)
	if err != nil {
		return Checked{}, err
	}
	defer func() { err = errors.Join(err, engine.Close()) }()
	if err := files.MakeDir(filepath.Dir(to), 0o700); err != nil {
		return Checked{}, fmt.Errorf("there is no directory for the backup: %w; name a file elsewhere with  planb backup FILE", err)
	}
	// The copy lies beside the backup, not beside the store: the store's disk may be
	// full or read-only, and that is when backups are needed.
	made, err := h.copyToCheck(ctx, filepath.Dir(to), h.path, func(copied string) error { return engine.Copy(ctx, copied) })
	if fault, ok := errors.AsType[*kv.Fault](err); ok && fault.Unwritable() {
		err = fmt.Errorf("%w; or name a file elsewhere with  planb backup FILE", err)
	}
	if err != nil {
		return Checked{}, err
	}
	defer func() { err = errors.Join(err, made.Close()) }()
	problems := made.problems()
	switch {
	case made.NewerFile:
		return Checked{}, fmt.Errorf("no backup was made: %s", strings.Join(problems, "; "))
	case len(problems) > 0:
		return Checked{}, fmt.Errorf("no backup was made, because %s is damaged: %s; save all that can be read with  planb doctor --repair  and then make it again", h.path, strings.Join(problems, "; "))
	}
	if err := bolt.MoveFile(made.path, to); err != nil {
		return Checked{}, err
	}
	return made.Checked, nil
}

package home

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"time"

	"planb/store/bolt"
	"planb/store/kv"
)

// Examination is what Examine found at a store's place.
type Examination struct {
	DirMode, FileMode fs.FileMode // 0 where there is none
	Exposed           bool        // others can write to the directory
	Size              int64       // bytes
	Backups           int         // without a name
	LastBackup        time.Time
	Reserve           bolt.Reserve
	Left              []bolt.Leftover // copies that killed commands left, removed now where Err is nil

	Missing   bool  // there is no store; Unfit says whether one can be made
	NoRoom    error // the disk has no room for a copy of the store
	Unfit     error // the directory takes no file, for another reason
	Unchecked error // no copy can be made anywhere, so that nothing was looked through
	Err       error // the store cannot be opened or copied
	Found     Checked
	Problems  []string // what is damaged
}

// Examine examines the store's directory and files, and checks every page and record
// of a copy. It makes the copy beside the store, which shows that the directory can be
// written; if there is no room, it makes it elsewhere.
func (h *Home) Examine(ctx context.Context) (x Examination, err error) {
	if err := h.look(&x); err != nil {
		return Examination{}, err
	}
	engine, err := keeper(ctx, h.path)
	fault, isFault := errors.AsType[*kv.Fault](err)
	switch {
	case isFault && fault.Kind == kv.FaultMissing:
		x.Missing = true
		if place, ok := errors.AsType[*kv.Fault](bolt.CheckPlace(h.Dir())); ok && place.Unwritable() {
			x.Unfit = place
		}
		return x, nil
	case isFault && fault.Unwritable():
		x.Unfit = err
		return x, nil
	case err != nil:
		x.Err = err
		return x, nil
	}
	return x, errors.Join(h.examineRecords(ctx, engine, &x), engine.Close())
}

// look notes what can be seen without opening the store.
func (h *Home) look(x *Examination) error {
	backups, err := h.Backups()
	if err != nil {
		return err
	}
	if x.Backups = len(backups); x.Backups > 0 {
		info, err := os.Stat(backups[len(backups)-1])
		if err != nil {
			return err
		}
		x.LastBackup = info.ModTime()
	}
	if info, err := os.Stat(h.Dir()); err == nil {
		x.DirMode, x.Exposed = info.Mode(), bolt.CheckExposed(h.Dir()) != nil
	}
	if info, err := os.Stat(h.path); err == nil {
		x.FileMode, x.Size = info.Mode(), info.Size()
	}
	if x.Reserve, err = bolt.ReserveAt(h.path); err != nil {
		return err
	}
	for _, dir := range []string{h.Dir(), h.BackupsDir(), os.TempDir()} {
		left, err := bolt.SweepScratch(dir)
		if err != nil {
			return err
		}
		x.Left = append(x.Left, left...)
	}
	return nil
}

func (h *Home) examineRecords(ctx context.Context, engine kv.Keeper, x *Examination) error {
	copied := func(to string) error { return engine.Copy(ctx, to) }
	found, err := h.copyToCheck(ctx, h.Dir(), h.path, copied)
	if unwritable(err) {
		if fault, ok := errors.AsType[*kv.Fault](err); ok && fault.Kind == kv.FaultFull {
			x.NoRoom = err
		} else {
			x.Unfit = err
		}
		found, err = h.copyToCheck(ctx, os.TempDir(), h.path, copied)
	}
	switch {
	case unwritable(err):
		x.Unchecked = err
		return nil
	case err != nil:
		x.Err = err
		return nil
	}
	x.Found, x.Problems = found.Checked, found.problems()
	return found.Close()
}

// unwritable reports whether an error is about the place that was to be written to,
// and not about what was to be written.
func unwritable(err error) bool {
	fault, isFault := errors.AsType[*kv.Fault](err)
	return err != nil && (!isFault || fault.Unwritable())
}

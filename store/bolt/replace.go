package bolt

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"go.etcd.io/bbolt"

	"planb/files"
)

// epoch is by how much revisions jump when another file takes the store's place. A
// process that read the old file holds revisions that the new file never gave and never
// will, so what it still wants to write conflicts.
const epoch = 1 << 32

// Replace implements kv.Keeper. The name aside must be on the same file system. If
// there is no store, or it was removed, nothing is kept. Replace holds both locks
// throughout, so nobody reads or writes in between; an engine that is open goes on
// with the new file, whatever state the old one was in.
func (e *Engine) Replace(ctx context.Context, from, aside string) error {
	if err := ensureDir(filepath.Dir(e.path), os.Geteuid()); err != nil {
		return err
	}
	r := &replacing{e: e, from: from, aside: aside}
	err := errAppeared
	for errors.Is(err, errAppeared) {
		l := &locks{paths: e.paths, write: true}
		_, err = os.Lstat(e.path)
		if l.turnOnly = errors.Is(err, fs.ErrNotExist); err != nil && !l.turnOnly {
			return fault(e.path, err, true)
		}
		err = e.locked(ctx, l, r.run)
	}
	if err != nil {
		return err
	}
	e.ring(r.told)
	return nil
}

// errAppeared says that another process made a store while this one waited for the locks.
// That store may hold something by now; it is kept like any other.
var errAppeared = errors.New("a store was made meanwhile")

// replacing is one call of Replace.
type replacing struct {
	e           *Engine
	from, aside string
	done        bool
	told        chime
}

// run replaces the locked file old; nil if there is none.
func (r *replacing) run(old *os.File) error {
	if old == nil {
		// No process makes one now: that needs the turnstile.
		if _, err := os.Lstat(r.e.path); !errors.Is(err, fs.ErrNotExist) {
			return errAppeared
		}
	}
	last := int64(0)
	if told, err := readBell(r.e.bell); err == nil {
		last = told[0].rev
	} // else the store never rang
	if old == nil {
		return r.replace(last, false)
	}
	err := r.e.session(old, false, func(s *session) error {
		// A damaged file may not tell its last revision. The jump is greater than the
		// number of quiet commits since the last ring.
		_ = s.view(func(b buckets) error {
			last = max(last, int64(b.records.Sequence()))
			return nil
		})
		// Here, because bbolt releases the lock when it closes the file.
		return r.replace(last, true)
	})
	if r.done {
		return err
	}
	return r.replace(last, true) // bbolt could not even open it
}

func (r *replacing) replace(last int64, keep bool) error {
	r.done = true
	var err error
	if r.told, err = startEpoch(r.from, last); err != nil {
		return unlessFault(r.from, err)
	}
	if keep {
		if err := os.Link(r.e.path, r.aside); err != nil {
			return unlessFault(r.aside, err)
		}
	}
	return unlessFault(r.e.path, renameOver(r.from, r.e.path))
}

// startEpoch raises the revisions of the file at path above all that were given before.
func startEpoch(path string, last int64) (chime, error) {
	db, err := bbolt.Open(path, 0o600, &bbolt.Options{FreelistType: bbolt.FreelistArrayType})
	if err != nil {
		return chime{}, err
	}
	var told chime
	err = db.Update(func(tx *bbolt.Tx) error {
		b, err := bucketsOf(path, tx)
		if err != nil {
			return err
		}
		last = max(last, int64(b.records.Sequence()))
		told = chime{rev: (last/epoch + 1) * epoch, txid: uint64(tx.ID())}
		return errors.Join(b.records.SetSequence(uint64(told.rev)), b.planb.SetSequence(uint64(told.rev)))
	})
	return told, errors.Join(err, db.Sync(), db.Close())
}

// renameOver gives the file the store's name, durably.
func renameOver(made, path string) error {
	if err := os.Rename(made, path); err != nil {
		return err
	}
	return files.SyncDir(filepath.Dir(path))
}

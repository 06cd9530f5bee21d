package bolt

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"planb/store"
)

// Present reports, without a lock, whether there is a store at the path, in a
// directory of the user's own. What lies in another user's directory is not this
// user's store.
func (e *Engine) Present() (bool, error) { return present(e.path) }

func present(path string) (bool, error) {
	_, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fault(path, err, false)
	}
	err = checkOwner(filepath.Dir(path), os.Geteuid())
	if other, ok := errors.AsType[*store.Fault](err); ok && other.Kind == store.FaultNotOwner {
		return false, nil
	}
	return err == nil, err
}

// Make makes the store if there is none. Unlike Open it takes a missing one for
// one that was removed, also where the doorbell tells of it: who committed to it
// may have rung after it was gone.
func (e *Engine) Make(ctx context.Context) error {
	if err := settleDir(filepath.Dir(e.path), os.Geteuid()); err != nil {
		return err
	}
	if _, err := os.Stat(e.path); err == nil {
		return nil
	}
	if err := os.Remove(e.bell); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fault(e.bell, err, true)
	}
	return e.make(ctx)
}

// Remove removes the store, with all it holds, if the checks hold; else it is
// ErrConflict. Operations that wait for it meanwhile find it missing. The
// turnstile stays, because who makes the next store passes it too.
func (e *Engine) Remove(ctx context.Context, checks ...store.Check) error {
	return e.locked(ctx, &locks{files: e.files, write: true}, func(f *os.File) error {
		return e.session(f, true, func(s *session) error {
			if err := s.view(func(b buckets) error { return b.check(checks) }); err != nil {
				return err
			}
			// The doorbell goes first: alone it would tell of a store that was lost.
			if err := os.Remove(e.bell); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return fault(e.bell, err, true)
			}
			if err := os.Remove(e.path); err != nil {
				return fault(e.path, err, true)
			}
			return nil
		})
	})
}

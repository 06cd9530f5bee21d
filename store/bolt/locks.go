package bolt

import (
	"errors"
	"os"
)

// locked runs do with the file open and locked, exclusively for a write, unless
// the operation was abandoned meanwhile. It closes the file.
func (e *Engine) locked(op *operation, do func(*os.File) error) error {
	turn, err := e.takeTurn(op.write)
	if err != nil {
		return err
	}
	defer turn.release()
	f, err := e.openLocked(op.write)
	if err != nil {
		return err
	}
	defer closeLocked(f)
	if !turnThroughout {
		turn.release()
	}
	if !op.stage.CompareAndSwap(waiting, begun) {
		return errAbandoned
	}
	return do(f)
}

// errAbandoned is the outcome of an operation nobody waits for.
var errAbandoned = errors.New("the operation was abandoned")

// turnstile is the lock on the turnstile's file; nil if it could not be taken.
type turnstile struct {
	f *os.File
}

// release lets the next one through; doing it again does nothing.
func (t *turnstile) release() {
	if t.f != nil {
		closeLocked(t.f)
		t.f = nil
	}
}

// takeTurn waits for the turnstile. Where its file cannot be made and locks on
// the store's file are enough, it goes on without: the turnstile is there for
// fairness, and a place that takes no new file has no crowd of writers.
func (e *Engine) takeTurn(write bool) (*turnstile, error) {
	f, err := os.OpenFile(e.turn, turnstileFlag|os.O_CREATE, 0o600)
	if err == nil {
		if err = lock(f, true); err == nil {
			noteHolder(f)
			return &turnstile{f}, nil
		}
		err = errors.Join(err, f.Close())
	}
	if !turnThroughout && fault(e.turn, err, write).Unwritable() {
		return &turnstile{}, nil
	}
	return nil, fault(e.turn, err, write)
}

// openLocked opens the store's file and waits for its lock. A file that was
// replaced while waiting is let go for the one that took its place: what is
// written to the old one would be lost.
func (e *Engine) openLocked(write bool) (*os.File, error) {
	flag := os.O_RDONLY
	if write {
		flag = os.O_RDWR
	}
	for {
		f, err := os.OpenFile(e.path, flag, 0)
		if err != nil {
			return nil, fault(e.path, err, write)
		}
		same, err := e.lockSame(f, write)
		if err != nil {
			return nil, errors.Join(fault(e.path, err, write), f.Close())
		}
		if same {
			return f, nil
		}
		closeLocked(f)
	}
}

// lockSame locks f and reports whether it is still the file at the path.
func (e *Engine) lockSame(f *os.File, write bool) (bool, error) {
	if !turnThroughout {
		if err := lock(f, write); err != nil {
			return false, err
		}
	}
	mine, err := f.Stat()
	if err != nil {
		return false, err
	}
	there, err := os.Stat(e.path)
	if err != nil {
		return false, err
	}
	return os.SameFile(mine, there), nil
}

// closeLocked unlocks before it closes: a child being started may share the
// descriptor, and with it the lock, for a moment longer. An error is not worth
// telling, because the file may be closed already and holds nothing unwritten.
func closeLocked(f *os.File) {
	_ = unlock(f)
	_ = f.Close()
}

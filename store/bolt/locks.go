package bolt

import (
	"os"
	"time"
)

// lockTimeout is how long an operation waits for other processes before it says which
// one holds the store.
const lockTimeout = 5 * time.Second

// locks are the two locks of one operation.
type locks struct {
	paths
	write    bool
	turnOnly bool // without the store's file

	turn    *os.File // open; nil before and after
	through bool     // turn is locked, or the operation goes on without it; see TakeTurn
	file    *os.File // open, and locked unless turnThroughout
}

// advance locks one file after the other and reports whether it has all locks. Unless
// it may wait, it stops at a lock that another operation holds, and a later call goes
// on from there.
func (l *locks) advance(wait bool) (bool, error) {
	if !l.through {
		if had, err := l.lockTurn(wait); !had || err != nil {
			return false, err
		}
		l.through = true
	}
	if l.turnOnly {
		return true, nil
	}
	had, err := l.lockFile(wait)
	if had && !l.write {
		l.letNext()
	}
	return had, err
}

// letNext lets the next operation through the turnstile before this one ends. Readers
// do so at once, to read side by side. A writer does so when it is about to write: the
// next operation then has time to wake up, and the writer before this one, which is
// awake, comes behind the operations that waited longer.
func (l *locks) letNext() {
	if !turnThroughout {
		l.releaseTurn()
	}
}

// lockTurn locks the turnstile. If the file cannot be made and a lock on the store's
// file is enough, the operation goes on without: the turnstile is for fairness, and
// where no new file can be made there is no crowd of writers.
func (l *locks) lockTurn(wait bool) (bool, error) {
	path := l.paths.turn
	if l.turn == nil {
		f, err := openFile(path, turnstileFlag|os.O_CREATE)
		if err != nil {
			f := fault(path, err, l.write)
			if turnThroughout || !f.Unwritable() {
				return false, f
			}
			return true, nil
		}
		l.turn = f
	}
	had, err := lock(l.turn, true, wait)
	if err != nil {
		return false, fault(path, err, l.write)
	}
	if had {
		noteHolder(l.turn)
	}
	return had, nil
}

// lockFile opens and locks the store's file. If another file took its place meanwhile,
// it locks that one: what is written to the old file would be lost.
func (l *locks) lockFile(wait bool) (bool, error) {
	flag := os.O_RDONLY
	if l.write {
		flag = os.O_RDWR
	}
	for {
		f, err := openFile(l.path, flag)
		if err != nil {
			return false, fault(l.path, err, l.write)
		}
		had := true
		if !turnThroughout {
			had, err = lock(f, l.write, wait)
		}
		same := false
		if had && err == nil {
			same, err = l.isCurrent(f)
		}
		switch {
		case err != nil:
			closeLocked(f)
			return false, fault(l.path, err, l.write)
		case same:
			l.file = f
			return true, nil
		}
		closeLocked(f)
		if !had {
			return false, nil
		}
	}
}

// isCurrent reports whether f is the file at the path.
func (l *locks) isCurrent(f *os.File) (bool, error) {
	mine, err := f.Stat()
	if err != nil {
		return false, err
	}
	there, err := os.Stat(l.path)
	if err != nil {
		return false, err
	}
	return os.SameFile(mine, there), nil
}

// release releases the locks that are held.
func (l *locks) release() {
	if l.file != nil {
		closeLocked(l.file)
		l.file = nil
	}
	l.releaseTurn()
}

func (l *locks) releaseTurn() {
	if l.turn != nil {
		closeLocked(l.turn)
		l.turn = nil
	}
}

// closeLocked unlocks the file before it closes it: a child that is just being started
// may share the descriptor, and with it the lock, for a moment longer. Errors are
// dropped, because bbolt may have closed the file already, and its content is written.
func closeLocked(f *os.File) {
	_ = unlock(f)
	_ = f.Close()
}

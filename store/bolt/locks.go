package bolt

import (
	"os"
)

// locks are the two locks of one operation.
type locks struct {
	paths
	write    bool
	turnOnly bool // the store's file is not wanted

	turn    *os.File // open; nil before and after
	through bool     // turn is locked, or cannot be made and is gone without
	file    *os.File // open and, where bbolt bears it, locked
}

// advance takes the locks one after the other and reports whether it has them
// all. Unless it may wait, it stops at one that somebody else holds, and a later
// call goes on from there.
func (l *locks) advance(wait bool) (bool, error) {
	if !l.through {
		if had, err := l.takeTurn(wait); !had || err != nil {
			return false, err
		}
		l.through = true
	}
	if l.turnOnly {
		return true, nil
	}
	had, err := l.takeFile(wait)
	if had && !l.write {
		l.letNext()
	}
	return had, err
}

// letNext lets the next operation through the turnstile, where it may go before
// this one ends. Readers do it at once, to read side by side. A writer does it
// when it is about to write: the next one has time enough to wake up meanwhile,
// and the writer before this one, who is awake, time to get behind those who
// waited longer.
func (l *locks) letNext() {
	if !turnThroughout {
		l.releaseTurn()
	}
}

// takeTurn takes the turnstile. Where its file cannot be made and locks on the
// store's file are enough, it goes on without: the turnstile is there for
// fairness, and a place that takes no new file has no crowd of writers.
func (l *locks) takeTurn(wait bool) (bool, error) {
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

// takeFile opens the store's file and takes its lock. A file that was replaced
// meanwhile is let go for the one that took its place: what is written to the
// old one would be lost.
func (l *locks) takeFile(wait bool) (bool, error) {
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

// release lets go what is held.
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

// closeLocked unlocks before it closes: a child being started may share the
// descriptor, and with it the lock, for a moment longer. An error is not worth
// telling, because bbolt may have closed the file already, and what it holds is
// written.
func closeLocked(f *os.File) {
	_ = unlock(f)
	_ = f.Close()
}

package planfile

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
)

// locks let one call at a time work on the plan files of a directory: in this
// process, and among all that share the data directory. The files that are locked
// are in the data directory, where only the person can lock them. A lock on
// the plans directory could be held by anyone who may read it.
type locks struct {
	dir string // of the files; empty: only this process counts
	own func(dir string) error
	log *slog.Logger

	mu   sync.Mutex
	held map[string]chan struct{} // closed when the lock ends, by the directory's identity
}

// locksIn returns the directory of the locks' files in a data directory.
func locksIn(dataDir string) string {
	if dataDir == "" {
		return ""
	}
	return filepath.Join(dataDir, "locks")
}

// lock waits for the lock of the directory. If the data directory takes no files, or its
// file system has no locks, the lock keeps out only other calls of this process. Two
// processes that write one plan at the same moment then both keep their texts as versions,
// and each may report the other's as written outside planb.
func (l *locks) lock(ctx context.Context, path, id string) (unlock func(), err error) {
	if err := l.enter(ctx, id); err != nil {
		return nil, err
	}
	for {
		file, err := l.open(id)
		if err != nil {
			l.log.Debug("other processes are not kept out of a plans directory", "path", path, "error", err)
			return func() { l.leave(id) }, nil
		}
		if err := lockFile(ctx, file, path); err != nil {
			file.Close()
			l.leave(id)
			return nil, err
		}
		if atItsPath(file) {
			return func() {
				file.Close() // which unlocks it
				l.leave(id)
			}, nil
		}
		file.Close() // a sweep removed it before it was locked
	}
}

// open opens the file of a lock. When it makes one, it first removes old ones.
func (l *locks) open(id string) (*os.File, error) {
	if l.dir == "" {
		return nil, os.ErrNotExist
	}
	if err := l.own(l.dir); err != nil {
		return nil, err
	}
	path := filepath.Join(l.dir, id)
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if !errors.Is(err, fs.ErrNotExist) {
		return file, err
	}
	if err := sweepOld(l.dir, removeUnlocked); err != nil {
		l.log.Debug("old locks of plans directories could not be removed", "error", err)
	}
	return os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
}

// removeUnlocked removes the file of a lock that no planb holds. A planb that waits
// for the lock finds the file gone from its path, and opens a new one.
func removeUnlocked(path string) error {
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer file.Close()
	if locked, err := tryLock(file); err != nil || !locked || !atItsPath(file) {
		return err
	}
	return os.Remove(path)
}

// atItsPath reports whether the open file is still the one at its path.
func atItsPath(file *os.File) bool {
	opened, err := file.Stat()
	if err != nil {
		return false
	}
	named, err := os.Lstat(file.Name())
	return err == nil && os.SameFile(opened, named)
}

// enter waits until no other call of this process has the lock.
func (l *locks) enter(ctx context.Context, id string) error {
	for {
		l.mu.Lock()
		ended, taken := l.held[id]
		if !taken {
			if l.held == nil {
				l.held = map[string]chan struct{}{}
			}
			l.held[id] = make(chan struct{})
		}
		l.mu.Unlock()
		if !taken {
			return nil
		}
		select {
		case <-ended:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (l *locks) leave(id string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	close(l.held[id])
	delete(l.held, id)
}

// Package logfile is the log of planb's servers: a bounded file that several
// processes append to. It knows nothing of what is logged. Begin to read at New.
package logfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync"

	"planb/store/bolt"
	"planb/store/kv"
)

// maxLogBytes bounds the log. A log of that size is renamed to planb.log.1,
// which replaces the one before.
const maxLogBytes = 1 << 20

// New logs to stderr and to planb.log in dir. If the file can't be
// written, planb works on without it and says so once on stderr.
func New(stderr io.Writer, dir string) (*slog.Logger, func() error) {
	file, err := openLog(dir, maxLogBytes)
	if err != nil {
		logger := slog.New(slog.NewTextHandler(stderr, nil))
		logger.Warn("no log file is written", "reason", err)
		return logger, func() error { return nil }
	}
	return slog.New(slog.NewTextHandler(io.MultiWriter(stderr, file), nil)), file.Close
}

// logFile is a log that several processes append to. Before each line it checks
// whether the file is full, or whether another process has begun a new one.
type logFile struct {
	path string
	most int64

	mu   sync.Mutex
	file *os.File
}

func openLog(dir string, most int64) (*logFile, error) {
	var fault *kv.Fault
	// If sudo made the directory, its owner could no longer use it.
	if err := bolt.OwnDir(dir); errors.As(err, &fault) {
		return nil, fmt.Errorf("%s %s", fault.Path, fault.What)
	} else if err != nil {
		return nil, err
	}
	l := &logFile{path: filepath.Join(dir, "planb.log"), most: most}
	return l, l.open()
}

// open opens the file at the log's path. If that fails, l.file stays as it was,
// so that a later line can try again.
func (l *logFile) open() error {
	file, err := os.OpenFile(l.path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	l.file = file
	return nil
}

// Write appends one line.
func (l *logFile) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.makeRoom(int64(len(line))); err != nil {
		return 0, err
	}
	return l.file.Write(line)
}

// makeRoom makes sure that the open file is the one at the log's path and has
// room for size more bytes.
func (l *logFile) makeRoom(size int64) error {
	named, own, err := l.look()
	if err != nil || own && (named.Size() == 0 || named.Size()+size <= l.most) {
		return err
	}
	if own {
		if err := l.setAside(); err != nil {
			return err
		}
	}
	before := l.file
	if err := l.open(); err != nil {
		return err
	}
	return before.Close()
}

// look returns the file at the log's path, and whether it is the one that is
// open.
func (l *logFile) look() (named fs.FileInfo, own bool, err error) {
	opened, err := l.file.Stat()
	if err != nil {
		return nil, false, err
	}
	named, err = os.Stat(l.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	return named, err == nil && os.SameFile(named, opened), err
}

// setAside renames the full log, unless another process did so first. Windows
// cannot rename a file that others have open; there the log is emptied.
func (l *logFile) setAside() error {
	unlock, err := lockLog(l.file)
	if err != nil {
		return err
	}
	defer unlock()
	if _, own, err := l.look(); err != nil || !own {
		return err
	}
	if os.Rename(l.path, l.path+".1") != nil {
		return l.file.Truncate(0)
	}
	return nil
}

// Close closes the log.
func (l *logFile) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.file.Close()
}

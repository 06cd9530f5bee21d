package main

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"

	"planb/store"
	"planb/store/bolt"
)

// maxLogBytes bounds the log: at that size the file becomes planb.log.1, in
// place of the one before.
const maxLogBytes = 1 << 20

// newLogger logs to stderr and to planb.log in dir. A log file that can't be
// written is no reason not to work: that is said once, on stderr.
func newLogger(stderr io.Writer, dir string) (*slog.Logger, func() error) {
	file, err := openLog(dir)
	if err != nil {
		logger := slog.New(slog.NewTextHandler(stderr, nil))
		logger.Warn("no log file is written", "reason", err)
		return logger, func() error { return nil }
	}
	return slog.New(slog.NewTextHandler(io.MultiWriter(stderr, file), nil)), file.Close
}

func openLog(dir string) (*os.File, error) {
	var fault *store.Fault
	// What sudo makes here, the directory's owner could no longer use.
	if err := bolt.OwnDir(dir); errors.As(err, &fault) {
		return nil, fmt.Errorf("%s %s", fault.Path, fault.What)
	} else if err != nil {
		return nil, err
	}
	path := filepath.Join(dir, "planb.log")
	if info, err := os.Stat(path); err == nil && info.Size() >= maxLogBytes {
		if err := os.Rename(path, path+".1"); err != nil {
			return nil, err
		}
	}
	return os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
}

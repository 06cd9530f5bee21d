package configfile

import (
	"errors"
	"path/filepath"
	"time"
)

// How long Alone waits for the lock, and how often it tries.
const (
	aloneTimeout = 5 * time.Second
	alonePause   = 5 * time.Millisecond
)

// maxTries limits how often Alone begins anew because a program that ignores
// the lock wrote the file after it was read.
const maxTries = 20

// Alone calls change, which plans and writes the file at path, while no other
// process does so through Alone. If change returns errChanged, Alone calls it
// again. The lock is on the file's directory and leaves nothing behind. If it
// can't be had within 5 seconds, change runs without it; Write still notices
// what others have written.
func Alone(path string, change func() error) error {
	for try := 1; ; try++ {
		if err := locked(path, change); !errors.Is(err, errChanged) || try == maxTries {
			return err
		}
	}
}

func locked(path string, change func() error) error {
	if target, err := resolveLinks(path); err == nil { // otherwise change reports the error
		defer lockDirectory(filepath.Dir(target), time.Now().Add(aloneTimeout))()
	}
	return change()
}

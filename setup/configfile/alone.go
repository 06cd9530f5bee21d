package configfile

import (
	"errors"
	"path/filepath"
	"time"
)

// How long Alone waits for others, and how often it looks.
const (
	alonePatience = 5 * time.Second
	alonePause    = 5 * time.Millisecond
)

// mostTries bounds how often Alone begins anew because somebody else, who knows of
// no lock, wrote the file between its being read and written.
const mostTries = 20

// Alone calls change, which plans and writes the file at path, while no other
// process does so through Alone, and again if it returns ErrChanged. The lock is one
// on the file's directory: nothing is left behind. Where it can't be had within 5
// seconds, or not at all, change is called without: Write still finds out what
// others have written.
func Alone(path string, change func() error) error {
	for try := 1; ; try++ {
		if err := locked(path, change); !errors.Is(err, ErrChanged) || try == mostTries {
			return err
		}
	}
}

func locked(path string, change func() error) error {
	if target, err := behindLinks(path); err == nil { // else change says what is wrong
		defer lockDirectory(filepath.Dir(target), time.Now().Add(alonePatience))()
	}
	return change()
}

package bolt

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
)

const (
	// chimes is how many commits the doorbell tells of. Each has its place in the
	// file by its revision, so that those who ring at once do not need a lock.
	chimes = 8
	// chimeBytes is the room for one. Most commits need half of it; of one that
	// needs more the keys are not told.
	chimeBytes = 1024
)

// ring tells watchers of a commit. The commit is done, so failing to ring is no
// failure of it: the watchers' second look finds it.
func (e *Engine) ring(told chime) {
	e.hub.committed([]chime{told})
	if err := writeBell(e.bell, told); err != nil {
		e.notice(fmt.Errorf("the doorbell of %s did not ring, others see the change up to %v later: %w", e.path, e.look, err))
	}
}

// writeBell tells of a commit, with one write: one event for those who watch.
func writeBell(path string, told chime) error {
	f, err := openFile(path, os.O_WRONLY|os.O_CREATE)
	if err != nil {
		return err
	}
	_, err = f.WriteAt(formatChime(told), told.rev%chimes*chimeBytes)
	return errors.Join(err, f.Close())
}

// readBell reads the commits that rang last, the newest first. It is an error if
// there is none.
func readBell(path string) ([]chime, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text := make([]byte, chimes*chimeBytes)
	n, err := f.ReadAt(text, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	var told []chime
	err = io.ErrUnexpectedEOF
	for part := range slices.Chunk(text[:n], chimeBytes) {
		var c chime
		if c, err = parseChime(string(part)); err == nil {
			told = append(told, c)
		}
	}
	if len(told) == 0 {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	slices.SortFunc(told, func(a, b chime) int { return cmp.Compare(b.rev, a.rev) })
	return told, nil
}

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
	// chimes is how many commits the doorbell tells of. The revision of a commit says
	// where it stands in the file, so writers that ring at once need no lock.
	chimes = 8
	// chimeBytes is the room for one commit. Most need half of it. If a commit needs more,
	// the doorbell does not tell its keys.
	chimeBytes = 1024
)

// ring tells watchers of a commit. The commit is done, so it does not fail if the
// doorbell does not ring: the watchers' second look finds it.
func (e *Engine) ring(told chime) {
	e.hub.committed([]chime{told})
	if err := writeBell(e.bell, told); err != nil {
		e.notice(fmt.Errorf("the doorbell of %s did not ring, others see the change up to %v later: %w", e.path, e.look, err))
	}
}

// writeBell tells of a commit with one write, so that watchers get one event.
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

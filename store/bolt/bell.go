package bolt

import (
	"errors"
	"fmt"
	"os"
)

// chime is what the doorbell tells of a commit.
type chime struct {
	rev  int64
	txid uint64
}

// chimeFormat has a fixed width, so that one write replaces all of what is
// there: one event for those who watch.
const chimeFormat = "%019d %020d\n"

// ring tells watchers of a commit. The commit is done, so failing to ring is no
// failure of it: the watchers' second look finds it.
func (e *Engine) ring(told chime) {
	e.hub.committed(told)
	if err := writeBell(e.bell, told); err != nil {
		e.notice(fmt.Errorf("the doorbell of %s did not ring, others see the change up to %v later: %w", e.path, e.look, err))
	}
}

func writeBell(path string, told chime) error {
	f, err := openFile(path, os.O_WRONLY|os.O_CREATE)
	if err != nil {
		return err
	}
	_, err = f.WriteAt(fmt.Appendf(nil, chimeFormat, told.rev, told.txid), 0)
	return errors.Join(err, f.Close())
}

// readBell reads the last commit that rang.
func readBell(path string) (chime, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return chime{}, err
	}
	var told chime
	if _, err := fmt.Sscanf(string(b), chimeFormat, &told.rev, &told.txid); err != nil {
		return chime{}, fmt.Errorf("%s: %w", path, err)
	}
	return told, nil
}

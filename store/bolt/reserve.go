package bolt

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"syscall"

	"planb/store/kv"
)

// ReserveBytes is the room that planb keeps for a full disk.
const ReserveBytes = 8 << 20

// ReserveState is what the reserve file of a store says.
type ReserveState uint8

// The states of a reserve.
const (
	ReserveNone    ReserveState = iota // there is no file: it was never made, or was removed
	ReserveWhole                       // all of its room is kept
	ReserveGivenUp                     // the disk was full, and the room went to what a person gave
)

// Reserve tells of the room that planb keeps for a full disk.
type Reserve struct {
	State ReserveState
	Bytes int64 // of room in a whole one
	Needs int64 // of room on the disk before it is made
}

// ReserveAt looks at planb's reserve beside the store at path.
func ReserveAt(path string) (Reserve, error) {
	r := reserve{path: pathsAt(path).reserve, bytes: ReserveBytes}
	state, err := r.state()
	return Reserve{State: state, Bytes: r.bytes, Needs: r.leastRoom()}, err
}

// reserve is a file that only occupies room on the store's disk. When the disk is full,
// it is cut to no bytes, so that what people are answering can still be written. An
// empty file means that the reserve was given up. Until it is whole again, a batch that
// can wait is refused: else an agent would fill the room that a person needs. The
// caller holds the store's lock for writing during every change.
type reserve struct {
	path  string
	bytes int64 // zero: this engine keeps no reserve and uses none
}

// leastRoom is the room that a disk must have before a reserve is made on it. As much
// again stays free beside it, so that the reserve is not made and given up in turn.
func (r reserve) leastRoom() int64 { return 2 * r.bytes }

func (r reserve) state() (ReserveState, error) {
	info, err := os.Stat(r.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return ReserveNone, nil
	case err != nil:
		return ReserveNone, fault(r.path, err, false)
	case info.Size() == r.bytes:
		return ReserveWhole, nil
	}
	return ReserveGivenUp, nil // also if the process that made it was killed half way
}

// keep makes the reserve whole before a batch that can wait. If the reserve was given up
// and cannot be made again, keep refuses the batch. A disk that never had the room for
// a reserve is used without one.
func (r reserve) keep(path string) error {
	if r.bytes == 0 {
		return nil
	}
	was, err := r.state()
	if was == ReserveWhole || err != nil {
		return err
	}
	free, err := room(filepath.Dir(r.path))
	if err == nil && free < r.leastRoom() {
		err = syscall.ENOSPC
	}
	if err == nil {
		err = r.make(was)
	}
	if err == nil || was == ReserveNone {
		return nil
	}
	return &kv.Fault{
		Kind: kv.FaultFull,
		Path: path,
		What: "cannot be written, because its disk is full and the last room on it is kept for what people are answering",
		Do:   fmt.Sprintf("free some space, until there are %d MB, or set PLANB_DATA_DIR to a directory on another disk", r.leastRoom()>>20),
		Err:  err,
	}
}

// make occupies the room. If it cannot occupy all of it, it leaves things as they were.
func (r reserve) make(was ReserveState) error {
	f, err := openFile(r.path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC)
	if err != nil {
		return err
	}
	err = errors.Join(occupy(f, r.bytes), f.Close())
	if err == nil {
		return nil
	}
	if was == ReserveNone {
		return errors.Join(err, os.Remove(r.path))
	}
	return errors.Join(err, os.Truncate(r.path, 0))
}

// fillUp occupies bytes of the disk by writing them. They are random, because a file
// system that compresses would give zeros no room.
func fillUp(f *os.File, bytes int64) error {
	_, err := io.CopyN(f, rand.NewChaCha8([32]byte{}), bytes)
	return err
}

// giveUp frees the reserve's room if a commit failed for want of room, and reports
// whether it did.
func (r reserve) giveUp(failed error) bool {
	if r.bytes == 0 || !isFull(failed) || errors.Is(failed, syscall.EFBIG) || errors.Is(failed, kv.ErrUnclear) {
		return false
	}
	f, err := openFile(r.path, os.O_WRONLY)
	if err != nil {
		return false
	}
	info, err := f.Stat()
	gave := err == nil && info.Size() > 0 && f.Truncate(0) == nil
	if gave {
		_ = f.Sync() // only then do some file systems free the room
	}
	_ = f.Close() // nothing was written
	return gave
}

package bolt

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"planb/store/kv"
)

// Scratch is a directory for a copy of a store, which its maker looks through and then
// moves or removes. The maker holds a lock in it, which ends with the process. So a
// later maker knows what a killed one left, however new that is.
type Scratch struct {
	Dir  string
	lock *os.File
}

const (
	scratchPattern = "planb-check-*"
	scratchLock    = "lock"
	// bareScratch is the age from which a directory without a held lock counts as
	// left behind; the maker of a newer one may be about to lock it.
	bareScratch = time.Hour
)

// NewScratch makes a Scratch below dir for a file of that many bytes. It first removes
// what dead makers left there. If there is not enough room, it begins nothing, and the
// error is a *kv.Fault that says how much there is. Some network mounts have no locks:
// then the Scratch is in the temporary directory.
func NewScratch(dir string, bytes int64) (*Scratch, error) {
	return newScratch(dir, bytes, lock)
}

// errNoLock says that a file cannot be locked where it is.
var errNoLock = errors.New("no file can be locked there")

// locker is lock, or fails for a test.
type locker func(f *os.File, exclusive, wait bool) (bool, error)

func newScratch(dir string, bytes int64, lock locker) (*Scratch, error) {
	s, err := scratchIn(dir, bytes, lock)
	if !errors.Is(err, errNoLock) {
		return s, err
	}
	s, other := scratchIn(os.TempDir(), bytes, lock)
	if other != nil {
		return nil, errors.Join(err, other)
	}
	return s, nil
}

func scratchIn(dir string, bytes int64, lock locker) (*Scratch, error) {
	if _, err := SweepScratch(dir); err != nil {
		return nil, err
	}
	if err := checkRoom(dir, bytes); err != nil {
		return nil, err
	}
	own, err := os.MkdirTemp(dir, scratchPattern)
	if err != nil {
		return nil, fault(dir, err, true)
	}
	s := &Scratch{Dir: own}
	if err := s.hold(lock); err != nil {
		return nil, errors.Join(fault(own, err, true), os.RemoveAll(own))
	}
	return s, nil
}

// hold locks the scratch, then writes into the lock's file: an empty one tells a
// sweep that the maker does not hold the lock yet.
func (s *Scratch) hold(lock locker) error {
	f, err := openFile(filepath.Join(s.Dir, scratchLock), os.O_RDWR|os.O_CREATE)
	if err != nil {
		return err
	}
	if _, err := lock(f, true, true); err != nil { // a sweep holds it for a moment at most
		_ = f.Close() // it holds nothing
		return fmt.Errorf("%w: %w", errNoLock, err)
	}
	if _, err := f.WriteString("held"); err != nil {
		closeLocked(f)
		return err
	}
	s.lock = f
	return nil
}

// Close removes the directory with all that is in it.
func (s *Scratch) Close() error {
	closeLocked(s.lock)
	return os.RemoveAll(s.Dir)
}

// Leftover is what a maker of a Scratch left when it was killed.
type Leftover struct {
	Path  string
	Bytes int64
	Err   error // why it could not be removed; nil if it was
}

// SweepScratch removes what dead makers left below dir, and tells of it.
func SweepScratch(dir string) ([]Leftover, error) {
	names, err := FilesIn(dir, scratchPattern)
	if err != nil {
		return nil, fault(dir, err, false)
	}
	var left []Leftover
	for _, name := range names {
		if dead(name) {
			size := bytesIn(name)
			left = append(left, Leftover{name, size, os.RemoveAll(name)})
		}
	}
	return left, nil
}

// dead reports whether a scratch directory is this user's and its maker has ended. The
// temporary directory holds other users' files as well.
func dead(dir string) bool {
	info, err := os.Lstat(dir)
	if err != nil || !info.IsDir() || checkOwner(dir, os.Geteuid()) != nil {
		return false
	}
	f, err := openFile(filepath.Join(dir, scratchLock), os.O_RDWR)
	old := time.Since(info.ModTime()) > bareScratch
	if errors.Is(err, fs.ErrNotExist) {
		return old
	}
	if err != nil {
		return false
	}
	defer closeLocked(f)
	if had, err := lock(f, true, false); !had || err != nil {
		return false
	}
	locked, err := f.Stat()
	return err == nil && (locked.Size() > 0 || old)
}

func bytesIn(dir string) (size int64) {
	_ = filepath.WalkDir(dir, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil {
			return nil // what cannot be read is not counted
		}
		if info, err := entry.Info(); err == nil && info.Mode().IsRegular() {
			size += info.Size()
		}
		return nil
	})
	return size
}

// checkRoom refuses to begin a file for which there is no room in dir. If the system
// does not tell how much there is, writing the file may fail instead.
func checkRoom(dir string, bytes int64) error {
	free, err := room(dir)
	if err != nil || free >= bytes {
		return nil
	}
	return &kv.Fault{
		Kind: kv.FaultFull,
		Path: dir,
		What: fmt.Sprintf("has room for %.1f MB, and a copy of the store takes %.1f MB", float64(free)/(1<<20), float64(bytes)/(1<<20)),
		Do:   "free some space",
	}
}

// FilesIn lists the files in dir whose names fit the pattern, in their order. Unlike
// filepath.Glob it reads no pattern into the path of dir itself.
func FilesIn(dir, pattern string) ([]string, error) {
	names, err := fs.Glob(os.DirFS(dir), pattern)
	for i, name := range names {
		names[i] = filepath.Join(dir, name)
	}
	return names, err
}

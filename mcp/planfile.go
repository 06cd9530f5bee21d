package mcp

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"planb/plans"
)

// defaultPlansDir is where plan files are, in the project, if nothing else is
// said.
const defaultPlansDir = "docs/planb/plans"

// planDir is the directory of plan files, opened: whatever is done in it stays in
// it, wherever links lead. It is locked for as long as it is open.
type planDir struct {
	path string // as agents and people are told it
	real string // the same without links: what the store knows its files by
	root *os.Root
	lock *os.File
}

// plansPath is the directory of plan files. Chosen says that a person named it,
// and may have put it where they like; else it must not leave the project.
func (s *Server) plansPath(project string) (dir string, chosen bool) {
	switch {
	case s.plansDir == "":
		return filepath.Join(project, filepath.FromSlash(defaultPlansDir)), false
	case filepath.IsAbs(s.plansDir):
		return filepath.Clean(s.plansDir), true
	}
	return filepath.Join(project, s.plansDir), true
}

// openPlans opens the directory of the project's plan files, and creates it if it
// is to be created. The error is fs.ErrNotExist if it is not there. It is to be
// closed.
func (s *Server) openPlans(ctx context.Context, project string, create bool) (*planDir, error) {
	path, chosen := s.plansPath(project)
	return s.enterPlans(ctx, path, func() (*os.Root, error) {
		if chosen {
			return openChosen(path, create)
		}
		return openInProject(project, create)
	})
}

// openPlansAt opens the directory of a plan file that was opened before, by its
// path; it may be that of another project.
func (s *Server) openPlansAt(ctx context.Context, path string) (*planDir, error) {
	within := filepath.FromSlash(defaultPlansDir)
	project, inProject := strings.CutSuffix(path, string(filepath.Separator)+within)
	return s.enterPlans(ctx, path, func() (*os.Root, error) {
		if inProject && s.plansDir == "" {
			return openInProject(project, false)
		}
		return openChosen(path, false)
	})
}

// enterPlans opens a directory of plan files, for one call at a time.
func (s *Server) enterPlans(ctx context.Context, path string, open func() (*os.Root, error)) (*planDir, error) {
	if !filepath.IsAbs(path) {
		return nil, fmt.Errorf("the plans directory %q is not an absolute path; start planb mcp with --plans-dir", path)
	}
	select {
	case s.planGate <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	dir := &planDir{path: path}
	var err error
	if dir.root, err = open(); err == nil {
		err = dir.enter(ctx)
	}
	if err != nil {
		dir.close(s)
		return nil, err
	}
	return dir, nil
}

func openChosen(path string, create bool) (*os.Root, error) {
	if create {
		if err := os.MkdirAll(path, 0o755); err != nil {
			return nil, err
		}
	}
	return os.OpenRoot(path)
}

func openInProject(project string, create bool) (*os.Root, error) {
	within, err := os.OpenRoot(project)
	if err != nil {
		return nil, err
	}
	defer within.Close()
	if create {
		if err := within.MkdirAll(filepath.FromSlash(defaultPlansDir), 0o755); err != nil {
			return nil, err
		}
	}
	return within.OpenRoot(filepath.FromSlash(defaultPlansDir))
}

// enter finds out the directory's own name and locks it.
func (d *planDir) enter(ctx context.Context) (err error) {
	if d.real, err = filepath.EvalSymlinks(d.path); err != nil {
		return err
	}
	if d.lock, err = d.root.Open("."); err != nil {
		return err
	}
	return lockPlans(ctx, d.lock)
}

// close ends the lock, too.
func (d *planDir) close(s *Server) {
	if d.lock != nil {
		d.lock.Close() // nothing was written to it
	}
	if d.root != nil {
		d.root.Close()
	}
	<-s.planGate
}

// names are the names of the plans in the directory. One that cannot be listed
// tells of none: the names are for who looks for another.
func (d *planDir) names() (names []string) {
	listed, err := fs.ReadDir(d.root.FS(), ".")
	if err != nil {
		return nil
	}
	for _, entry := range listed {
		stem, isPlan := strings.CutSuffix(entry.Name(), plans.Name("").File())
		name, err := plans.ParseName(stem)
		if isPlan && err == nil && name.File() == entry.Name() && entry.Type().IsRegular() {
			names = append(names, string(name))
		}
	}
	return names
}

// planFile is the file of one plan.
type planFile struct {
	dir  *planDir
	name plans.Name
}

func (f planFile) path() string { return filepath.Join(f.dir.path, f.name.File()) }

// key is the one path that the store knows the file by.
func (f planFile) key() string { return filepath.Join(f.dir.real, f.name.File()) }

// heldPlan is what a plan file holds.
type heldPlan struct {
	there bool
	text  string
	mode  fs.FileMode
}

// read returns what the file holds, which may be nothing. What can be no plan's
// text is an error; a blank one is none.
func (f planFile) read() (heldPlan, error) {
	info, err := f.dir.root.Lstat(f.name.File())
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return heldPlan{}, nil
	case err != nil:
		return heldPlan{}, f.unreadable(err)
	case !info.Mode().IsRegular():
		return heldPlan{}, refuse("Plan path is no file of its own: %s is %s", f.path(), kindOfFile(info.Mode()))
	}
	file, err := f.dir.root.Open(f.name.File())
	if err != nil {
		return heldPlan{}, f.unreadable(err)
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, plans.MaxPlanBytes+1))
	if err != nil {
		return heldPlan{}, f.unreadable(err)
	}
	if len(data) > plans.MaxPlanBytes {
		return heldPlan{}, refuse("Plan file is too large: %s has %d bytes; at most %d are taken", f.path(), max(info.Size(), int64(len(data))), plans.MaxPlanBytes)
	}
	if at := notUTF8(string(data)); at >= 0 {
		return heldPlan{}, refuse("Plan file is not UTF-8: %s; its byte %d is 0x%02x", f.path(), at+1, data[at])
	}
	return heldPlan{true, string(data), info.Mode().Perm()}, nil
}

// unreadable names the file in an error that names only what is in its directory.
func (f planFile) unreadable(err error) error {
	if at, is := errors.AsType[*fs.PathError](err); is {
		err = at.Err
	}
	return refuse("Plan file cannot be read: %s: %s", f.path(), oneLine(err.Error()))
}

// writable refuses a file that its owner protects: a new one in its place would not
// ask.
func (f planFile) writable(held heldPlan) error {
	if held.there && held.mode&0o200 == 0 {
		return refuse("Plan file is read-only: %s; tell your user, who may have made it so", f.path())
	}
	return nil
}

// notUTF8 is the place of the first byte that is part of no character; -1 if
// there is none.
func notUTF8(text string) int {
	for i, r := range text {
		if r == utf8.RuneError {
			if _, size := utf8.DecodeRuneInString(text[i:]); size == 1 {
				return i
			}
		}
	}
	return -1
}

func kindOfFile(mode fs.FileMode) string {
	switch {
	case mode&fs.ModeSymlink != 0:
		return "a link"
	case mode.IsDir():
		return "a directory"
	}
	return "no regular file"
}

// errPlanMoved says that somebody else wrote the file meanwhile.
var errPlanMoved = errors.New("the file was changed meanwhile")

// write puts the text into the file in one step, so that neither a reader nor a
// power failure ever sees a part of it. What the file holds must still be as it
// was read; else it is errPlanMoved.
func (f planFile) write(text string, was heldPlan) (err error) {
	mode := fs.FileMode(0o644) // of the project, for whoever works on it
	if was.there {
		mode = was.mode
	}
	f.sweep()
	temp := f.tempPrefix() + randomHex() + tempSuffix
	if err := f.prepare(temp, text, mode, was.there); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, f.dir.root.Remove(temp))
		}
	}()
	now, err := f.read()
	if err != nil {
		return err
	}
	if now.there != was.there || now.text != was.text {
		return errPlanMoved
	}
	if err := f.dir.root.Rename(temp, f.name.File()); err != nil {
		return err
	}
	// The text is on the disk; where a file system cannot sync a directory, the
	// new name follows when it likes.
	_ = f.dir.lock.Sync()
	return nil
}

const (
	tempSuffix = ".tmp"
	// staleTemp is the age at which a new text that was never put in its place was
	// left by a server that was killed.
	staleTemp = time.Minute
)

func (f planFile) tempPrefix() string { return "." + f.name.File() + "." }

// sweep removes what servers left that were killed while they wrote this plan.
func (f planFile) sweep() {
	entries, err := fs.ReadDir(f.dir.root.FS(), ".")
	if err != nil {
		return // the write will say it
	}
	for _, entry := range entries {
		if name := entry.Name(); strings.HasPrefix(name, f.tempPrefix()) && strings.HasSuffix(name, tempSuffix) {
			if info, err := entry.Info(); err == nil && time.Since(info.ModTime()) > staleTemp {
				_ = f.dir.root.Remove(name) // else the next one tries
			}
		}
	}
}

// prepare writes the text to a new file, all the way to the disk, or leaves none.
func (f planFile) prepare(temp, text string, mode fs.FileMode, keep bool) error {
	file, err := f.dir.root.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	_, err = file.WriteString(text)
	if keep && err == nil {
		err = file.Chmod(mode)
	}
	if err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err != nil {
		return errors.Join(err, f.dir.root.Remove(temp))
	}
	return nil
}

func randomHex() string {
	var b [6]byte
	rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

package archive

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
)

// Fate is what became of a file or a session's directory that was to be
// written.
type Fate string

// The fates. Refused means that the path holds other content and the Place does
// not replace.
const (
	Written  Fate = "written"
	Same     Fate = "same"
	Replaced Fate = "replaced"
	Refused  Fate = "refused"
)

// Place is a directory that exports go to. A file appears there whole or not at
// all, even if the program is killed: it is written under another name and then
// renamed. Only the owner can read the directories and files.
type Place struct {
	root    *os.Root
	replace bool
}

// NewPlace creates the directory if it is missing. With replace, the Place
// replaces files whose content differs.
func NewPlace(dir string, replace bool) (*Place, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("there is no directory to export to: %w", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("there is no directory to export to: %w", err)
	}
	return &Place{root, replace}, nil
}

// Close closes the directory.
func (p *Place) Close() error { return p.root.Close() }

// Write writes one file. It leaves a file with the same content as it is.
func (p *Place) Write(name string, write func(io.Writer) error) (fate Fate, err error) {
	part := partOf(name)
	f, err := p.root.OpenFile(part, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return "", err
	}
	defer func() {
		if gone := p.root.Remove(part); gone != nil && !errors.Is(gone, fs.ErrNotExist) {
			err = errors.Join(err, gone)
		}
	}()
	out := bufio.NewWriter(f)
	err = write(out)
	if err == nil {
		err = out.Flush()
	}
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return "", err
	}
	return p.publish(part, name)
}

// partOf returns the name that a file has while it is written.
func partOf(name string) string {
	return path.Join(path.Dir(name), "."+path.Base(name)+".part-"+rand.Text()[:8])
}

// publish gives the finished file its name.
func (p *Place) publish(part, name string) (Fate, error) {
	err := p.root.Link(part, name) // unlike Rename, Link fails if the name exists
	if err == nil {
		return Written, nil
	}
	there, missing := p.root.Lstat(name)
	if errors.Is(missing, fs.ErrNotExist) { // a file system without hard links
		return Written, p.root.Rename(part, name)
	}
	if missing != nil {
		return "", missing
	}
	if there.Mode().IsRegular() {
		same, err := p.sameFiles(part, name)
		if err != nil {
			return "", err
		}
		if same {
			return Same, nil
		}
	}
	if !p.replace || there.IsDir() {
		return Refused, nil
	}
	return Replaced, p.root.Rename(part, name)
}

func (p *Place) sameFiles(one, other string) (same bool, err error) {
	var readers [2]*bufio.Reader
	for i, name := range []string{one, other} {
		f, err := p.root.Open(name)
		if err != nil {
			return false, err
		}
		defer func() { err = errors.Join(err, f.Close()) }()
		readers[i] = bufio.NewReader(f)
	}
	var parts [2][4096]byte
	for {
		n, errOne := io.ReadFull(readers[0], parts[0][:])
		m, errOther := io.ReadFull(readers[1], parts[1][:])
		if !bytes.Equal(parts[0][:n], parts[1][:m]) {
			return false, nil
		}
		for _, err := range []error{errOne, errOther} {
			if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
				return false, err
			}
		}
		if errOne != nil || errOther != nil {
			return true, nil
		}
	}
}

// WriteSession writes the files of a session to sessions/<id>. If that
// directory exists and one of the files is missing or differs there, it writes
// all of them, or nothing if the Place does not replace. Other files in the
// directory stay. name is the directory's path in the place.
func (p *Place) WriteSession(id string, files []File) (name string, fate Fate, err error) {
	name = path.Join(sessionsDir, id)
	if err := p.root.MkdirAll(sessionsDir, 0o700); err != nil {
		return name, "", err
	}
	if _, err := p.root.Lstat(name); errors.Is(err, fs.ErrNotExist) {
		fate, err = p.newSession(name, files)
		return name, fate, err
	}
	fate = Same
	for _, f := range files {
		data, err := p.root.ReadFile(path.Join(name, f.Path))
		if errors.Is(err, fs.ErrNotExist) && p.replace {
			fate = Replaced
			continue
		}
		if err != nil || !bytes.Equal(data, f.Data) {
			if !p.replace {
				return name, Refused, nil
			}
			fate = Replaced
		}
	}
	if fate == Same {
		return name, Same, nil
	}
	for _, dir := range []string{asksDir, plansDir} {
		if err := p.root.MkdirAll(path.Join(name, dir), 0o700); err != nil {
			return name, "", err
		}
	}
	for _, f := range files {
		if one, err := p.Write(path.Join(name, f.Path), writing(f.Data)); err != nil || one == Refused {
			return name, one, err
		}
	}
	return name, fate, nil
}

func writing(data []byte) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	}
}

// newSession writes the whole directory under another name first.
func (p *Place) newSession(name string, files []File) (fate Fate, err error) {
	part := partOf(name)
	for _, dir := range []string{part, path.Join(part, asksDir), path.Join(part, plansDir)} {
		if err := p.root.Mkdir(dir, 0o700); err != nil {
			return "", err
		}
	}
	defer func() {
		if err != nil || fate != Written {
			err = errors.Join(err, p.root.RemoveAll(part))
		}
	}()
	for _, f := range files {
		if err := p.root.WriteFile(path.Join(part, f.Path), f.Data, 0o600); err != nil {
			return "", err
		}
	}
	if err := p.root.Rename(part, name); err != nil {
		return "", err
	}
	return Written, nil
}

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

	"planb/files"
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

func (p *Place) Close() error { return p.root.Close() }

// Write writes one file. It leaves a file with the same content as it is.
func (p *Place) Write(name string, write func(io.Writer) error) (fate Fate, err error) {
	file, err := files.Create(p.root, name, 0o600)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	out := bufio.NewWriter(file)
	if err := errors.Join(write(out), out.Flush()); err != nil {
		return "", err
	}
	return p.publish(file, name)
}

// publish gives the finished file its name.
func (p *Place) publish(file *files.Pending, name string) (Fate, error) {
	err := file.New()
	if !errors.Is(err, fs.ErrExist) {
		return Written, err
	}
	there, err := p.root.Lstat(name)
	if err != nil {
		return "", err
	}
	if there.Mode().IsRegular() {
		same, err := file.Same()
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
	return Replaced, file.Replace()
}

// WriteSession writes the files of a session to sessions/<id>. If that
// directory exists and one of the files is missing or differs there, it writes
// all of them, or nothing if the Place does not replace. Other files in the
// directory stay. name is the directory's path in the place.
func (p *Place) WriteSession(id string, list []File) (name string, fate Fate, err error) {
	name = path.Join(sessionsDir, id)
	if err := p.root.MkdirAll(sessionsDir, 0o700); err != nil {
		return name, "", err
	}
	if _, err := p.root.Lstat(name); errors.Is(err, fs.ErrNotExist) {
		fate, err = p.newSession(name, list)
		return name, fate, err
	}
	fate = Same
	for _, f := range list {
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
	for _, f := range list {
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
func (p *Place) newSession(name string, list []File) (fate Fate, err error) {
	part := path.Join(path.Dir(name), "."+path.Base(name)+".part-"+rand.Text()[:8])
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
	for _, f := range list {
		if err := p.root.WriteFile(path.Join(part, f.Path), f.Data, 0o600); err != nil {
			return "", err
		}
	}
	if err := p.root.Rename(part, name); err != nil {
		return "", err
	}
	return Written, nil
}

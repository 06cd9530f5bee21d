package configfile

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/aymanbagabas/go-udiff"

	"planb/files"
)

// maxBytes bounds what is read; the largest known configuration, with a history
// in it, has some megabytes.
const maxBytes = 64 << 20

// Rewrite is a file as it is and as it shall be.
type Rewrite struct {
	Path          string // as it was named
	Exists        bool
	Before, After []byte

	target string      // the file itself, behind links
	info   fs.FileInfo // of the target; nil if it does not exist
}

// Plan reads the file at path, an empty one if there is none, and has its text
// changed. It writes nothing. An error of change is returned as it is.
func Plan(path string, change func(text []byte) ([]byte, error)) (*Rewrite, error) {
	r := &Rewrite{Path: path}
	if err := r.read(); err != nil {
		return nil, fmt.Errorf("%s can't be read: %w", path, bare(err))
	}
	after, err := change(bytes.Clone(r.Before))
	if err != nil {
		return nil, err
	}
	r.After = after
	return r, nil
}

// Changed reports whether there is anything to write.
func (r *Rewrite) Changed() bool { return !bytes.Equal(r.Before, r.After) }

// Diff shows the change as a unified diff; it is empty if nothing changes. The
// text in it is the file's, whatever that holds.
func (r *Rewrite) Diff() string {
	from := r.Path
	if !r.Exists {
		from = os.DevNull
	}
	return udiff.Unified(from, r.Path, string(r.Before), string(r.After))
}

func (r *Rewrite) read() error {
	target, err := behindLinks(r.Path)
	if err != nil {
		return err
	}
	r.target = target
	r.info, r.Before, err = readFile(target)
	r.Exists = r.info != nil
	return err
}

// behindLinks follows links to the file they lead to, which may not exist yet;
// one that leads nowhere is not followed.
func behindLinks(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	target, err := filepath.EvalSymlinks(path)
	if err == nil {
		return target, nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	if to, err := os.Readlink(path); err == nil {
		return "", fmt.Errorf("it is a link to %s, which isn't there", to)
	}
	return path, nil
}

// readFile returns nil for a file that is not there.
func readFile(path string) (fs.FileInfo, []byte, error) {
	text, info, err := files.Read(path, maxBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	return info, text, err
}

// bare takes the file's name away, which the error's reader has seen already.
func bare(err error) error {
	if pathError, ok := err.(*fs.PathError); ok {
		return pathError.Err
	}
	return err
}

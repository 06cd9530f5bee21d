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

// maxBytes bounds what is read. The largest known configuration, with a history
// in it, has some megabytes.
const maxBytes = 64 << 20

// Rewrite is a file's old and new text.
type Rewrite struct {
	Path          string // as the caller named it
	Exists        bool
	Before, After []byte

	target string      // the file that links lead to
	info   fs.FileInfo // of the target; nil if it does not exist
}

// Plan reads the file at path, or takes an empty text if it does not exist, and
// calls change for the new text. It writes nothing. It returns an error of
// change unchanged.
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

// Diff returns the change as a unified diff, empty if nothing changes. It is
// not cleaned: it holds the file's text as it is.
func (r *Rewrite) Diff() string {
	from := r.Path
	if !r.Exists {
		from = os.DevNull
	}
	return udiff.Unified(from, r.Path, string(r.Before), string(r.After))
}

func (r *Rewrite) read() error {
	target, err := resolveLinks(r.Path)
	if err != nil {
		return err
	}
	r.target = target
	r.info, r.Before, err = readFile(target)
	r.Exists = r.info != nil
	return err
}

// resolveLinks follows links to the file, which need not exist. A link that
// leads nowhere is an error.
func resolveLinks(path string) (string, error) {
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
		return "", fmt.Errorf("it is a link to %s, which does not exist", to)
	}
	return path, nil
}

// readFile returns nil for a file that does not exist.
func readFile(path string) (fs.FileInfo, []byte, error) {
	text, info, err := files.Read(path, maxBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	return info, text, err
}

// bare removes the file's name, which the caller prints or hides.
func bare(err error) error {
	if pathError, ok := err.(*fs.PathError); ok {
		return pathError.Err
	}
	return err
}

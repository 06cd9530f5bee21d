package frame

import (
	"errors"
	"io"
	"io/fs"
	"os"
)

// ReadFile reads a file; the name - is stdin.
func (p Program) ReadFile(name string) ([]byte, error) {
	if name == "-" {
		return io.ReadAll(p.Stdin)
	}
	text, err := os.ReadFile(name)
	return text, FileFault(name, err)
}

// FileFault words for its reader why a file can't be read; nil for nil.
func FileFault(path string, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fileFault{"there is no file " + path, err}
	case errors.Is(err, fs.ErrPermission):
		return fileFault{"you may not read the file " + path, err}
	}
	return err
}

// fileFault is a system's error in plain words.
type fileFault struct {
	words string
	cause error
}

func (f fileFault) Error() string { return f.words }
func (f fileFault) Unwrap() error { return f.cause }

package external

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"planb/files"
	"planb/store"
)

// SaveAnswers writes the parts of wording.Unsent to a new file that only its owner can
// read, and returns its path. The file lies in the home directory, which unlike the
// working directory is no project that others read; where that takes no file either,
// because it is on the same disk, in the directory for temporary files.
func SaveAnswers(askID string, parts []string) (path string, err error) {
	name := "planb-answers-" + store.ShortID(askID)
	text := strings.Join(parts, "\n") + "\n"
	home, err := os.UserHomeDir()
	if err == nil {
		path, err = writeNew(home, name, text)
	}
	if err == nil {
		return path, nil
	}
	path, second := writeNew(os.TempDir(), name, text)
	if second != nil {
		return "", fmt.Errorf("%w; %w", err, second)
	}
	return path, nil
}

// writeNew writes a file with that name into the directory. A number behind the name
// keeps it from replacing another file.
func writeNew(dir, name, text string) (path string, err error) {
	for n := 1; ; n++ {
		path = filepath.Join(dir, name+".txt")
		if n > 1 {
			path = filepath.Join(dir, fmt.Sprintf("%s-%d.txt", name, n))
		}
		err := files.WriteNew(path, []byte(text))
		switch {
		case err == nil:
			return path, nil
		case !errors.Is(err, fs.ErrExist):
			return "", err
		}
	}
}

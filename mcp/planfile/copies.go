package planfile

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"planb/files"
	"planb/plans"
	"planb/questions/safe"
)

// Copies are plans as files, for people and their tools. planb never reads them
// back: the text that counts is in the store.
type Copies struct{ Dir string }

// Path returns the path of a version's copy.
func (c Copies) Path(session string, number int) string {
	return filepath.Join(c.Dir, "plans", session, fmt.Sprintf("v%d.md", number))
}

// Write writes the plan's text to plans/<session>/v<number>.md. It leaves an existing
// file as it is, because a person may have edited it; differs says whether its text
// is another one. It replaces an empty file, which a power failure may have left. It
// returns the path with an error, too.
func (c Copies) Write(session string, number int, text string) (path string, differs bool, err error) {
	path = c.Path(session, number)
	if !filepath.IsAbs(path) {
		return path, false, fmt.Errorf("the data directory %q is not an absolute path", c.Dir)
	}
	there, err := os.ReadFile(path)
	switch {
	case err == nil && len(there) > 0:
		return path, string(there) != text, nil
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return path, false, err
	}
	return path, false, writeWhole(path, text)
}

// writeWhole writes the file, for its owner only, and its directory if there is none.
func writeWhole(path, text string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return files.Replace(path, []byte(text))
}

// WriteAnswer writes a part of an answer to answers/<session>/<about>/<file>.
func (c Copies) WriteAnswer(session, about, file, text string) (path string, err error) {
	path = filepath.Join(c.Dir, "answers", session, about, file)
	if !filepath.IsAbs(path) {
		return "", fmt.Errorf("the data directory %q is not an absolute path", c.Dir)
	}
	if there, err := os.ReadFile(path); err == nil && string(there) == text {
		return path, nil
	}
	return path, writeWhole(path, text)
}

// keptFor is how long the files of long prompts and of locks are kept.
const keptFor = 24 * time.Hour

// WritePrompt writes a prompt to prompts/<digest>.md, and removes old prompts.
func (c Copies) WritePrompt(text string, log *slog.Logger) (path string, err error) {
	dir := filepath.Join(c.Dir, "prompts")
	if !filepath.IsAbs(dir) {
		return "", fmt.Errorf("the data directory %q is not an absolute path", c.Dir)
	}
	path = filepath.Join(dir, fmt.Sprintf("%.16s.md", plans.Digest(safe.New(text))))
	if err := writeWhole(path, text); err != nil {
		return "", err
	}
	if err := sweepOld(dir, os.Remove); err != nil {
		log.Warn("old prompt files could not be removed", "error", err)
	}
	return path, nil
}

// sweepOld removes the files that are older than keptFor.
func sweepOld(dir string, remove func(path string) error) error {
	entries, err := os.ReadDir(dir)
	for _, entry := range entries {
		info, fault := entry.Info()
		if fault == nil && time.Since(info.ModTime()) > keptFor {
			fault = remove(filepath.Join(dir, entry.Name()))
		}
		if fault != nil && !errors.Is(fault, fs.ErrNotExist) {
			err = errors.Join(err, fault)
		}
	}
	return err
}

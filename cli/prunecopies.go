package cli

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"planb/store"
)

// planCopies are the readable copies of plans below a directory.
type planCopies struct {
	dir    string
	stayed []string // paths of files that were left
}

// Of returns how many files the directory of a session's plans has, and its
// path.
func (c *planCopies) Of(session string) (n int, dir string, err error) {
	dir = filepath.Join(c.dir, session)
	files, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, dir, nil
	}
	if err != nil {
		return 0, dir, fmt.Errorf("the readable copies of its plans can't be looked at: %w", err)
	}
	return len(files), dir, nil
}

// Remove removes the copies of a session that the person deletes in the browser
// of past sessions.
func (c *planCopies) Remove(gone store.Gone) error { return c.remove(gone) }

// remove deletes the copies of a pruned session's plans, and their directory if
// nothing else is in it. A copy that the person edited stays.
func (c *planCopies) remove(gone store.Gone) error {
	// Only planb writes the copies of long answers, so they all go.
	if err := os.RemoveAll(filepath.Join(filepath.Dir(c.dir), "answers", gone.Session)); err != nil {
		return fmt.Errorf("the copies of a pruned session's answers can't be removed, so the next planb prune tries again: %w", err)
	}
	dir := filepath.Join(c.dir, gone.Session)
	info, err := os.Lstat(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil && !info.IsDir() {
		c.stayed = append(c.stayed, dir)
		return nil
	}
	var files []fs.DirEntry
	if err == nil {
		files, err = os.ReadDir(dir)
	}
	left := 0
	for _, file := range files {
		path := filepath.Join(dir, file.Name())
		ours, fault := isCopy(path, file, gone.Plans)
		if fault == nil && ours {
			fault = os.Remove(path)
		}
		if err = errors.Join(err, fault); fault == nil && !ours {
			left++
			c.stayed = append(c.stayed, path)
		}
	}
	if err == nil && left == 0 {
		err = os.Remove(dir)
	}
	if err != nil {
		return fmt.Errorf("the copies of a pruned session's plans can't be removed, so the next planb prune tries again: %w", err)
	}
	return nil
}

// isCopy reports whether save_plan wrote the file: it has the version's exact
// text, or what a power failure leaves of that.
func isCopy(path string, file fs.DirEntry, plans map[int]string) (bool, error) {
	name := file.Name()
	if !file.Type().IsRegular() {
		return false, nil
	}
	if strings.HasPrefix(name, ".v") && strings.HasSuffix(name, ".tmp") {
		return true, nil
	}
	digits, isMarkdown := strings.CutSuffix(strings.TrimPrefix(name, "v"), ".md")
	number, err := strconv.Atoi(digits)
	if err != nil || !isMarkdown || name != fmt.Sprintf("v%d.md", number) {
		return false, nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return false, err
	}
	sum := sha256.Sum256(text)
	return len(text) == 0 || hex.EncodeToString(sum[:]) == plans[number], nil
}

package external

import (
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"planb/questions/safe"
	"planb/store"
)

// A program that is killed while the person's editor has a text can't take over what that
// saves. So the file's name says which ask it is for and what it held at first. If the
// editor wrote to it, the person who opens that ask next reads of the file.

// Write puts a text into a file that nobody else can read.
func Write(ask, text string) (path string, err error) {
	file, err := os.CreateTemp("", editorPrefix(ask)+textSum(text)+"-*.md") // mode 0600
	if err != nil {
		return "", err
	}
	_, err = file.WriteString(text)
	if err = errors.Join(err, file.Close()); err != nil {
		return "", errors.Join(err, os.Remove(file.Name()))
	}
	return file.Name(), nil
}

// editorPrefix is what the names of an ask's files begin with. They are short, since
// a person has to type them.
func editorPrefix(ask string) string { return "planb-" + store.ShortID(ask) + "-" }

// textSum tells texts apart; it protects nothing.
func textSum(text string) string {
	sum := fnv.New32a()
	sum.Write([]byte(text))
	return fmt.Sprintf("%08x", sum.Sum32())
}

// LeftBehind finds the texts that the person wrote for an ask in their editor and that
// planb never took over. It skips files that it cannot read.
func LeftBehind(ask string) (paths []string) {
	if ask == "" {
		return nil
	}
	entries, err := os.ReadDir(os.TempDir())
	if err != nil {
		return nil
	}
	for _, entry := range entries {
		rest, ours := strings.CutPrefix(entry.Name(), editorPrefix(ask))
		sum, _, whole := strings.Cut(rest, "-")
		if !ours || !whole || !privateFile(entry) {
			continue
		}
		path := filepath.Join(os.TempDir(), entry.Name())
		if text, err := readBack(path); err == nil && textSum(text) != sum {
			paths = append(paths, path)
		}
	}
	return paths
}

// privateFile reports whether a file is closed to everybody but its owner; one
// that can be read all the same is the person's own, not laid there by another.
func privateFile(entry fs.DirEntry) bool {
	info, err := entry.Info()
	return err == nil && info.Mode().IsRegular() && (runtime.GOOS == "windows" || info.Mode().Perm()&0o077 == 0)
}

// Parting keeps a text that planb did not take over in a file, and says to the person who
// leaves where that is. About names what the text is of, and is cleaned already.
func Parting(id, about, text string) []string {
	begin := "What you wrote for " + about + " was not taken over"
	path, err := Write(id, text)
	if err != nil {
		return []string{begin + ", and cannot be kept in a file (" + safe.New(err.Error()).Line() + "):", safe.New(text).Block()}
	}
	return []string{begin + ". It is kept in", safe.New(path).Line()}
}

// LeftWords say what was found, and where.
func LeftWords(paths []string) []string {
	if len(paths) == 0 {
		return nil
	}
	words := []string{"What you wrote there was never taken over, because planb ended before your editor did. It is kept in"}
	for _, path := range paths {
		words = append(words, safe.New(path).Line())
	}
	return append(words, "planb tells you this until you remove the file.")
}

// Remove removes files that LeftBehind found. It is no error if a file is gone already.
func Remove(paths []string) (err error) {
	for _, path := range paths {
		if failed := os.Remove(path); !errors.Is(failed, fs.ErrNotExist) {
			err = errors.Join(err, failed)
		}
	}
	return err
}

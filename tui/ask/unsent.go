package ask

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"planb/files"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
)

// What the store does not take stays with the person: it is tried again as long as
// they are there, and they can carry it along by hand.

// RetryPause is the pause before the store is tried again with what it did not take.
const RetryPause = time.Second

// Unsent is what a person has to carry along by hand: the answers as one JSON object
// and, behind it, the notes and the message there are.
func Unsent(spec questions.Spec, entry questions.Entry) []string {
	reply := entry.Reply(spec)
	parts := []string{string(spec.AnswersJSON(reply))}
	add := func(what string, text safe.Text) {
		if !text.Blank() {
			parts = append(parts, what+": "+text.Raw())
		}
	}
	for _, q := range spec.Questions {
		add("note on "+q.ID, reply.Notes[q.ID])
	}
	add("note on the whole form", reply.Note)
	add("message", entry.Message)
	return parts
}

// SaveToFile writes the parts of an ask's Unsent to a new file that only its owner can
// read, and returns its path. The file lies in the home directory, which unlike the
// working directory is no project that others read; where that takes no file either,
// because it is on the same disk, in the directory for temporary files.
func SaveToFile(askID string, parts []string) (path string, err error) {
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

// writeNew writes a file of that name into the directory. A number behind the name
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

package tui

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"syscall"
	"time"

	"planb/store"
	"planb/tui/wording"
)

// editorVisit is one run of the person's editor on a file.
type editorVisit struct {
	environ []string // the editor's
	path    string
	written string // what the file held when it began
	began   time.Time
}

// soonBack is how soon an editor ends that cannot have been written in: one that left
// the file to a window of its own and did not wait for that.
const soonBack = time.Second

// errHasty says that an editor ended that soon, with nothing changed.
var errHasty = errors.New("it came back at once without a change; if it opens a window, it wants a flag that waits, as in code --wait")

// keptError says that nothing could be taken over, and where what was written is.
type keptError struct {
	path string
	err  error
}

func (e *keptError) Error() string { return e.err.Error() + "; what you wrote is in " + e.path }
func (e *keptError) Unwrap() error { return e.err }

// left reads what an editor that ended left in its file, and removes that. If the
// editor failed after something was written, or wrote too much, the file stays.
func (v editorVisit) left(ended error) (text string, err error) {
	text, err = readBack(v.path)
	long := new(longError)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", errors.Join(ended, errors.New("the editor took its file away"))
	case errors.As(err, &long):
		return "", &keptError{v.path, errors.Join(ended, err)}
	case ended == nil && err == nil && text == v.written && time.Since(v.began) < soonBack:
		return "", errors.Join(errHasty, os.Remove(v.path))
	case ended == nil && err == nil:
		return text, os.Remove(v.path)
	}
	ended = v.failure(ended)
	if err == nil && text != v.written {
		return "", &keptError{v.path, ended}
	}
	return "", errors.Join(ended, err, os.Remove(v.path))
}

// failure words how the editor's process ended.
func (v editorVisit) failure(ended error) error {
	const notFound = 127 // as shells say it
	exit := new(exec.ExitError)
	switch {
	case !errors.As(ended, &exit):
		return ended
	case exit.ExitCode() == notFound:
		return fmt.Errorf("%s was not found; set $VISUAL or $EDITOR to an editor that is there", editorCommand(v.environ))
	}
	return fmt.Errorf("the editor ended with %w", ended)
}

// longError says that a file holds more than can be kept.
type longError struct{ bytes int64 }

func (e *longError) Error() string {
	return fmt.Sprintf("the file has %s; at most %s can be taken over", wording.Bytes(int(e.bytes)), wording.Bytes(store.MaxTextBytes))
}

// readBack reads a file that was another program's for a while: only a plain file
// is read, since all else may never end, and no more of it than the store takes of
// any text.
func readBack(path string) (text string, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() { // opening a device may have effects
		return "", noPlainFile(info.Mode())
	}
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	if info, err = file.Stat(); err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() {
		return "", noPlainFile(info.Mode())
	}
	data, err := io.ReadAll(io.LimitReader(file, store.MaxTextBytes+1))
	if err == nil && len(data) > store.MaxTextBytes {
		return "", &longError{max(info.Size(), int64(len(data)))}
	}
	return string(data), err
}

func noPlainFile(mode fs.FileMode) error {
	kind := "something that is no file"
	switch {
	case mode.IsDir():
		kind = "a directory"
	case mode&fs.ModeNamedPipe != 0:
		kind = "a pipe"
	case mode&fs.ModeDevice != 0:
		kind = "a device"
	case mode&fs.ModeSocket != 0:
		kind = "a socket"
	}
	return fmt.Errorf("the editor left %s in its file's place", kind)
}

package external

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

// Visit is one run of the person's editor on a file.
type Visit struct {
	Environ []string // the editor's
	Path    string
	Written string // what the file held when it began
	Began   time.Time
}

// soonBack is the time within which nobody can have written anything. An editor that
// ends sooner has opened the file in another window and did not wait for it.
const soonBack = time.Second

// ErrHasty says that an editor ended within soonBack and changed nothing.
var ErrHasty = errors.New("it came back at once without a change; if it opens a window, it needs a flag that makes it wait, as in code --wait")

// KeptError says that the person's text could not be taken over, and names the file
// that still has it.
type KeptError struct {
	Path string
	Err  error
}

// Error gives the reason and the file.
func (e *KeptError) Error() string { return e.Err.Error() + "; what you wrote is in " + e.Path }

// Unwrap returns the reason.
func (e *KeptError) Unwrap() error { return e.Err }

// Left reads the file of an editor that has ended, and removes the file. If the editor
// failed after something was written, or wrote too much, the file stays.
func (v Visit) Left(ended error) (text string, err error) {
	text, err = readBack(v.Path)
	long := new(longError)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", errors.Join(ended, errors.New("the editor took its file away"))
	case errors.As(err, &long):
		return "", &KeptError{v.Path, errors.Join(ended, err)}
	case ended == nil && err == nil && text == v.Written && time.Since(v.Began) < soonBack:
		return "", errors.Join(ErrHasty, os.Remove(v.Path))
	case ended == nil && err == nil:
		return text, os.Remove(v.Path)
	}
	ended = v.failure(ended)
	if err == nil && text != v.Written {
		return "", &KeptError{v.Path, ended}
	}
	return "", errors.Join(ended, err, os.Remove(v.Path))
}

// failure words how the editor's process ended.
func (v Visit) failure(ended error) error {
	const notFound = 127 // as shells say it
	exit := new(exec.ExitError)
	switch {
	case !errors.As(ended, &exit):
		return ended
	case exit.ExitCode() == notFound:
		return fmt.Errorf("%s was not found; set $VISUAL or $EDITOR to an editor that is there", Editor(v.Environ))
	}
	return fmt.Errorf("the editor ended with %w", ended)
}

// longError says that a file holds more than can be kept.
type longError struct{ bytes int64 }

func (e *longError) Error() string {
	return fmt.Sprintf("the file has %s; at most %s can be taken over", wording.Bytes(e.bytes), wording.Bytes(store.MaxTextBytes))
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

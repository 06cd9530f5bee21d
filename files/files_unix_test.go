//go:build unix

package files_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"planb/files"
)

func TestOnlyRegularFilesAreOpened(t *testing.T) {
	dir := t.TempDir()
	put := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	file, fifo, link := put("file", "text"), filepath.Join(dir, "fifo"), filepath.Join(dir, "link")
	outside := filepath.Join(t.TempDir(), "secret")
	if err := errors.Join(syscall.Mkfifo(fifo, 0o600), os.Symlink("file", link),
		os.WriteFile(outside, []byte("secret"), 0o600), os.Symlink(outside, filepath.Join(dir, "out"))); err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	for name, kind := range map[string]string{"fifo": "a device, a pipe or a socket", ".": "a directory"} {
		_, _, err := files.Open(filepath.Join(dir, name))
		_, _, errIn := files.OpenIn(root, name)
		for _, err := range []error{err, errIn} {
			if wrong, ok := errors.AsType[*files.KindError](err); !ok || wrong.Kind() != kind {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	for _, name := range []string{"file", "link"} {
		opened, info, err := files.OpenIn(root, name)
		if err != nil || info.Size() != 4 {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if text, err := files.All(opened, info, 4); string(text) != "text" || err != nil {
			t.Errorf("%s: %q, %v", name, text, err)
		}
		opened.Close()
	}
	if text, _, err := files.Read(file, 4); string(text) != "text" || err != nil {
		t.Errorf("%q, %v", text, err)
	}
	if _, _, err := files.Read(file, 3); !errors.As(err, new(*files.SizeError)) {
		t.Errorf("a file that is too large: %v", err)
	}
	if _, _, err := files.Read(filepath.Join(dir, "none"), 3); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	if _, _, err := files.OpenIn(root, "out"); err == nil {
		t.Error("a link leads out of the root")
	}
}

// A FIFO in the place of a directory blocks nobody, and is no directory, whether a link leads to
// it or not.
func TestOnlyDirectoriesAreOpenedAsOnes(t *testing.T) {
	dir := t.TempDir()
	if err := errors.Join(os.Mkdir(filepath.Join(dir, "sub"), 0o700), os.WriteFile(filepath.Join(dir, "file"), nil, 0o600),
		syscall.Mkfifo(filepath.Join(dir, "fifo"), 0o600), os.Symlink("fifo", filepath.Join(dir, "link")),
		os.Symlink("sub", filepath.Join(dir, "way")), os.Symlink(t.TempDir(), filepath.Join(dir, "out"))); err != nil {
		t.Fatal(err)
	}
	root, err := files.OpenDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	for name, want := range map[string]error{
		"sub": nil, "way": nil, ".": nil, "file": syscall.ENOTDIR, "fifo": syscall.ENOTDIR, "link": syscall.ENOTDIR, "none": fs.ErrNotExist,
	} {
		opened, err := files.OpenDir(filepath.Join(dir, name))
		within, errIn := files.OpenDirIn(root, name)
		for _, err := range []error{err, errIn} {
			if !errors.Is(err, want) {
				t.Errorf("%s: %v", name, err)
			}
		}
		for _, opened := range []*os.Root{opened, within} {
			if opened != nil {
				opened.Close()
			}
		}
	}
	if _, err := files.OpenDirIn(root, "out"); err == nil {
		t.Error("a link leads out of the root")
	}
}

// A file that becomes a FIFO between the check and the opening blocks no reader.
func TestAnExchangedFileHoldsNobodyUp(t *testing.T) {
	dir := t.TempDir()
	path, fifo := filepath.Join(dir, "file"), filepath.Join(dir, "fifo")
	stop, stopped := make(chan struct{}), make(chan error)
	go func() {
		for {
			select {
			case <-stop:
				stopped <- nil
				return
			default:
			}
			if err := errors.Join(os.WriteFile(dir+"/next", nil, 0o600), os.Rename(dir+"/next", path), syscall.Mkfifo(fifo, 0o600), os.Rename(fifo, path)); err != nil {
				stopped <- err
				return
			}
		}
	}()
	var kinds, opened int
	for kinds < 200 || opened < 200 {
		file, _, err := files.Open(path)
		switch {
		case err == nil:
			opened++
			file.Close()
		case errors.As(err, new(*files.KindError)):
			kinds++
		case !errors.Is(err, fs.ErrNotExist):
			t.Fatal(err)
		}
	}
	close(stop)
	if err := <-stopped; err != nil {
		t.Fatal(err)
	}
}

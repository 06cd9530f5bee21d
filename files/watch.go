package files

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/fsnotify/fsnotify"
)

// Watch returns a channel that gets a value whenever the file may have been made, written,
// replaced or removed, until ctx ends. A value may stand for many changes or for none, so
// the reader must read the file again. The file and the directories that it is in need not
// exist. If the file is a link, the file that it leads to counts as well.
func Watch(ctx context.Context, path string) (<-chan struct{}, error) {
	watcher, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, err
	}
	w := &watch{path: path, watcher: watcher, dirs: map[string]bool{}, changed: make(chan struct{}, 1)}
	if err := w.attach(); err != nil {
		return nil, errors.Join(err, watcher.Close())
	}
	go w.run(ctx)
	return w.changed, nil
}

// watch watches the file's directory, or the nearest one above it that exists; and so for the
// file that a link leads to.
type watch struct {
	path    string
	watcher *fsnotify.Watcher
	dirs    map[string]bool // that are watched
	changed chan struct{}
}

// attach watches the directories that are the nearest ones now. It looks again afterwards: a
// nearer one may have been made before the watch began.
func (w *watch) attach() error {
	for {
		nearest := map[string]bool{}
		for _, file := range w.files() {
			nearest[existing(filepath.Dir(file))] = true
		}
		if maps.Equal(nearest, w.dirs) {
			return nil
		}
		for dir := range w.dirs {
			if !nearest[dir] {
				_ = w.watcher.Remove(dir) // it may be gone
				delete(w.dirs, dir)
			}
		}
		for dir := range nearest {
			if err := w.watcher.Add(dir); err == nil {
				w.dirs[dir] = true
			} else if !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
	}
}

// files are the file and, if that is a link, the file that it leads to.
func (w *watch) files() []string {
	if _, err := os.Readlink(w.path); err == nil {
		if target, err := filepath.EvalSymlinks(w.path); err == nil {
			return []string{w.path, target}
		}
	}
	return []string{w.path}
}

// existing is the directory, or the nearest one above it that exists.
func existing(dir string) string {
	for dir != filepath.Dir(dir) {
		if info, err := os.Stat(dir); err == nil && info.IsDir() {
			break
		}
		dir = filepath.Dir(dir)
	}
	return dir
}

func (w *watch) run(ctx context.Context) {
	defer w.watcher.Close()
	for {
		select {
		case <-ctx.Done():
			return
		case _, open := <-w.watcher.Errors:
			if !open {
				return
			}
			w.tell() // events were lost
		case event, open := <-w.watcher.Events:
			if !open {
				return
			}
			before, named := maps.Clone(w.dirs), w.isNamed(event.Name)
			delete(w.dirs, event.Name) // it was removed or renamed, or only its rights changed
			if err := w.attach(); err != nil || !maps.Equal(w.dirs, before) || named {
				w.tell()
			}
		}
	}
}

// isNamed reports whether a path has the name of one of the files.
func (w *watch) isNamed(path string) bool {
	return slices.ContainsFunc(w.files(), func(file string) bool { return filepath.Base(file) == filepath.Base(path) })
}

func (w *watch) tell() {
	select {
	case w.changed <- struct{}{}:
	default: // the reader will read again anyway
	}
}

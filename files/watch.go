package files

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/fsnotify/fsnotify"
)

// Watch returns a channel that gets a value whenever the file may have been made, written,
// replaced or removed, until ctx ends. A value may stand for many changes or for none, so
// the reader must read the file again. The file and the directories that it is in need not
// exist.
func Watch(ctx context.Context, path string) (<-chan struct{}, error) {
	watcher, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, err
	}
	w := &watch{path: path, watcher: watcher, changed: make(chan struct{}, 1)}
	if err := w.attach(); err != nil {
		return nil, errors.Join(err, watcher.Close())
	}
	go w.run(ctx)
	return w.changed, nil
}

// watch watches the file's directory, or the nearest one above it that exists.
type watch struct {
	path    string
	watcher *fsnotify.Watcher
	dir     string // that is watched
	changed chan struct{}
}

// attach watches the directory that is the nearest one now. It looks again afterwards: a
// nearer one may have been made before the watch began.
func (w *watch) attach() error {
	for {
		dir := w.nearest()
		if dir == w.dir {
			return nil
		}
		if w.dir != "" {
			_ = w.watcher.Remove(w.dir) // it may be gone
		}
		w.dir = ""
		if err := w.watcher.Add(dir); errors.Is(err, fs.ErrNotExist) {
			continue
		} else if err != nil {
			return err
		}
		w.dir = dir
	}
}

func (w *watch) nearest() string {
	dir := filepath.Dir(w.path)
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
			before := w.dir
			if event.Name == w.dir {
				w.dir = "" // it was removed or renamed, or only its rights changed
			}
			if err := w.attach(); err != nil || w.dir != before || event.Name == w.path {
				w.tell()
			}
		}
	}
}

func (w *watch) tell() {
	select {
	case w.changed <- struct{}{}:
	default: // the reader will read again anyway
	}
}

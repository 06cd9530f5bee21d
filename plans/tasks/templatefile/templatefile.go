// Package templatefile finds, reads and writes templates of plans of tasks as files: in a
// folder of the project, which its team shares, and in one of the person. What a template
// is, and how it is filled in, are rules of planb/plans/tasks. Begin with In.
package templatefile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"planb/files"
	"planb/plans/tasks"
)

// Folders are where templates are. If two templates have the same key, the one in the first
// folder counts.
type Folders []Folder

// Folder is a directory of templates.
type Folder struct {
	top   string // the directory that no link of the way to the folder may lead out of
	below string // the way from there
}

// path is where the folder is.
func (f Folder) path() string { return filepath.Join(f.top, f.below) }

// In returns the folders of a project's directory and of the person's settings. Either may
// be empty. A project's folder is in the project: its repository may be somebody else's, and may
// hold a link to any place. Where that of the settings is, the person decides.
func In(project, settings string) Folders {
	var f Folders
	if project != "" {
		f = append(f, Folder{project, filepath.Join("docs", "planb", "templates")})
	}
	if settings != "" {
		f = append(f, Folder{filepath.Join(settings, "templates"), "."})
	}
	return f
}

const (
	suffix   = ".json"
	maxFiles = 1000 // of a folder that are looked at
)

// Found is a template and its file.
type Found struct {
	tasks.Template
	File string
	// Err is why the file cannot be used. Then the key is that of its name.
	Err error
}

// OutsideError says that a file of a folder is a link that leads out of it, or that the folder is
// a link that leads out of the project.
type OutsideError struct {
	File   string
	folder bool
}

func (e *OutsideError) Error() string {
	if e.folder {
		return e.File + " is a link that leads out of the project; make it a folder"
	}
	return e.File + " is a link that leads out of its folder; copy the template into the folder"
}

// List returns all templates in the order of their keys, those that cannot be used
// included. A folder that does not exist has none.
func (f Folders) List() ([]Found, error) {
	var list []Found
	known := map[string]bool{}
	for _, folder := range f {
		some, err := listFolder(folder)
		if err != nil {
			return nil, err
		}
		for _, found := range some {
			if !known[found.Key] {
				list = append(list, found)
			}
			known[found.Key] = true
		}
	}
	slices.SortStableFunc(list, func(a, b Found) int { return strings.Compare(a.Key, b.Key) })
	return list, nil
}

func listFolder(folder Folder) (list []Found, err error) {
	root, err := folder.open()
	if root == nil || err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	entries, err := fs.ReadDir(root.FS(), ".")
	if err != nil {
		return nil, fmt.Errorf("the folder of templates can't be read: %w", err)
	}
	for _, entry := range entries[:min(len(entries), maxFiles)] {
		if name := entry.Name(); strings.HasSuffix(name, suffix) && !strings.HasPrefix(name, ".") {
			list = append(list, read(folder, root, name))
		}
	}
	return list, nil
}

// open opens the folder. It returns nil for one that does not exist.
func (f Folder) open() (*os.Root, error) {
	top, err := files.OpenDir(f.top)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("the folder of templates can't be opened: %w", err)
	}
	defer top.Close() //nolint:errcheck // nothing was written
	root, err := files.OpenDirIn(top, f.below)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil && leadsOut(top, f.below):
		return nil, &OutsideError{File: f.path(), folder: true}
	case err != nil:
		return nil, fmt.Errorf("the folder of templates can't be opened: %w", err)
	}
	return root, nil
}

// read reads one file of a folder.
func read(folder Folder, root *os.Root, name string) Found {
	found := Found{File: filepath.Join(folder.path(), name)}
	found.Template, found.Err = parse(root, name)
	if found.Err != nil {
		found.Key = strings.TrimSuffix(name, suffix)
		if link, err := root.Lstat(name); err == nil && link.Mode()&fs.ModeSymlink != 0 && leadsOut(root, name) {
			found.Err = &OutsideError{File: found.File}
		}
	}
	return found
}

// leadsOut reports whether links lead to something that exists outside the folder.
func leadsOut(root *os.Root, name string) bool {
	_, inside := root.Stat(name)
	_, anywhere := os.Stat(filepath.Join(root.Name(), name))
	return inside != nil && anywhere == nil
}

func parse(root *os.Root, name string) (tasks.Template, error) {
	file, info, err := files.OpenIn(root, name)
	if err != nil {
		return tasks.Template{}, err
	}
	defer file.Close() // nothing was written
	text, err := files.All(file, info, tasks.MaxInputBytes)
	if err != nil {
		return tasks.Template{}, err
	}
	return tasks.ReadTemplate(text)
}

// Find returns the template with a key. The error is a *tasks.Error, not_found, if there
// is none; else what is wrong with its file.
func (f Folders) Find(key string) (tasks.Template, error) {
	list, err := f.List()
	if err != nil {
		return tasks.Template{}, err
	}
	var there []string
	for _, found := range list {
		if found.Key == key {
			return found.Template, found.Err
		}
		if found.Err == nil {
			there = append(there, found.Key)
		}
	}
	return tasks.Template{}, tasks.Missing("template", key, there)
}

// Save writes the file of a template into the first folder, under its key. The error is
// fs.ErrExist for a file that is there, unless replace is true.
func (f Folders) Save(key string, text []byte, replace bool) (path string, err error) {
	if len(f) == 0 {
		return "", errors.New("there is no folder for templates")
	}
	if err := f[0].make(); err != nil {
		return "", err
	}
	path = filepath.Join(f[0].path(), key+suffix)
	if replace {
		return path, files.Replace(path, text)
	}
	return path, files.WriteNew(path, text)
}

// make makes the folder, unless it exists.
func (f Folder) make() error {
	if err := os.MkdirAll(f.top, 0o755); err != nil {
		return err
	}
	top, err := files.OpenDir(f.top)
	if err != nil {
		return err
	}
	defer top.Close() //nolint:errcheck // nothing was written
	if err := top.MkdirAll(f.below, 0o755); err != nil {
		if leadsOut(top, f.below) {
			return &OutsideError{File: f.path(), folder: true}
		}
		return err
	}
	return nil
}

package planfile

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"planb/files"
	"planb/mcp/tool"
	"planb/mcp/wire"
	"planb/plans"
)

// defaultPlansDir is where plan files are, in the project, if nothing else is
// said.
const defaultPlansDir = "docs/planb/plans"

// directory is the directory of plan files, opened: whatever is done in it stays in
// it, wherever links lead. It is locked for as long as it is open, and its call is
// parked: a call that waits for room must not hold the lock.
type directory struct {
	path   string // as agents and people are told it
	real   string // the same without links: what the store knows its files by
	root   *os.Root
	unlock func()
	resume func() // ends the parking of the call
}

// withinProject is the plans directory as it was chosen: absolute, or relative to the
// project.
func (f *Files) withinProject() string {
	if f.within == "" {
		return filepath.FromSlash(defaultPlansDir)
	}
	return filepath.Clean(f.within)
}

// plansPath is the directory of plan files.
func (f *Files) plansPath(project string) string { return InProject(project, f.withinProject()) }

// InProject is the path, taken from the project if it is relative.
func InProject(project, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(project, path)
}

// openPlans opens the directory of the project's plan files, and creates it if it
// is to be created. The error is fs.ErrNotExist if it is not there. It is to be
// closed.
func (f *Files) openPlans(ctx context.Context, project string, create bool) (*directory, error) {
	return f.enterPlans(ctx, project, f.plansPath(project), create)
}

// openPlansAt opens the directory of a plan file that was opened before, by its
// path; it may be that of another project.
func (f *Files) openPlansAt(ctx context.Context, path string) (*directory, error) {
	within := f.withinProject()
	if c, ok := tool.RequestFrom(ctx); ok {
		if project := c.Agent.Dirs(ctx)[0]; InProject(project, within) == path {
			return f.enterPlans(ctx, project, path, false)
		}
	}
	project, ok := strings.CutSuffix(path, string(filepath.Separator)+within)
	if !ok {
		return nil, fmt.Errorf("%s is no plans directory of this server; start planb mcp with --plans-dir", path)
	}
	return f.enterPlans(ctx, project, path, false)
}

// enterPlans opens a directory of plan files, for one call at a time.
func (f *Files) enterPlans(ctx context.Context, project, path string, create bool) (*directory, error) {
	if !filepath.IsAbs(path) {
		return nil, fmt.Errorf("the plans directory %q is not an absolute path; start planb mcp with --plans-dir", path)
	}
	resume := func() {}
	if c, ok := wire.CallFrom(ctx); ok {
		resume = c.Park() // the file system, or the holder of the lock, may take its time
	}
	root, err := openDir(project, path, create)
	if err != nil {
		resume()
		return nil, err
	}
	dir := &directory{path: path, root: root, unlock: func() {}, resume: resume}
	if err := dir.enter(ctx, &f.locks); err != nil {
		dir.close()
		return nil, err
	}
	return dir, nil
}

// enter finds out the directory's own name and locks it.
func (d *directory) enter(ctx context.Context, locks *locks) error {
	opened, err := d.root.Stat(".")
	if err != nil {
		return err
	}
	if d.real, err = filepath.EvalSymlinks(d.path); err != nil {
		return err
	}
	if named, err := os.Stat(d.real); err != nil {
		return err
	} else if !os.SameFile(opened, named) {
		return errExchanged
	}
	unlock, err := locks.lock(ctx, d.path, identity(opened, d.real))
	if err == nil {
		d.unlock = unlock
	}
	return err
}

// close ends the lock, and then waits for room for the call.
func (d *directory) close() {
	d.unlock()
	d.root.Close() // nothing was written to it
	d.resume()
}

// names are the names of the plans in the directory. One that cannot be listed
// tells of none: the names are for who looks for another.
func (d *directory) names() (names []string) {
	listed, err := fs.ReadDir(d.root.FS(), ".")
	if err != nil {
		return nil
	}
	for _, entry := range listed {
		stem, isPlan := strings.CutSuffix(entry.Name(), plans.Name("").File())
		name, err := plans.ParseName(stem)
		if isPlan && err == nil && name.File() == entry.Name() && entry.Type().IsRegular() {
			names = append(names, string(name))
		}
	}
	return names
}

// below is the path's place in the project, if it is in it. A path that a person
// chose may lead anywhere; what is in the project is whatever its repository holds,
// so no link there may lead out.
func below(project, path string) (place string, ok bool) {
	projects := []string{project}
	if real, err := filepath.EvalSymlinks(project); err == nil {
		projects = append(projects, real)
	}
	for _, project := range projects {
		if place, err := filepath.Rel(project, path); err == nil && filepath.IsLocal(place) {
			return place, true
		}
	}
	return "", false
}

// openDir opens a directory, and creates it if it is to be created.
func openDir(project, path string, create bool) (*os.Root, error) {
	place, ok := below(project, path)
	if !ok {
		if create {
			if err := os.MkdirAll(path, 0o755); err != nil {
				return nil, err
			}
		}
		return os.OpenRoot(path)
	}
	within, err := os.OpenRoot(project)
	if err != nil {
		return nil, err
	}
	defer within.Close()
	if create {
		if err := within.MkdirAll(place, 0o755); err != nil {
			return nil, err
		}
	}
	return within.OpenRoot(place)
}

// ReadChosen reads a file that a person chose.
func ReadChosen(project, path string, limit int64) ([]byte, error) {
	file, info, err := openChosen(project, path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return files.All(file, info, limit)
}

func openChosen(project, path string) (*os.File, fs.FileInfo, error) {
	place, ok := below(project, path)
	if !ok {
		return files.Open(path)
	}
	within, err := os.OpenRoot(project)
	if err != nil {
		return nil, nil, err
	}
	defer within.Close()
	return files.OpenIn(within, place)
}
